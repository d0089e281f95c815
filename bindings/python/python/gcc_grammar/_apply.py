"""Rows of masks applied to logits with plain PyTorch operations, on any device."""

from __future__ import annotations

from typing import Any

#: Rows are unpacked in groups, so that the bits of a large batch do not take its memory 32 times.
GROUP = 16


def apply_rows(logits: Any, rows: Any) -> None:
    """Sets the logits of tokens that a row does not allow to minus infinity, in place. Tokens beyond the row are not allowed."""
    width = min(logits.shape[-1], 32 * rows.shape[-1])
    for first in range(0, logits.shape[0], GROUP):
        group = logits[first : first + GROUP]
        part = rows[first : first + GROUP]
        forbidden = _unpacked_by_numpy(part, width) if logits.device.type == "cpu" else None
        if forbidden is None:
            forbidden = _unpacked(part.to(logits.device, non_blocking=True), width)
        group[:, :width].masked_fill_(forbidden, float("-inf"))
        group[:, width:] = float("-inf")


def _unpacked(part: Any, width: int) -> Any:
    """Whether each token is forbidden."""
    import torch

    shifts = torch.arange(32, dtype=torch.int32, device=part.device)
    return ((part.unsqueeze(-1) >> shifts) & 1).reshape(part.shape[0], -1)[:, :width] == 0


def _unpacked_by_numpy(part: Any, width: int) -> Any:
    """The same, where NumPy is installed: it unpacks bits faster than PyTorch's operations do."""
    import torch

    try:
        import numpy
    except ImportError:
        return None
    words = numpy.ascontiguousarray(part.cpu().numpy()).view(numpy.uint8)
    return torch.from_numpy(numpy.unpackbits(~words, axis=1, bitorder="little", count=width).view(numpy.bool_))
