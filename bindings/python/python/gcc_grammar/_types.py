"""Python types as JSON Schemas.

Models of pydantic describe themselves. Everything else of the standard library is described here: dataclasses, ``TypedDict``,
``NamedTuple``, ``Enum``, ``Literal``, unions, containers, ``Annotated`` with constraints, and signatures of functions. Recursive types
become references into ``$defs``.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import inspect
import types
import typing
import uuid
from typing import Any, Callable, Union

from ._errors import WrongTypeError

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
    set: {"type": "array"},
    frozenset: {"type": "array"},
    bytes: {"type": "string"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    datetime.timedelta: {"type": "string", "format": "duration"},
    uuid.UUID: {"type": "string", "format": "uuid"},
}

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
_LENGTHS = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}


def to_schema(kind: Any) -> dict[str, Any]:
    """The JSON Schema of a type, or of the arguments of a function.

    >>> to_schema(typing.List[int])
    {'type': 'array', 'items': {'type': 'integer'}}
    >>> def add(a: int, b: int = 0) -> int: ...
    >>> to_schema(add)["required"]
    ['a']
    """
    if isinstance(kind, (dict, bool)):
        return kind  # type: ignore[return-value]
    writer = _Writer()
    schema = writer.schema(kind)
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
        raise WrongTypeError(f"{kind!r} cannot be described as a JSON Schema")

    def _pydantic(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema of a model, whose definitions move to the top."""
        schema = dict(schema)
        self.definitions.update(schema.pop("$defs", {}))
        return schema

    def _generic(self, kind: Any, origin: Any, args: tuple[Any, ...]) -> dict[str, Any]:
        if origin is typing.Literal:
            return {"enum": [value.value if isinstance(value, enum.Enum) else value for value in args]}
        if origin is Union or origin is getattr(types, "UnionType", None):
            return {"anyOf": [self.schema(arg) for arg in args]}
        if hasattr(kind, "__metadata__"):
            return self._annotated(kind)
        if origin in _wrappers():
            return self.schema(args[0])
        if origin is tuple:
            return self._tuple(args)
        if isinstance(origin, type) and issubclass(origin, (list, set, frozenset)) or _is_abstract(origin, "Sequence"):
            return {"type": "array", "items": self.schema(args[0])}
        if isinstance(origin, type) and issubclass(origin, dict) or _is_abstract(origin, "Mapping"):
            return self._mapping(*args)
        return self.schema(origin)

    def _tuple(self, args: tuple[Any, ...]) -> dict[str, Any]:
        if len(args) == 2 and args[1] is Ellipsis:
            return {"type": "array", "items": self.schema(args[0])}
        items = [self.schema(arg) for arg in args if arg != ()]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}

    def _mapping(self, key: Any, value: Any) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "object", "additionalProperties": self.schema(value)}
        names = self.schema(key)
        if names != {"type": "string"}:
            schema["propertyNames"] = names
        return schema

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
        for inner in getattr(note, "metadata", ()):  # the constraints of pydantic's Field
            self._constrain(schema, inner)
        for attribute, keyword in _CONSTRAINTS.items():
            value = getattr(note, attribute, None)
            if value is not None:
                schema[keyword] = getattr(value, "pattern", value)
        least, most = _LENGTHS.get(schema.get("type", ""), ("minLength", "maxLength"))
        for attribute, keyword in (("min_length", least), ("max_length", most)):
            value = getattr(note, attribute, None)
            if value is not None:
                schema[keyword] = value

    def _class(self, kind: type) -> dict[str, Any]:
        if issubclass(kind, enum.Enum):
            return {"enum": [member.value for member in kind]}
        if dataclasses.is_dataclass(kind):
            return self._named(kind, kind.__name__, lambda: self._dataclass(kind))
        if hasattr(kind, "__total__"):
            return self._named(kind, kind.__name__, lambda: self._typed_dict(kind))
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return self._named(kind, kind.__name__, lambda: self._named_tuple(kind))
        for base in (bool, int, float, str, dict, list):
            if issubclass(kind, base):
                return self.schema(base)
        raise WrongTypeError(f"{kind!r} cannot be described as a JSON Schema")

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
        return self._tuple(tuple(hints.get(name, Any) for name in kind._fields))

    def _arguments(self, function: Callable[..., Any]) -> dict[str, Any]:
        hints = typing.get_type_hints(function, include_extras=True)
        properties, required = {}, []
        for name, parameter in inspect.signature(function).parameters.items():
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


def _is_abstract(origin: Any, name: str) -> bool:
    import collections.abc

    groups = {
        "Sequence": (collections.abc.Sequence, collections.abc.Set, collections.abc.Iterable, collections.abc.Collection),
        "Mapping": (collections.abc.Mapping, collections.abc.MutableMapping),
    }
    return origin in groups[name] or origin in (collections.abc.MutableSequence, collections.abc.MutableSet) and name == "Sequence"
