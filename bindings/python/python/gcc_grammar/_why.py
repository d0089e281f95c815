"""Why a token may not come next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class WrittenRule:
    """A rule of a grammar, and where it is written: line and column, both from 1."""

    name: str
    line: int
    column: int


@dataclass(frozen=True)
class Why:
    """Why a token may come next, or may not: in words as ``str(why)``, and in parts."""

    token: int
    #: Whether the token may come next.
    is_allowed: bool
    #: The number of its bytes that may come next.
    possible: int
    #: What the lexeme in progress after these bytes can become, by the names of terminals.
    lexeme: list[str]
    #: The terminals that the parser expects there.
    expected: list[str]
    #: Whether the text may end there.
    may_end: bool
    #: The allowed token that has most bytes in common with it at the beginning, if one has any.
    nearest: Optional[int]
    #: The rules of the grammar in which stands what is expected; empty for schemas.
    rules: list[WrittenRule]
    #: The JSON Pointer of the value that would have to go on, if the text so far is known and in a JSON value.
    pointer: Optional[str]
    #: The JSON Pointers of the subschemas that describe it: of the values of the keys that may come, or else of the value; empty for grammars.
    schema: list[str]
    _text: str

    def __str__(self) -> str:
        return self._text
