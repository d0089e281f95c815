"""Generations of transformers, which give a processor all tokens of each row anew, and may reorder rows between calls."""

from __future__ import annotations

from typing import Any, Optional


def continued_rows(seen: Any, input_ids: Any) -> Optional[list[int]]:
    """For each row, the row of the last call (``seen``, none before the first) that it continues by one token; none if a generation begins."""
    if seen is None or len(seen) != len(input_ids) or input_ids.shape[1] != seen.shape[1] + 1:
        return None
    if bool((input_ids[:, :-1] == seen).all()):
        return list(range(len(seen)))
    # Beams or particles were reordered.
    same = (input_ids[:, None, :-1] == seen[None, :, :]).all(-1)
    if not bool(same.any(-1).all()):
        return None
    return [int(source) for source in same.int().argmax(-1)]
