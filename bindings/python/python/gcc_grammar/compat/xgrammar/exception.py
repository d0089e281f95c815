"""The exceptions of XGrammar."""

from __future__ import annotations


class DeserializeFormatError(RuntimeError):
    """A serialized object has another form."""


class DeserializeVersionError(RuntimeError):
    """A serialized object was written by another version."""


class InvalidStructuralTagError(RuntimeError):
    """A structural tag is wrong."""


class InvalidJSONError(RuntimeError):
    """A text is not JSON."""
