"""Masks in arrays of NumPy."""

from __future__ import annotations

from typing import Any, List, Tuple

import numpy as np

from ._bitmask import consume_token_par, get_bitmask_shape
from ._executor import LLExecutor
from ._matcher import LLMatcher

__all__ = [
    "allocate_token_bitmask",
    "apply_token_bitmask_inplace",
    "consume_token_par",
    "fill_next_token_bitmask",
    "fill_next_token_bitmask_par",
    "fill_next_token_bitmask_par_with_draft_tokens",
    "get_bitmask_shape",
]


def allocate_token_bitmask(batch_size: int, vocab_size: int) -> Any:
    """Masks that allow everything."""
    return np.full(get_bitmask_shape(batch_size, vocab_size), -1, dtype=np.int32)


def apply_token_bitmask_inplace(logits: Any, mask: Any) -> None:
    """Sets the logits of tokens that are not allowed to minus infinity."""
    logits, mask = np.atleast_2d(logits), np.atleast_2d(mask)
    assert mask.dtype == np.int32, "Mask must be int32"
    assert logits.shape[0] == mask.shape[0], "Batch size mismatch"
    bits = np.unpackbits(np.ascontiguousarray(mask).view(np.uint8), axis=1, bitorder="little")
    width = min(bits.shape[1], logits.shape[1])
    logits[:, :width][bits[:, :width] == 0] = -np.inf
    logits[:, width:] = -np.inf


def _check(bitmask: Any) -> Tuple[int, int]:
    assert bitmask.dtype == np.int32, "Mask must be int32"
    assert bitmask.ndim == 2, "Mask must be 2D"
    assert bitmask.flags["C_CONTIGUOUS"], "Mask must be contiguous"
    rows, words = bitmask.shape
    return rows, words


def fill_next_token_bitmask(interp: LLMatcher, bitmask: Any, index: int = 0) -> None:
    """Writes the mask of a matcher into a row."""
    assert bitmask.dtype == np.int32 and bitmask.ndim == 2, "Mask must be 2D and int32"
    row = bitmask[index, :]
    assert row.flags["C_CONTIGUOUS"], "Mask must be contiguous"
    interp.unsafe_compute_mask_ptr(row.ctypes.data, row.size * 4)


def fill_next_token_bitmask_par(executor: LLExecutor, matchers: List[Tuple[LLMatcher, int]], bitmask: Any) -> None:
    """Writes the mask of each matcher into its row."""
    rows, words = _check(bitmask)
    executor.unsafe_compute_mask_ptr(matchers, bitmask.ctypes.data, words * 4, rows)


def fill_next_token_bitmask_par_with_draft_tokens(
    executor: LLExecutor, matchers: List[Tuple[LLMatcher, int, List[int]]], bitmask: Any
) -> None:
    """Writes the masks in front of and behind the draft tokens of each matcher, from its row on."""
    rows, words = _check(bitmask)
    executor.unsafe_compute_mask_ptr_with_draft_token(matchers, bitmask.ctypes.data, words * 4, rows)
