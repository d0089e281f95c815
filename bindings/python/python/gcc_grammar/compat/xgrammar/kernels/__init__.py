"""Masks applied to logits, with the operations of PyTorch."""

from __future__ import annotations

from typing import Any, Optional, Sequence

BACKENDS = ("auto", "cpu", "cuda", "triton", "torch_compile", "torch_native")


def check(logits: Any, bitmask: Any, backend: str) -> None:
    """Raises an error if a mask cannot be applied to logits."""
    if bitmask.device != logits.device:
        raise ValueError(
            "logits and bitmask should be on the same device. "
            f"But got logits.device: {logits.device}, bitmask.device: {bitmask.device}"
        )
    if backend not in BACKENDS:
        raise ValueError(f"Unknown backend: {backend}. The value should be one of them: {list(BACKENDS)}")


def apply(logits: Any, bitmask: Any, vocab_size: Optional[int], indices: Optional[Sequence[int]]) -> None:
    """Sets the logits that the mask does not allow to minus infinity."""
    import torch

    width = min(logits.shape[-1], 32 * bitmask.shape[-1])
    width = width if vocab_size is None else min(width, vocab_size)
    rows = logits if logits.dim() == 2 else logits.unsqueeze(0)
    masks = bitmask if bitmask.dim() == 2 else bitmask.unsqueeze(0)
    if indices is None:
        if rows.shape[0] != masks.shape[0]:
            raise ValueError(f"logits and bitmask have {rows.shape[0]} and {masks.shape[0]} rows: give the indices of those to mask")
        rows[:, :width].masked_fill_(_refused(masks, width), float("-inf"))
        return
    chosen = torch.as_tensor(list(indices), dtype=torch.long, device=logits.device)
    part = rows[chosen]
    part[:, :width].masked_fill_(_refused(masks[chosen], width), float("-inf"))
    rows[chosen] = part


def _refused(masks: Any, width: int) -> Any:
    """The tokens that rows of masks do not allow, as Booleans."""
    import torch

    bits = torch.arange(32, dtype=torch.int32, device=masks.device)
    allowed = torch.bitwise_right_shift(masks.unsqueeze(-1), bits).bitwise_and_(1)
    return allowed.flatten(1)[:, :width].eq(0)
