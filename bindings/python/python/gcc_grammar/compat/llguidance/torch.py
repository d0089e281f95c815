"""Masks in tensors of PyTorch."""

from __future__ import annotations

from typing import Any, List, Tuple

import torch

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


def _check(bitmask: Any) -> Tuple[int, int]:
    assert bitmask.dtype == torch.int32, "Mask must be int32"
    assert bitmask.dim() == 2, "Mask must be 2D"
    assert bitmask.is_contiguous(), "Mask must be contiguous"
    rows, words = bitmask.shape
    return rows, words


def fill_next_token_bitmask(interp: LLMatcher, bitmask: Any, index: int = 0) -> None:
    """Writes the mask of a matcher into a row."""
    assert bitmask.dtype == torch.int32 and bitmask.dim() == 2, "Mask must be 2D and int32"
    row = bitmask[index, :]
    assert row.is_contiguous(), "Mask must be contiguous"
    interp.unsafe_compute_mask_ptr(row.data_ptr(), row.numel() * 4)


def fill_next_token_bitmask_par(executor: LLExecutor, matchers: List[Tuple[LLMatcher, int]], bitmask: Any) -> None:
    """Writes the mask of each matcher into its row."""
    rows, words = _check(bitmask)
    executor.unsafe_compute_mask_ptr(matchers, bitmask.data_ptr(), words * 4, rows)


def fill_next_token_bitmask_par_with_draft_tokens(
    executor: LLExecutor, matchers: List[Tuple[LLMatcher, int, List[int]]], bitmask: Any
) -> None:
    """Writes the masks in front of and behind the draft tokens of each matcher, from its row on."""
    rows, words = _check(bitmask)
    executor.unsafe_compute_mask_ptr_with_draft_token(matchers, bitmask.data_ptr(), words * 4, rows)
