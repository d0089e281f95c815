"""Patterns of requests, which are those of ECMAScript as XGrammar reads them, in the syntax of this package.

The engines that the adapters serve give patterns to XGrammar, and `compat.xgrammar` takes its place, so both read them here. What differs:

| pattern | in XGrammar | in this package |
|---|---|---|
| `\\d`, `\\w` | ASCII | Unicode |
| `\\s` | ASCII and the no-break space | Unicode |
| `\\b`, `\\B` | boundaries of ASCII words, as in ECMAScript | boundaries of words of Unicode |
| `.` | any character | no line feed |
| `[`, `&`, `~`, `-` in a class | themselves, also behind `\\w` | operations on sets |
| `[]`, `[^]` | no character, any character | errors |
| `\\cA`, `\\0`, `\\a`, `\\e` and `\\/` | control characters and themselves | some are errors |

What XGrammar refuses, such as flags `(?i)`, has its meaning in this package. Patterns of JSON Schemas are read as ECMA 262 says by their own
front end; Lark grammars have the patterns of Python.
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Optional

_ASCII = {"d": "0-9", "w": "a-zA-Z0-9_", "s": r" \t\n\r\f\v\x{a0}"}
_ESCAPES = {"a": r"\x{7}", "e": r"\x{1b}", "f": r"\x{c}", "v": r"\x{b}", "0": r"\x{0}"}
_BOUNDARIES = {"b": r"(?-u:\b)", "B": r"(?-u:\B)"}
#: Characters that have a meaning inside of a class.
_IN_CLASS = "[]&~-^"


def regex(pattern: str, *, any_dot: bool = True) -> str:
    """A regular expression. With ``any_dot`` a dot matches a line break, too."""
    found: list[str] = []
    place = 0
    while place < len(pattern):
        character = pattern[place]
        if character == "[":
            text, place = _class(pattern, place)
        elif character == "\\" and place + 1 < len(pattern):
            text, place = _escape(pattern, place + 1)
        else:
            text = r"[\s\S]" if character == "." and any_dot else character
            place += 1
        found.append(text)
    return "".join(found)


def _escape(pattern: str, place: int) -> tuple[str, int]:
    """What the escape sequence behind a backslash stands for, and the place behind it."""
    kind = pattern[place]
    if kind.lower() in _ASCII:
        return f"[{'' if kind in _ASCII else '^'}{_ASCII[kind.lower()]}]", place + 1
    if kind in _BOUNDARIES:
        return _BOUNDARIES[kind], place + 1
    return _character(pattern, place)


def _character(pattern: str, place: int) -> tuple[str, int]:
    """The single character of an escape sequence, and the place behind it."""
    kind = pattern[place]
    if kind == "c" and pattern[place + 1 : place + 2].isalpha() and pattern[place + 1].isascii():
        return f"\\x{{{ord(pattern[place + 1]) % 32:x}}}", place + 2
    if kind in "xu":
        digits = re.compile(r"[0-9A-Fa-f]{2}" if kind == "x" else r"[0-9A-Fa-f]{4}").match(pattern, place + 1)
        if digits:
            return f"\\x{{{digits[0]}}}", digits.end()
        braced = re.compile(r"\{[0-9A-Fa-f]+\}").match(pattern, place + 1)
        if braced:
            return f"\\{kind}{braced[0]}", braced.end()
    if kind in _ESCAPES:
        return _ESCAPES[kind], place + 1
    if kind in "/ \"'`!@%=:;,<>_":
        return kind, place + 1
    return "\\" + kind, place + 1


def _class(pattern: str, start: int) -> tuple[str, int]:
    """A class in brackets, and the place behind it. One that does not end is left as it is."""
    place = start + 1
    inverted = pattern.startswith("^", place)
    place += inverted
    members: list[str] = []
    while place < len(pattern) and pattern[place] != "]":
        first, is_set, place = _member(pattern, place)
        if not is_set and pattern.startswith("-", place) and pattern[place + 1 : place + 2] not in ("", "]"):
            last, is_set, behind = _member(pattern, place + 1)
            if not is_set:
                first, place = f"{first}-{last}", behind
        members.append(first)
    if place >= len(pattern):
        return pattern[start:], len(pattern)
    if not members:
        return (r"[\s\S]" if inverted else r"[^\s\S]"), place + 1
    return f"[{'^' if inverted else ''}{''.join(members)}]", place + 1


def _member(pattern: str, place: int) -> tuple[str, bool, int]:
    """A character or an escape sequence in a class, whether it is a set of characters, and the place behind it."""
    character = pattern[place]
    if character != "\\" or place + 1 == len(pattern):
        return (f"\\{character}" if character in _IN_CLASS else character), False, place + 1
    kind = pattern[place + 1]
    if kind in _ASCII:
        return _ASCII[kind], True, place + 2
    if kind.lower() in _ASCII:
        return f"[^{_ASCII[kind.lower()]}]", True, place + 2
    if kind in "pP":
        name = re.compile(r"\{[^{}]*\}|.").match(pattern, place + 2)
        behind = name.end() if name else place + 2
        return pattern[place:behind], True, behind
    if kind == "b":
        return r"\x{8}", False, place + 2
    text, behind = _character(pattern, place + 1)
    return text, False, behind


_MACRO = re.compile(r'(\bRegex\(\s*)"((?:[^"\\\n]|\\[^\n])*)"(\s*,[^()"]*flags)?')
_LITERAL_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"'}


def ebnf(text: str, pattern: Optional[Callable[..., str]] = None) -> str:
    """A grammar in EBNF: the patterns of its macros ``Regex`` are translated, by :func:`regex` unless another function is given.

    XGrammar ignores assertions at the ends of a pattern, and a dot matches any character if the macro has no flags.
    """
    translate = pattern or regex

    def macro(match: re.Match[str]) -> str:
        opened, literal, flags = match.groups()
        found = _unanchored(translate(_value(literal), any_dot=flags is None))
        return f'{opened}"{_literal(found)}"{flags or ""}'

    return _MACRO.sub(macro, text)


def _unanchored(pattern: str) -> str:
    """The pattern without assertions of its ends, which hold for the whole macro."""
    pattern = pattern[1:] if pattern.startswith("^") else pattern
    escaped = (len(pattern) - len(pattern.rstrip("$").rstrip("\\"))) % 2 == 0
    return pattern[:-1] if pattern.endswith("$") and not escaped else pattern


def _value(literal: str) -> str:
    """The text of a literal. Escapes other than the common ones keep their backslash: a pattern gives them the same meaning."""
    return re.sub(r"\\(.)", lambda match: _LITERAL_ESCAPES.get(match[1], match[0]), literal)


def _literal(text: str) -> str:
    """The text as a literal."""
    for character, escape in [("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")]:
        text = text.replace(character, escape)
    return text


def structural_tag(text: str) -> str:
    """Structural tags as a text, which is left as it is unless a pattern differs. Engines leave the type away in the older form, with
    ``structures`` and ``triggers``."""
    try:
        tags = json.loads(text, object_pairs_hook=_without_repetition)
    except (ValueError, RecursionError):
        # The front end says what is wrong, and where.
        return text
    found = _in_tags(tags)
    if isinstance(found, dict) and "structures" in found and "type" not in found:
        found = {"type": "structural_tag", **found}
    return text if found == tags else json.dumps(found)


def _without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is repeated")
    return dict(pairs)


def _in_tags(tag: Any) -> Any:
    if isinstance(tag, list):
        return [_in_tags(inner) for inner in tag]
    if not isinstance(tag, dict):
        return tag
    if tag.get("type") == "regex" and isinstance(tag.get("pattern"), str):
        return {**tag, "pattern": regex(tag["pattern"])}
    if tag.get("type") == "grammar" and isinstance(tag.get("grammar"), str):
        return {**tag, "grammar": ebnf(tag["grammar"])}
    # A schema may have members of any name.
    return {key: value if key in ("json_schema", "schema") else _in_tags(value) for key, value in tag.items()}
