"""The name that XGrammar has for its backend `torch_compile`."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from . import apply


def apply_token_bitmask_inplace_torch_compile(
    logits: Any, bitmask: Any, vocab_size: Optional[int] = None, indices: Optional[Sequence[int]] = None
) -> None:
    """Sets the logits that the mask does not allow to minus infinity."""
    apply(logits, bitmask, vocab_size, indices)
