"""Masks in arrays of any kind: what an array has to be, and where its words lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, List, Tuple

from ._executor import LLExecutor
from ._matcher import LLMatcher


@dataclass(frozen=True)
class Arrays:
    """A kind of arrays: the type of its words, whether they are contiguous, and their address."""

    int32: Any
    is_contiguous: Callable[[Any], bool]
    address: Callable[[Any], int]

    def fill(self, interp: LLMatcher, bitmask: Any, index: int = 0) -> None:
        """Writes the mask of a matcher into a row."""
        assert bitmask.dtype == self.int32 and bitmask.ndim == 2, "Mask must be 2D and int32"
        row = bitmask[index, :]
        assert self.is_contiguous(row), "Mask must be contiguous"
        interp.unsafe_compute_mask_ptr(self.address(row), row.shape[0] * 4)

    def fill_all(self, executor: LLExecutor, matchers: List[Tuple[LLMatcher, int]], bitmask: Any) -> None:
        """Writes the mask of each matcher into its row."""
        rows, words = self._check(bitmask)
        executor.unsafe_compute_mask_ptr(matchers, self.address(bitmask), words * 4, rows)

    def fill_all_with_draft_tokens(
        self, executor: LLExecutor, matchers: List[Tuple[LLMatcher, int, List[int]]], bitmask: Any
    ) -> None:
        """Writes the masks in front of and behind the draft tokens of each matcher, from its row on."""
        rows, words = self._check(bitmask)
        executor.unsafe_compute_mask_ptr_with_draft_token(matchers, self.address(bitmask), words * 4, rows)

    def _check(self, bitmask: Any) -> Tuple[int, int]:
        assert bitmask.dtype == self.int32, "Mask must be int32"
        assert bitmask.ndim == 2, "Mask must be 2D"
        assert self.is_contiguous(bitmask), "Mask must be contiguous"
        rows, words = bitmask.shape
        return rows, words
