"""`GrammarMatcher`, `BatchGrammarMatcher`, and masks as tensors of PyTorch."""

from __future__ import annotations

import ctypes
import math
import os
import warnings
from typing import Any, Literal, Optional, Sequence, Union

from ... import _lib, _rows
from ..._checks import MOST_THREADS
from ..._errors import Error
from .compiler import CompiledGrammar


def _torch() -> Any:
    import torch

    return torch


def get_bitmask_shape(batch_size: int, vocab_size: int) -> tuple[int, int]:
    """The shape of the masks of a batch: one row for each text, one bit for each token."""
    return batch_size, (vocab_size + 31) // 32


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> Any:
    """Masks that allow everything, as a tensor of int32 in the memory of the host."""
    torch = _torch()
    return torch.full(get_bitmask_shape(batch_size, vocab_size), -1, dtype=torch.int32)


def reset_token_bitmask(bitmask: Any) -> None:
    """Makes masks allow everything."""
    bitmask.fill_(-1)


def apply_token_bitmask_inplace(
    logits: Any,
    bitmask: Any,
    *,
    vocab_size: Optional[int] = None,
    indices: Optional[Sequence[int]] = None,
    backend: str = "auto",
) -> None:
    """Sets the logits of all tokens that a mask does not allow to minus infinity. Both lie on the same device.

    Row i of the mask belongs to row i of the logits; with `indices` only these rows are masked. All backends use the operations of PyTorch.
    """
    from .kernels import apply, check

    check(logits, bitmask, backend)
    if vocab_size is None and 32 * bitmask.shape[-1] < logits.shape[-1]:
        warnings.warn(
            f"The bitmask covers only {32 * bitmask.shape[-1]} tokens but logits have {logits.shape[-1]}. "
            "Allocate the bitmask with the full vocab size, or pass vocab_size explicitly.",
            stacklevel=2,
        )
    apply(logits, bitmask, vocab_size, indices)


Step = Union[int, bytes]
_NO_RESTRICTION = 0xFFFFFFFF


