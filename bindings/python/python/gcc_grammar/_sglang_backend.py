"""The classes that SGLang uses. They exist only where SGLang does."""

from __future__ import annotations

import logging
from collections import OrderedDict
from typing import Any, Optional, Sequence

from sglang.srt.constrained.base_grammar_backend import BaseGrammarBackend, BaseGrammarObject, InvalidGrammarObject

from . import _engine
from ._api import fill_masks
from ._apply import apply_rows
from ._errors import Error

logger = logging.getLogger("gcc_grammar")

#: The number of tokens that can be taken back, as SGLang asks of its own backend.
ROLLBACKS = 200

#: The number of grammars and refusals that the cache of SGLang keeps. Their artifacts are bounded in bytes besides.
GRAMMARS = 1024

#: From this many rows on, several threads fill them.
PARALLEL_ROWS = 64


class GccGrammar(BaseGrammarObject):  # type: ignore[misc]
    """The state of one request."""

    def __init__(self, run: _engine.Run) -> None:
        super().__init__()
        self.run = run

    def accept_token(self, token: int) -> None:
        """Commits a token. Raises ``ValueError`` if the grammar does not allow it."""
        self.current_token = token
        if not self.run.accept(token):
            raise ValueError(f"the grammar does not allow token {token} after {self.run.matcher.committed} tokens")

    def rollback(self, k: int) -> None:
        """Takes back the last ``k`` commits."""
        self.run.matcher.rollback(k)

    def is_terminated(self) -> bool:
        """Whether an end token was committed."""
        return self.run.matcher.is_terminated

    def allocate_vocab_mask(self, vocab_size: int, batch_size: int, device: Any) -> Any:
        """Rows that allow every token, in the memory of the host."""
        return allocate(vocab_size, batch_size)

    def fill_vocab_mask(self, vocab_mask: Any, idx: int) -> None:
        """Writes the mask into a row."""
        self.run.fill(vocab_mask, idx)

    @staticmethod
    def fill_vocab_mask_batched(entries: Sequence[Any], vocab_mask: Any) -> None:
        """Writes the masks of many requests in one call."""
        own = [entry for entry in entries if isinstance(entry.grammar, GccGrammar)]
        if own and vocab_mask.shape[1] == own[0].grammar.run.artifact.row_words:
            threads = 0 if len(own) >= PARALLEL_ROWS else 1
            fill_masks(
                [entry.grammar.run.matcher for entry in own], vocab_mask, indices=[entry.row for entry in own], threads=threads
            )
            entries = [entry for entry in entries if not isinstance(entry.grammar, GccGrammar)]
        for entry in entries:
            entry.grammar.fill_vocab_mask(vocab_mask, entry.row)

    @staticmethod
    def reset_vocab_mask(vocab_mask: Any) -> None:
        """Lets the rows allow every token."""
        vocab_mask.fill_(-1)

    @staticmethod
    def move_vocab_mask(vocab_mask: Any, device: Any) -> Any:
        """The rows on the device."""
        return vocab_mask.to(device, non_blocking=True)

    @staticmethod
    def apply_vocab_mask(logits: Any, vocab_mask: Any) -> None:
        """Sets the logits of other tokens to minus infinity."""
        apply(logits, vocab_mask)

    def copy(self) -> GccGrammar:
        """The same grammar for another request."""
        return GccGrammar(self.run.fresh())

    def try_jump_forward(self, tokenizer: Any) -> Optional[tuple[list[int], str]]:
        """The text that is certain to come."""
        data = self.run.matcher.forced_bytes()
        text = data.decode("utf-8", "ignore")
        return ([], text) if text else None

    def jump_forward_str_state(self, helper: tuple[list[int], str]) -> tuple[str, int]:
        """The text of :meth:`try_jump_forward`. There is no state to jump to."""
        return helper[1], -1

    def jump_and_retokenize(self, old_output_ids: list[int], new_output_ids: list[int], next_state: int) -> None:
        """Goes back to where the two sequences part, and commits the new one from there."""
        same = 0
        while same < min(len(old_output_ids), len(new_output_ids)) and old_output_ids[same] == new_output_ids[same]:
            same += 1
        self.run.matcher.rollback(len(old_output_ids) - same)
        for token in new_output_ids[same:]:
            self.accept_token(token)


