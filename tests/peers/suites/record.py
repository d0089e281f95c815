"""A plugin of pytest: runs a peer's own tests and writes a line of JSON for every text that the peer judges.

Read from the environment: PEER (the suite), PEER_CASES (the file of the lines). A line has `notation`, `grammar`, `options` if there are any, and
`text` with the peer's `verdict`: accept (a complete text), prefix (a text that can go on), reject. Without `text` the verdict is about the
grammar. The verdicts are those of the peer that runs, whatever its tests expect. What cannot be repeated elsewhere is left out.
"""

from __future__ import annotations

import json
import os
import re
import sys
import types
from collections import Counter
from typing import Any, Callable, Optional

_file = open(os.environ["PEER_CASES"], "a", encoding="utf-8")  # noqa: SIM115
_seen: set[str] = set()
#: At most so many texts are written of one grammar: some tests try all short texts.
TEXTS = 60
_texts: Counter[tuple[str, str]] = Counter()
_test = ""
#: By matcher, the source and the last text if that is no complete one.
_pending: dict[int, Any] = {}


def emit(source: dict[str, Any], verdict: str, text: Any = None) -> None:
    """Writes a case. `text` is a text, or a list of tokens."""
    case: dict[str, Any] = {**source, "verdict": verdict}
    if isinstance(text, bytes):
        try:
            text = text.decode()
        except UnicodeDecodeError:
            return
    if text is not None:
        case["tokens" if isinstance(text, list) else "text"] = text
    line = json.dumps(case, ensure_ascii=False)
    place = (source["notation"], source["grammar"])
    if line in _seen or _texts[place] >= TEXTS:
        return
    try:
        line.encode()
    except UnicodeEncodeError:
        return
    _seen.add(line)
    _texts[place] += 1
    _file.write(json.dumps({"where": _test, **case}, ensure_ascii=False) + "\n")
    _file.flush()


