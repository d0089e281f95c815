"""Regular expressions of JSON Schemas, as outlines-core writes them.

A regular expression is weaker than a schema: :func:`gcc_grammar.compile` enforces schemas that have none. Keywords that a regular expression
does not express here are refused, and not dropped. Recursion ends at a depth.
"""

from __future__ import annotations

import json
import re
from typing import Any, Dict, List, Optional, Tuple

WHITESPACE = r"[ ]?"
STRING_INNER = r'([^"\\\x00-\x1F\x7F-\x9F]|\\["\\/bfnrt])'
STRING = f'"{STRING_INNER}*"'
INTEGER = r"(-)?(0|[1-9][0-9]*)"
NUMBER = rf"({INTEGER})(\.[0-9]+)?([eE][+-][0-9]+)?"
BOOLEAN = "(true|false)"
NULL = "null"
DATE = r'"(?:\d{4})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[1-2][0-9]|3[0-1])"'
DATE_TIME = (
    r'"(-?(?:[1-9][0-9]*)?[0-9]{4})-(1[0-2]|0[1-9])-(3[01]|0[1-9]|[12][0-9])'
    r'T(2[0-3]|[01][0-9]):([0-5][0-9]):([0-5][0-9])(\.[0-9]{3})?(Z)?"'
)
TIME = r'"(2[0-3]|[01][0-9]):([0-5][0-9]):([0-5][0-9])(\.[0-9]+)?(Z)?"'
UUID = r'"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"'
URI = r'"(?:(https?|ftp)://([a-zA-Z\d.-]+\.[a-zA-Z]{2,}|localhost)(:\d+)?(/[^\s?#"\\]*)?(\?[^\s#"\\]*)?(#[^\s"\\]*)?|urn:[a-zA-Z\d][a-zA-Z\d-]{0,31}:[^\s"\\]+)"'
EMAIL = (
    r"\"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r'@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"'
)

__all__ = [
    "BOOLEAN",
    "DATE",
    "DATE_TIME",
    "EMAIL",
    "INTEGER",
    "NULL",
    "NUMBER",
    "STRING",
    "STRING_INNER",
    "TIME",
    "URI",
    "UUID",
    "WHITESPACE",
    "build_regex_from_schema",
]

_FORMATS = {"date-time": DATE_TIME, "date": DATE, "time": TIME, "uuid": UUID, "uri": URI, "email": EMAIL}
_TYPES = {"string": STRING, "integer": INTEGER, "number": NUMBER, "boolean": BOOLEAN, "null": NULL}
_ANNOTATIONS = {
    *("title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly"),
    *("$comment", "$schema", "$id", "id", "$anchor", "$defs", "definitions", "x-order", "discriminator"),
}
_SPECIAL = set("\\.+*?()|[]{}^$")


def build_regex_from_schema(json_schema: str, whitespace_pattern: Optional[str] = None, max_recursion_depth: int = 3) -> str:
    """A regular expression of texts that are valid, with ``whitespace_pattern`` where JSON allows white space.

    Properties come in the order of the schema, and no others. Raises ``TypeError`` if the text is not JSON, and ``ValueError`` if there is a
    keyword that the expression would not enforce.
    """
    try:
        schema = json.loads(json_schema)
    except ValueError as error:
        raise TypeError(f"Expected a valid JSON string. {error}") from error
    space = WHITESPACE if whitespace_pattern is None else whitespace_pattern
    return _Builder(schema, space, max_recursion_depth).build(schema)


def _literal(text: str) -> str:
    return "".join("\\" + letter if letter in _SPECIAL else letter for letter in text)


def _times(least: int, most: Optional[int]) -> str:
    return f"{{{least},{'' if most is None else most}}}"


