"""Patterns of XGrammar in the syntax of this package. Repetitions of repetitions are refused, as ECMAScript has none."""

from __future__ import annotations

import re

from ... import _patterns

#: A repetition of a repetition, outside of classes: `a++`, `a???`, `a{2}{3}`.
_REPEATED = re.compile(r"^(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\\[])*?(?:[+*?]|\{\d+(?:,\d*)?\})(?:\?(?:[+*?]|\{\d)|[+*]|\{\d)", re.DOTALL)


def translated(pattern: str, *, any_dot: bool = True) -> str:
    """The pattern in the syntax of this package. With `any_dot` a dot matches a line break, too."""
    if _REPEATED.search(pattern):
        raise RuntimeError(f"Two consecutive repetition modifiers are not allowed. The pattern is {pattern!r}")
    return _patterns.regex(pattern, any_dot=any_dot)


def in_ebnf(text: str) -> str:
    """A grammar in EBNF with the patterns of its macros translated."""
    return _patterns.ebnf(text, translated)