class Recent(OrderedDict):  # type: ignore[type-arg]
    """A dictionary that keeps the grammars that were used most recently. SGLang's own cache has no bound."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__()
        self.most_bytes = most_bytes
        self.bytes = 0
        # What each grammar counts as: it may grow while it is kept, where masks come on demand at first.
        self._sizes: dict[Any, int] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which counts as a use."""
        if key not in self:
            return default
        self.move_to_end(key)
        return self[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        self._sizes[key] = _size(value)
        self.bytes += self._sizes[key]
        while len(self) > GRAMMARS or self.bytes > self.most_bytes:
            del self[next(iter(self))]

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(key)
        self.bytes -= self._sizes.pop(key)

    def pop(self, key: Any, default: Any = None) -> Any:
        """Removes a key, and returns its value."""
        if key not in self:
            return default
        value = self[key]
        del self[key]
        return value

    def clear(self) -> None:
        """Removes everything."""
        super().clear()
        self._sizes.clear()
        self.bytes = 0


def _size(value: Any) -> int:
    """The bytes of the artifact of a grammar, which may be inside of the object for reasoning; 0 for a refusal."""
    grammar = getattr(value, "grammar", None) or value
    return len(grammar.run.artifact) if isinstance(grammar, GccGrammar) else 0


class GccBackend(BaseGrammarBackend):  # type: ignore[misc]
    """The backend of one server."""

    def __init__(self, compiler: _engine.Compiler, end_tokens: Optional[Sequence[int]], options: dict[str, Any]) -> None:
        super().__init__()
        self.cache = Recent(compiler.settings.memory_bytes)
        self.compiler = compiler
        self.end_tokens = end_tokens
        self.options = options

    def dispatch_json(self, key_string: str) -> Any:
        """Compiles a JSON Schema; ``$$ANY$$`` stands for any JSON text."""
        return self._compiled("any_json" if key_string == "$$ANY$$" else "json", key_string)

    def dispatch_regex(self, key_string: str) -> Any:
        """Compiles a regular expression."""
        return self._compiled("regex", key_string)

    def dispatch_ebnf(self, key_string: str) -> Any:
        """Compiles a grammar: EBNF, GBNF or Lark."""
        return self._compiled("grammar", key_string)

    def dispatch_structural_tag(self, key_string: str) -> Any:
        """Compiles structural tags."""
        return self._compiled("structural_tag", key_string)

    def _compiled(self, kind: str, text: str) -> Any:
        try:
            artifact = self.compiler.compile(kind, text, self.end_tokens, self.options)
        except Error as error:
            logger.warning("a request is refused: %s", error)
            return InvalidGrammarObject(str(error))
        return GccGrammar(_engine.Run(artifact, ROLLBACKS, self.compiler.settings.max_work))

    def reset(self) -> None:
        """Forgets the grammars and their artifacts."""
        super().reset()
        self.compiler.clear()

    # What the backend for reasoning asks of the one inside of it.

    @property
    def is_support_token_filter(self) -> bool:
        """Single tokens can be allowed and forbidden during reasoning."""
        return True

    @staticmethod
    def set_token_filter(
        vocab_mask: Any, token_ids: Sequence[int], batch_idx: int, is_allowed: bool = True, reset_vocab_mask: bool = True
    ) -> None:
        """Allows or forbids tokens in a row; with ``reset_vocab_mask`` all others become the opposite."""
        row = vocab_mask[batch_idx]
        if reset_vocab_mask:
            row[:] = 0 if is_allowed else -1
        for token in token_ids:
            bit = 1 << (token % 32)
            signed = bit - (1 << 32) if bit == 1 << 31 else bit
            word = int(row[token // 32])
            row[token // 32] = word | signed if is_allowed else word & ~signed

    allocate_vocab_mask = staticmethod(lambda vocab_size, batch_size, device: allocate(vocab_size, batch_size))
    move_vocab_mask = staticmethod(GccGrammar.move_vocab_mask)
    apply_vocab_mask = staticmethod(GccGrammar.apply_vocab_mask)


def allocate(vocab_size: int, batch_size: int) -> Any:
    """Rows that allow every token, pinned where that can be done, as the copy to the device is to be asynchronous."""
    import torch

    pinned = torch.cuda.is_available()
    return torch.full((batch_size, (vocab_size + 31) // 32), -1, dtype=torch.int32, pin_memory=pinned)


def apply(logits: Any, vocab_mask: Any) -> None:
    """Applies rows with the kernel of SGLang on its devices, and with PyTorch elsewhere."""
    if logits.device.type == "cuda":
        try:
            from sglang.kernels.ops.grammar.bitmask_ops import apply_token_bitmask_inplace_triton
        except ImportError:
            pass
        else:
            apply_token_bitmask_inplace_triton(logits, vocab_mask)
            return
    apply_rows(logits, vocab_mask)


def create(server_args: Any, tokenizer: Any, vocab_size: int, end_tokens: Optional[Sequence[int]]) -> Any:
    """The backend, inside of the backend for reasoning if the server has a parser of reasoning."""
    compact = getattr(server_args, "constrained_json_disable_any_whitespace", False)
    compiler = _engine.Compiler.for_tokenizer(tokenizer, vocab_size, _engine.Settings.from_environment())
    backend = GccBackend(compiler, end_tokens, {"whitespace": "compact"} if compact else {})
    # The vocabulary is made now and not in the first request.
    compiler.vocabulary(end_tokens)
    parser = getattr(server_args, "reasoning_parser", None)
    return _with_reasoning(backend, parser, server_args, tokenizer) if parser else backend


def _with_reasoning(backend: GccBackend, parser: str, server_args: Any, tokenizer: Any) -> Any:
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarBackend
    from sglang.srt.parser.reasoning_parser import ReasoningParser

    reasoning = ReasoningParser(model_type=parser, stream_reasoning=False, tokenizer=tokenizer)
    strict = getattr(server_args, "enable_strict_thinking", False)
    wrapped = ReasonerGrammarBackend(backend, reasoning, tokenizer, enable_strict_thinking=strict)
    wrapped.cache = Recent(backend.compiler.settings.memory_bytes)
    return wrapped