class _Builder:
    def __init__(self, root: Any, space: str, depth: int) -> None:
        self.root, self.space, self.most = root, space, depth
        #: How often each reference was entered.
        self.entered: Dict[str, int] = {}

    def build(self, schema: Any) -> str:
        """The expression of a schema."""
        if schema is True or schema == {}:
            return self._anything(2)
        if not isinstance(schema, dict):
            raise _unsupported(schema)
        for keyword, build in (
            ("$ref", self._reference),
            ("const", lambda value, _: self._value(value)),
            ("enum", self._enum),
            ("anyOf", self._either),
            ("oneOf", self._either),
            ("allOf", self._all),
        ):
            if keyword in schema:
                self._only(schema, {keyword, "type"} if keyword in ("const", "enum") else {keyword})
                return build(schema[keyword], schema)
        if "type" not in schema and "properties" in schema:
            return self._object(schema)
        if "type" not in schema:
            raise _unsupported(schema)
        return self._typed(schema["type"], schema)

    def _only(self, schema: Dict[str, Any], known: Any) -> None:
        """Refuses keywords that the expression would not enforce."""
        others = sorted(set(schema) - set(known) - _ANNOTATIONS)
        if others:
            raise ValueError(f"Unsupported JSON Schema structure: a regular expression does not enforce {', '.join(others)}")

    def _typed(self, kind: Any, schema: Dict[str, Any]) -> str:
        if isinstance(kind, list):
            return "(" + "|".join(f"(?:{self._typed(one, self._part(one, schema))})" for one in kind) + ")"
        if kind == "string":
            return self._string(schema)
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            return self._array(schema)
        if kind in _TYPES:
            self._only(schema, {"type"})
            return _TYPES[kind]
        raise _unsupported(schema)

    @staticmethod
    def _part(kind: str, schema: Dict[str, Any]) -> Dict[str, Any]:
        """The keywords for one of several types."""
        of_types = {
            "string": {"minLength", "maxLength", "pattern", "format"},
            "array": {"items", "prefixItems", "minItems", "maxItems"},
            "object": {"properties", "required", "additionalProperties", "minProperties", "maxProperties"},
        }
        others = {keyword for other, keywords in of_types.items() if other != kind for keyword in keywords}
        return {keyword: value for keyword, value in schema.items() if keyword not in others}

    def _reference(self, uri: Any, schema: Any) -> str:
        if not isinstance(uri, str) or not uri.startswith("#"):
            raise ValueError(f"External references are not supported: {uri}")
        if self.entered.get(uri, 0) > self.most:
            raise _TooDeep(uri)
        target = self.root
        for part in [part for part in uri[1:].split("/") if part]:
            part = part.replace("~1", "/").replace("~0", "~")
            try:
                target = target[int(part)] if isinstance(target, list) else target[part]
            except (KeyError, IndexError, ValueError, TypeError) as error:
                raise ValueError(f"Invalid reference path: {uri}") from error
        self.entered[uri] = self.entered.get(uri, 0) + 1
        try:
            return self.build(target)
        finally:
            self.entered[uri] -= 1

    def _value(self, value: Any) -> str:
        """The expression of one value."""
        space = self.space
        if isinstance(value, dict):
            members = [f"{space}{_literal(json.dumps(key))}{space}:{space}{self._value(item)}" for key, item in value.items()]
            return r"\{" + f"{space},".join(members) + space + r"\}"
        if isinstance(value, list):
            return r"\[" + space + f"{space},{space}".join(map(self._value, value)) + space + r"\]"
        return _literal(json.dumps(value, ensure_ascii=False))

    def _enum(self, values: Any, schema: Any) -> str:
        if not isinstance(values, list) or not values:
            raise _unsupported(schema)
        return "(" + "|".join(map(self._value, values)) + ")"

    def _either(self, choices: List[Any], schema: Any) -> str:
        return "(" + "|".join(self._possible(choices)) + ")"

    def _possible(self, choices: List[Any]) -> List[str]:
        """The choices that do not go too deep."""
        built = []
        for choice in choices:
            try:
                built.append(self.build(choice))
            except _TooDeep as error:
                last = error
        if not built:
            raise last
        return built

    def _all(self, parts: List[Any], schema: Any) -> str:
        if len(parts) != 1:
            raise ValueError("Unsupported JSON Schema structure: a regular expression does not enforce allOf of several schemas")
        return self.build(parts[0])

    def _string(self, schema: Dict[str, Any]) -> str:
        self._only(schema, {"type", "minLength", "maxLength", "pattern", "format"})
        ways = [keyword for keyword in ("pattern", "format") if keyword in schema]
        lengths = "minLength" in schema or "maxLength" in schema
        if len(ways) + lengths > 1:
            raise ValueError("Unsupported JSON Schema structure: lengths, a pattern and a format cannot be combined")
        if "pattern" in schema:
            return self._pattern(schema["pattern"])
        if "format" in schema:
            if schema["format"] not in _FORMATS:
                raise ValueError(f"Format {schema['format']} is not supported by Outlines")
            return _FORMATS[schema["format"]]
        if not lengths:
            return STRING
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        if most is not None and most < least:
            raise ValueError("maxLength must be greater than or equal to minLength")
        return f'"{STRING_INNER}{_times(least, most)}"'

    @staticmethod
    def _pattern(pattern: str) -> str:
        if not pattern.startswith("^") or not pattern.endswith("$") or pattern.endswith("\\$"):
            raise ValueError(f"Unsupported JSON Schema structure: the pattern {pattern!r} is not anchored with ^ and $")
        re.compile(pattern)
        return f'("{pattern[1:-1]}")'

    def _object(self, schema: Dict[str, Any]) -> str:
        properties = schema.get("properties", {})
        if not properties:
            return self._mapping(schema)
        self._only(schema, {"type", "properties", "required", "additionalProperties"})
        required = set(schema.get("required", ()))
        if not required <= set(properties):
            raise ValueError("Unsupported JSON Schema structure: a required property is not among the properties")
        members: List[Tuple[str, bool]] = []
        for key, value in properties.items():
            try:
                member = f"{self.space}{_literal(json.dumps(key))}{self.space}:{self.space}{self.build(value)}"
            except _TooDeep:
                if key in required:
                    raise
                continue
            members.append((member, key in required))
        return r"\{" + self._members(members) + self.space + r"\}"

    def _members(self, members: List[Tuple[str, bool]]) -> str:
        """Members in their order, with commas between those that are there."""
        needed = [place for place, (_, is_required) in enumerate(members) if is_required]
        comma = f"{self.space},"
        if needed:
            last = needed[-1]
            front = [text + comma if is_required else f"({text}{comma})?" for text, is_required in members[:last]]
            return "".join(front) + members[last][0] + "".join(f"({comma}{text})?" for text, _ in members[last + 1 :])
        ways = []
        for last in range(len(members)):
            before = "".join(f"({text}{comma})?" for text, _ in members[:last])
            ways.append(before + members[last][0])
        return "(" + "|".join(ways) + ")?" if ways else ""

    def _mapping(self, schema: Dict[str, Any]) -> str:
        self._only(schema, {"type", "properties", "additionalProperties", "minProperties", "maxProperties"})
        value = schema.get("additionalProperties", True)
        if value is False:
            return r"\{" + self.space + r"\}"
        inner = self._anything(1) if value is True else self.build(value)
        return self._object_of(inner, schema.get("minProperties", 0), schema.get("maxProperties"))

    def _object_of(self, value: str, least: int, most: Optional[int]) -> str:
        space = self.space
        member = f"{STRING}{space}:{space}{value}"
        return r"\{" + space + self._several(member, f"{space},{space}", least, most) + space + r"\}"

    def _several(self, item: str, comma: str, least: int, most: Optional[int]) -> str:
        if most == 0:
            return ""
        if most is not None and most < least:
            raise ValueError("Unsupported JSON Schema structure: the most is less than the least")
        more = _times(max(least - 1, 0), None if most is None else most - 1)
        return f"({item}({comma}{item}){more})" + ("" if least else "?")

    def _array(self, schema: Dict[str, Any]) -> str:
        self._only(schema, {"type", "items", "prefixItems", "minItems", "maxItems"})
        space = self.space
        if "prefixItems" in schema:
            first = schema["prefixItems"]
            if schema.get("minItems", len(first)) != len(first) or schema.get("maxItems", len(first)) != len(first):
                raise ValueError("Unsupported JSON Schema structure: prefixItems with another number of items")
            return r"\[" + space + f"{space},{space}".join(map(self.build, first)) + space + r"\]"
        least = schema.get("minItems", 0)
        try:
            item = self._anything(1) if schema.get("items", True) is True else self.build(schema["items"])
        except _TooDeep:
            if least:
                raise
            return r"\[" + space + r"\]"
        return r"\[" + space + self._several(f"({item})", f"{space},{space}", least, schema.get("maxItems")) + space + r"\]"

    def _anything(self, depth: int) -> str:
        """Any value, nested so deeply at most, as a regular expression cannot nest without end."""
        choices = [BOOLEAN, NULL, NUMBER, STRING]
        if depth > 0:
            inner = self._anything(depth - 1)
            comma = f"{self.space},{self.space}"
            choices.append(r"\[" + self.space + self._several(inner, comma, 0, None) + self.space + r"\]")
            choices.append(self._object_of(inner, 0, None))
        return "(" + "|".join(choices) + ")"


class _TooDeep(ValueError):
    """A reference went deeper than the limit."""

    def __init__(self, uri: str) -> None:
        super().__init__(f"Ref recursion limit reached: {uri}")


def _unsupported(schema: Any) -> ValueError:
    return ValueError(f"Unsupported JSON Schema structure {json.dumps(schema)}")
