"""EBNF of XGrammar in the syntax of this package: the patterns of the macro `Regex` have the syntax of XGrammar's regular expressions.

XGrammar ignores assertions at the ends of a pattern, and a dot matches any character if the macro has no flags.
"""

from __future__ import annotations

import re

from . import _regex

_MACRO = re.compile(r'(\bRegex\(\s*)"((?:[^"\\\n]|\\[^\n])*)"(\s*,[^()"]*flags)?')
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"'}


def translated(text: str) -> str:
    """The grammar with the patterns of its macros translated."""
    return _MACRO.sub(_macro, text)


def _macro(match: re.Match[str]) -> str:
    opened, literal, flags = match.groups()
    pattern = _regex.translated(_value(literal), any_dot=flags is None)
    return f'{opened}"{_literal(_unanchored(pattern))}"{flags or ""}'


def _unanchored(pattern: str) -> str:
    """The pattern without assertions of its ends, which hold for the whole macro."""
    pattern = pattern[1:] if pattern.startswith("^") else pattern
    escaped = (len(pattern) - len(pattern.rstrip("$").rstrip("\\"))) % 2 == 0
    return pattern[:-1] if pattern.endswith("$") and not escaped else pattern


def _value(literal: str) -> str:
    """The text of a literal. Escapes other than the common ones keep their backslash: a pattern gives them the same meaning."""
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), literal)


def _literal(text: str) -> str:
    """The text as a literal."""
    for character, escape in [("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")]:
        text = text.replace(character, escape)
    return text
