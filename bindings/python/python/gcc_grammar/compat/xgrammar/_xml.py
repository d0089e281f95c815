"""The styles in which models write the arguments of a tool as tags: an object schema becomes a structural-tag format.

Each property of the object is a tag whose name has the key; strings stand in it as they are, all other values as JSON. In the style
`cohere_xml` objects and arrays inside are tags, too. Declared properties come in their order, others behind them.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any, Callable, Optional

from . import _regex

Format = dict[str, Any]


@dataclass(frozen=True)
class Style:
    """How a property is written: `open`, the key, `middle`, the type where there is one, `close`, the value, `end`."""

    open: str
    middle: str
    close: str
    end: str
    #: What stands between `middle` and `close`: nothing, white space, "true" or "false", or the type of the value.
    kind: str = ""


_STYLES = {
    "qwen_xml": Style("<parameter=", "", ">", "</parameter>"),
    "minimax_xml": Style('<parameter name="', "", '">', "</parameter>"),
    "deepseek_xml": Style('<｜DSML｜parameter name="', '" string="', '">', "</｜DSML｜parameter>", "string"),
    "deepseek_v4_1_xml": Style('<｜DSML｜ parameter name="', '" string="', '">', "</｜DSML｜ parameter>", "string"),
    "glm_xml": Style("<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "space"),
    "cohere_xml": Style('<cofl:value name="', '" type="', '">', "</cofl:value>", "cohere"),
    "kimi_k3_xml": Style('<|open|>argument key="', '" type="', '"<|sep|>', "<|close|>argument<|sep|>", "kimi"),
}

_NAME = "[a-zA-Z_][a-zA-Z0-9_]*"
_MOST_SUBSETS = 1024


def const(text: str) -> Format:
    return {"type": "const_string", "value": text}


def regex(pattern: str) -> Format:
    return {"type": "regex", "pattern": pattern}


def seq(*elements: Format) -> Format:
    return {"type": "sequence", "elements": list(elements)}


def choice(elements: list[Format]) -> Format:
    return elements[0] if len(elements) == 1 else {"type": "or", "elements": elements}


def optional(content: Format) -> Format:
    return {"type": "optional", "content": content}


SPACE = optional(regex(r"[ \n\t]+"))


def arguments(schema: Any, style: str, excludes: list[str], as_json: Callable[[Any], Format], any_order: bool) -> Format:
    """The format of the arguments of a tool. `as_json` gives the format of a value that is written as JSON."""
    if style not in _STYLES:
        raise RuntimeError(f"the style {style!r} is not supported; the styles are json, {', '.join(_STYLES)}")
    return _Writer(schema, _STYLES[style], excludes, as_json, any_order).root()


class _Writer:
    def __init__(self, schema: Any, style: Style, excludes: list[str], as_json: Callable[[Any], Format], any_order: bool) -> None:
        self.top = schema
        self.style = style
        self.excludes = excludes
        self.as_json = as_json
        self.any_order = any_order
        self.open_references: list[str] = []

    def root(self) -> Format:
        schema = self.resolved(self.top)
        if isinstance(schema, dict):
            alternatives = schema.get("anyOf") or schema.get("oneOf")
            if alternatives and "properties" not in schema:
                return choice([self.members(self.resolved(inner)) for inner in alternatives])
        return self.members(schema)

    def resolved(self, schema: Any) -> Any:
        """The schema that a reference leads to."""
        for _ in range(64):
            if not isinstance(schema, dict) or "$ref" not in schema:
                return schema
            schema = self.referred(schema["$ref"])
        raise RuntimeError("the references of the schema form a circle")

    def referred(self, reference: str) -> Any:
        if not reference.startswith("#"):
            raise RuntimeError(f"the reference {reference!r} leads out of the schema")
        value = self.top
        for step in reference[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            try:
                value = value[int(step)] if isinstance(value, list) else value[step]
            except (KeyError, IndexError, ValueError, TypeError) as error:
                raise RuntimeError(f"the reference {reference!r} leads nowhere") from error
        return value

    # Objects

    def members(self, schema: Any) -> Format:
        """The properties of an object, with white space around them."""
        if schema is True or schema == {}:
            schema = {"type": "object", "additionalProperties": True}
        if not isinstance(schema, dict) or ("type" in schema and schema["type"] != "object" and "object" not in schema["type"]):
            raise RuntimeError("in this style the arguments of a tool are an object")
        declared = {key: self.property(const(self.attribute(key)), value) for key, value in schema.get("properties", {}).items()}
        required = set(schema.get("required", []))
        for key in schema.get("required", []):
            if key not in declared:
                declared[key] = self.property(const(self.attribute(key)), True)
        others = self.others(schema)
        least, most = schema.get("minProperties", 0), schema.get("maxProperties")
        if self.any_order:
            return self.in_any_order(list(declared.values()), others, max(least, len(required)), most)
        if most is None and least <= len(required):
            parts = [part if key in required else optional(part) for key, part in declared.items()]
            rest = [{"type": "star", "content": choice(others)}] if others else []
            return seq(SPACE, *parts, *rest)
        return seq(SPACE, self.counted(declared, required, others, least, most))

    def in_any_order(self, declared: list[Format], others: list[Format], least: int, most: Optional[int]) -> Format:
        parts = declared + others
        if not parts:
            return SPACE
        return seq(SPACE, {"type": "repeat", "min": least, "max": -1 if most is None else most, "content": choice(parts)})

    def counted(
        self, declared: dict[str, Format], required: set[str], others: list[Format], least: int, most: Optional[int]
    ) -> Format:
        """Every subset of the properties that has a right number of them."""
        free = [key for key in declared if key not in required]
        if 2 ** len(free) > _MOST_SUBSETS:
            raise RuntimeError("the number of properties is bounded, and there are too many optional ones")
        found = []
        for size in range(len(free) + 1):
            for chosen in itertools.combinations(free, size):
                count = len(required) + size
                if most is not None and count > most or (count < least and not others):
                    continue
                parts = [part for key, part in declared.items() if key in required or key in chosen]
                more = {"type": "repeat", "min": max(0, least - count), "max": -1 if most is None else most - count}
                found.append(seq(*parts, *([{**more, "content": choice(others)}] if others else [])))
        if not found:
            raise RuntimeError("no object has a right number of properties")
        return choice(found)

    def others(self, schema: dict[str, Any]) -> list[Format]:
        """The properties that are not declared."""
        patterns = schema.get("patternProperties", {})
        found = [self.property(regex(_whole(pattern)), value) for pattern, value in patterns.items()]
        names = self.resolved(schema.get("propertyNames"))
        more = schema.get("additionalProperties", schema.get("unevaluatedProperties", bool(names) and not patterns))
        if more is False:
            return found
        key = regex(_whole(names["pattern"])) if isinstance(names, dict) and "pattern" in names else None
        if isinstance(names, dict) and "enum" in names:
            key = choice([const(self.attribute(str(name))) for name in names["enum"]])
        return [*found, self.property(key or self.free_name(schema), more)]

    def free_name(self, schema: dict[str, Any]) -> Format:
        declared = list(schema.get("properties", {}))
        if self.style.kind != "cohere" or not declared:
            return regex(_NAME)
        return regex(_names_without(declared, True))

    def attribute(self, key: str) -> str:
        return key.replace("&", "&amp;").replace('"', "&quot;") if self.style.kind == "kimi" else key

    # Properties

    def property(self, key: Format, schema: Any) -> Format:
        """A property with white space behind it."""
        return seq(self.tagged(key, schema), SPACE)

    def tagged(self, key: Optional[Format], schema: Any) -> Format:
        if self.style.kind == "cohere":
            return self.cohere(key, schema)
        assert key is not None
        head = [const(self.style.open), key, *([const(self.style.middle)] if self.style.middle else [])]
        if self.style.kind == "space":
            head.append(SPACE)
        elif self.style.kind == "string":
            head.append(choice([const("true"), const("false")]))
        elif self.style.kind == "kimi":
            kind = _kimi_type(schema)
            kinds = ["string", "number", "integer", "boolean", "object", "array", "null"]
            head.append(const(kind) if kind else choice([const(kind) for kind in kinds]))
        return seq(*head, self.body(self.value(schema)))

    def body(self, value: Format) -> Format:
        """The value with the end of the tag."""
        content = value if value["type"] == "any_text" else seq(SPACE, value, SPACE)
        return {"type": "tag", "begin": self.style.close, "content": content, "end": self.style.end}

    def any_text(self) -> Format:
        return {"type": "any_text", "excludes": list(self.excludes)}

    def value(self, schema: Any) -> Format:
        """The value of a property."""
        if schema is True or schema == {}:
            return self.any_text()
        if not isinstance(schema, dict):
            raise RuntimeError("no value is valid under the schema false")
        reference = schema.get("$ref")
        if reference is not None:
            if reference in self.open_references:
                return self.json(schema)
            self.open_references.append(reference)
            try:
                return self.value(self.resolved(schema))
            finally:
                self.open_references.pop()
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return choice([self.value(inner) for inner in schema[keyword]])
        if isinstance(schema.get("allOf"), list) and len(schema["allOf"]) == 1 and len(schema) == 1:
            return self.value(schema["allOf"][0])
        if "const" in schema:
            return const(_literal(schema["const"]))
        if "enum" in schema:
            return choice([const(_literal(value)) for value in schema["enum"]])
        if isinstance(schema.get("type"), list):
            return choice([self.value({**schema, "type": kind}) for kind in schema["type"]])
        return self.string(schema) if schema.get("type") == "string" else self.of_type(schema)

    def of_type(self, schema: dict[str, Any]) -> Format:
        if "type" not in schema and not set(schema) & {"properties", "items", "minimum", "maximum", "prefixItems", "allOf", "pattern"}:
            return self.any_text()
        return self.json(schema)

    def string(self, schema: dict[str, Any]) -> Format:
        """A string as it is."""
        if "pattern" in schema:
            return regex(_whole(schema["pattern"]))
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        if least or most is not None:
            return regex(rf"[\s\S]{{{least},{'' if most is None else most}}}")
        return self.any_text()

    def json(self, schema: dict[str, Any]) -> Format:
        """A value as JSON, with the definitions that it may refer to."""
        definitions = {}
        if isinstance(self.top, dict):
            definitions = {key: self.top[key] for key in ("$defs", "definitions") if key in self.top and key not in schema}
        return self.as_json({**schema, **definitions})

    # The style of Cohere, whose values are tags themselves

    def cohere(self, key: Optional[Format], schema: Any) -> Format:
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        if reference is not None:
            if reference in self.open_references:
                raise RuntimeError(f"the style cohere_xml has no recursion: {reference!r} leads to itself")
            self.open_references.append(reference)
            try:
                return self.cohere(key, self.referred(reference))
            finally:
                self.open_references.pop()
        branches = _branches(schema)
        if branches is not None:
            return choice([self.cohere(key, branch) for branch in branches])
        kind, value = self.cohere_value(schema)
        start = [const("<cofl:value")] if key is None else [const(self.style.open), key, const('"')]
        return seq(*start, const(f' type="{kind}'), self.body(value))

    def cohere_value(self, schema: Any) -> tuple[str, Format]:
        kind = schema.get("type") if isinstance(schema, dict) else None
        if isinstance(schema, dict) and "const" in schema:
            return ("raw" if isinstance(schema["const"], str) else "json"), const(_literal(schema["const"]))
        if isinstance(schema, dict) and "enum" in schema:
            strings = all(isinstance(value, str) for value in schema["enum"])
            return ("raw" if strings else "json"), choice([const(_literal(value)) for value in schema["enum"]])
        if kind == "string":
            return "raw", self.string(schema)
        if kind == "object" or (kind is None and isinstance(schema, dict) and "properties" in schema):
            return "dict", self.members(schema)
        if kind == "array":
            return "list", self.items(schema)
        return "json", self.json({} if schema is True else schema)

    def items(self, schema: dict[str, Any]) -> Format:
        first = [seq(self.cohere(None, item), SPACE) for item in schema.get("prefixItems", [])]
        more = schema.get("items", schema.get("unevaluatedItems", False))
        if more is False:
            return seq(SPACE, *first)
        least, most = max(0, schema.get("minItems", 0) - len(first)), schema.get("maxItems", -1)
        item = seq(self.cohere(None, more), SPACE)
        repeated = {"type": "repeat", "min": least, "max": most if most < 0 else max(0, most - len(first)), "content": item}
        return seq(SPACE, *first, repeated)


def _branches(schema: Any) -> Optional[list[Any]]:
    """The alternatives of a schema, each of which has a type of its own."""
    if not isinstance(schema, dict):
        return None
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            found: list[Any] = schema[keyword]
            return found
    if isinstance(schema.get("allOf"), list) and len(schema["allOf"]) == 1:
        return [schema["allOf"][0]]
    if isinstance(schema.get("type"), list):
        return [{**schema, "type": kind} for kind in schema["type"]]
    values = schema.get("enum")
    if values and len({isinstance(value, str) for value in values}) == 2:
        return [{"const": value} for value in values]
    return None


def _literal(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _type_of(value: Any) -> str:
    for kind, name in ((str, "string"), (bool, "boolean"), ((int, float), "number"), (dict, "object"), (list, "array")):
        if isinstance(value, kind):
            return name
    return "null"


def _kimi_type(schema: Any) -> Optional[str]:
    """The type that is written beside a value; none if it may be any."""
    if not isinstance(schema, dict) or {"$ref", "anyOf", "oneOf", "allOf"} & schema.keys():
        return None
    values = [schema["const"]] if "const" in schema else schema.get("enum")
    if values:
        kinds = {_type_of(value) for value in values}
        return kinds.pop() if len(kinds) == 1 else None
    kind = schema.get("type")
    if kind is None and "properties" in schema:
        return "object"
    return {"integer": "number"}.get(kind, kind) if isinstance(kind, str) else None


def _whole(pattern: str) -> str:
    """A pattern that XGrammar compares with the whole text."""
    start, end = pattern.startswith("^"), pattern.endswith("$") and not pattern.endswith("\\$")
    return _regex.translated(pattern[start : len(pattern) - end])


def _names_without(words: list[str], first: bool) -> str:
    """The pattern of a name, or of the rest of one, that is none of the words."""
    letters = sorted({word[0] for word in words if word and _in_name(word[0], first)})
    others = "".join(character for character in _CHARACTERS if _in_name(character, first) and character not in letters)
    found = [f"[{others}][a-zA-Z0-9_]*"] if others else []
    found += [f"{letter}(?:{_names_without([word[1:] for word in words if word[:1] == letter], False)})" for letter in letters]
    found += [] if first or "" in words else [""]
    return "|".join(found)


_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz0123456789"


def _in_name(character: str, first: bool) -> bool:
    return character in _CHARACTERS and not (first and character.isdigit())