class GrammarMatcher:
    """The state of one output.

    All steps can be taken back, as in XGrammar: the last 64 at once, others by going again from the beginning.
    """

    def __init__(
        self,
        compiled_grammar: CompiledGrammar,
        *,
        override_stop_tokens: Union[int, Sequence[int], None] = None,
        terminate_without_stop_token: bool = False,
        max_rollback_tokens: int = -1,
        default_temperature: Optional[float] = None,
    ) -> None:
        if not isinstance(compiled_grammar, CompiledGrammar):
            raise ValueError("The grammar should be compiled before passing it to GrammarMatcher.")
        if max_rollback_tokens != -1:
            warnings.warn("max_rollback_tokens is deprecated. It is always unlimited (-1).", DeprecationWarning, stacklevel=2)
        if default_temperature is not None and not 0 <= default_temperature < math.inf:
            raise RuntimeError("the temperature must be a finite non-negative number")
        info = compiled_grammar.tokenizer_info
        own = info._stops
        stops = [override_stop_tokens] if isinstance(override_stop_tokens, int) else override_stop_tokens
        self._compiled = compiled_grammar
        self._stops = list(own) if stops is None else list(stops)
        self._default_temperature = default_temperature
        #: The stop tokens whose bits the native mask does not have right.
        self._other_stops = sorted({*own, *self._stops}) if sorted(self._stops) != sorted(own) or not own else []
        self._ends_alone = terminate_without_stop_token
        self._native = compiled_grammar._native.matcher()
        self._steps: list[Step] = []
        self._stopped = False

    @property
    def stop_token_ids(self) -> list[int]:
        """The tokens that end the output."""
        return list(self._stops)

    @property
    def max_rollback_tokens(self) -> int:
        """Always -1: all steps can be taken back."""
        return -1

    @property
    def temperature(self) -> Optional[float]:
        """The temperature that the matcher was made with. Temperatures of rules have no effect."""
        return self._default_temperature

    def accept_token(self, token_id: int, *, debug_print: bool = False) -> bool:
        """Goes on with a token, and returns whether it is allowed."""
        if self._stopped or not 0 <= token_id < self._compiled.tokenizer_info.vocab_size:
            return False
        if token_id in self._stops:
            return self._accept_stop(token_id)
        try:
            accepted = token_id not in self._compiled.tokenizer_info._stops and self._native.try_commit(token_id)
        except Error:
            return False
        if accepted:
            self._steps.append(token_id)
        return accepted

    def _accept_stop(self, token: int) -> bool:
        if self._ends_alone or not self._native.is_accepting:
            return False
        self._steps.append(token)
        self._stopped = True
        return True

    def accept_string(self, input_str: Union[str, bytes], *, debug_print: bool = False) -> bool:
        """Goes on with a text as one step, and returns whether it is allowed."""
        data = input_str.encode() if isinstance(input_str, str) else bytes(input_str)
        if self._stopped:
            return False
        try:
            accepted = not data or self._native.try_commit_bytes(data)
        except Error:
            return False
        if accepted:
            self._steps.append(data)
        return accepted

    def fill_next_token_bitmask(self, bitmask: Any, index: int = 0, *, debug_print: bool = False) -> bool:
        """Writes the mask into row `index`, and returns whether it restricts anything."""
        address, words = self._row(bitmask, index)
        return self._fill(address, words)

    def _row(self, bitmask: Any, index: int) -> tuple[int, int]:
        try:
            host: Any = bitmask if hasattr(bitmask, "data_ptr") or hasattr(bitmask, "__array_interface__") else memoryview(bitmask)
            address, words = _rows.row(host, self._words, index if len(host.shape) == 2 else None)
        except (ValueError, TypeError, IndexError) as error:
            raise RuntimeError(f"the bitmask cannot be used: {error}") from error
        return address, words

    @property
    def _words(self) -> int:
        return (self._compiled.tokenizer_info.vocab_size + 31) // 32

    def _fill(self, address: int, words: int) -> bool:
        if self._stopped:
            raise RuntimeError("the matcher has terminated: there is no next token")
        native_words = self._compiled._native.row_words
        if native_words <= words:
            self._native.fill_at(address, words)
        else:
            # The end token that was added to a vocabulary without any has a word of its own.
            ctypes.memmove(address, self._native.mask(), 4 * words)
        row = (ctypes.c_uint32 * words).from_address(address)
        if self._other_stops:
            self._set_stops(row)
        return self._restricts(row)

    def _set_stops(self, row: Any) -> None:
        accepting = self._native.is_accepting
        size = self._compiled.tokenizer_info.vocab_size
        for token in [*self._other_stops, size]:
            if token < 32 * len(row):
                row[token // 32] &= _NO_RESTRICTION ^ (1 << token % 32)
        for token in self._stops if accepting else ():
            row[token // 32] |= 1 << token % 32

    def _restricts(self, row: Any) -> bool:
        size = self._compiled.tokenizer_info.vocab_size
        full, rest = divmod(size, 32)
        if rest and ~row[full] & ((1 << rest) - 1):
            return True
        return any(row[word] != _NO_RESTRICTION for word in range(full))

    def find_jump_forward_string(self) -> str:
        """The text that is certain to come."""
        return self._forced().decode("utf-8", "ignore")

    def find_jump_forward_tokens(self) -> list[int]:
        """The text that is certain to come as tokens, each the longest that fits. The last one is left out if a longer token begins with it."""
        return self._compiled.tokenizer_info._greedy(self._forced())

    def _forced(self) -> bytes:
        return b"" if self._stopped else self._native.forced_bytes(1 << 16)

    def rollback(self, num_tokens: int = 1) -> None:
        """Takes back the last steps."""
        if not 0 <= num_tokens <= len(self._steps):
            raise RuntimeError(f"cannot take back {num_tokens} of {len(self._steps)} steps")
        kept = len(self._steps) - num_tokens
        commits = sum(1 for step in self._steps[kept:] if self._is_commit(step))
        dropped, self._steps = self._steps[kept:], self._steps[:kept]
        self._stopped = False
        try:
            self._native.rollback(commits)
        except Error:
            self._again()

    def _is_commit(self, step: Step) -> bool:
        """Whether the native matcher made a commit for a step; not so for stop tokens and empty texts."""
        return step not in self._stops if isinstance(step, int) else bool(step)

    def _again(self) -> None:
        self._native.reset()
        for step in filter(self._is_commit, self._steps):
            if isinstance(step, int):
                self._native.try_commit(step)
            else:
                self._native.try_commit_bytes(step)

    def is_terminated(self) -> bool:
        """Whether the output has ended: by a stop token, or by a complete text if no stop token is expected."""
        return self.is_completed() if self._ends_alone else self._stopped

    def is_completed(self) -> bool:
        """Whether the text so far is complete."""
        return self._stopped or self._native.is_accepting

    def reset(self) -> None:
        """Goes back to the beginning."""
        self._native.reset()
        self._steps, self._stopped = [], False

    def fork(self) -> "GrammarMatcher":
        """A copy. From then on the two are independent."""
        copy = object.__new__(GrammarMatcher)
        copy.__dict__.update(self.__dict__)
        copy._native, copy._steps = self._native.fork(), list(self._steps)
        return copy

    def __copy__(self) -> "GrammarMatcher":
        return self.fork()

    def __deepcopy__(self, memo: Any) -> "GrammarMatcher":
        return self.fork()

    def get_captures(self, *, deduplicate: bool = True) -> list[tuple[str, bytes]]:
        """Captures are not recorded."""
        raise NotImplementedError("captures are not supported")

    def traverse_draft_tree(
        self,
        retrieve_next_token: Any,
        retrieve_next_sibling: Any,
        draft_tokens: Any,
        token_bitmask: Any,
        time_threshold: float = -1.0,
        temperatures: Any = None,
    ) -> bool:
        """Writes the mask behind every node of a tree of proposed tokens, of which node 0 was accepted before.

        Rows of nodes that are refused become zero. Returns false if the time was over, and true otherwise.
        """
        from ._draft import traverse

        return traverse(self, retrieve_next_token, retrieve_next_sibling, draft_tokens, token_bitmask, time_threshold, temperatures)

    def _debug_print_internal_state(self) -> str:
        return f"{len(self._steps)} steps, completed: {self.is_completed()}"


class BatchGrammarMatcher:
    """Operations on many matchers."""

    def __init__(self, max_threads: Union[int, Literal["auto"]] = "auto") -> None:
        if max_threads != "auto" and (not isinstance(max_threads, int) or max_threads < 1):
            raise RuntimeError(f"the number of threads must be positive or 'auto', not {max_threads!r}")
        threads = max(1, (os.cpu_count() or 2) // 2) if max_threads == "auto" else max_threads
        self._threads = min(threads, MOST_THREADS)

    def batch_fill_next_token_bitmask(
        self,
        matchers: Sequence[GrammarMatcher],
        bitmask: Any,
        indices: Optional[Sequence[int]] = None,
        debug_print: bool = False,
    ) -> None:
        """Writes the mask of each matcher into its row, or into row `indices[i]`."""
        rows = range(len(matchers)) if indices is None else indices
        if len(rows) != len(matchers):
            raise RuntimeError("The number of matchers and indices must be the same")
        places = [matcher._row(bitmask, row) for matcher, row in zip(matchers, rows)]
        if any(matcher._stopped for matcher in matchers):
            raise RuntimeError("a matcher has terminated: there is no next token")
        plain = all(matcher._compiled._native.row_words <= words for matcher, (_, words) in zip(matchers, places))
        distinct = len({id(matcher) for matcher in matchers}) == len(matchers) == len({address for address, _ in places})
        if not (plain and distinct and matchers):
            for matcher, place in zip(matchers, places):
                matcher._fill(*place)
            return
        natives = [matcher._native for matcher in matchers]
        _lib.fill_masks(natives, [address for address, _ in places], min(words for _, words in places), self._threads)
        for matcher, (address, words) in zip(matchers, places):
            if matcher._other_stops:
                matcher._set_stops((ctypes.c_uint32 * words).from_address(address))

    @staticmethod
    def batch_fill_temperature(matchers: Sequence[GrammarMatcher], temperatures: Any, indices: Optional[Sequence[int]] = None) -> None:
        """Writes the temperature of each matcher; -1 if it has none."""
        rows = range(len(matchers)) if indices is None else indices
        if len(rows) != len(matchers):
            raise RuntimeError("The number of matchers and indices must be the same")
        if len(temperatures.shape) != 1 or "float32" not in str(temperatures.dtype):
            raise RuntimeError("the temperatures must be one-dimensional, of float32")
        for matcher, row in zip(matchers, rows):
            if not 0 <= row < temperatures.shape[0]:
                raise RuntimeError(f"there is no temperature {row}")
            temperatures[row] = -1.0 if matcher.temperature is None else matcher.temperature

    @staticmethod
    def batch_accept_token(matchers: Sequence[GrammarMatcher], tokens: Sequence[int], debug_print: bool = False) -> list[bool]:
        """Goes on with a token in each matcher."""
        _same(matchers, tokens, "tokens")
        return [matcher.accept_token(token) for matcher, token in zip(matchers, tokens)]

    @staticmethod
    def batch_accept_string(
        matchers: Sequence[GrammarMatcher], strings: Sequence[Union[str, bytes]], debug_print: bool = False
    ) -> list[bool]:
        """Goes on with a text in each matcher."""
        _same(matchers, strings, "strings")
        return [matcher.accept_string(text) for matcher, text in zip(matchers, strings)]

    @staticmethod
    def batch_rollback(matchers: Sequence[GrammarMatcher], num_tokens: Union[Sequence[int], int] = 1) -> None:
        """Takes back the last steps of each matcher."""
        counts = [num_tokens] * len(matchers) if isinstance(num_tokens, int) else num_tokens
        _same(matchers, counts, "num_tokens")
        for matcher, count in zip(matchers, counts):
            matcher.rollback(count)


def _same(matchers: Sequence[GrammarMatcher], others: Sequence[Any], name: str) -> None:
    if len(matchers) != len(others):
        raise RuntimeError(f"The number of matchers and {name} must be the same, but they are {len(matchers)} and {len(others)}")


def __getattr__(name: str) -> Any:
    """`bitmask_dtype` is a type of PyTorch, which is imported when it is used."""
    if name == "bitmask_dtype":
        return _torch().int32
    raise AttributeError(name)
