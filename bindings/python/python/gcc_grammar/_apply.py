"""Rows of masks applied to logits with plain PyTorch operations, on any device."""

from __future__ import annotations

from typing import Any

#: Rows are unpacked in groups, so that the bits of a large batch do not take its memory 32 times.
GROUP = 16


def apply_rows(logits: Any, rows: Any) -> None:
    """Sets the logits of tokens that a row does not allow to minus infinity, in place. Tokens beyond the row are not allowed."""
    import torch

    width = logits.shape[-1]
    shifts = torch.arange(32, dtype=torch.int32, device=logits.device)
    for first in range(0, logits.shape[0], GROUP):
        part = rows[first : first + GROUP].to(logits.device, non_blocking=True)
        bits = ((part.unsqueeze(-1) >> shifts) & 1).reshape(part.shape[0], -1)[:, :width]
        group = logits[first : first + GROUP]
        group[:, : bits.shape[1]].masked_fill_(bits == 0, float("-inf"))
        group[:, bits.shape[1] :] = float("-inf")
