"""The options of compilations, as type checkers know them: a misspelt value is an error before the program runs."""

from __future__ import annotations

import os
from typing import Any, Literal, Mapping, Sequence, TypedDict, Union

Profile = Literal["openai", "xgrammar", "llguidance", "outlines"]
#: ``"flexible:N"`` and ``"bounded:N"`` take any number; the usual ones are known to type checkers.
Whitespace = Literal[
    "compact",
    "spaced",
    "single",
    "flexible",
    "flexible:0",
    "flexible:2",
    "flexible:4",
    "flexible:8",
    "flexible:16",
    "flexible:32",
    "flexible:64",
    "bounded:1",
    "bounded:2",
    "bounded:4",
    "bounded:8",
    "bounded:16",
    "bounded:32",
    "inner",
    "any",
]
Strings = Literal["printed", "all", "canonical"]
IntegerSpelling = Literal["plain", "zeros", "all"]
PropertyOrder = Literal["declared", "any"]
RepeatedKeys = Literal["accept", "refuse"]
Formats = Literal["assert", "annotate"]
Unenforced = Literal["refuse", "allow"]
Draft = Literal["4", "openapi-3.0", "6", "7", "2019-09", "2020-12"]
Narrowing = Literal[
    "format-spelling",
    "half-surrogate",
    "item-spelling",
    "key-order",
    "keys",
    "length",
    "number-digits",
    "number-spelling",
    "profile",
    "repeated-key",
    "string-spelling",
    "white-space",
]
SpecialTokens = Literal["literals", "only", "never"]
Budgets = Literal["off", "bounded", "exact"]


class Limits(TypedDict, total=False):
    """Bounds on the work and memory of a compilation."""

    work: int
    bytes: int
    lr_states: int
    lexer_states: int
    dwa_states: int
    terminal_states: int


class CompileOptions(TypedDict, total=False):
    """The options of :func:`gcc_grammar.compile`, which has what they mean."""

    profile: Union[Profile, None]
    whitespace: Union[Whitespace, None]
    strings: Union[Strings, None]
    integer_spelling: Union[IntegerSpelling, None]
    number_digits: Union[int, None]
    property_order: Union[PropertyOrder, None]
    repeated_keys: Union[RepeatedKeys, None]
    formats: Union[Formats, None]
    unenforced: Union[Unenforced, None]
    draft: Union[Draft, None]
    integer_with_point: Union[bool, None]
    resources: Union[Mapping[str, Any], None]
    strict: Union[bool, Literal["all"], None]
    allow_narrowed: Union[Sequence[Narrowing], None]
    import_folders: Union[Sequence[Union[str, os.PathLike[str]]], None]
    special_tokens: Union[SpecialTokens, None]
    budgets: Union[Budgets, None]
    limits: Union[Limits, Mapping[str, int], None]
