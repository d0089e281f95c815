"""Regular expressions of XGrammar, which are those of ECMAScript, in the syntax of this package.

Inside of a class, `[`, `&`, `~` and `-` have a meaning of their own in this package's syntax; `\\d`, `\\w` and `\\s` mean ASCII characters in
XGrammar, and a dot means any character.
"""

from __future__ import annotations

import re

_ASCII = {"d": "0-9", "w": "a-zA-Z0-9_", "s": r" \t\n\r\f\v\x{a0}"}
_ESCAPES = {"a": r"\x{7}", "e": r"\x{1b}", "f": r"\x{c}", "v": r"\x{b}", "0": r"\x{0}"}

#: A repetition of a repetition, outside of classes: `a++`, `a???`, `a{2}{3}`. ECMAScript has none.
_REPEATED = re.compile(r"^(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\\[])*?(?:[+*?]|\{\d+(?:,\d*)?\})(?:\?(?:[+*?]|\{\d)|[+*]|\{\d)", re.DOTALL)


def translated(pattern: str, *, any_dot: bool = True) -> str:
    """The pattern in the syntax of this package. With `any_dot` a dot matches a line break, too."""
    if _REPEATED.search(pattern):
        raise RuntimeError(f"Two consecutive repetition modifiers are not allowed. The pattern is {pattern!r}")
    found: list[str] = []
    place, in_class = 0, False
    while place < len(pattern):
        character = pattern[place]
        if character == "\\" and place + 1 < len(pattern):
            text, length = _escape(pattern[place + 1 :], in_class)
            found.append(text)
            place += 1 + length
            continue
        if in_class:
            found.append(f"\\{character}" if character in "[&~" else character)
            in_class = character != "]"
        elif character == "[":
            text, length = _class_start(pattern[place:])
            found.append(text)
            place += length
            in_class = text not in (r"[\s\S]", r"[^\s\S]")
            continue
        else:
            found.append(r"[\s\S]" if character == "." and any_dot else character)
        place += 1
    return "".join(found)


def _class_start(rest: str) -> tuple[str, int]:
    """How a class begins, and its length: an empty class and an inverted empty class are whole."""
    if rest.startswith("[^]"):
        return r"[\s\S]", 3
    if rest.startswith("[]"):
        return r"[^\s\S]", 2
    return ("[^", 2) if rest.startswith("[^") else ("[", 1)


def _escape(rest: str, in_class: bool) -> tuple[str, int]:
    """An escape sequence without its backslash, and its length."""
    kind = rest[0]
    if kind in _ASCII:
        return (_ASCII[kind] if in_class else f"[{_ASCII[kind]}]"), 1
    if kind.lower() in _ASCII and not in_class:
        return f"[^{_ASCII[kind.lower()]}]", 1
    if kind == "c" and len(rest) > 1 and rest[1].isalpha():
        return f"\\x{{{ord(rest[1]) % 32:x}}}", 2
    if kind in _ESCAPES:
        return _ESCAPES[kind], 1
    if kind in "/ \"'`~!@#%&=:;,<>_":
        return ("\\" + kind if kind in "&~" and in_class else kind), 1
    return "\\" + kind, 1
