"""The settings of XGrammar for the whole process."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import Iterator

#: The version of what `serialize_json` writes.
SERIALIZATION_VERSION = "gcc-grammar-1"
_MOST = 1_000_000


def _initial() -> int:
    text = os.environ.get("XGRAMMAR_MAX_RECURSION_DEPTH", "")
    return int(text) if text.isdigit() and int(text) <= _MOST else 10_000


_depth = _initial()


def get_max_recursion_depth() -> int:
    """The number that was set last. It has no effect: no operation recurses with the depth of a text or grammar."""
    return _depth


def set_max_recursion_depth(max_recursion_depth: int) -> None:
    """Sets the number that :func:`get_max_recursion_depth` returns."""
    global _depth
    if not 0 < max_recursion_depth <= _MOST:
        raise RuntimeError(f"the maximum recursion depth must be between 1 and {_MOST}, not {max_recursion_depth}")
    _depth = max_recursion_depth


@contextmanager
def max_recursion_depth(temp_depth: int) -> Iterator[None]:
    """Sets the number for a while."""
    before = get_max_recursion_depth()
    set_max_recursion_depth(temp_depth)
    try:
        yield
    finally:
        set_max_recursion_depth(before)


def get_serialization_version() -> str:
    """The version of what `serialize_json` writes. XGrammar's own files cannot be read."""
    return SERIALIZATION_VERSION
