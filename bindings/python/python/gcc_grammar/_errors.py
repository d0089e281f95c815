"""The exceptions of the package."""

from __future__ import annotations

import json
from typing import Any

from ._wording import in_python


class Error(Exception):
    """A schema, grammar, vocabulary, artifact or token that cannot be used.

    ``diagnostics`` has one dictionary per problem, with ``code``, ``message`` and, where they exist, the place and what to do.
    """

    diagnostics: list[dict[str, Any]]

    def __init__(self, message: str, diagnostics: str = "[]") -> None:
        super().__init__(in_python(message))
        self.diagnostics = json.loads(diagnostics)
        for diagnostic in self.diagnostics:
            diagnostic.update({part: in_python(diagnostic[part]) for part in ("message", "help") if diagnostic.get(part)})


class GrammarWarning(UserWarning):
    """A schema or grammar that compiles, but probably does not mean what its author intended."""


class RefusedError(Error, ValueError):
    """The input was understood and refused."""


class WrongTypeError(Error, TypeError):
    """An argument has a type that means nothing here. The message says what to give."""


class RowError(RefusedError, WrongTypeError, IndexError):
    """Memory that masks cannot be written to, or read from: its type, its shape, its length, or the index of the row. It is one class, and a ``ValueError``,
    a ``TypeError`` and an ``IndexError``, whichever a program expects."""


class NotFoundError(Error, OSError):
    """A file cannot be read or written, or a name is not known."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class OverBudgetError(Error, RuntimeError):
    """A limit on work or memory was exceeded."""


class OtherVocabularyError(Error, ValueError):
    """The artifact was compiled for another vocabulary, or the saved state belongs to another artifact."""
