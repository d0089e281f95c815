"""Schemas and grammars as values: what :func:`gcc_grammar.compile` compiles."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence


@dataclass(frozen=True)
class Source:
    """A text in a notation: ``json-schema``, ``lark``, ``gbnf``, ``ebnf``, ``regex``, ``choices`` or ``structural-tag``."""

    notation: str
    text: str
    #: The name of the text in diagnostics and in the artifact.
    name: Optional[str] = None
    #: The alternatives of ``choices``.
    choices: Optional[tuple[str, ...]] = None
    #: Options that belong to the source, such as ``start``.
    options: Mapping[str, Any] = field(default_factory=dict)


def JsonSchema(schema: Any, *, name: Optional[str] = None) -> Source:
    """A JSON Schema, as a dictionary, a Boolean or a text."""
    return Source("json-schema", schema if isinstance(schema, str) else json.dumps(schema), name)


def Lark(text: str, *, start: str = "start", name: Optional[str] = None) -> Source:
    """A Lark grammar."""
    return Source("lark", text, name, options={"start": start})


def Gbnf(text: str, *, start: str = "root", name: Optional[str] = None) -> Source:
    """A grammar in the notation of llama.cpp."""
    return Source("gbnf", text, name, options={"start": start})


def Ebnf(text: str, *, start: str = "root", name: Optional[str] = None) -> Source:
    """A grammar in the notation of XGrammar."""
    return Source("ebnf", text, name, options={"start": start})


def Regex(pattern: str) -> Source:
    """A regular expression that the whole output matches."""
    return Source("regex", pattern)


def Choice(texts: Sequence[str]) -> Source:
    """One of these texts."""
    return Source("choices", "\n".join(texts), choices=tuple(texts))


def StructuralTag(tags: Any) -> Source:
    """Structural tags, as a dictionary, a text, or an object with ``model_dump_json``."""
    if hasattr(tags, "model_dump_json"):
        return Source("structural-tag", tags.model_dump_json())
    return Source("structural-tag", tags if isinstance(tags, str) else json.dumps(tags))


def Tools(
    tools: Sequence[Any],
    *,
    begin: str = '<tool_call>\n{"name": "{name}", "arguments": ',
    end: str = "}\n</tool_call>",
    trigger: str = "<tool_call>",
    text: bool = True,
    at_least_one: bool = False,
    stop_after_first: bool = False,
) -> Source:
    """Calls of tools, described as OpenAI does (``{"type": "function", "function": {"name", "parameters"}}``) or as Python functions.

    A call is ``begin``, in which ``{name}`` stands for the name of the tool, then its arguments as JSON, then ``end``; it starts wherever
    the text ``trigger`` occurs. With ``text`` set to false, nothing may stand around the calls.
    """
    from ._types import to_schema

    tags = []
    for tool in tools:
        if callable(tool):
            name, parameters = tool.__name__, to_schema(tool)
        else:
            function = tool.get("function", tool)
            name, parameters = function["name"], function.get("parameters") or {"type": "object"}
        content = {"type": "json_schema", "json_schema": parameters}
        tags.append({"type": "tag", "begin": begin.replace("{name}", name), "content": content, "end": end})
    if not text:
        choice: dict[str, Any] = {"type": "or", "elements": tags}
        if stop_after_first:
            return StructuralTag({"type": "structural_tag", "format": choice})
        several = {"type": "plus" if at_least_one else "star", "content": choice}
        return StructuralTag({"type": "structural_tag", "format": several})
    form = {
        "type": "triggered_tags",
        "triggers": [trigger],
        "tags": tags,
        "at_least_one": at_least_one,
        "stop_after_first": stop_after_first,
    }
    return StructuralTag({"type": "structural_tag", "format": form})
