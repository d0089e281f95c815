"""The adapter to TensorRT-LLM, with stand-ins of its classes. It was not run with TensorRT-LLM itself."""

import enum
import types

import engines
import numpy as np
import pytest

from gcc_grammar import tensorrt_llm as adapter

GuideType = enum.Enum("GuideType", "JSON JSON_SCHEMA REGEX EBNF_GRAMMAR STRUCTURAL_TAG LARK_GRAMMAR")
IDS = engines.Tokenizer().ids


@pytest.fixture
def internals(monkeypatch, tmp_path):
    monkeypatch.setenv("GCC_GRAMMAR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GCC_GRAMMAR_OPTIONS", raising=False)
    modules = engines.tensorrt_modules()
    engines.install(monkeypatch, *modules)
    return modules


def config(**given):
    text = engines.Tokenizer().backend_tokenizer.to_str()
    return types.SimpleNamespace(**{"tokenizer_str": text, "encoded_vocab": None, "stop_token_ids": [0], **given})


def guide(kind, text=None):
    return types.SimpleNamespace(guide_type=GuideType[kind], guide=text)


@pytest.mark.parametrize(
    "kind, text, valid",
    [
        ("JSON", None, "[1]"),
        ("JSON_SCHEMA", '{"const": {"a": 1}}', '{"a":1}'),
        ("REGEX", "a{2}b", "aab"),
        ("EBNF_GRAMMAR", 'root ::= "a" "b"', "ab"),
        ("STRUCTURAL_TAG", '{"type": "structural_tag", "format": {"type": "const_string", "value": "ab"}}', "ab"),
    ],
)
def test_guides_of_every_kind(internals, kind, text, valid):
    adapter.install()
    factory = internals[1].XGrammarMatcherFactory(config(), 40, max_num_draft_tokens=3)
    matcher = factory.create(guide(kind, text))
    assert isinstance(matcher, internals[0].GrammarMatcher)
    mask = np.full((2, 3), -1, dtype=np.int32)
    for token in IDS(valid):
        matcher.fill_next_token_bitmask(mask, 1)
        assert token in engines.bits(mask[1]) and (mask[0] == -1).all()
        assert matcher.accept_token(token)
    assert not matcher.is_terminated() and not matcher.accept_token(IDS(">")[0])
    assert matcher.accept_token(0) and matcher.is_terminated() and not matcher.accept_token(0)
    matcher.rollback(2)
    assert not matcher.is_terminated() and matcher.accept_token(IDS(valid)[-1])


def test_a_list_of_tokens_in_place_of_a_tokenizer(internals):
    adapter.install()
    given = config(tokenizer_str=None, encoded_vocab=["a", "b", "</s>"], stop_token_ids=[2])
    matcher = internals[1].XGrammarMatcherFactory(given, 3).create(guide("REGEX", "ab"))
    assert [matcher.accept_token(token) for token in (1, 0, 1, 2)] == [False, True, True, True]


def test_other_guides_and_internals_are_refused(internals):
    adapter.install()
    with pytest.raises(ValueError, match="LARK_GRAMMAR"):
        internals[1].XGrammarMatcherFactory(config(), 40).create(guide("LARK_GRAMMAR", "start: a"))
    internals[0].GrammarMatcher.rollback = lambda self: None
    with pytest.raises(RuntimeError, match=r"rollback takes \(\) instead of \(num_tokens\)"):
        adapter.install()
    del internals[1].XGrammarMatcherFactory
    with pytest.raises(RuntimeError, match="has no XGrammarMatcherFactory"):
        adapter.install()
