"""Python types as JSON Schemas.

Models of pydantic describe themselves. Everything else of the standard library is described here: dataclasses, ``TypedDict``,
``NamedTuple``, ``Enum``, ``Literal``, unions, containers, ``Annotated`` with constraints, and signatures of functions. Recursive types
become references into ``$defs``.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import inspect
import json
import types
import typing
import uuid
import warnings
from typing import Any, Callable, Union

from ._errors import Error, GrammarWarning, RefusedError, WrongTypeError

_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    decimal.Decimal: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    None: {"type": "null"},
    Any: {},
    object: {},
    dict: {"type": "object"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array", "uniqueItems": True},
    frozenset: {"type": "array", "uniqueItems": True},
    bytes: {"type": "string"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    datetime.timedelta: {"type": "string", "format": "duration"},
    uuid.UUID: {"type": "string", "format": "uuid"},
}

_SEQUENCES = tuple(getattr(collections.abc, name) for name in ("Sequence", "MutableSequence", "Iterable", "Collection", "Set", "MutableSet"))
_MAPPINGS = (collections.abc.Mapping, collections.abc.MutableMapping)

#: The attributes of constraints in ``Annotated``, as the package ``annotated-types`` names them, and their keywords.
_CONSTRAINTS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
    "regex": "pattern",
}
#: The attributes of conditions that no keyword describes: functions, time zones, and digits of a decimal number.
_CONDITIONS = ("func", "tz", "max_digits", "decimal_places")
_LENGTHS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
_NUMBER = r"-?(0|[1-9][0-9]*)"
#: The keys of a JSON object are texts: those that spell a value of a type.
_SPELLED: dict[str, dict[str, Any]] = {
    "integer": {"type": "string", "pattern": f"^{_NUMBER}$"},
    "number": {"type": "string", "pattern": rf"^{_NUMBER}(\.[0-9]+)?([eE][-+]?[0-9]+)?$"},
    "boolean": {"enum": ["true", "false"]},
}


def to_schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a type, or of the arguments of a function.

    >>> to_schema(typing.List[int])
    {'type': 'array', 'items': {'type': 'integer'}}
    >>> def add(a: int, b: int = 0) -> int: ...
    >>> to_schema(add)["required"]
    ['a']

    Raises :class:`WrongTypeError` if the type has no JSON values. A condition that no keyword describes, such as a function in ``Annotated``, is a
    :class:`GrammarWarning`.
    """
    if isinstance(kind, (dict, bool)):
        return kind  # type: ignore[return-value]
    writer = _Writer()
    try:
        schema = writer.schema(kind)
    except Error:
        raise
    except RecursionError:
        raise RefusedError("the type is nested too deeply to be described as a JSON Schema: give the schema itself, or a type with fewer levels") from None
    except NameError as error:
        raise WrongTypeError(f"{kind!r} cannot be described as a JSON Schema: {error}: define it where the type is, or give the type in place of its name") from None
    except Exception as error:  # Types are programs of others.
        raise WrongTypeError(f"{kind!r} cannot be described as a JSON Schema: {error}: give a type of JSON values, or a schema") from None
    if writer.definitions:
        schema = {**schema, "$defs": writer.definitions}
    return schema


def is_type(value: Any) -> bool:
    """Whether a value describes a type rather than being a schema or grammar."""
    described = isinstance(value, (type, types.FunctionType, types.MethodType)) or typing.get_origin(value) is not None
    return described or value is Any or hasattr(value, "__pydantic_core_schema__")


