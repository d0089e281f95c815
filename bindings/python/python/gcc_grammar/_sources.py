"""Schemas and grammars as values: what :func:`gcc_grammar.compile` compiles."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass, field
from typing import Any, Mapping, NoReturn, Optional, Sequence, Union

from . import _checks, _lib
from ._errors import NotFoundError, RefusedError, WrongTypeError


@dataclass(frozen=True)
class Source:
    """A text in a notation: ``json-schema``, ``lark``, ``gbnf``, ``ebnf``, ``w3c``, ``abnf``, ``antlr``, ``tree-sitter``, ``regex``, ``choices``, ``structural-tag`` or ``tools``."""

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


def Lark(text: str, *, start: str = "start", lexer: str = "contextual", indenter: Any = None, name: Optional[str] = None) -> Source:
    """A Lark grammar.

    ``lexer`` is ``"contextual"`` or ``"basic"`` (longest match), or ``"dynamic"`` (a terminal may end wherever it matches, as with Lark's
    ``dynamic_complete``). ``indenter`` sets up Lark's ``Indenter`` for grammars that declare its tokens: an object with its attributes, such as
    ``lark.indenter.PythonIndenter()``, or a dictionary of them, to which ``unit`` (columns are multiples of it) and ``levels`` may be added.
    """
    options = _start(start)
    if _checks.text(lexer, "lexer") != "contextual":
        options["lexer"] = lexer
    if indenter is not None:
        options["indenter"] = _indenter(indenter)
    return Source("lark", text, name, options=options)


#: The attributes of Lark's ``Indenter``, and the columns that lines may have.
_INDENTER = ("NL_type", "INDENT_type", "DEDENT_type", "OPEN_PAREN_types", "CLOSE_PAREN_types", "tab_len", "unit", "levels")


def _indenter(indenter: Any) -> str:
    """The settings of an indenter as the compiler reads them."""
    if isinstance(indenter, str):
        return _checks.text(indenter, "indenter")
    if isinstance(indenter, Mapping):
        given = dict(indenter)
        unknown = [str(name) for name in given if name not in _INDENTER]
        if unknown:
            raise RefusedError(f"an indenter has no {unknown[0]!r}; it has {', '.join(_INDENTER)}")
    else:
        given = {name: getattr(indenter, name) for name in _INDENTER if hasattr(indenter, name)}
        if not isinstance(given.get("NL_type"), str):
            raise _checks.wrong("indenter", indenter, "an object such as lark.indenter.PythonIndenter(), or a dictionary of its attributes")
    return ",".join(f"{name}={_setting(value, f'{name} of the indenter')}" for name, value in given.items())


def _setting(value: Any, name: str) -> Union[str, int]:
    """The value of an attribute of an indenter: a number, a name, or a list of names."""
    if isinstance(value, int):
        return value
    return _checks.text(value, name) if isinstance(value, str) else "+".join(_checks.texts(value, name))


def Gbnf(text: str, *, start: str = "root", name: Optional[str] = None) -> Source:
    """A grammar in the notation of llama.cpp."""
    return Source("gbnf", text, name, options=_start(start))


def Ebnf(text: str, *, start: str = "root", name: Optional[str] = None) -> Source:
    """A grammar in the notation of XGrammar."""
    return Source("ebnf", text, name, options=_start(start))


def W3c(text: str, *, start: Optional[str] = None, name: Optional[str] = None) -> Source:
    """A grammar in the EBNF of the W3C. The first rule is the start rule unless ``start`` names another one."""
    return Source("w3c", text, name, options=_start(start))


def Abnf(text: str, *, start: Optional[str] = None, name: Optional[str] = None) -> Source:
    """A grammar in ABNF. The first rule is the start rule unless ``start`` names another one."""
    return Source("abnf", text, name, options=_start(start))


def Antlr(text: str, *, start: Optional[str] = None, name: Optional[str] = None) -> Source:
    """A grammar of ANTLR 4. The first rule is the start rule unless ``start`` names another one."""
    return Source("antlr", text, name, options=_start(start))


def TreeSitter(grammar: Any, *, start: Optional[str] = None, name: Optional[str] = None) -> Source:
    """A ``grammar.json`` of tree-sitter, as a text or a dictionary. The first rule is the start rule unless ``start`` names another one."""
    text = grammar if isinstance(grammar, str) else _checks.to_json(grammar, "the grammar")
    return Source("tree-sitter", text, name, options=_start(start))


def _start(start: Optional[str]) -> dict[str, str]:
    return {} if start is None else {"start": _checks.text(start, "start")}


def Regex(pattern: "Union[str, re.Pattern[str]]") -> Source:
    """A regular expression that the whole output matches. One that ``re.compile`` made has the meaning of Python, flags included."""
    if not isinstance(pattern, re.Pattern):
        return Source("regex", pattern)
    if not isinstance(pattern.pattern, str):
        raise _checks.wrong("the pattern", pattern.pattern, "a pattern of texts, not of bytes")
    flags = "".join(letter for letter, flag in _FLAGS.items() if pattern.flags & flag)
    return Source("regex", _lib.python_pattern(pattern.pattern, flags))


#: The letters of flags.
_FLAGS = {"a": re.ASCII, "i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE}


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
    tools: Any,
    *,
    model: Any = None,
    families: Any = None,
    tool_choice: Any = None,
    parallel: bool = True,
    thinking: Union[bool, str] = False,
    thinking_tokens: Optional[int] = None,
    begin: Optional[str] = None,
    end: str = "}\n</tool_call>",
    trigger: str = "<tool_call>",
    name: Optional[str] = None,
    **others: NoReturn,
) -> Source:
    """Calls of tools, as the models of a family write them, with text around them.

    ``tools`` is a list of tools as OpenAI, Anthropic, Google, Amazon or the Model Context Protocol describe them, or of Python functions; an answer to
    ``tools/list``; a whole request, of which the tools, ``tool_choice``, ``parallel_tool_calls``, ``response_format`` and the model are read; or a text
    in JSON with one of these.

    ``model`` is the name of a model or of a family, such as ``"Qwen/Qwen3-8B"`` or ``"harmony"``; the path of its ``chat_template.jinja``, its
    ``tokenizer_config.json`` or its folder, or the text of its chat template; or a dictionary that describes a family, or the path of a file with one.
    ``families`` are further families that the model, or the request, may name: a dictionary, a list of them, or the path of a file with them; the only
    one is the model, if none is given.

    ``tool_choice`` is ``"auto"`` (text, in which there may be calls), ``"required"`` or ``"any"`` (calls and no other text), ``"none"``, the name of a
    tool, which is called once, a list of names, or a dictionary as requests have it. Without it, the request decides. ``parallel`` tells whether
    there may be several calls. ``thinking`` tells whether the model thinks first: true, false, or ``"auto"`` if it may;
    ``thinking_tokens`` is the most tokens of a block of thoughts, behind which the mark at its end follows.

    For a model of no family, ``begin`` is the beginning of a call, in which ``{name}`` stands for the name of the tool, then come its arguments as
    JSON, then ``end``; calls begin wherever the text ``trigger`` occurs.
    """
    if others:
        raise _other_keyword(next(iter(others)))
    definitions = tools if isinstance(tools, str) else _definitions(tools)
    options: dict[str, Any] = {"parallel": _checks.flag(parallel, "parallel"), "thinking": _thinking(thinking)}
    if thinking_tokens is not None:
        options["thinking_tokens"] = thinking_tokens
    family = _model(model, begin, end, trigger)
    if family is not None:
        options["model"] = family
    if families is not None:
        options["families"] = _families(families)
    elif family is None and not (isinstance(definitions, str) or isinstance(definitions, Mapping) and any(_is_named(definitions.get(key)) for key in ("model", "modelId"))):
        raise RefusedError(f"tools need the model that calls them: give {_MODELS}")
    if tool_choice is not None:
        options["tool_choice"] = _choice(tool_choice)
    return Source("tools", definitions if isinstance(definitions, str) else _checks.to_json(definitions, "the tools"), name, options=options)


def _is_named(model: Any) -> bool:
    """Whether a request names a model; what is no text is the compiler's to refuse."""
    return model is not None and not (isinstance(model, str) and not model)


