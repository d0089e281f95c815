"""Grammars as texts, as llguidance passes them: a Lark grammar, or a JSON object with one grammar."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional, Tuple, Union

from ..._sources import Gbnf, JsonSchema, Lark, Source

GrammarFormat = str

#: What is nearest to llguidance.
DEFAULTS: Dict[str, Any] = {"whitespace": "inner", "strings": "canonical"}
_FLEXIBLE = (None, r"[\x20\x0A\x0D\x09]+", r"[ \t\n\r]*", r"[ \t\n\r]+", r"\s*", r"\s+")


def regex_to_lark(regex: str, use_ascii: str = "d") -> str:
    """A pattern as it is written between slashes in Lark; ``use_ascii`` names classes such as ``d`` that have ASCII characters only."""
    classes = {"d": "0-9", "w": "0-9a-zA-Z_", "s": r" \t\n\r\f\v"}
    written, inside, at = [], False, 0
    while at < len(regex):
        character, following = regex[at], regex[at + 1 : at + 2]
        at += 1
        if character == "\\" and following:
            at += 1
            ascii = classes.get(following.lower()) if following.lower() in use_ascii else None
            if ascii is None or (inside and following.isupper()):
                written.append(character + following)
            elif inside:
                written.append(ascii)
            else:
                written.append(("[^" if following.isupper() else "[") + ascii + "]")
        else:
            inside = (inside or character == "[") and not (inside and character == "]")
            written.append({"/": "\\/", "\n": "\\n"}.get(character, character))
    return "".join(written)


def of_json_schema(
    schema: Union[str, Dict[str, Any]], defaults: Optional[Dict[str, Any]], overrides: Optional[Dict[str, Any]]
) -> str:
    """A schema with its options as a grammar text."""
    try:
        schema = json.loads(schema) if isinstance(schema, str) else schema
    except ValueError as error:
        raise ValueError(f"the schema is not valid JSON: {error}") from None
    if isinstance(schema, dict) and (defaults or overrides):
        schema = {**schema, "x-guidance": {**(defaults or {}), **schema.get("x-guidance", {}), **(overrides or {})}}
    return json.dumps({"grammars": [{"json_schema": schema}]})


def of_lark(lark: str) -> str:
    """A Lark grammar as a grammar text."""
    return json.dumps({"grammars": [{"lark_grammar": lark}]})


def grammar_from(format: GrammarFormat, text: str) -> str:
    """A grammar text of a grammar in a format of llguidance."""
    if format == "lark":
        return of_lark(text)
    if format in ("gbnf", "ebnf", "cfg", "grammar"):
        return json.dumps({"grammars": [{"gbnf": text}]})
    if format in ("json_schema", "json"):
        return of_json_schema(text, None, None)
    if format == "regex":
        return of_lark(f"%llguidance {{}}\nstart: /{regex_to_lark(text, '')}/")
    if format == "choice":
        texts: List[str] = json.loads(text) if isinstance(text, str) else text
        return of_lark("start: " + " | ".join(json.dumps(choice) for choice in texts))
    if format == "llguidance":
        return text
    raise ValueError(f"Unknown grammar type: {format}")


def _whitespace(guidance: Dict[str, Any]) -> Optional[str]:
    separators = (guidance.get("item_separator") or ",", guidance.get("key_separator") or ":")
    pattern, flexible = guidance.get("whitespace_pattern"), guidance.get("whitespace_flexible") is not False
    if pattern == "":
        flexible, pattern = False, None
    known = {(True, (",", ":")): "inner", (False, (",", ":")): "compact", (False, (", ", ": ")): "spaced"}
    found = known.get((flexible, separators))
    if pattern not in _FLEXIBLE or found is None:
        raise ValueError(f"this white space is not supported: {guidance}")
    return found


def _dialect(lark: str) -> Source:
    """A Lark grammar in the dialect of llguidance."""
    return Lark(lark if "%llguidance" in lark else "%llguidance {}\n" + lark)


def read(grammar: str) -> Tuple[Source, Dict[str, Any]]:
    """The source and the options of a grammar text."""
    if not grammar.lstrip().startswith("{"):
        return _dialect(grammar), dict(DEFAULTS)
    listed = json.loads(grammar)["grammars"]
    if len(listed) != 1:
        raise ValueError("a list of grammars must have one grammar")
    (one,) = listed
    if one.get("lark_grammar") is not None:
        return _dialect(one["lark_grammar"]), dict(DEFAULTS)
    if "gbnf" in one:
        return Gbnf(one["gbnf"]), {}
    schema = one.get("json_schema")
    guidance = schema.get("x-guidance", {}) if isinstance(schema, dict) else {}
    if guidance.get("json_allowed_escapes") is not None:
        raise ValueError("json_allowed_escapes is not supported")
    options = {**DEFAULTS, "whitespace": _whitespace(guidance)}
    if guidance.get("lenient"):
        options["unenforced"] = "allow"
    if guidance:
        schema = {name: value for name, value in schema.items() if name != "x-guidance"}
    return JsonSchema(schema), options
