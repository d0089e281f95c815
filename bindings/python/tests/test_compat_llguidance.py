"""The Python interface of llguidance."""

from __future__ import annotations

import copy
from typing import Any

import pytest

pytest.importorskip("numpy")

from gcc_grammar.compat.llguidance import LLExecutor, LLMatcher, LLTokenizer, StructTag, grammar_from  # noqa: E402
from gcc_grammar.compat.llguidance import numpy as masks  # noqa: E402


@pytest.fixture(scope="module")
def tokenizer() -> LLTokenizer:
    return LLTokenizer("byte")


def accepted(tokenizer: LLTokenizer, grammar: str, text: str) -> bool:
    matcher = LLMatcher(tokenizer, grammar)
    assert not matcher.is_error(), matcher.get_error()
    return matcher.try_consume_tokens(tokenizer.tokenize_str(text)) == len(text) and matcher.is_accepting()


def test_errors_stay(tokenizer: LLTokenizer) -> None:
    matcher = LLMatcher(tokenizer, "start: /[0-9]+/")
    assert matcher.consume_token(ord("1")) and not matcher.consume_token(ord("x"))
    first = matcher.get_error()
    assert "doesn't satisfy the grammar" in first and not matcher.consume_token(ord("1")) and not matcher.reset()
    assert matcher.get_error() == first and matcher.is_stopped() and matcher.stop_reason() == "InternalError"
    assert "no_such_rule" in LLMatcher(tokenizer, "start: no_such_rule").get_error()


def test_the_options_of_schemas(tokenizer: LLTokenizer) -> None:
    schema = {"type": "array", "items": {"const": 1}}
    free = LLMatcher.grammar_from_json_schema(schema)
    compact = LLMatcher.grammar_from_json_schema(schema, overrides={"whitespace_flexible": False})
    assert accepted(tokenizer, free, "[ 1 , 1\n]") and not accepted(tokenizer, free, " [1]") and not accepted(tokenizer, free, "[1] ")
    assert accepted(tokenizer, compact, "[1,1]") and not accepted(tokenizer, compact, "[1, 1]")
    refused = LLMatcher.grammar_from_json_schema(schema, {"item_separator": ";"})
    assert LLMatcher(tokenizer, refused).is_error()


def test_formats(tokenizer: LLTokenizer) -> None:
    assert accepted(tokenizer, grammar_from("choice", '["a", "b/"]'), "b/")
    assert accepted(tokenizer, grammar_from("regex", r"a/[b/]\d"), "a//7")
    assert accepted(tokenizer, grammar_from("gbnf", 'root ::= "x" "y"?'), "xy")


