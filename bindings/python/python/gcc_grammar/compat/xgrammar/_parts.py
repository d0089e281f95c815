"""What a `Grammar` of XGrammar is made of: texts in a notation, concatenations and alternatives of them.

A part is immutable and hashable, so that compiled grammars are found again. `source` gives the notation, the text and the options by which
the compiler reads a part. Concatenations and alternatives become structural tags.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Optional, Union

from . import _regex, _schema


@dataclass(frozen=True)
class Text:
    """A text in a notation of this package."""

    notation: str
    text: str
    #: The rule that derives whole texts, in EBNF.
    start: Optional[str] = None
    #: How a JSON Schema is to be written, in JSON.
    style: str = "{}"


@dataclass(frozen=True)
class Join:
    """A concatenation (`sequence`) or alternatives (`or`)."""

    kind: str
    parts: tuple["Part", ...]


Part = Union[Text, Join]


def source(part: Part) -> tuple[str, str, dict[str, Any]]:
    """The notation, the text and the options of the compiler for a part."""
    if isinstance(part, Join):
        return "structural-tag", json.dumps({"type": "structural_tag", "format": format_of(part)}), _schema.OPTIONS
    if part.notation == "json-schema":
        schema, options = _schema.rewritten(part.text, json.loads(part.style))
        return "json-schema", json.dumps(schema), {**_schema.OPTIONS, **options}
    if part.notation == "structural-tag":
        tag = json.loads(part.text)
        return "structural-tag", json.dumps(_schema.in_tags(tag)), _schema.OPTIONS
    if part.notation == "regex":
        return "regex", _regex.translated(part.text), {}
    if part.notation == "lark":
        return "lark", _llguidance(part.text), {}
    options = {} if part.start is None else {"start": part.start}
    return part.notation, _regex.in_ebnf(part.text), options


def _llguidance(text: str) -> str:
    """The Lark grammar in the dialect of llguidance, which XGrammar follows. The directive is last, so that lines keep their numbers."""
    return text if "%llguidance" in text else text + "\n%llguidance {}\n"


def format_of(part: Part) -> dict[str, Any]:
    """The format of structural tags that means a part."""
    if isinstance(part, Join):
        return {"type": part.kind, "elements": [format_of(inner) for inner in part.parts]}
    if part.notation == "json-schema":
        schema, options = _schema.rewritten(part.text, json.loads(part.style))
        return {"type": "json_schema", "json_schema": schema, "any_order": options.get("property_order") == "any"}
    if part.notation == "regex":
        return {"type": "regex", "pattern": _regex.translated(part.text)}
    if part.notation == "ebnf":
        return {"type": "grammar", "grammar": _regex.in_ebnf(_with_root(part.text, part.start or "root"))}
    if part.notation == "structural-tag":
        tag = _schema.in_tags(json.loads(part.text))
        found: dict[str, Any] = tag.get("format", tag)
        return found
    raise RuntimeError(f"grammars in {part.notation} cannot be joined with others; join their texts")


def _with_root(text: str, start: str) -> str:
    """The grammar with `root` as its first rule."""
    if start == "root":
        return text
    if re.search(r"^\s*root\s*::=", text, re.MULTILINE):
        raise RuntimeError(f"the grammar cannot be joined: it starts with {start!r}, and another rule is named 'root'")
    return f"root ::= {start}\n{text}"
