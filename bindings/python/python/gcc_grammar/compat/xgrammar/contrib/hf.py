"""`LogitsProcessor` for `transformers`."""

from __future__ import annotations

from typing import Any, Sequence, Union

from ..compiler import CompiledGrammar
from ..matcher import GrammarMatcher, allocate_token_bitmask, apply_token_bitmask_inplace

try:
    from transformers import LogitsProcessor as _Base
except ImportError:
    _Base = object


class LogitsProcessor(_Base):  # type: ignore[misc]
    """Masks the logits of one call of `generate`: one grammar for all rows, or a grammar for each."""

    def __init__(self, compiled_grammar: Union[CompiledGrammar, Sequence[CompiledGrammar]]) -> None:
        one = isinstance(compiled_grammar, CompiledGrammar)
        self.compiled_grammars: list[CompiledGrammar] = [compiled_grammar] if one else list(compiled_grammar)  # type: ignore[list-item, arg-type]
        self.full_vocab_size = self.compiled_grammars[0].tokenizer_info.vocab_size
        self.matchers: list[GrammarMatcher] = []
        self.token_bitmask: Any = None
        self.batch_size = 0

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores of the tokens, minus infinity for those that are not allowed."""
        if not self.matchers:
            self._start(input_ids.shape[0])
        elif input_ids.shape[0] != self.batch_size:
            raise RuntimeError(f"Expect input_ids.shape[0] to be {self.batch_size}, but it is {input_ids.shape[0]}")
        else:
            for matcher, row in zip(self.matchers, input_ids):
                token = int(row[-1])
                if not matcher.is_terminated() and not matcher.accept_token(token):
                    raise AssertionError(f"the grammar does not allow token {token}")
        for index, matcher in enumerate(self.matchers):
            if not matcher.is_terminated():
                matcher.fill_next_token_bitmask(self.token_bitmask, index)
        apply_token_bitmask_inplace(scores, self.token_bitmask.to(scores.device), vocab_size=self.full_vocab_size)
        return scores

    def _start(self, batch_size: int) -> None:
        grammars = self.compiled_grammars if len(self.compiled_grammars) > 1 else self.compiled_grammars * batch_size
        if len(grammars) != batch_size:
            raise AssertionError("The number of compiled grammars must be equal to the batch size.")
        self.batch_size = batch_size
        self.matchers = [GrammarMatcher(grammar) for grammar in grammars]
        self.token_bitmask = allocate_token_bitmask(batch_size, self.full_vocab_size)