#: What a model may be.
_MODELS = 'model="Qwen/Qwen3-8B" or another name, a family such as model="hermes", or the path of a chat template or of the folder of the model'

#: Keywords of services, and what is given here instead.
_KEYWORDS = {
    "parallel_tool_calls": "give parallel=False",
    "disable_parallel_tool_use": "give parallel=False",
    "response_format": 'give {"tools": ..., "response_format": ...} as the tools',
    "messages": "give the whole request as the tools",
    "family": "give it as the model, or its description as families",
    "chat_template": "give it as the model",
    "choice": "give tool_choice",
    "schema": "give the tools first",
}


def _other_keyword(keyword: str) -> Exception:
    known = ("model", "families", "tool_choice", "parallel", "thinking", "thinking_tokens", "begin", "end", "trigger", "name")
    near = difflib.get_close_matches(keyword, known, 1)
    advice = _KEYWORDS.get(keyword) or (f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}")
    return WrongTypeError(f"Tools has no keyword {keyword!r}: {advice}")


def _thinking(thinking: Any) -> str:
    if isinstance(thinking, str):
        return _checks.text(thinking, "thinking")
    return "on" if _checks.flag(thinking, "thinking") else "off"


def _choice(choice: Any) -> str:
    """A choice of tools as the compiler reads it."""
    if hasattr(choice, "model_dump") and not isinstance(choice, type):
        choice = choice.model_dump(by_alias=True, exclude_none=True)
    if isinstance(choice, str):
        return _checks.text(choice, "tool_choice")
    if isinstance(choice, (Mapping, list, tuple)):
        return _checks.to_json(choice, "tool_choice")
    advice = 'a list of names, or a dictionary as requests have it, such as {"type": "function", "function": {"name": ...}}'
    raise _checks.wrong("tool_choice", choice, f'"auto", "required", "any", "none", the name of a tool, {advice}')