def test_forced_tokens_and_long_rollbacks(tokenizer: LLTokenizer) -> None:
    matcher = LLMatcher(tokenizer, "start: /a+/ \"bcd\"")
    matcher.consume_tokens([ord("a")] * 1500)
    assert matcher.rollback(1400) and matcher.consume_token(ord("b"))
    assert matcher.compute_ff_bytes() == b"cd" and matcher.compute_ff_tokens() == [ord("c"), ord("d")]
    assert matcher.compute_bitmask()[ord("c") // 8] == 1 << ord("c") % 8
    assert not matcher.rollback(102) and matcher.is_error()


def test_masks_of_drafts(tokenizer: LLTokenizer) -> None:
    matcher = LLMatcher(tokenizer, "start: /[ab][cd]/")
    rows = masks.allocate_token_bitmask(3, tokenizer.vocab_size)
    masks.fill_next_token_bitmask_par_with_draft_tokens(LLExecutor(), [(matcher, 0, [ord("a"), ord("x")])], rows)
    single = masks.allocate_token_bitmask(1, tokenizer.vocab_size)
    masks.fill_next_token_bitmask_par(LLExecutor(), [(matcher, 0)], single)
    assert (rows[0] == single[0]).all() and (rows[2] == -1).all()
    matcher.consume_token(ord("a"))
    masks.fill_next_token_bitmask(matcher, single)
    assert (rows[1] == single[0]).all()


def test_masks_of_drafts_stay_in_their_memory(tokenizer: LLTokenizer) -> None:
    rows = masks.allocate_token_bitmask(4, tokenizer.vocab_size)
    size, address = rows.shape[1] * 4, rows.ctypes.data
    draft = [ord("a"), ord("c")]
    matcher = LLMatcher(tokenizer, "start: /[ab][cd]/")
    matcher.unsafe_compute_mask_ptr_with_draft_token(address, 3 * size, draft)
    assert rows[0].any() and rows[1].any() and not (rows[2] == -1).all() and (rows[3] == -1).all()
    rows.fill(7)
    with pytest.raises(ValueError, match="out of bounds"):
        matcher.unsafe_compute_mask_ptr_with_draft_token(address, 2 * size, draft)
    assert (rows[2:] == 7).all() and matcher.consume_token(ord("b"))
    executor = LLExecutor(2)
    fresh = LLMatcher(tokenizer, "start: /[ab][cd]/")
    # A refused token needs no row behind it.
    executor.unsafe_compute_mask_ptr_with_draft_token([(fresh, 3, [ord("x")])], address, size, 4)
    assert (rows[2] == 7).all() and not (rows[3] == 7).all()
    for index, error in ((4, ValueError), (-1, OverflowError)):
        with pytest.raises(error):
            executor.unsafe_compute_mask_ptr([(fresh, index)], address, size, 4)
    with pytest.raises(ValueError, match="No interpreters"):
        executor.unsafe_compute_mask_ptr([], address, size, 4)


def test_tokens_are_shown_as_by_llguidance() -> None:
    texts = [b"a\n", b"\\'\"", b"\t\x02\x7f", "\u0301x\u0301".encode(), b"\xf0\x9f", b"\xff<end>", b"\xff<tool>", "\ufffd".encode(), b"\n"]
    tokenizer = LLTokenizer.from_tokens(texts, 5)
    shown = ["a\\n", "\\'\"", "\\t\\u{2}\\u{7f}", "\\u{301}x\u0301", "≺HEX[f09f]≻", "≺EOS≻", "<tool>", "≺HEX[efbfbd]≻", "\\n", "≺OOB[9]≻"]
    assert tokenizer.dbg_tokens(list(range(10))) == "⟦" + "‧".join(shown) + "⟧" and tokenizer.dbg_tokens([]) == "⟦⟧"
    assert tokenizer.test_trace_tokens([0, 2, 8, 5]) == "a\n‧\\t\\u{2}\\u{7f}‧\n‧≺EOS≻"
    assert [tokenizer.is_special_token(token) for token in (-1, 0, 5, 6, 9)] == [False, False, True, True, False]
    with pytest.raises(ValueError, match="must not be empty"):
        LLTokenizer.from_tokens(texts, [])


def test_structural_tags(tokenizer: LLTokenizer) -> None:
    tags = [StructTag(trigger="<f", begin=f"<f={name}>", grammar={"const": 1}, end="</f>") for name in ("foo", "bar")]
    grammar = StructTag.to_grammar(tags)
    assert accepted(tokenizer, grammar, "a<f=foo>1</f>\nb<f=bar>1</f>c") and accepted(tokenizer, grammar, "a<")
    assert not accepted(tokenizer, grammar, "a<f=qux>1</f>") and not accepted(tokenizer, grammar, "<f=foo>2</f>")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_are_independent(tokenizer: LLTokenizer, copied: Any) -> None:
    matcher = LLMatcher(tokenizer, "start: /[0-9]{3}/")
    assert matcher.consume_token(ord("1"))
    other = copied(matcher)
    assert other.consume_tokens([ord("2"), ord("3")]) and other.is_accepting() and not matcher.is_accepting()
    assert other.rollback(2) and matcher.consume_tokens([ord("4"), ord("5")])
    assert matcher.is_accepting() and not other.is_accepting()


def test_any_number_of_threads_is_bounded(tokenizer: LLTokenizer) -> None:
    matchers = [(LLMatcher(tokenizer, "start: /[0-9]/"), row) for row in range(130)]
    rows = masks.allocate_token_bitmask(130, tokenizer.vocab_size)
    masks.fill_next_token_bitmask_par(LLExecutor(1 << 70), matchers, rows)
    assert (rows == rows[0]).all() and rows[0].any()
