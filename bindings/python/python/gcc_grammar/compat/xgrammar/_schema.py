"""How XGrammar reads JSON Schemas, said in the words of this package.

XGrammar's options of white space become the object `x-guidance`; `strict_mode` closes objects and arrays that leave open what else they
contain; keywords that cannot be enforced are left out, as XGrammar does, and `oneOf` means `anyOf`.
"""

from __future__ import annotations

import json
import re
import warnings
from typing import Any, Optional

from . import _regex
from .exception import InvalidJSONError, InvalidStructuralTagError

#: The options of the compiler for all schemas.
OPTIONS: dict[str, Any] = {"unenforced": "allow", "draft": "2020-12"}

_OBJECT = ("properties", "patternProperties", "propertyNames", "minProperties", "maxProperties", "required")
_ARRAY = ("prefixItems", "minItems", "maxItems", "items")
#: Keywords with one schema, with a list of schemas, and with named schemas.
_ONE = ("items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "additionalItems", "contains", "propertyNames")
_MANY = ("prefixItems", "anyOf", "oneOf", "allOf")
_NAMED = ("properties", "patternProperties", "$defs", "definitions")


def style(
    any_whitespace: bool = True,
    indent: Optional[int] = None,
    separators: Optional[tuple[str, str]] = None,
    strict_mode: bool = True,
    max_whitespace_cnt: Optional[int] = None,
    any_order: bool = False,
) -> str:
    """The options of XGrammar as a text."""
    if max_whitespace_cnt is not None and max_whitespace_cnt < 0:
        raise RuntimeError(f"max_whitespace_cnt must not be negative, but is {max_whitespace_cnt}")
    return json.dumps([any_whitespace, indent, separators, strict_mode, max_whitespace_cnt, any_order])


def rewritten(text: str, style: Any) -> tuple[Any, dict[str, Any]]:
    """The schema with its style, and the options of the compiler for it."""
    any_whitespace, indent, separators, strict, most, any_order = style or [True, None, None, True, None, False]
    try:
        schema = json.loads(text)
    except ValueError as error:
        raise InvalidJSONError(f"the JSON Schema is not JSON: {error}") from error
    guidance = _guidance(any_whitespace, indent, separators, most)
    schema = closed(schema) if strict else schema
    if schema is True:
        schema = {}
    if isinstance(schema, dict):
        schema = {**schema, "x-guidance": {**guidance, **schema.get("x-guidance", {})}}
        schema.pop("$schema", None)
    return schema, {"property_order": "any"} if any_order else {}


def _guidance(any_whitespace: bool, indent: Optional[int], separators: Any, most: Optional[int]) -> dict[str, Any]:
    guidance: dict[str, Any] = {"lenient": True, "coerce_one_of": True}
    if any_whitespace:
        return {**guidance, **({"whitespace_flexible": True} if most is None else {"whitespace_pattern": rf"[ \n\t\r]{{0,{most}}}"})}
    comma, colon = separators or ((",", ": ") if indent is not None else (", ", ": "))
    guidance.update(item_separator=re.escape(comma), key_separator=re.escape(colon), whitespace_flexible=False)
    if indent is not None:
        warnings.warn("the depth of the indentation is not enforced: any number of steps is accepted", stacklevel=4)
        guidance["whitespace_pattern"] = rf"\n( {{{indent}}})*" if indent else r"\n"
    return guidance


def closed(schema: Any) -> Any:
    """The schema in which objects and arrays contain nothing that it does not name, as `strict_mode` demands."""
    if not isinstance(schema, dict):
        return schema
    result = dict(schema)
    names = "properties" in schema or "patternProperties" in schema
    for keyword in _ONE:
        if isinstance(result.get(keyword), dict):
            result[keyword] = closed(result[keyword])
    for keyword in _MANY:
        if isinstance(result.get(keyword), list):
            inside = keyword == "allOf" or (keyword != "prefixItems" and names)
            result[keyword] = [_inside(inner) if inside else closed(inner) for inner in result[keyword]]
    for keyword in _NAMED:
        if isinstance(result.get(keyword), dict):
            result[keyword] = {name: closed(inner) for name, inner in result[keyword].items()}
    return _closed_here(result)


def _inside(schema: Any) -> Any:
    """A branch of `allOf`, or an alternative in a schema that names properties itself: what is around it closes it."""
    before = closed(schema)
    if isinstance(schema, dict):
        for keyword in ("unevaluatedProperties", "unevaluatedItems", "additionalProperties"):
            if keyword not in schema:
                before.pop(keyword, None)
    return before


#: Keywords besides which XGrammar takes a type for the type alone: any object, any array.
_SILENT = {"type", "title", "description", "default", "examples", "$schema", "$id", "$defs", "definitions", "$comment"}


def _closed_here(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.keys() <= _SILENT:
        return schema
    types = schema.get("type")
    kinds = set(types if isinstance(types, list) else [types] if isinstance(types, str) else [])
    is_object = "object" in kinds or (not kinds and any(keyword in schema for keyword in _OBJECT))
    is_array = "array" in kinds or (not kinds and any(keyword in schema for keyword in _ARRAY))
    open_names = "propertyNames" in schema and "patternProperties" not in schema
    if is_object and not open_names and not {"additionalProperties", "unevaluatedProperties"} & schema.keys():
        schema["unevaluatedProperties"] = False
        _name_required(schema)
    if is_array and not {"items", "unevaluatedItems", "additionalItems"} & schema.keys():
        schema["unevaluatedItems"] = False
    return schema


def _name_required(schema: dict[str, Any]) -> None:
    """Adds the required properties to the properties: otherwise no object would be valid."""
    required, named = schema.get("required"), schema.get("properties", {})
    if isinstance(required, list) and isinstance(named, dict):
        missing = {name: True for name in required if isinstance(name, str) and name not in named}
        if missing:
            schema["properties"] = {**named, **missing}


def in_tags(tag: Any) -> Any:
    """A structural tag whose schemas are read as XGrammar reads them: in strict mode, with any white space."""
    if isinstance(tag, list):
        return [in_tags(inner) for inner in tag]
    if not isinstance(tag, dict):
        return tag
    _check(tag)
    if tag.get("type") == "qwen_xml_parameter":
        return in_tags({**tag, "type": "json_schema", "style": "qwen_xml"})
    if tag.get("type") == "regex" and isinstance(tag.get("pattern"), str):
        return {**tag, "pattern": _regex.translated(tag["pattern"])}
    if tag.get("type") == "grammar" and tag.get("syntax") == "lark":
        return {"type": "grammar", "lark": tag.get("grammar")}
    if tag.get("type") == "grammar" and isinstance(tag.get("grammar"), str):
        tag = {key: value for key, value in tag.items() if key != "syntax" or value != "ebnf"}
        return {**tag, "grammar": _regex.in_ebnf(tag["grammar"])}
    if tag.get("type") == "json_schema" and "json_schema" in tag:
        return _schema_tag(tag)
    return {key: in_tags(value) for key, value in tag.items() if value is not None}


#: Lists that XGrammar wants to have members, by the type of the format.
_FILLED = {
    "sequence": {"elements": "Sequence format must have at least one element"},
    "or": {"elements": "Or format must have at least one element"},
    "triggered_tags": {
        "triggers": "Triggered tags format's triggers must be non-empty",
        "tags": "Triggered tags format's tags must be non-empty",
    },
    "token_triggered_tags": {"trigger_tokens": "Token triggered tags format's trigger_tokens must be non-empty"},
    "tags_with_separator": {"tags": "Tags with separator format's tags must be non-empty"},
}


def _check(tag: dict[str, Any]) -> None:
    """Refuses what XGrammar refuses and this package would understand."""
    kind = tag.get("type")
    for field, message in _FILLED.get(kind if isinstance(kind, str) else "", {}).items():
        if tag.get(field) == []:
            raise InvalidStructuralTagError(message)
    for field in ("max_tokens", "max_chars"):
        value = tag.get(field)
        if kind in ("any_text", "any_tokens") and value is not None:
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 31:
                raise InvalidStructuralTagError(f"{field} must be a non-negative 32-bit integer, not {value!r}")


def _schema_tag(tag: dict[str, Any]) -> dict[str, Any]:
    given = json.loads(style(max_whitespace_cnt=tag.get("max_whitespace_cnt")))
    schema, _ = rewritten(json.dumps(tag["json_schema"]), given)
    if tag.get("style") in (None, "json") and tag.get("excludes"):
        warnings.warn("the excluded words of a JSON Schema are not enforced", stacklevel=5)
        tag = {**tag, "excludes": []}
    rest = {key: value for key, value in tag.items() if key != "max_whitespace_cnt" and value is not None}
    return {**rest, "json_schema": schema, "any_order": bool(tag.get("any_order"))}
