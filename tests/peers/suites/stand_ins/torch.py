"""Stands for PyTorch, so that tests can be imported that would only use it for masks."""

from typing import Any
from unittest.mock import MagicMock

__version__ = "2.0"


class Tensor:
    """Only its name is used, in annotations."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return MagicMock(name=name)
