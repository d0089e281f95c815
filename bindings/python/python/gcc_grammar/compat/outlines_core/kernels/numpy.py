"""Masks in arrays of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._guide import Guide
from ._checks import check_apply, check_dtype, check_fill


def allocate_token_bitmask(vocab_size: int) -> Any:
    """A row that allows every token."""
    return np.full((1, (vocab_size + 31) // 32), -1, dtype=np.int32)


def _apply_token_bitmask_inplace_kernel(logits: Any, mask: Any) -> None:
    allowed = np.unpackbits(np.ascontiguousarray(mask).view(np.uint8), axis=1, bitorder="little").astype(bool)
    width = min(logits.shape[1], allowed.shape[1])
    logits[:, :width][~allowed[:, :width]] = -np.inf
    logits[:, width:] = -np.inf


def apply_token_bitmask_inplace(logits: Any, mask: Any) -> None:
    """Sets the logits of tokens that are not allowed to minus infinity."""
    logits = logits if logits.ndim != 1 else np.expand_dims(logits, axis=0)
    mask = mask if mask.ndim != 1 else np.expand_dims(mask, axis=0)
    check_dtype(mask, np.int32, "np.int32")
    check_apply(logits, mask)
    _apply_token_bitmask_inplace_kernel(logits, mask)


def fill_next_token_bitmask(guide: Guide, mask: Any) -> None:
    """Writes the mask of a guide into an array with one row."""
    check_dtype(mask, np.int32, "np.int32")
    check_fill(mask)
    if not mask.flags["C_CONTIGUOUS"]:
        raise ValueError("Mask array must be contiguous in memory. Use `np.ascontiguousarray(mask)`.")
    guide.write_mask_into(mask.ctypes.data, mask.size, mask.itemsize)
