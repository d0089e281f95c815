"""`Grammar`: schemas and grammars before they are compiled for a vocabulary."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from ... import _lib
from ..._types import to_schema
from . import _parts, _schema
from ._errors import translated
from .config import SERIALIZATION_VERSION
from .exception import DeserializeFormatError, DeserializeVersionError, InvalidJSONError

if TYPE_CHECKING:
    from .tokenizer_info import TokenizerInfo


def schema_text(schema: Any) -> str:
    """A schema as JSON: from JSON, a dictionary, or a type."""
    if isinstance(schema, str):
        return schema
    if isinstance(schema, (dict, bool)):
        return json.dumps(schema)
    if isinstance(schema, type):
        return json.dumps(to_schema(schema))
    raise ValueError("The schema should be a string or a Pydantic model.")


def tag_text(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """The JSON of a structural tag from the arguments of `from_structural_tag`."""
    if len(args) == 1 and not kwargs:
        return _one_tag(args[0])
    if not args and set(kwargs) == {"structural_tag"}:
        return _one_tag(kwargs["structural_tag"])
    names = ("tags", "triggers")
    given = dict(zip(names, args), **kwargs)
    if set(given) == set(names) and all(isinstance(value, list) for value in given.values()):
        from .structural_tag import StructuralTag

        legacy = StructuralTag.from_legacy_structural_tag(given["tags"], given["triggers"])
        return str(legacy.model_dump_json())
    raise TypeError("Invalid arguments for from_structural_tag")


def _one_tag(tag: Any) -> str:
    if isinstance(tag, str):
        return tag
    if isinstance(tag, dict):
        return json.dumps(tag)
    if hasattr(tag, "model_dump_json"):
        return str(tag.model_dump_json())
    raise TypeError("Invalid argument type for from_structural_tag")


class Grammar:
    """A schema or grammar. It is read when it is made, so errors are raised there, and compiled by a `GrammarCompiler`."""

    _part: _parts.Part

    def __init__(self, part: _parts.Part) -> None:
        self._part = part

    @staticmethod
    def _checked(part: _parts.Part, notation: str = "") -> "Grammar":
        kind, text, options = _parts.source(part)
        with translated(notation):
            found = json.loads(_lib.check(_lib.Input(kind, text, json.dumps(options))))["warnings"]
        for warning in found:
            warnings.warn(str(warning["message"]), stacklevel=3)
        return Grammar(part)

    @staticmethod
    def from_ebnf(ebnf_string: str, *, root_rule_name: str = "root") -> "Grammar":
        """A grammar in the EBNF of XGrammar."""
        return Grammar._checked(_parts.Text("ebnf", ebnf_string, root_rule_name))

    @staticmethod
    def from_json_schema(
        schema: Any,
        *,
        any_whitespace: bool = True,
        indent: Optional[int] = None,
        separators: Optional[tuple[str, str]] = None,
        strict_mode: bool = True,
        max_whitespace_cnt: Optional[int] = None,
        print_converted_ebnf: bool = False,
        any_order: bool = False,
    ) -> "Grammar":
        """A JSON Schema. Schemas are not converted to EBNF, so nothing is printed."""
        style = _schema.style(any_whitespace, indent, separators, strict_mode, max_whitespace_cnt, any_order)
        return Grammar._checked(_parts.Text("json-schema", schema_text(schema), None, style))

    @staticmethod
    def from_regex(regex_string: str, *, print_converted_ebnf: bool = False) -> "Grammar":
        """A regular expression that the whole text matches."""
        return Grammar._checked(_parts.Text("regex", regex_string))

    @staticmethod
    def from_lark(
        lark_string: str,
        *,
        tokenizer_info: Optional["TokenizerInfo"] = None,
        named_grammars: Optional[Mapping[str, Union["Grammar", str]]] = None,
    ) -> "Grammar":
        """A Lark grammar, with the dialect of llguidance. Special tokens are found by name when it is compiled."""
        if named_grammars:
            raise RuntimeError("named grammars are not supported: write their rules into the grammar")
        return Grammar._checked(_parts.Text("lark", lark_string))

    @staticmethod
    def from_structural_tag(*args: Any, **kwargs: Any) -> "Grammar":
        """A structural tag, as JSON, a dictionary or a `StructuralTag`; or tags and triggers in the older form."""
        text = tag_text(args, kwargs)
        try:
            json.loads(text)
        except ValueError as error:
            raise InvalidJSONError(f"the structural tag is not JSON: {error}") from error
        return Grammar._checked(_parts.Text("structural-tag", text), "structural-tag")

    @staticmethod
    def builtin_json_grammar() -> "Grammar":
        """Any JSON object or array, as in XGrammar."""
        schema = '{"type": ["object", "array"]}'
        return Grammar(_parts.Text("json-schema", schema, None, _schema.style(strict_mode=False)))

    @staticmethod
    def concat(*grammars: "Grammar") -> "Grammar":
        """The texts of the grammars, one after the other."""
        return grammars[0] if len(grammars) == 1 else Grammar(_joined("sequence", grammars))

    @staticmethod
    def union(*grammars: "Grammar") -> "Grammar":
        """The texts of any of the grammars."""
        return grammars[0] if len(grammars) == 1 else Grammar(_joined("or", grammars))

    def serialize_json(self) -> str:
        """The grammar as JSON, which only this package reads."""
        return json.dumps({"grammar": _to_json(self._part), "__VERSION__": SERIALIZATION_VERSION})

    @staticmethod
    def deserialize_json(json_string: str) -> "Grammar":
        """The grammar that was serialized."""
        return Grammar(_from_json(_opened(json_string, "grammar")))

    def __str__(self) -> str:
        """The text that the grammar was made from; for joined grammars, the structural tag."""
        return self._part.text if isinstance(self._part, _parts.Text) else _parts.source(self._part)[1]


def _joined(kind: str, grammars: tuple[Grammar, ...]) -> _parts.Part:
    if not grammars:
        raise RuntimeError("no grammar is given to join")
    part = _parts.Join(kind, tuple(grammar._part for grammar in grammars))
    _parts.source(part)
    return part


def _to_json(part: _parts.Part) -> Any:
    if isinstance(part, _parts.Join):
        return {"kind": part.kind, "parts": [_to_json(inner) for inner in part.parts]}
    return {"notation": part.notation, "text": part.text, "start": part.start, "style": part.style}


def _from_json(value: Any) -> _parts.Part:
    try:
        if "kind" in value:
            return _parts.Join(str(value["kind"]), tuple(_from_json(inner) for inner in value["parts"]))
        return _parts.Text(str(value["notation"]), str(value["text"]), value["start"], str(value["style"]))
    except (TypeError, KeyError) as error:
        raise DeserializeFormatError(f"this is no serialized grammar: {error}") from error


def _opened(text: str, member: str) -> Any:
    """A member of a serialized object, after its version was compared."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InvalidJSONError(f"the serialized object is not JSON: {error}") from error
    if not isinstance(value, dict) or "__VERSION__" not in value:
        raise DeserializeFormatError("the serialized object has no version")
    if value["__VERSION__"] != SERIALIZATION_VERSION:
        raise DeserializeVersionError(f"the object was serialized by version {value['__VERSION__']!r}, not {SERIALIZATION_VERSION!r}")
    if member not in value:
        raise DeserializeFormatError(f"the serialized object has no {member!r}")
    return value[member]


def __getattr__(name: str) -> Any:
    """`StructuralTagItem` needs pydantic, which is imported when it is used."""
    if name == "StructuralTagItem":
        from .structural_tag import StructuralTagItem

        return StructuralTagItem
    raise AttributeError(name)
