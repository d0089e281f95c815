"""Trees of proposed tokens, given as lists of first children and next siblings."""

from __future__ import annotations

import ctypes
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .matcher import GrammarMatcher


def traverse(
    matcher: "GrammarMatcher", children: Any, siblings: Any, tokens: Any, bitmask: Any, seconds: float, temperatures: Any
) -> bool:
    """Writes the mask behind every node; false if the time was over. The matcher stays where it is."""
    child_of, sibling_of, proposed = _numbers(children, "next tokens"), _numbers(siblings, "siblings"), _numbers(tokens, "drafts")
    _check(child_of, sibling_of, proposed, bitmask, temperatures)
    if temperatures is not None:
        temperatures.fill_(-1.0)
    before = len(matcher._steps)
    until = time.monotonic() + seconds if seconds > 0 else None
    # A node to visit, or none to take back the step of the node whose subtree is done.
    work: list[Any] = [0] if proposed else []
    try:
        while work:
            node = work.pop()
            if node is None:
                matcher.rollback(1)
                continue
            if sibling_of[node] != -1:
                work.append(sibling_of[node])
            if node and until is not None and time.monotonic() > until:
                return False
            address, words = matcher._row(bitmask, node)
            if node and not matcher.accept_token(proposed[node]):
                ctypes.memset(address, 0, 4 * words)
                continue
            work += [None] if node else []
            if matcher.is_terminated():
                ctypes.memset(address, 0, 4 * words)
                continue
            matcher._fill(address, words)
            if temperatures is not None and matcher.temperature is not None:
                temperatures[node] = matcher.temperature
            if child_of[node] != -1:
                work.append(child_of[node])
        return True
    finally:
        matcher.rollback(len(matcher._steps) - before)


def _numbers(tensor: Any, name: str) -> list[int]:
    if "int64" not in str(tensor.dtype) or len(tensor.shape) != 1:
        raise RuntimeError(f"the {name} of the tree must be one-dimensional, of int64")
    numbers: list[int] = tensor.tolist()
    return numbers


def _check(child_of: list[int], sibling_of: list[int], tokens: list[int], bitmask: Any, temperatures: Any) -> None:
    count = len(tokens)
    if not len(child_of) == len(sibling_of) == count:
        raise RuntimeError("the lists of the tree must have the same length")
    if len(bitmask.shape) != 2 or bitmask.shape[0] < count:
        raise RuntimeError("the bitmask must have a row for every node")
    if temperatures is not None and (tuple(temperatures.shape) != (count,) or "float32" not in str(temperatures.dtype)):
        raise RuntimeError("the temperatures must be one-dimensional, of float32, one for every node")
    linked = [node for node in child_of + sibling_of if node != -1]
    if any(not 0 < node < count for node in linked) or len(set(linked)) != len(linked):
        raise RuntimeError("the nodes of the tree must be linked once each")