def _model(model: Any, begin: Optional[str], end: str, trigger: str) -> Optional[str]:
    """The name of the model, or the description of a family with calls of this form."""
    if begin is None:
        return _named_model(model)
    if model is not None:
        raise RefusedError("give either the model, or the beginning and the end of its calls")
    given = [("begin", begin), ("end", end), ("trigger", trigger)]
    begin, end, trigger = (_checks.text(text, name) for name, text in given)
    # What begins like a place of a template stands for itself.
    begin, end = (re.sub(r"[$](?=name|arguments|_|[(])", "$([$])", text) for text in (begin, end))
    form = {"trigger": trigger, "calls": [begin.replace("{name}", "$name") + "$arguments" + end], "text_after": True}
    return _checks.to_json({"name": "given", "forms": [form]}, "the form of calls")


def _named_model(model: Any) -> Optional[str]:
    """A model as the compiler reads it: of a file or folder its family."""
    if model is None:
        return None
    if isinstance(model, Mapping):
        return _checks.to_json(model, "the model")
    if isinstance(model, os.PathLike):
        return _lib.family_of_model(_checks.path(model, "model"))
    if not isinstance(model, str):
        raise _checks.wrong("model", model, _MODELS)
    _checks.text(model, "model")
    is_path = len(model) < 1000 and "\0" not in model and os.path.exists(model)
    return _lib.family_of_model(model) if is_path else model


def _families(families: Any) -> str:
    """The text of families."""
    if isinstance(families, (Mapping, list, tuple)):
        return _checks.to_json(families, "the families")
    if isinstance(families, (str, os.PathLike)):
        path = _checks.path(families, "families")
        try:
            with open(path, encoding="utf-8-sig") as file:
                return file.read()
        except OSError as error:
            raise NotFoundError(f"families: {path} cannot be read ({error.strerror}): give the path of a file, a dictionary or a list") from None
        except UnicodeDecodeError as error:
            raise RefusedError(f"families: {path} is not UTF-8 at byte {error.start}: save it as UTF-8") from None
    raise _checks.wrong("families", families, "a dictionary that describes a family, a list of them, or the path of a file with them")


def _definitions(tools: Any) -> Any:
    """The tools without Python objects. An answer to ``tools/list``, or a request, has tools in a member."""
    if isinstance(tools, Mapping) and not _ONE_TOOL.intersection(tools):
        listed = tools.get("tools")
        if isinstance(listed, (list, tuple)):
            return {**tools, "tools": [_definition(tool, f"tools[{place}]") for place, tool in enumerate(listed)]}
        return tools
    given = _checks.each(tools, "the tools", "a list of tools", "for a single one, give a list with it")
    return [_definition(tool, f"tools[{place}]") for place, tool in enumerate(given)]


#: Members by which a tool is known that was given without a list.
_ONE_TOOL = {"function", "name", "input_schema", "inputSchema", "toolSpec"}


def _definition(tool: Any, place: str) -> Any:
    from ._types import to_schema

    if hasattr(tool, "model_dump") and not isinstance(tool, type):
        return tool.model_dump(by_alias=True, exclude_none=True)
    if callable(tool):
        parameters = to_schema(tool)
        return {"name": tool.__name__, "parameters": parameters}
    if not isinstance(tool, Mapping):
        raise _checks.wrong(place, tool, 'a function, or {"type": "function", "function": {"name": ..., "parameters": ...}}')
    return tool
