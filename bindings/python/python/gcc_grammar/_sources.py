"""Schemas and grammars as values: what :func:`gcc_grammar.compile` compiles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence

from . import _checks
from ._errors import RefusedError


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

    def __post_init__(self) -> None:
        _checks.text(self.notation, "the notation")
        _checks.text(self.text, "the text of the source")
        if self.name is not None:
            _checks.text(self.name, "the name of the source")
        if self.choices is not None:
            object.__setattr__(self, "choices", tuple(_checks.texts(self.choices, "choices")))


def JsonSchema(schema: Any, *, name: Optional[str] = None) -> Source:
    """A JSON Schema, as a dictionary, a Boolean or a text."""
    return Source("json-schema", schema if isinstance(schema, str) else _checks.to_json(schema, "the schema"), name)


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
    choices = _checks.texts(texts, "the choices")
    return Source("choices", "\n".join(choices), choices=tuple(choices))


def StructuralTag(tags: Any) -> Source:
    """Structural tags, as a dictionary, a text, or an object with ``model_dump_json``."""
    if hasattr(tags, "model_dump_json"):
        return Source("structural-tag", tags.model_dump_json())
    return Source("structural-tag", tags if isinstance(tags, str) else _checks.to_json(tags, "the tags"))


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

    for name, given in (("begin", begin), ("end", end), ("trigger", trigger)):
        _checks.text(given, name)
    tags = []
    for place, tool in enumerate(_checks.each(tools, "the tools", "a list of tools", "for a single one, give a list with it")):
        if callable(tool):
            name, parameters = tool.__name__, to_schema(tool)
        else:
            name, parameters = _described(tool, f"tools[{place}]")
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


def _described(tool: Any, place: str) -> tuple[str, Any]:
    """The name and the parameters of a tool that is described as OpenAI does."""
    function = tool.get("function", tool) if isinstance(tool, Mapping) else tool
    if not isinstance(function, Mapping):
        raise _checks.wrong(place, function, 'a function, or {"type": "function", "function": {"name": ..., "parameters": ...}}')
    if not isinstance(function.get("name"), str):
        raise RefusedError(f"{place} has no name: give {{\"type\": \"function\", \"function\": {{\"name\": ..., \"parameters\": ...}}}}")
    return function["name"], function.get("parameters") or {"type": "object"}
