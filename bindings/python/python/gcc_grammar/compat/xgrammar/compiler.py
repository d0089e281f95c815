"""`GrammarCompiler`, which compiles grammars for a vocabulary and keeps them, and `CompiledGrammar`."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections import OrderedDict
from typing import Any, Mapping, Optional, Union

from ... import _lib
from . import _parts, _schema
from ._errors import translated
from .config import SERIALIZATION_VERSION
from .exception import DeserializeFormatError
from .grammar import Grammar, _from_json, _opened, _to_json, schema_text, tag_text
from .tokenizer_info import TokenizerInfo


class CompiledGrammar:
    """A grammar compiled for a vocabulary. Any number of matchers may use it."""

    def __init__(self, native: _lib.Artifact, part: _parts.Part, tokenizer_info: TokenizerInfo, named: frozenset[int]) -> None:
        self._native = native
        self._part = part
        self._tokenizer_info = tokenizer_info
        self._named = named

    @property
    def grammar(self) -> Grammar:
        """The grammar."""
        return Grammar(self._part)

    @property
    def tokenizer_info(self) -> TokenizerInfo:
        """The vocabulary."""
        return self._tokenizer_info

    @property
    def memory_size_bytes(self) -> int:
        """The size of the artifact."""
        return len(self._native)

    def serialize_json(self) -> str:
        """The compiled grammar without the vocabulary as JSON, which only this package reads."""
        content = {
            "grammar": _to_json(self._part),
            "artifact": base64.b64encode(self._native.to_bytes()).decode(),
            "named_tokens": sorted(self._named),
            "tokenizer_metadata": self._tokenizer_info._metadata(),
        }
        return json.dumps({"compiled_grammar": content, "__VERSION__": SERIALIZATION_VERSION})

    @staticmethod
    def deserialize_json(json_str: str, tokenizer_info: TokenizerInfo) -> "CompiledGrammar":
        """The compiled grammar that was serialized, for the same vocabulary."""
        content = _opened(json_str, "compiled_grammar")
        try:
            part, metadata = _from_json(content["grammar"]), content["tokenizer_metadata"]
            artifact, named = base64.b64decode(content["artifact"]), frozenset(content["named_tokens"])
        except (TypeError, KeyError, ValueError) as error:
            raise DeserializeFormatError(f"this is no serialized compiled grammar: {error}") from error
        if metadata != tokenizer_info._metadata():
            raise RuntimeError("Tokenizer metadata mismatch: the grammar was compiled for another vocabulary")
        with translated():
            native = _lib.Artifact.from_bytes(artifact, tokenizer_info._native(named))
        return CompiledGrammar(native, part, tokenizer_info, named)


class GrammarCompiler:
    """Compiles grammars for a vocabulary, and keeps those that were compiled last.

    The cache has a bound in bytes; -1 stands for none. A grammar is compiled once, even if several threads ask for it at the same time.
    `max_threads` has no effect: a compilation uses one thread, and any number of threads may compile at once. Nor has
    `enable_dynamic_compilation`: what is compiled is whole.
    """

    def __init__(
        self,
        tokenizer_info: TokenizerInfo,
        *,
        max_threads: int = 8,
        cache_enabled: bool = True,
        cache_limit_bytes: int = -1,
        enable_dynamic_compilation: bool = False,
    ) -> None:
        if not isinstance(tokenizer_info, TokenizerInfo):
            raise ValueError("Please convert the tokenizer to TokenizerInfo before passing it to GrammarCompiler.")
        self._tokenizer_info = tokenizer_info
        self._cache_enabled = cache_enabled
        self._limit = cache_limit_bytes
        self._cache: OrderedDict[_parts.Part, CompiledGrammar] = OrderedDict()
        self._lock = threading.Lock()
        self._busy: dict[_parts.Part, threading.Lock] = {}

    def compile_json_schema(
        self,
        schema: Any,
        *,
        any_whitespace: bool = True,
        indent: Optional[int] = None,
        separators: Optional[tuple[str, str]] = None,
        strict_mode: bool = True,
        max_whitespace_cnt: Optional[int] = None,
        any_order: bool = False,
    ) -> CompiledGrammar:
        """Compiles a JSON Schema."""
        style = _schema.style(any_whitespace, indent, separators, strict_mode, max_whitespace_cnt, any_order)
        return self._compiled(_parts.Text("json-schema", schema_text(schema), None, style))

    def compile_builtin_json_grammar(self) -> CompiledGrammar:
        """Compiles any JSON value."""
        return self._compiled(Grammar.builtin_json_grammar()._part)

    def compile_regex(self, regex: str) -> CompiledGrammar:
        """Compiles a regular expression."""
        return self._compiled(_parts.Text("regex", regex))

    def compile_lark(self, lark_string: str, *, named_grammars: Optional[Mapping[str, Union[Grammar, str]]] = None) -> CompiledGrammar:
        """Compiles a Lark grammar."""
        grammar = Grammar.from_lark(lark_string, tokenizer_info=self._tokenizer_info, named_grammars=named_grammars)
        return self._compiled(grammar._part)

    def compile_structural_tag(self, *args: Any, **kwargs: Any) -> CompiledGrammar:
        """Compiles a structural tag."""
        return self._compiled(_parts.Text("structural-tag", tag_text(args, kwargs)))

    def compile_grammar(self, grammar: Union[str, Grammar], *, root_rule_name: str = "root") -> CompiledGrammar:
        """Compiles a `Grammar`, or a text in EBNF."""
        if isinstance(grammar, str):
            grammar = Grammar.from_ebnf(grammar, root_rule_name=root_rule_name)
        return self._compiled(grammar._part)

    def clear_cache(self) -> None:
        """Forgets all compiled grammars."""
        with self._lock:
            self._cache.clear()

    def get_cache_size_bytes(self) -> int:
        """The size of all artifacts that are kept."""
        with self._lock:
            return sum(compiled.memory_size_bytes for compiled in self._cache.values())

    @property
    def cache_limit_bytes(self) -> int:
        """The bound of the cache; -1 stands for none."""
        return self._limit

    def _compiled(self, part: _parts.Part) -> CompiledGrammar:
        if not self._cache_enabled:
            return self._compile(part)
        with self._lock:
            busy = self._busy.setdefault(part, threading.Lock())
        with busy:
            with self._lock:
                if part in self._cache:
                    self._cache.move_to_end(part)
                    return self._cache[part]
            compiled = self._compile(part)
            self._keep(part, compiled)
        return compiled

    def _keep(self, part: _parts.Part, compiled: CompiledGrammar) -> None:
        with self._lock:
            self._busy.pop(part, None)
            self._cache[part] = compiled
            size = sum(kept.memory_size_bytes for kept in self._cache.values())
            while self._limit >= 0 and size > self._limit and self._cache:
                _, dropped = self._cache.popitem(last=False)
                size -= dropped.memory_size_bytes

    def _compile(self, part: _parts.Part) -> CompiledGrammar:
        notation, text, options = _parts.source(part)
        named = named_tokens(notation, text, self._tokenizer_info)
        with translated(notation):
            input = _lib.Input(notation, text, json.dumps(options))
            native = _lib.compile(input, self._tokenizer_info._native(named), on_demand=True)
        return CompiledGrammar(native, part, self._tokenizer_info, named)


_EBNF_TOKENS = re.compile(r"\b(?:Exclude)?Token\(([^)]*)\)|TokenTagDispatch\((.*?)\)\s*$|<\[(\d+)\]>", re.DOTALL | re.MULTILINE)


def named_tokens(notation: str, text: str, tokenizer_info: TokenizerInfo) -> frozenset[int]:
    """The tokens that a grammar names by id or text, which therefore must be special tokens of the vocabulary."""
    if notation == "structural-tag":
        found: set[int] = set()
        _tokens_of(json.loads(text), tokenizer_info, found)
    else:
        if notation == "lark":
            return _lark_tokens(text, tokenizer_info)
        groups = (group for match in _EBNF_TOKENS.finditer(text) for group in match.groups() if group)
        found = {int(number) for group in groups for number in re.findall(r"\d+", group)}
    return frozenset(token for token in found if 0 <= token < tokenizer_info.vocab_size)


#: Strings, comments and patterns of Lark, which name no tokens by themselves.
_LARK_TEXTS = re.compile(r'"(?:\\.|[^"\\\n])*"|//.*|#.*|/(?:\\.|[^/\\\n])+/')


def _lark_tokens(text: str, info: TokenizerInfo) -> frozenset[int]:
    """The special tokens of a Lark grammar: `<name>`, or `<[1,3-5]>` by id."""
    text = _LARK_TEXTS.sub(" ", text)
    found = _ids(re.findall(r"<[^<>\s\[\]]+>", text), info)
    for ranges in re.findall(r"<\[\^?([\d,\s-]+)\]>", text):
        for first, last in re.findall(r"(\d+)\s*(?:-\s*(\d+))?", ranges):
            found.update(range(int(first), min(int(last or first), info.vocab_size - 1) + 1))
    return frozenset(token for token in found if token < info.vocab_size)


_TOKEN_FIELDS = ("token", "exclude_tokens", "trigger_tokens")


def _tokens_of(value: Any, info: TokenizerInfo, found: set[int]) -> None:
    if isinstance(value, list):
        for inner in value:
            _tokens_of(inner, info, found)
    if not isinstance(value, dict):
        return
    kind = value.get("type")
    for key, inner in value.items():
        if key in _TOKEN_FIELDS:
            found.update(_ids(inner if isinstance(inner, list) else [inner], info))
        elif key == "rules" and kind == "token_dispatch":
            found.update(_ids([rule[0] for rule in inner], info))
        if key == "grammar" and isinstance(inner, str):
            found.update(named_tokens("ebnf", inner, info))
        elif key not in ("json_schema", "schema"):
            _tokens_of(inner, info, found)


def _ids(tokens: list[Any], info: TokenizerInfo) -> set[int]:
    names = {token.encode() for token in tokens if isinstance(token, str)}
    by_name = {token for token, data in enumerate(info._decoded) if data in names} if names else set()
    return by_name | {token for token in tokens if isinstance(token, int)}