def wrap(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    """Replaces a function or static method by what `make` makes of it."""
    static = isinstance(vars(owner).get(name), staticmethod)
    made = make(getattr(owner, name))
    setattr(owner, name, staticmethod(made) if static else made)


#: Keywords that list members, with those about the others.
LISTING = [
    ("properties", "additionalProperties", "unevaluatedProperties"),
    ("patternProperties", "additionalProperties", "unevaluatedProperties"),
    ("prefixItems", "items", "unevaluatedItems"),
]


def closed(text: str) -> str:
    """A schema in which objects and tuples have the listed members only, as XGrammar reads one in its strict mode."""
    try:
        schema = json.loads(text)
    except ValueError:
        return text
    open_ = [schema]
    while open_:
        value = open_.pop()
        if not isinstance(value, dict):
            continue
        for listed, others, unevaluated in LISTING:
            if listed in value and unevaluated not in value and "allOf" not in value:
                value.setdefault(others, False)
        for keyword, inner in value.items():
            if keyword in ("properties", "patternProperties", "$defs", "definitions") and isinstance(inner, dict):
                open_.extend(inner.values())
            elif keyword in ("anyOf", "oneOf", "prefixItems", "items") and isinstance(inner, list):
                open_.extend(inner)
            elif keyword in ("items", "additionalProperties", "contains"):
                open_.append(inner)
    return json.dumps(schema, ensure_ascii=False)


def xgrammar() -> None:
    """Grammars remember what they were made of, and matchers what they read."""
    import xgrammar as xgr
    from xgrammar import grammar as module

    vocabularies: dict[int, dict[str, Any]] = {}
    #: Grammars that were printed and are read again, with what they were printed from.
    converted: dict[str, dict[str, Any]] = {}
    keep: list[Any] = []

    def source_of(name: str, given: Any, options: dict[str, Any]) -> Optional[dict[str, Any]]:
        if name == "ebnf":
            if given in converted:
                return converted[given]
            return {"notation": "ebnf", "grammar": given, "options": {"start": options.get("root_rule_name", "root")}}
        if name == "lark":
            return {"notation": "lark-xgrammar", "grammar": given}
        if name == "regex":
            return {"notation": "regex-xgrammar", "grammar": given}
        if name == "structural-tag":
            return {"notation": "structural-tag", "grammar": module._get_structural_tag_str_from_args(list(given), options)}
        kept = {key: value for key, value in options.items() if key in ("any_whitespace", "indent", "separators", "strict_mode", "max_whitespace_cnt", "any_order")}
        schema = module._convert_schema_to_str(given)
        grammar = closed(schema) if options.get("strict_mode", True) else schema
        return {"notation": "json-schema", "grammar": grammar, "options": {"xgrammar": kept}}

    def constructor(name: str) -> Callable[[Any], Any]:
        def make(old: Any) -> Any:
            def new(*arguments: Any, **options: Any) -> Any:
                source = None
                try:
                    source = source_of(name, arguments if name == "structural-tag" else arguments[0], options)
                except Exception:
                    pass
                try:
                    grammar = old(*arguments, **options)
                except Exception:
                    if source:
                        emit(source, "refused")
                    raise
                grammar._peer_source = source
                if source:
                    emit(source, "compiles")
                return grammar

            return new

        return make

    def printer(old: Any) -> Any:
        def new(given: Any, *arguments: Any, **options: Any) -> str:
            style = options.get("json_format", "json")
            if old.__name__ == "_regex_to_ebnf":
                source = source_of("regex", given, {})
            elif style == "json":
                source = source_of("json-schema", given, options)
            else:
                schema = json.loads(module._convert_schema_to_str(given))
                tag = {"type": "json_schema", "json_schema": schema, "style": style}
                if options.get("any_order"):
                    tag["any_order"] = True
                source = {"notation": "structural-tag", "grammar": json.dumps({"type": "structural_tag", "format": tag})}
            printed = old(given, *arguments, **options)
            converted.setdefault(printed, source)
            emit(source, "compiles")
            return printed

        return new

    for name in ("_json_schema_to_ebnf", "_regex_to_ebnf"):
        wrap(xgr.testing, name, printer)
    for name in ("ebnf", "lark", "regex", "structural-tag", "json-schema"):
        wrap(xgr.Grammar, "from_" + name.replace("-", "_"), constructor(name))
    make_tokenizer = xgr.TokenizerInfo.__init__

    def tokenizer(self: Any, encoded_vocab: Any, vocab_type: Any = None, **options: Any) -> None:
        make_tokenizer(self, encoded_vocab, *([] if vocab_type is None else [vocab_type]), **options)
        try:
            texts = [token.decode() if isinstance(token, bytes) else token for token in self.decoded_vocab]
            vocabularies[id(self)] = {"tokens": texts, "end": list(self.stop_token_ids), "special": list(self.special_token_ids)}
            keep.append(self)
        except UnicodeDecodeError:
            pass

    xgr.TokenizerInfo.__init__ = tokenizer
    compilers: dict[int, Any] = {}
    make_compiler = xgr.GrammarCompiler.__init__

    def compiler(self: Any, info: Any, *arguments: Any, **options: Any) -> None:
        make_compiler(self, info, *arguments, **options)
        compilers[id(self)] = info
        keep.append(self)

    xgr.GrammarCompiler.__init__ = compiler

    def compiles(name: Optional[str]) -> Callable[[Any], Any]:
        def make(old: Any) -> Any:
            def new(self: Any, *arguments: Any, **options: Any) -> Any:
                source = None
                given = arguments[0] if arguments else next(iter(options.values()), None)
                try:
                    if name is not None:
                        source = source_of(name, arguments if name == "structural-tag" else given, options)
                    elif isinstance(given, str):
                        source = source_of("ebnf", given, options)
                    else:
                        source = getattr(given, "_peer_source", None)
                except Exception:
                    pass
                try:
                    compiled = old(self, *arguments, **options)
                except Exception:
                    if source:
                        emit(source, "refused")
                    raise
                vocabulary = vocabularies.get(id(compilers.get(id(self))))
                if source and vocabulary and vocabulary["tokens"] and len(vocabulary["tokens"]) < 5000:
                    source = {**source, "vocabulary": vocabulary}
                compiled._peer_source = source
                return compiled

            return new

        return make

    for name in (None, "lark", "regex", "structural-tag", "json-schema"):
        attribute = "compile_" + (name or "grammar").replace("-", "_")
        setattr(xgr.GrammarCompiler, attribute, compiles(name)(getattr(xgr.GrammarCompiler, attribute)))
    make_matcher = xgr.GrammarMatcher.__init__

    def matcher(self: Any, compiled: Any, **options: Any) -> None:
        make_matcher(self, compiled, **options)
        self._peer_source = getattr(compiled, "_peer_source", None)
        self._peer_text = b""
        if self._peer_source:
            emit(self._peer_source, "compiles")

    xgr.GrammarMatcher.__init__ = matcher
    accept_string, accept_token = xgr.GrammarMatcher.accept_string, xgr.GrammarMatcher.accept_token

    def judged(self: Any, accepted: bool, text: Any) -> None:
        """Texts that only lead to a longer text of the same matcher are not written."""
        if self._peer_source is not None and text is not None:
            complete = accepted and (self.is_completed() or self.is_terminated())
            if complete or not accepted:
                emit(self._peer_source, "accept" if complete else "reject", text)
            if accepted:
                _pending[id(self)] = None if complete else (self._peer_source, text)
                keep.append(self)

    def read_string(self: Any, input_str: Any, **options: Any) -> bool:
        data = input_str.encode() if isinstance(input_str, str) else input_str
        accepted = accept_string(self, input_str, **options)
        text = self._peer_text + data if isinstance(self._peer_text, bytes) else None
        judged(self, accepted, text)
        if accepted:
            self._peer_text = text
        return accepted

    def read_token(self: Any, token_id: int, **options: Any) -> bool:
        accepted = accept_token(self, token_id, **options)
        known = self._peer_source is not None and "vocabulary" in self._peer_source
        before = [] if self._peer_text == b"" else self._peer_text
        text = [*before, token_id] if known and isinstance(before, list) else None
        judged(self, accepted, text)
        if accepted:
            self._peer_text = text
        return accepted

    xgr.GrammarMatcher.accept_string, xgr.GrammarMatcher.accept_token = read_string, read_token
    xgr.GrammarMatcher.fill_next_token_bitmask = lambda self, *_, **__: True
    for name in ("rollback", "reset", "fork"):
        old = getattr(xgr.GrammarMatcher, name)

        def other(self: Any, *arguments: Any, old: Any = old, name: str = name, **options: Any) -> Any:
            result = old(self, *arguments, **options)
            if name == "fork":
                result._peer_source, result._peer_text = self._peer_source, self._peer_text
            else:
                self._peer_text = b"" if name == "reset" else None
            return result

        setattr(xgr.GrammarMatcher, name, other)


def guidance() -> None:
    """A grammar of guidance is a grammar of llguidance, which its matchers read byte by byte."""
    from guidance._ast import GrammarNode

    match = GrammarNode.match

    def new(self: Any, byte_string: Any, allow_partial: bool = False, **options: Any) -> Any:
        source = {"notation": "lark-llguidance", "grammar": self.ll_grammar()}
        emit(source, "compiles")
        try:
            result = match(self, byte_string, allow_partial=allow_partial, **options)
        except Exception:
            emit(source, "reject" if allow_partial else "incomplete", byte_string)
            raise
        if result is None:
            emit(source, "reject" if allow_partial else "incomplete", byte_string)
        else:
            emit(source, "prefix" if allow_partial else "accept", byte_string)
        return result

    GrammarNode.match = new


def lark() -> None:
    """Whatever the parser and the lexer of Lark are."""
    import lark as package

    make, parse = package.Lark.__init__, package.Lark.parse

    def new(self: Any, grammar: Any, **options: Any) -> None:
        text = grammar if isinstance(grammar, str) else None
        self._peer_source = None
        kept = {key: str(options.get(key)) for key in ("parser", "lexer", "ambiguity", "priority", "postlex") if options.get(key) is not None}
        if options.get("g_regex_flags"):
            kept["flags"] = int(options["g_regex_flags"])
        source = {"notation": "lark", "grammar": text, "options": {"start": options.get("start", "start"), "lark": kept}}
        usable = text is not None and isinstance(source["options"]["start"], str) and not options.get("edit_terminals")
        try:
            make(self, grammar, **options)
        except Exception:
            if usable:
                emit(source, "refused")
            raise
        if usable:
            self._peer_source = source
            emit(source, "compiles")

    def read(self: Any, text: Any, start: Any = None, **options: Any) -> Any:
        source = self._peer_source if start is None and isinstance(text, str) else None
        try:
            result = parse(self, text, start, **options)
        except Exception:
            if source:
                emit(source, "incomplete", text)
            raise
        if source:
            emit(source, "accept", text)
        return result

    package.Lark.__init__, package.Lark.parse = new, read


def lm_format_enforcer() -> None:
    """Parsers judge character by character."""
    import lmformatenforcer

    def remembering(kind: Any, notation: str) -> None:
        make = kind.__init__

        def new(self: Any, given: Any, *arguments: Any, **options: Any) -> None:
            make(self, given, *arguments, **options)
            text = given if isinstance(given, str) else json.dumps(given) if isinstance(given, dict) else None
            if text is not None:
                self._peer_source = {"notation": notation, "grammar": text}

        kind.__init__ = new

    remembering(lmformatenforcer.RegexParser, "regex")
    remembering(lmformatenforcer.JsonSchemaParser, "json-schema")
    common = types.ModuleType("tests.common")

    def check(string: str, parser: Any, expect_success: bool, profile_file_path: Any = None) -> None:
        source = getattr(parser, "_peer_source", None)
        if source:
            emit(source, "compiles")
            emit(source, _judge(parser, string), string)

    common.assert_parser_with_string = check  # type: ignore[attr-defined]
    common.CharacterNotAllowedException = ValueError  # type: ignore[attr-defined]
    sys.modules["tests.common"] = common


def _judge(parser: Any, text: str) -> str:
    for character in text:
        if character not in parser.get_allowed_characters():
            return "reject"
        parser = parser.add_character(character)
    return "accept" if parser.can_end() else "prefix"


def outlines() -> None:
    """The tests of outlines and outlines-core compare their patterns with texts by the module `re`."""
    fullmatch = re.fullmatch

    def new(pattern: Any, string: str, flags: int = 0) -> Any:
        result = fullmatch(pattern, string, flags)
        if isinstance(pattern, str) and isinstance(string, str):
            source = {"notation": "regex", "grammar": pattern}
            emit(source, "compiles")
            emit(source, "accept" if result else "incomplete", string)
        return result

    re.fullmatch = new


RECORDERS = {
    "xgrammar": xgrammar,
    "guidance": guidance,
    "lark": lark,
    "lm-format-enforcer": lm_format_enforcer,
    "outlines": outlines,
    "outlines-core": outlines,
}


def pytest_configure(config: Any) -> None:
    RECORDERS[os.environ["PEER"]]()


def pytest_runtest_teardown(item: Any) -> None:
    for pending in _pending.values():
        if pending is not None:
            emit(pending[0], "prefix", pending[1])
    _pending.clear()


def pytest_collection_modifyitems(items: Any) -> None:
    """Helpers of XGrammar's tests that compare how a grammar is printed only make the grammar, so that the texts after them are read."""
    if os.environ["PEER"] != "xgrammar":
        return
    xgr, testing = sys.modules["xgrammar"], sys.modules["xgrammar.testing"]
    helpers = {
        "check_stag_with_grammar": lambda tag, _: xgr.Grammar.from_structural_tag({"type": "structural_tag", "format": tag}),
        "check_schema_with_grammar": lambda schema, _, **options: testing._json_schema_to_ebnf(schema, **options),
        "check_grammar_with_expected_grammar": lambda *_: None,
    }
    for module in {item.module for item in items}:
        for name, helper in helpers.items():
            if hasattr(module, name):
                setattr(module, name, helper)


def pytest_runtest_setup(item: Any) -> None:
    global _test
    _test = item.nodeid[:200]
