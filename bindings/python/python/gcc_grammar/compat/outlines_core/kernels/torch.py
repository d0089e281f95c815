"""Masks in tensors of PyTorch."""

from __future__ import annotations

from typing import Any

import torch

from .._guide import Guide
from ._checks import check_apply, check_dtype, check_fill


def allocate_token_bitmask(vocab_size: int) -> Any:
    """A row that allows every token."""
    return torch.full((1, (vocab_size + 31) // 32), -1, dtype=torch.int32, pin_memory=torch.cuda.is_available())


def _apply_token_bitmask_inplace_kernel(logits: Any, mask: Any) -> None:
    places = torch.arange(32, device=mask.device, dtype=torch.int32)
    allowed = ((mask.unsqueeze(-1) >> places) & 1).bool().reshape(mask.shape[0], -1)
    width = min(logits.shape[1], allowed.shape[1])
    logits[:, width:] = float("-inf")
    logits[:, :width].masked_fill_(~allowed[:, :width], float("-inf"))


def apply_token_bitmask_inplace(logits: Any, mask: Any) -> None:
    """Sets the logits of tokens that are not allowed to minus infinity."""
    check_dtype(mask, torch.int32, "torch.int32")
    check_apply(logits, mask)
    _apply_token_bitmask_inplace_kernel(logits, mask)


def fill_next_token_bitmask(guide: Guide, mask: Any) -> None:
    """Writes the mask of a guide into a tensor with one row."""
    check_dtype(mask, torch.int32, "torch.int32")
    check_fill(mask)
    if not mask.is_contiguous():
        raise ValueError("Mask array must be contiguous in memory. Use `mask.contiguous()` to fix it.")
    if mask.device != torch.device("cpu"):
        raise ValueError(f"Invalid device: Expected `mask` tensor to be on device `cpu`, but found it on `{mask.device}`.")
    guide.write_mask_into(mask.data_ptr(), mask.numel(), mask.element_size())
