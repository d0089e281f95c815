"""Errors of this package as the errors of XGrammar, which are `RuntimeError`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator

from ..._errors import Error
from .exception import InvalidJSONError, InvalidStructuralTagError


@contextmanager
def translated(notation: str = "") -> Iterator[None]:
    """Raises the error of XGrammar that stands for an error of this package, with the original one as its cause."""
    try:
        yield
    except Error as error:
        codes = {diagnostic.get("code") for diagnostic in error.diagnostics}
        kind: type[RuntimeError] = RuntimeError
        if notation == "structural-tag":
            kind = InvalidJSONError if "not-json" in codes or "bad-json" in codes else InvalidStructuralTagError
        raise kind(str(error)) from error
