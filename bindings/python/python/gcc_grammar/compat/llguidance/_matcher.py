"""``LLMatcher``: a matcher that keeps its first error."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, Union

from ..._api import Matcher, compile
from ..._errors import RefusedError
from . import _grammar
from ._tokenizer import LLTokenizer

T = TypeVar("T")


@dataclass
class LLParserLimits:
    """Limits of llguidance's parser. They have no effect: those of gcc-grammar are options of :func:`gcc_grammar.compile`."""

    max_items_in_row: int = 2000
    initial_lexer_fuel: int = 1_000_000
    step_lexer_fuel: int = 200_000
    step_max_items: int = 50_000
    max_lexer_states: int = 250_000
    max_grammar_size: int = 500_000
    precompute_large_lexemes: bool = True
    verbose_errors: bool = True


@functools.lru_cache(maxsize=1)
def _bytes_only() -> LLTokenizer:
    return LLTokenizer("byte")


class LLMatcher:
    """The state of one output. Nothing but a wrong call raises: the first error stays, and the matcher does nothing more."""

    def __init__(
        self, tokenizer: LLTokenizer, grammar: str, *, log_level: int = 1, limits: Optional[LLParserLimits] = None
    ) -> None:
        self._tokenizer = tokenizer
        self._tokens: List[int] = []
        self._certain: List[int] = []
        self._warnings: List[str] = []
        self._error = ""
        self._matcher: Optional[Matcher] = None
        self._stopped = False
        try:
            source, options = _grammar.read(grammar)
            artifact = compile(source, tokenizer.vocabulary, **options)
            self._warnings = [warning["message"] for warning in artifact.warnings]
            self._matcher = artifact.matcher(max_rollback=1 << 10)
            self._see_end(self._matcher)
        except Exception as error:
            self._error = str(error) or type(error).__name__

    def _run(self, work: Callable[[Matcher], T], otherwise: T) -> T:
        if self._error or self._matcher is None:
            return otherwise
        try:
            return work(self._matcher)
        except RefusedError as error:
            self._error = str(error)
            return otherwise

    def _see_end(self, matcher: Matcher) -> None:
        ends = len(self._tokenizer.vocabulary.end_tokens)
        self._stopped = matcher.is_terminated or (matcher.is_accepting and matcher.count_allowed() <= ends)

    @staticmethod
    def validate_grammar(
        grammar: str, tokenizer: Optional[LLTokenizer] = None, *, limits: Optional[LLParserLimits] = None
    ) -> str:
        """What is wrong with a grammar; empty if nothing is."""
        is_error, messages = LLMatcher.validate_grammar_with_warnings(grammar, tokenizer)
        return "" if not messages else messages[0] if is_error else "WARNING: " + "\n".join(messages)

    @staticmethod
    def validate_grammar_with_warnings(
        grammar: str, tokenizer: Optional[LLTokenizer] = None, *, limits: Optional[LLParserLimits] = None
    ) -> Tuple[bool, List[str]]:
        """Whether a grammar is refused, and the error or the warnings."""
        matcher = LLMatcher(tokenizer or _bytes_only(), grammar)
        return (True, [matcher._error]) if matcher._error else (False, matcher._warnings)

    @staticmethod
    def grammar_from_json_schema(
        schema: Union[str, Dict[str, Any]],
        defaults: Optional[Dict[str, Any]] = None,
        overrides: Optional[Dict[str, Any]] = None,
    ) -> str:
        """The grammar of a schema. ``defaults`` hold where ``x-guidance`` in the schema says nothing, ``overrides`` in any case."""
        return _grammar.of_json_schema(schema, defaults, overrides)

    @staticmethod
    def grammar_from_lark(lark: str) -> str:
        """The grammar of a text in Lark."""
        return _grammar.of_lark(lark)

    @staticmethod
    def grammar_from_regex(regex: str) -> str:
        """The grammar of a regular expression."""
        return _grammar.grammar_from("regex", regex)

    def is_error(self) -> bool:
        """Whether the matcher is in the state of an error."""
        return bool(self._error)

    def get_error(self) -> str:
        """The first error; empty if there was none."""
        return self._error

    def get_grammar_warnings(self) -> List[str]:
        """The warnings about the grammar."""
        return list(self._warnings)

    def deep_copy(self) -> LLMatcher:
        """A copy. From then on the two are independent."""
        copy = LLMatcher.__new__(LLMatcher)
        copy.__dict__.update(self.__dict__)
        copy._tokens, copy._certain = list(self._tokens), list(self._certain)
        copy._matcher = self._matcher.fork() if self._matcher is not None else None
        return copy

    def __copy__(self) -> LLMatcher:
        return self.deep_copy()

    def __deepcopy__(self, memo: Any) -> LLMatcher:
        return self.deep_copy()

    def is_accepting(self) -> bool:
        """Whether the output may end here."""
        return self._run(lambda matcher: matcher.is_accepting, False)

    def is_stopped(self) -> bool:
        """Whether nothing but an end token can come, also because of an error."""
        return self.is_error() or self._stopped

    def stop_reason(self) -> str:
        """Why the output has ended: ``NotStopped``, ``NoExtension``, ``EndOfSentence`` or ``InternalError``."""
        if self._error or self._matcher is None:
            return "InternalError"
        if not self._stopped:
            return "NotStopped"
        return "EndOfSentence" if self._matcher.is_terminated else "NoExtension"

    def rollback(self, num_tokens: int) -> bool:
        """Takes back the last tokens."""

        def work(matcher: Matcher) -> bool:
            kept = len(self._tokens) - num_tokens
            if kept < 0:
                raise RefusedError(f"rollback: {num_tokens} > {len(self._tokens)}")
            if num_tokens <= 1 << 10:
                matcher.rollback(num_tokens)
            else:
                matcher.reset()
                for token in self._tokens[:kept]:
                    matcher.commit(token)
            del self._tokens[kept:]
            self._certain = []
            self._see_end(matcher)
            return True

        return self._run(work, False)

    def reset(self) -> bool:
        """Goes back to the beginning."""
        return self.rollback(len(self._tokens))

    def compute_ff_bytes(self) -> bytes:
        """The bytes that are certain to come."""
        return self._run(lambda matcher: b"" if self._stopped else matcher.forced_bytes(), b"")

    def compute_ff_tokens(self) -> List[int]:
        """The tokens that are certain to come, as the model's tokenizer cuts them."""

        def work(matcher: Matcher) -> List[int]:
            if not self._certain and not self._stopped and self._tokenizer.is_canonical and matcher.forced_bytes(1):
                self._certain = self._tokenizer.certain(matcher, self._tokens[-16:])
            return list(self._certain)

        return self._run(work, [])

    def _consume(self, matcher: Matcher, token: int) -> None:
        if not 0 <= token < self._tokenizer.vocab_size:
            raise RefusedError(f"token id {token} out of range")
        if matcher.is_terminated:
            raise RefusedError("the output has ended: nothing can come behind an end token")
        if not matcher.try_commit(token):
            shown = self._tokenizer.dbg_tokens([token])
            raise RefusedError(f"token {shown} doesn't satisfy the grammar behind {len(self._tokens)} tokens")
        self._tokens.append(token)
        self._certain = self._certain[1:] if self._certain[:1] == [token] else []
        self._see_end(matcher)

    def consume_token(self, sampled_token: int) -> bool:
        """Commits a token. If it is not allowed, the matcher stays in the state of an error."""
        return self.consume_tokens([sampled_token])

    def consume_tokens(self, sampled_tokens: List[int]) -> bool:
        """Commits tokens. If one is not allowed, the matcher stays in the state of an error."""

        def work(matcher: Matcher) -> bool:
            for token in sampled_tokens:
                self._consume(matcher, token)
            return True

        return self._run(work, False)

    def try_consume_tokens(self, tokens: List[int]) -> int:
        """Commits tokens up to the first that is not allowed, and returns their number."""

        def work(matcher: Matcher) -> int:
            for done, token in enumerate(tokens):
                if self._stopped or not 0 <= token < self._tokenizer.vocab_size or not matcher.allows(token):
                    return done
                self._consume(matcher, token)
            return len(tokens)

        return self._run(work, 0)

    def validate_tokens(self, tokens: List[int]) -> int:
        """How many of the tokens could be committed. Commits none."""

        def work(matcher: Matcher) -> int:
            if self._stopped:
                return 0
            for token in tokens:
                if not 0 <= token < self._tokenizer.vocab_size:
                    raise RefusedError(f"token id {token} out of range")
            return matcher.validate(tokens)

        return self._run(work, 0)

    def _only(self) -> Optional[List[int]]:
        """The tokens of the mask, where it is not the exact mask: the end, or a certain token."""
        if self.is_stopped():
            return self._tokenizer.eos_tokens
        return self.compute_ff_tokens()[:1] or None

    def compute_bitmask(self) -> bytes:
        """The mask: one bit per token."""
        size = (self._tokenizer.vocab_size + 31) // 32 * 4
        only = self._only()
        if only is None:
            return self._run(lambda matcher: matcher.mask(), bytes(size))
        mask = bytearray(size)
        for token in only:
            mask[token // 8] |= 1 << token % 8
        return bytes(mask)

    def compute_logit_bias(self) -> bytes:
        """The mask: one byte per token, 200 if it is allowed and 0 if not."""
        mask = self.compute_bitmask()
        return bytes(200 if mask[token // 8] >> token % 8 & 1 else 0 for token in range(self._tokenizer.vocab_size))

    def unsafe_compute_mask_ptr(self, trg_pointer: int, trg_byte_size: int) -> None:
        """Writes the mask to an address."""
        check_memory(trg_pointer, trg_byte_size, self._tokenizer.vocab_size)
        mask = self.compute_bitmask()
        ctypes.memmove(trg_pointer, mask, len(mask))

    def unsafe_compute_mask_ptr_with_draft_token(self, trg_ptr: int, trg_bytes: int, draft_tokens: List[int]) -> None:
        """Writes the masks in front of and behind each draft token, up to the first that is not allowed, one after the other."""
        size = (self._tokenizer.vocab_size + 31) // 32 * 4
        self._masks_of_draft(trg_ptr, size, draft_tokens, trg_bytes // size)

    def _masks_of_draft(self, pointer: int, size: int, draft: List[int], room: int) -> None:
        """As above, if there is room for so many masks of this size."""
        done = 0
        try:
            for token in [None, *draft]:
                if token is not None:
                    if self.is_stopped() or self.try_consume_tokens([token]) == 0:
                        break
                    done += 1
                if done >= room:
                    raise ValueError("Target index out of bounds")
                self.unsafe_compute_mask_ptr(pointer + done * size, size)
        finally:
            self.rollback(done)

    def get_capture(self, name: str) -> Optional[bytes]:
        """Captures are not supported."""
        raise NotImplementedError("gcc-grammar has no captures")

    def get_captures(self) -> List[Tuple[str, bytes]]:
        """Captures are not supported."""
        raise NotImplementedError("gcc-grammar has no captures")


def check_memory(pointer: int, size: int, vocab_size: int) -> None:
    """Checks the address and the size of a mask."""
    if pointer == 0:
        raise ValueError("Null pointer")
    if pointer % 4 != 0:
        raise ValueError("Pointer not aligned")
    if size != (vocab_size + 31) // 32 * 4:
        raise ValueError(f"Invalid buffer size: {size}, a mask has {(vocab_size + 31) // 32 * 4} bytes")
