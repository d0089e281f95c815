"""``LLExecutor``: the masks of many matchers by several threads."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple

from ... import _lib
from ..._checks import MOST_THREADS
from ._matcher import LLMatcher, check_memory


def _checked(entries: Sequence[Any], length: int, name: str = "interpreters") -> List[Any]:
    if not entries:
        raise ValueError(f"No {name}")
    for entry in entries:
        if not isinstance(entry, tuple):
            raise TypeError(f"'{type(entry).__name__}' object is not an instance of 'tuple'")
        if len(entry) != length:
            raise ValueError(f"Expecting a tuple of {length} values")
        if not isinstance(entry[0], LLMatcher):
            raise TypeError(f"'{type(entry[0]).__name__}' object is not an instance of 'LLMatcher'")
        if not isinstance(entry[1], int):
            raise TypeError(f"'{type(entry[1]).__name__}' object cannot be interpreted as an integer")
        if entry[1] < 0:
            raise OverflowError("can't convert negative int to unsigned")
    if len({id(entry[0]) for entry in entries}) != len(entries):
        raise RuntimeError("Already borrowed: a matcher occurs twice")
    return list(entries)


class LLExecutor:
    """A number of threads."""

    def __init__(self, num_threads: Optional[int] = None) -> None:
        if num_threads is not None and num_threads < 0:
            raise OverflowError("can't convert negative int to unsigned")
        self._threads = min(num_threads or 0, MOST_THREADS)

    def unsafe_compute_mask_ptr(
        self, interpreters: List[Tuple[LLMatcher, int]], trg_pointer: int, one_mask_bytes: int, trg_batch_size: int
    ) -> None:
        """Writes the masks to the addresses ``trg_pointer + index * one_mask_bytes``."""
        entries = _checked(interpreters, 2)
        for matcher, index in entries:
            if index >= trg_batch_size:
                raise ValueError("Target index out of bounds")
            check_memory(trg_pointer, one_mask_bytes, matcher._tokenizer.vocab_size)
        natives, places = [], []
        for matcher, index in entries:
            place = trg_pointer + index * one_mask_bytes
            if matcher._matcher is None or matcher._only() is not None:
                matcher.unsafe_compute_mask_ptr(place, one_mask_bytes)
            else:
                natives.append(matcher._matcher._native)
                places.append(place)
        if natives:
            _lib.fill_masks(natives, places, one_mask_bytes // 4, self._threads)

    def unsafe_compute_mask_ptr_with_draft_token(
        self, interpreters: List[Tuple[LLMatcher, int, List[int]]], trg_pointer: int, one_mask_bytes: int, trg_batch_size: int
    ) -> None:
        """Writes the masks in front of and behind each draft token, up to the first that is not allowed."""
        for matcher, index, draft in _checked(interpreters, 3):
            room = trg_batch_size - index
            matcher._masks_of_draft(trg_pointer + index * one_mask_bytes, one_mask_bytes, draft, room)

    def consume_token_par(self, matchers: List[Tuple[LLMatcher, int]]) -> List[bool]:
        """Commits a token to each matcher."""
        return [matcher.consume_token(token) for matcher, token in _checked(matchers, 2, "matchers")]
