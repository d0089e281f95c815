"""Masks in arrays of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Arrays
from ._bitmask import consume_token_par, get_bitmask_shape

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


_ARRAYS = Arrays(np.int32, lambda array: bool(array.flags["C_CONTIGUOUS"]), lambda array: int(array.ctypes.data))
fill_next_token_bitmask = _ARRAYS.fill
fill_next_token_bitmask_par = _ARRAYS.fill_all
fill_next_token_bitmask_par_with_draft_tokens = _ARRAYS.fill_all_with_draft_tokens
