"""Structural tags as models of pydantic, which this module needs.

The fields are those of XGrammar; docs/structural-tags.md says what they mean and which are supported.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, Optional, Union

from pydantic import BaseModel, Field

from .grammar import schema_text

_Token = Union[int, str]


class _Format(BaseModel):  # type: ignore[misc]
    """A format."""


class ConstStringFormat(_Format):
    """A text."""

    type: Literal["const_string"] = "const_string"
    value: str


class JSONSchemaFormat(_Format):
    """JSON texts that are valid under a schema."""

    type: Literal["json_schema"] = "json_schema"
    json_schema: Union[bool, dict[str, Any]]
    style: Literal[
        "json",
        "qwen_xml",
        "minimax_xml",
        "minimax_m3_xml",
        "deepseek_xml",
        "deepseek_v4_1_xml",
        "glm_xml",
        "cohere_xml",
        "kimi_k3_xml",
        "gemma",
    ] = "json"
    any_order: bool = False
    max_whitespace_cnt: Optional[int] = None
    excludes: list[str] = []


class QwenXMLParameterFormat(_Format):
    """The older name of the style `qwen_xml`."""

    type: Literal["qwen_xml_parameter"] = "qwen_xml_parameter"
    json_schema: Union[bool, dict[str, Any]]


class AnyTextFormat(_Format):
    """Any text."""

    type: Literal["any_text"] = "any_text"
    excludes: list[str] = []
    max_tokens: Optional[int] = Field(default=None, ge=0, le=2_147_483_647)
    max_chars: Optional[int] = Field(default=None, ge=0, le=2_147_483_647)


class TokenFormat(_Format):
    """A token."""

    type: Literal["token"] = "token"
    token: _Token


class ExcludeTokenFormat(_Format):
    """A token that is not excluded."""

    type: Literal["exclude_token"] = "exclude_token"
    exclude_tokens: list[_Token] = []


class AnyTokensFormat(_Format):
    """Any number of tokens that are not excluded."""

    type: Literal["any_tokens"] = "any_tokens"
    exclude_tokens: list[_Token] = []
    max_tokens: Optional[int] = Field(default=None, ge=0, le=2_147_483_647)


class GrammarFormat(_Format):
    """A grammar in EBNF, or in Lark."""

    type: Literal["grammar"] = "grammar"
    grammar: str
    syntax: Literal["ebnf", "lark"] = "ebnf"


class RegexFormat(_Format):
    """A regular expression."""

    type: Literal["regex"] = "regex"
    pattern: str


class SequenceFormat(_Format):
    """All of the formats, one after the other."""

    type: Literal["sequence"] = "sequence"
    elements: list[Format]


class OrFormat(_Format):
    """One of the formats."""

    type: Literal["or"] = "or"
    elements: list[Format]


class TagFormat(_Format):
    """A beginning, a content and an end."""

    type: Literal["tag"] = "tag"
    begin: Union[str, TokenFormat]
    content: Format
    end: Union[str, list[str], TokenFormat]


class TriggeredTagsFormat(_Format):
    """Free text, in which tags begin with triggers."""

    type: Literal["triggered_tags"] = "triggered_tags"
    triggers: list[str]
    tags: list[TagFormat]
    at_least_one: bool = False
    stop_after_first: bool = False
    excludes: list[str] = []


class TokenTriggeredTagsFormat(_Format):
    """Any tokens, in which tags begin with trigger tokens."""

    type: Literal["token_triggered_tags"] = "token_triggered_tags"
    trigger_tokens: list[_Token]
    tags: list[TagFormat]
    exclude_tokens: list[_Token] = []
    at_least_one: bool = False
    stop_after_first: bool = False


class TagsWithSeparatorFormat(_Format):
    """Tags with a separator between them."""

    type: Literal["tags_with_separator"] = "tags_with_separator"
    tags: list[TagFormat]
    separator: str
    at_least_one: bool = False
    stop_after_first: bool = False


class OptionalFormat(_Format):
    """The format or nothing."""

    type: Literal["optional"] = "optional"
    content: Format


class PlusFormat(_Format):
    """The format once or several times."""

    type: Literal["plus"] = "plus"
    content: Format


class StarFormat(_Format):
    """The format any number of times."""

    type: Literal["star"] = "star"
    content: Format


class RepeatFormat(_Format):
    """The format from `min` to `max` times; -1 stands for no bound."""

    type: Literal["repeat"] = "repeat"
    min: int
    max: int
    content: Format


class DispatchFormat(_Format):
    """Free text, in which each pattern is followed by its format."""

    type: Literal["dispatch"] = "dispatch"
    rules: list[tuple[str, Format]]
    loop: bool = True
    excludes: list[str] = []


class TokenDispatchFormat(_Format):
    """Any tokens, in which each of some tokens is followed by its format."""

    type: Literal["token_dispatch"] = "token_dispatch"
    rules: list[tuple[_Token, Format]]
    loop: bool = True
    exclude_tokens: list[_Token] = []


Format = Annotated[
    Union[
        ConstStringFormat,
        JSONSchemaFormat,
        QwenXMLParameterFormat,
        AnyTextFormat,
        TokenFormat,
        ExcludeTokenFormat,
        AnyTokensFormat,
        GrammarFormat,
        RegexFormat,
        SequenceFormat,
        OrFormat,
        TagFormat,
        TriggeredTagsFormat,
        TokenTriggeredTagsFormat,
        TagsWithSeparatorFormat,
        OptionalFormat,
        PlusFormat,
        StarFormat,
        RepeatFormat,
        DispatchFormat,
        TokenDispatchFormat,
    ],
    Field(discriminator="type"),
]

for _model in _Format.__subclasses__():
    _model.model_rebuild()


class StructuralTagItem(BaseModel):  # type: ignore[misc]
    """A tag in the older form."""

    begin: str
    schema_: Any = Field(alias="schema")
    end: str


class StructuralTag(BaseModel):  # type: ignore[misc]
    """A structural tag."""

    type: Literal["structural_tag"] = "structural_tag"
    format: Format

    @staticmethod
    def from_legacy_structural_tag(tags: list[StructuralTagItem], triggers: list[str]) -> StructuralTag:
        """Free text with tags, from the older form."""
        formats = []
        for tag in tags:
            content = JSONSchemaFormat(json_schema=json.loads(schema_text(tag.schema_)))
            formats.append(TagFormat(begin=tag.begin, content=content, end=tag.end))
        return StructuralTag(format=TriggeredTagsFormat(triggers=triggers, tags=formats))

    @staticmethod
    def from_json(json_str: Union[str, dict[str, Any]]) -> StructuralTag:
        """A structural tag from JSON or a dictionary."""
        if isinstance(json_str, str):
            read: StructuralTag = StructuralTag.model_validate_json(json_str)
        elif isinstance(json_str, dict):
            read = StructuralTag.model_validate(json_str)
        else:
            raise ValueError("Invalid JSON string or dictionary")
        return read


StructuralTag.model_rebuild()
