"""Other spellings of the calls in the case files: white space at marks, members and parameters in another order, text around calls."""

import json
import re
from dataclasses import replace
from typing import Callable, Iterator

from .cases import Case, Family, Options

#: The cases whose text is spelled in other ways.
BASES = ("one call", "two calls", "no arguments", "integer, enum and boolean")
#: A mark of a family, or a sign of JSON. White space is put before and behind each.
MARK = re.compile(r'\]<\]minimax\[>\[|</?[|｜]?[^<>\s"=]{2,40}(?:="?[^<>"]*"?)?[|｜]?>|\[/?[A-Z_]{3,}\]|functools|```(?:json|tool_code)?|[{}\[\]:,]')
SPACES = (" ", "\n", "\n\n")
#: A parameter of a family whose parameters are tags.
PARAMETERS = [
    re.compile(r"<parameter=.*?</parameter>\n?", re.S),
    re.compile(r'<parameter name=.*?</parameter>\n?', re.S),
    re.compile(r"<arg_key>.*?</arg_value>\n?", re.S),
    re.compile(r"<｜DSML｜ ?parameter .*?</｜DSML｜ ?parameter>\n?", re.S),
    re.compile(r"\]<\]minimax\[>\[<(\w+)>[^\]]*\]<\]minimax\[>\[</\1>\n?", re.S),
    re.compile(r'<cofl:\w+ name=.*?</cofl:\w+>\n?', re.S),
    re.compile(r"\b\w+=(?:'[^']*'|\d+|True)(?:, )?"),
    re.compile(r'\b\w+:(?:<\|"\|>.*?<\|"\|>|<escape>.*?<escape>|\d+|true),?'),
]


def _objects(text: str) -> Iterator[tuple[int, int, dict]]:
    """The outermost JSON objects in a text."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            found, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            found, end = None, at + 1
        if isinstance(found, dict):
            yield at, end, found
        at = text.find("{", end)


def _with_objects(text: str, change: Callable[[dict], str]) -> str:
    """The text with every JSON object spelled in another way."""
    for start, end, found in reversed(list(_objects(text))):
        text = text[:start] + change(found) + text[end:]
    return text


def _reversed(value: dict) -> dict:
    return dict(reversed(value.items()))


def _members(value: dict) -> dict:
    """The arguments in another order; the object itself if it is no call."""
    return {key: _reversed(inner) if isinstance(inner, dict) else inner for key, inner in value.items()}


def _with(before: dict, value: dict, after: dict) -> dict:
    """A call with further members; other objects as they are."""
    return {**before, **value, **after} if "name" in value else value


#: Other spellings of the JSON objects of a text.
OBJECTS: dict[str, Callable[[dict], str]] = {
    "members in another order": lambda value: json.dumps(_reversed(value), ensure_ascii=False),
    "arguments in another order": lambda value: json.dumps(_members(value), ensure_ascii=False),
    "compact": lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    "over several lines": lambda value: json.dumps(value, ensure_ascii=False, indent=2),
    "with type first": lambda value: json.dumps(_with({"type": "function"}, value, {}), ensure_ascii=False),
    "with id first": lambda value: json.dumps(_with({"id": "call00001"}, value, {}), ensure_ascii=False),
    "with type last": lambda value: json.dumps(_with({}, value, {"type": "function"}), ensure_ascii=False),
    "with id last": lambda value: json.dumps(_with({}, value, {"id": "call00001"}), ensure_ascii=False),
    "white space in it": lambda value: json.dumps(value, ensure_ascii=False, separators=(" , ", " : ")).replace("{", "{ ").replace("}", " }"),
}


def _swapped(text: str, pattern: re.Pattern[str]) -> str:
    """The text with the first two of adjacent parameters exchanged."""
    found = list(pattern.finditer(text))
    for first, second in zip(found, found[1:]):
        if first.end() == second.start():
            left, right = first[0], second[0]
            if left.rstrip(", ") != left and right.rstrip(", ") == right:
                stem = left.rstrip(", ")
                left, right = stem, right + left[len(stem) :]
            return text[: first.start()] + right + left + text[second.end() :]
    return text


def _texts(text: str) -> Iterator[tuple[str, str]]:
    """Other spellings with their names."""
    for space in ("\n", "\n\n", " ", "\n \n", "\t"):
        yield f"{space!r} at the end", text + space
        yield f"{space!r} at the beginning", space + text
    yield "text behind", text + "\nMore?"
    yield "text directly behind", text + " Would you like to know {more}?"
    yield "text before", "Let me see.\n" + text
    yield "twice", text + text
    yield "twice, a line break between", text + "\n" + text
    yield "twice, a blank line between", text + "\n\n" + text
    yield "twice, text between", text + "\nAnd now:\n" + text
    for name, change in OBJECTS.items():
        yield name, _with_objects(text, change)
    for pattern in PARAMETERS:
        yield "parameters in another order", _swapped(text, pattern)
    for mark in MARK.finditer(text):
        for space in SPACES:
            yield f"{space!r} before {mark[0]} at {mark.start()}", text[: mark.start()] + space + text[mark.start() :]
            yield f"{space!r} behind {mark[0]} at {mark.start()}", text[: mark.end()] + space + text[mark.end() :]


def of(family: Family) -> Iterator[tuple[Case, Case]]:
    """Cases and other spellings of them, each text once; what asks for calls under `auto` and `required`."""
    seen = {case.text for case in family.cases}
    for base in family.cases:
        if base.name not in BASES or not base.accepted:
            continue
        for name, text in _texts(base.text):
            if text in seen:
                continue
            seen.add(text)
            for choice in ("auto", "required"):
                yield base, replace(base, name=f"{base.name}: {name}", text=text, options=Options(tool_choice=choice))