class _Writer:
    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}
        self._names: dict[Any, str] = {}

    def schema(self, kind: Any) -> dict[str, Any]:
        try:
            if kind in _SIMPLE:
                return dict(_SIMPLE[kind])
        except TypeError:  # a type that has no hash
            pass
        origin = typing.get_origin(kind)
        if origin is not None:
            return self._generic(kind, origin, typing.get_args(kind))
        if hasattr(kind, "model_json_schema"):
            return self._pydantic(kind.model_json_schema())
        if hasattr(kind, "__pydantic_core_schema__") or hasattr(kind, "__pydantic_fields__"):
            from pydantic import TypeAdapter

            return self._pydantic(TypeAdapter(kind).json_schema())
        if isinstance(kind, type):
            return self._class(kind)
        if hasattr(kind, "__supertype__"):  # NewType
            return self.schema(kind.__supertype__)
        if hasattr(kind, "__value__"):  # type X = ...
            return self._named(kind, kind.__name__, lambda: self.schema(kind.__value__))
        if callable(kind):
            return self._arguments(kind)
        raise _no_values(kind)

    def _pydantic(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema of a model, whose definitions move to the top."""
        schema = dict(schema)
        definitions = schema.pop("$defs", {})
        self.definitions.update(definitions)
        self._spell_keys([schema, definitions])
        return schema

    def _spell_keys(self, part: Any) -> None:
        """Keys of objects in schemas of pydantic, which gives the members of an enumeration themselves."""
        if isinstance(part, dict):
            if part.get("type") == "object" and "propertyNames" in part:
                part["propertyNames"] = self._keys(part["propertyNames"])
            part = part.values()
        elif not isinstance(part, list):
            return
        for inner in part:
            self._spell_keys(inner)

    def _generic(self, kind: Any, origin: Any, args: tuple[Any, ...]) -> dict[str, Any]:
        if origin is typing.Literal:
            if any(isinstance(value, bytes) for value in args):
                raise _no_values(kind)
            return {"enum": [value.value if isinstance(value, enum.Enum) else value for value in args]}
        if origin is Union or origin is getattr(types, "UnionType", None):
            return {"anyOf": [self.schema(arg) for arg in args]}
        if hasattr(kind, "__metadata__"):
            return self._annotated(kind)
        if origin in _wrappers():
            return self.schema(args[0])
        if origin is tuple:
            return self._tuple(args)
        if isinstance(origin, type) and issubclass(origin, (list, set, frozenset)) or origin in _SEQUENCES:
            unique = {"uniqueItems": True} if issubclass(origin, collections.abc.Set) else {}
            return {"type": "array", "items": self.schema(args[0]), **unique}
        if isinstance(origin, type) and issubclass(origin, dict) or origin in _MAPPINGS:
            # A Counter has no argument for its counts.
            return self._mapping(args[0], args[1] if len(args) > 1 else int)
        return self.schema(origin)

    def _tuple(self, args: tuple[Any, ...], defaults: int = 0) -> dict[str, Any]:
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": self.schema(args[0])}
        items = [self.schema(arg) for arg in args if arg != ()]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items) - defaults}

    def _mapping(self, key: Any, value: Any) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object", "additionalProperties": self.schema(value)}
        names = self._keys(self.schema(key))
        if names not in ({}, {"type": "string"}):
            schema["propertyNames"] = names
        return schema

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = self.definitions[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        return found

    def _keys(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The keys that spell the values of a schema."""
        schema = self._resolved(schema)
        known = [value for value in schema.get("enum", ()) if value is not None]
        if known and all(isinstance(value, (str, int, float)) for value in known):
            return {"enum": [value if isinstance(value, str) else json.dumps(value) for value in known]}
        if "anyOf" in schema:
            # No key is null, and a union with None has others.
            return {"anyOf": [self._keys(inner) for inner in schema["anyOf"] if inner != {"type": "null"}]}
        kind = schema.get("type", "string")
        if kind == "string" and "enum" not in schema:
            return schema
        if kind in _SPELLED and not set(schema) - {"type", "title", "description"}:
            return _SPELLED[kind]
        raise WrongTypeError(f"the keys of a JSON object are texts, which {json.dumps(schema)} does not describe: give dict[str, ...]")

    def _annotated(self, kind: Any) -> dict[str, Any]:
        schema = self.schema(kind.__origin__)
        for note in kind.__metadata__:
            if isinstance(note, dict):
                schema.update(note)
            elif isinstance(note, str):
                schema.setdefault("description", note)
            else:
                self._constrain(schema, note)
        return schema

    def _constrain(self, schema: dict[str, Any], note: Any) -> None:
        if any(getattr(note, condition, None) is not None for condition in _CONDITIONS):
            warnings.warn(f"no keyword of JSON Schema says {note!r}: it is not enforced", GrammarWarning, stacklevel=2)
        for inner in getattr(note, "metadata", ()):  # the constraints of pydantic's Field
            self._constrain(schema, inner)
        for attribute, keyword in _CONSTRAINTS.items():
            value = getattr(note, attribute, None)
            if value is not None:
                schema[keyword] = getattr(value, "pattern", value)
        for part in schema.get("anyOf", [schema]):
            # Of a union, those members that have a length.
            keywords = _LENGTHS.get(self._resolved(part).get("type", "string"), ())
            for attribute, keyword in zip(("min_length", "max_length"), keywords):
                value = getattr(note, attribute, None)
                if value is not None:
                    part[keyword] = value

    def _class(self, kind: type) -> dict[str, Any]:
        if issubclass(kind, enum.Enum):
            return {"enum": [member.value for member in kind]}
        if dataclasses.is_dataclass(kind):
            return self._named(kind, kind.__name__, lambda: self._dataclass(kind))
        if hasattr(kind, "__total__"):
            return self._named(kind, kind.__name__, lambda: self._typed_dict(kind))
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return self._named(kind, kind.__name__, lambda: self._named_tuple(kind))
        for base in (bool, int, float, str, dict, list, set, frozenset):
            if issubclass(kind, base):
                return self.schema(base)
        raise _no_values(kind)

    def _named(self, kind: Any, name: str, write: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """A reference to the definition of a type, which is written once, so that types may refer to themselves."""
        known = self._names.get(kind)
        if known is None:
            known, number = name, 1
            while known in self.definitions:
                number += 1
                known = f"{name}{number}"
            self._names[kind] = known
            self.definitions[known] = {}
            self.definitions[known] = write()
        return {"$ref": f"#/$defs/{known}"}

    def _object(self, properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
        return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}

    def _dataclass(self, kind: Any) -> dict[str, Any]:
        hints = typing.get_type_hints(kind, include_extras=True)
        fields = [field for field in dataclasses.fields(kind) if field.init]
        missing = dataclasses.MISSING
        required = [f.name for f in fields if f.default is missing and f.default_factory is missing]
        return self._object({field.name: self.schema(hints[field.name]) for field in fields}, required)

    def _typed_dict(self, kind: Any) -> dict[str, Any]:
        hints = typing.get_type_hints(kind, include_extras=True)
        required = [name for name in hints if name in kind.__required_keys__]
        return self._object({name: self.schema(hint) for name, hint in hints.items()}, required)

    def _named_tuple(self, kind: Any) -> dict[str, Any]:
        hints = typing.get_type_hints(kind, include_extras=True)
        return self._tuple(tuple(hints.get(name, Any) for name in kind._fields), len(kind._field_defaults))

    def _arguments(self, function: Callable[..., Any]) -> dict[str, Any]:
        if not inspect.isroutine(function):
            raise _no_values(function)
        hints = typing.get_type_hints(function, include_extras=True)
        properties: dict[str, Any] = {}
        required: list[str] = []
        owner = getattr(function, "__qualname__", "").rpartition(".")[0]
        for name, parameter in inspect.signature(function).parameters.items():
            if not properties and name in ("self", "cls") and owner and not owner.endswith("<locals>"):
                raise WrongTypeError(f"{function.__qualname__} is a method without its object: give that of an object, as in {owner}().{function.__name__}")
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
                raise WrongTypeError(f"the argument {name} of {function.__name__} cannot be given by name")
            properties[name] = self.schema(hints.get(name, Any))
            if parameter.default is parameter.empty:
                required.append(name)
        return self._object(properties, required)


def _wrappers() -> tuple[Any, ...]:
    """``Required``, ``NotRequired``, ``ReadOnly``, ``Final``, ``ClassVar``: they say nothing about the value."""
    names = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")
    found = [getattr(typing, name, None) for name in names]
    try:
        import typing_extensions

        found += [getattr(typing_extensions, name, None) for name in names]
    except ImportError:
        pass
    return tuple(wrapper for wrapper in found if wrapper is not None)


def _no_values(kind: Any) -> WrongTypeError:
    return WrongTypeError(f"{kind!r} cannot be described as a JSON Schema: give a type of JSON values, a function, or a schema")
