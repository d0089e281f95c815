"""The Python interface of XGrammar."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

numpy = pytest.importorskip("numpy")

import gcc_grammar.compat.xgrammar as xgr  # noqa: E402

#: A token for each byte, and the end token.
END = 256


@pytest.fixture(scope="module")
def compiler() -> xgr.GrammarCompiler:
    tokens = [bytes([byte]) for byte in range(256)] + [b"<end>"]
    return xgr.GrammarCompiler(xgr.TokenizerInfo(tokens, stop_token_ids=[END]))


def accepts(compiled: xgr.CompiledGrammar, text: str) -> bool:
    """Whether every token and the end of the text are taken; the masks must say the same."""
    matcher = xgr.GrammarMatcher(compiled)
    row = numpy.zeros((1, 9), dtype=numpy.int32)
    for token in [*text.encode(), END]:
        matcher.fill_next_token_bitmask(row, 0)
        allowed = bool(int(row[0, token // 32]) >> token % 32 & 1)
        assert matcher.accept_token(token) == allowed
        if not allowed:
            return False
    return matcher.is_terminated()


@pytest.mark.parametrize(
    "part, good, bad",
    [
        ({"style": "qwen_xml"}, "<parameter=a>1</parameter>", '{"a": 1}'),
        ({"style": "gemma"}, "{a:1}", '{"a": "x"}'),
        ({"style": "minimax_m3_xml"}, "]<]minimax[>[<a>1]<]minimax[>[</a>", "<a>1</a>"),
    ],
)
def test_styles_of_arguments(compiler: xgr.GrammarCompiler, part: dict[str, Any], good: str, bad: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    tag = {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": schema, **part}}
    compiled = compiler.compile_structural_tag(tag)
    assert accepts(compiled, good) and not accepts(compiled, bad)


def test_grammars_in_lark_stand_in_structural_tags(compiler: xgr.GrammarCompiler) -> None:
    grammar = {"type": "grammar", "syntax": "lark", "grammar": 'start: "a" B\nB: /[bc]/'}
    compiled = compiler.compile_structural_tag({"type": "structural_tag", "format": grammar})
    assert accepts(compiled, "ab") and not accepts(compiled, "aa")


def test_any_json_is_an_object_or_an_array(compiler: xgr.GrammarCompiler) -> None:
    any_json = compiler.compile_builtin_json_grammar()
    assert accepts(any_json, '{"a": [1, null]}') and accepts(any_json, "[]") and not accepts(any_json, "1")


@pytest.mark.parametrize(
    "pattern, text, accepted",
    [
        (r"a.b", "a\nb", True),
        (r"\d+", "12", True),
        (r"\d", "٣", False),
        (r"[^]", "x", True),
        (r"[[&~]+", "[~&", True),
        (r"\a\e\cA", "\x07\x1b\x01", True),
        (r"a{2,3}?b??", "aaa", True),
    ],
)
def test_patterns_are_those_of_ecmascript(compiler: xgr.GrammarCompiler, pattern: str, text: str, accepted: bool) -> None:
    assert accepts(compiler.compile_regex(pattern), text) is accepted


@pytest.mark.parametrize("pattern", ["a++", "a???", "a{1,3}?{1,3}", "a+?{1,3}", "(a|[b+])**"])
def test_repetitions_of_repetitions_are_refused(pattern: str) -> None:
    with pytest.raises(RuntimeError, match="Two consecutive repetition modifiers"):
        xgr.Grammar.from_regex(pattern)


@pytest.mark.parametrize("pattern", ["a??", "[a+*]+", r"\++", "(a+)+", r"\\*"])
def test_single_repetitions_are_not_refused(pattern: str) -> None:
    assert str(xgr.Grammar.from_regex(pattern)) == pattern


@pytest.mark.parametrize(
    "grammar, text, accepted",
    [
        (r'root ::= Regex("^[0-9]+$")', "12", True),
        (r'root ::= Regex("a\\$")', "a$", True),
        (r'root ::= Regex("a\\\\$")', "a\\", True),
        (r'root ::= Regex("a.b")', "a\nb", True),
        (r'root ::= Regex("a.b", flags="")', "a\nb", False),
        (r'root ::= Regex("x\\cAy", flags="i")', "X\x01Y", True),
        (r'root ::= "Regex(\"a.b\")"', 'Regex("a.b")', True),
    ],
)
def test_patterns_in_ebnf(compiler: xgr.GrammarCompiler, grammar: str, text: str, accepted: bool) -> None:
    assert accepts(compiler.compile_grammar(grammar), text) is accepted


def test_terminals_of_lark_may_be_empty(compiler: xgr.GrammarCompiler) -> None:
    compiled = compiler.compile_lark('start: A "." B?\nA: /[a-z]*/\nB: "x"*')
    assert accepts(compiled, ".") and accepts(compiled, "ab.xx") and not accepts(compiled, "a")
    with pytest.raises(RuntimeError, match="<lark>:2:5"):
        xgr.Grammar.from_lark("start: A\nA: /[/")


def test_strict_mode_is_the_default(compiler: xgr.GrammarCompiler) -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}}
    strict, open_ = compiler.compile_json_schema(schema), compiler.compile_json_schema(schema, strict_mode=False)
    assert accepts(strict, '{"a": 1}') and not accepts(strict, '{"b": 1}') and accepts(open_, '{"b": 1}')
    fixed = compiler.compile_json_schema(schema, any_whitespace=False, separators=(", ", ": "))
    assert accepts(fixed, '{"a": 1}') and not accepts(fixed, '{"a":1}') and not accepts(fixed, '{ "a": 1}')


def test_alternatives_of_required_properties_stay_satisfiable(compiler: xgr.GrammarCompiler) -> None:
    number = {"type": "integer"}
    schema = {"type": "object", "properties": {"a": number, "b": number}, "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    compiled = compiler.compile_json_schema(schema)
    assert accepts(compiled, '{"a": 1}') and accepts(compiled, '{"b": 1}')
    assert not accepts(compiled, "{}") and not accepts(compiled, '{"a": 1, "c": 1}')


def test_required_properties_without_a_schema_may_have_any_value(compiler: xgr.GrammarCompiler) -> None:
    compiled = compiler.compile_json_schema({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a", "b"]})
    assert accepts(compiled, '{"a": null, "b": [1]}')
    assert not accepts(compiled, '{"a": null}') and not accepts(compiled, '{"a": null, "b": 1, "c": 1}')


def test_token_tags_need_triggers() -> None:
    with pytest.raises(xgr.exception.InvalidStructuralTagError, match="trigger_tokens"):
        xgr.Grammar.from_structural_tag({"type": "structural_tag", "format": {"type": "token_triggered_tags", "tags": []}})


@pytest.mark.parametrize("temperature", [-0.1, math.inf, math.nan])
def test_temperatures_are_finite(compiler: xgr.GrammarCompiler, temperature: float) -> None:
    with pytest.raises(RuntimeError, match="finite non-negative"):
        xgr.GrammarMatcher(compiler.compile_regex("a"), default_temperature=temperature)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_are_independent(compiler: xgr.GrammarCompiler, copied: Any) -> None:
    matcher = xgr.GrammarMatcher(compiler.compile_regex("[0-9]{3}"))
    assert matcher.accept_token(ord("1"))
    other = copied(matcher)
    assert other.accept_token(ord("2")) and other.accept_token(ord("3")) and other.is_completed() and not matcher.is_completed()
    other.rollback(2)
    assert matcher.accept_string("45") and matcher.is_completed() and not other.is_completed()


def test_patterns_are_those_of_ascii(compiler: xgr.GrammarCompiler) -> None:
    tag = {"type": "structural_tag", "format": {"type": "grammar", "grammar": 'root ::= Regex("[\\\\d-x]")'}}
    for compiled in (compiler.compile_regex(r"[\d-x]"), compiler.compile_structural_tag(tag)):
        assert accepts(compiled, "5") and accepts(compiled, "-") and accepts(compiled, "x") and not accepts(compiled, "٣")


def test_any_number_of_threads_is_bounded(compiler: xgr.GrammarCompiler) -> None:
    matchers = [xgr.GrammarMatcher(compiler.compile_regex("[0-9]")) for _ in range(130)]
    rows = numpy.zeros((130, 9), dtype=numpy.int32)
    xgr.BatchGrammarMatcher(max_threads=1 << 70).batch_fill_next_token_bitmask(matchers, rows)
    assert (rows == rows[0]).all() and rows[0].any()


def test_a_string_of_lark_names_no_token() -> None:
    compiler = xgr.GrammarCompiler(xgr.TokenizerInfo(["ab ", "1", "<t>"]))
    matcher = xgr.GrammarMatcher(compiler.compile_lark('start: "<t>" /(ab )+/ "1" // <t>'), terminate_without_stop_token=True)
    assert matcher.accept_string("<t>ab ") and matcher.accept_token(0) and matcher.accept_token(1)
    assert matcher.is_terminated()


def test_jump_forward_tokens_are_the_longest_that_fit() -> None:
    """What `find_jump_forward_tokens` of XGrammar 0.2.9 promises in its documentation."""
    words = [b"ab", b"abc", b"de", b"dex", b"ab"]
    tokens = [bytes([byte]) for byte in range(256)] + words + [b"<end>"]
    compiler = xgr.GrammarCompiler(xgr.TokenizerInfo(tokens, stop_token_ids=[len(tokens) - 1]), enable_dynamic_compilation=True)

    def certain(pattern: str, *written: int) -> list[int]:
        matcher = xgr.GrammarMatcher(compiler.compile_regex(pattern))
        assert all(map(matcher.accept_token, written))
        return matcher.find_jump_forward_tokens()

    assert certain("abcabz?") == [257]
    assert certain("xabcde") == [ord("x"), 257]
    assert certain("abf+") == [256, ord("f")]
    assert certain("xyz", ord("x")) == [ord("y"), ord("z")]
    assert certain("x|y") == certain("xyz", *b"xyz") == []
