"""Masks in tensors of PyTorch."""

from __future__ import annotations

from typing import Any

import torch

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
    return torch.full(get_bitmask_shape(batch_size, vocab_size), -1, dtype=torch.int32)


def apply_token_bitmask_inplace(logits: Any, mask: Any) -> None:
    """Sets the logits of tokens that are not allowed to minus infinity."""
    logits = logits.unsqueeze(0) if logits.dim() == 1 else logits
    mask = mask.unsqueeze(0) if mask.dim() == 1 else mask
    assert mask.dtype == torch.int32, "Mask must be int32"
    assert logits.shape[0] == mask.shape[0], "Batch size mismatch"
    places = torch.arange(32, device=mask.device, dtype=torch.int32)
    bits = (mask.unsqueeze(-1) >> places & 1).flatten(1)
    width = min(bits.shape[1], logits.shape[1])
    logits[:, :width].masked_fill_(bits[:, :width] == 0, float("-inf"))
    logits[:, width:] = float("-inf")


_ARRAYS = Arrays(torch.int32, lambda array: bool(array.is_contiguous()), lambda array: int(array.data_ptr()))
fill_next_token_bitmask = _ARRAYS.fill
fill_next_token_bitmask_par = _ARRAYS.fill_all
fill_next_token_bitmask_par_with_draft_tokens = _ARRAYS.fill_all_with_draft_tokens
