"""What both kinds of arrays have to be."""

from __future__ import annotations

from typing import Any


def check_dtype(mask: Any, expected: Any, name: str) -> None:
    """The words of masks have 32 bits."""
    if mask.dtype != expected:
        raise ValueError(f"Invalid mask dtype: Expected `{name}`, but got `{mask.dtype}`.")


def check_fill(mask: Any) -> None:
    """A mask is written into an array with one row."""
    if mask.ndim != 2:
        raise ValueError(f"Invalid mask dimensions: Expected a 2D array, but got {mask.ndim}D.")
    if mask.shape[0] != 1:
        raise ValueError(
            f"Invalid batch size: Batch mask writes are not supported. Expected shape[0] == 1, but got shape {mask.shape}."
        )


def check_apply(logits: Any, mask: Any) -> None:
    """Logits have as many rows as masks."""
    if mask.ndim != 2:
        raise ValueError(f"Invalid mask dimensions: Expected a 2D array, but got {mask.ndim}D.")
    if logits.ndim != 2:
        raise ValueError(f"Invalid logits dimensions: Expected a 2D array, but got {logits.ndim}D.")
    if mask.shape[0] != logits.shape[0]:
        raise ValueError(
            f"Invalid batch size: Expected `mask.shape[0]` ({mask.shape[0]}) to match `logits.shape[0]` ({logits.shape[0]})."
        )
