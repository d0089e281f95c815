"""The interface of outlines-core."""

from __future__ import annotations

import copy
import json
import pickle
import re

import numpy as np
import pytest

from gcc_grammar.compat.outlines_core import Guide, Index, Vocabulary, json_schema
from gcc_grammar.compat.outlines_core.json_schema import build_regex_from_schema
from gcc_grammar.compat.outlines_core.kernels import numpy as kernels

TOKENS = {"1": [0, 40], "2": [1], "b": [2], "12": [4], "": [9]}


@pytest.fixture(scope="module")
def index() -> Index:
    return Index("[12]{2,}b?", Vocabulary(3, TOKENS))


def test_states_are_those_of_the_language(index: Index) -> None:
    start = index.get_initial_state()
    transitions = index.get_transitions()
    # Before a digit, behind one, behind two or more, behind the letter: by hand.
    assert len(transitions) == 4
    one, two = transitions[start][0], transitions[start][4]
    assert transitions[start] == {0: one, 1: one, 40: one, 4: two}
    last = transitions[two][2]
    assert transitions[one] == {0: two, 1: two, 40: two, 4: two} and transitions[last] == {3: last}
    assert transitions[two] == {0: two, 1: two, 40: two, 4: two, 2: last, 3: two}
    assert index.get_final_states() == {two, last} and not index.is_final_state(one)
    assert index.get_next_state(two, 3) is None and index.get_next_state(12345, 0) is None
    assert index.get_allowed_tokens(12345) is None


def test_guides(index: Index) -> None:
    guide = Guide(index, max_rollback=2)
    assert guide.get_tokens() == [0, 1, 4, 40] and not guide.is_finished()
    assert guide.advance(0, return_tokens=False) is None and guide.advance(1) == [0, 1, 2, 3, 4, 40]
    assert guide.is_finished() and guide.accepts_tokens([0, 2]) and not guide.accepts_tokens([2, 2]) and not guide.accepts_tokens([3])
    state = guide.get_state()
    with pytest.raises(ValueError, match="No next state found for the current state"):
        guide.advance(3)
    guide.advance(2)
    with pytest.raises(ValueError, match="Cannot roll back 3"):
        guide.rollback_state(3)
    guide.rollback_state(1)
    assert guide.get_state() == state and guide.get_allowed_rollback() == 1
    guide.reset()
    assert guide.get_state() == index.get_initial_state()


def test_pickles_and_copies(index: Index) -> None:
    guide = Guide(index)
    guide.advance(4)
    other = pickle.loads(pickle.dumps(guide))
    assert other == guide and other.get_tokens() == guide.get_tokens() and other.advance(2) == [3]
    assert other != guide and copy.deepcopy(index) == index == pickle.loads(pickle.dumps(index))
    assert index != Index("[12]{2}", Vocabulary(3, TOKENS)) and index != Index("[12]{2,}b?", Vocabulary(5, {"1": [0]}))


def test_masks(index: Index) -> None:
    guide, mask = Guide(index), kernels.allocate_token_bitmask(60)
    kernels.fill_next_token_bitmask(guide, mask)
    logits = np.zeros((1, 70), dtype=np.float32)
    kernels.apply_token_bitmask_inplace(logits, mask)
    assert np.flatnonzero(logits[0] == 0).tolist() == guide.get_tokens()
    short = np.full(4, -1, dtype=np.int32)
    guide.write_mask_into(short.ctypes.data, 1, 4)
    assert short.tolist() == [0b10011, -1, -1, -1]


def test_vocabularies_that_fit_no_text() -> None:
    with pytest.raises(ValueError, match="incompatible with the regex"):
        Index("x", Vocabulary(3, {"1": [0]}))
    with pytest.raises(ValueError):
        Index("(", Vocabulary(3, {"1": [0]}))


def test_models_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ValueError, match="no-such-organization/no-such-model"):
        Vocabulary.from_pretrained("no-such-organization/no-such-model")


SCHEMAS = [
    ({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a"]}, [{"a": 1}, {"a": -2, "b": "x"}], [{}, {"b": "x"}, {"a": "x"}]),
    ({"properties": {"a": {"type": "null"}, "b": {"const": [1, "]"]}}}, [{}, {"a": None}, {"b": [1, "]"]}, {"a": None, "b": [1, "]"]}], [{"b": []}]),
    ({"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}, [[True], [True, False]], [[], [True] * 3]),
    ({"type": "array", "items": {"type": "null"}, "minItems": 0, "maxItems": 1}, [[], [None]], [[None] * 2]),
    ({"type": "array", "prefixItems": [{"type": "null"}, {"type": "string"}]}, [[None, "a"]], [[], [None]]),
    ({"enum": ["a.b", 1, None, {"x": [1]}]}, ["a.b", 1, None, {"x": [1]}], ["axb", {"x": [2]}]),
    ({"type": ["null", "string"], "maxLength": 2}, [None, "ab"], ["abc"]),
    ({"anyOf": [{"type": "string", "pattern": "^a+$"}, {"type": "number"}]}, ["aa", 1.5, 1e300], ["b"]),
    ({"type": "string", "format": "date"}, ["2024-02-29"], ["2024-13-01"]),
    ({"type": "string", "format": "time"}, ["12:30:00", "12:30:00.5Z"], ["25:00:00"]),
    ({"type": "string", "format": "email"}, ["a.b@example.org"], ["a"]),
    ({"type": "string", "format": "uri"}, ["https://example.org/a?b#c"], ["x"]),
    ({"type": "object", "additionalProperties": {"type": "null"}, "minProperties": 1}, [{"x": None}], [{}, {"x": 1}]),
    ({"type": "object", "additionalProperties": False}, [{}], [{"x": 1}]),
    ({}, [1, "x", None, [1, {"a": 2}], {"a": [1]}], []),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}}}}, [{}, {"n": {}}, {"n": {"n": {"n": {}}}}], [{"n": 1}]),
]


@pytest.mark.parametrize("schema, valid, invalid", SCHEMAS)
def test_expressions_of_schemas(schema, valid, invalid) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    pattern = build_regex_from_schema(json.dumps(schema))
    matcher = Index(pattern, Vocabulary(256, {bytes([byte]): [byte] for byte in range(256)}))
    for value in valid + invalid:
        text = json.dumps(value)
        is_valid = jsonschema.Draft202012Validator(schema).is_valid(value)
        assert bool(re.fullmatch(pattern, text)) == (value in valid), (pattern, text)
        assert is_valid or value in invalid
        guide = Guide(matcher)
        assert (guide.accepts_tokens(list(text.encode())) and 256 in _behind(guide, text)) == (value in valid)


def _behind(guide: Guide, text: str) -> list:
    for byte in text.encode():
        guide.advance(byte, return_tokens=False)
    return guide.get_tokens()


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "integer", "minimum": 3},
        {"type": "array", "uniqueItems": True},
        {"type": "string", "pattern": "a"},
        {"type": "string", "pattern": "^a$", "minLength": 3},
        {"type": "string", "format": "hostname"},
        {"not": {}},
        {"allOf": [{"type": "null"}, {"type": "boolean"}]},
        {"type": "object", "properties": {"a": {}}, "required": ["b"]},
        {"type": "object", "properties": {"a": {}}, "patternProperties": {}},
        {"$ref": "https://example.org"},
        {"$ref": "#/no"},
        {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}}},
        {"enum": []},
        False,
    ],
)
def test_keywords_are_not_dropped(schema) -> None:
    with pytest.raises(ValueError):
        build_regex_from_schema(json.dumps(schema))


def test_white_space() -> None:
    pattern = build_regex_from_schema('{"type": "array", "items": {"type": "null"}}', r"[\n ]*")
    assert re.fullmatch(pattern, "[ \n null,\n\n null ]") and json_schema.WHITESPACE == "[ ]?"
    with pytest.raises(TypeError, match="valid JSON"):
        build_regex_from_schema("{")


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_of_guides_are_independent(index: Index, copied) -> None:
    guide = Guide(index)
    guide.advance(0)
    other = copied(guide)
    other.advance(1)
    assert other.get_allowed_rollback() == 2 and guide.get_allowed_rollback() == 1 and other.get_state() != guide.get_state()
    other.rollback_state(2)
    assert guide.get_allowed_rollback() == 1 and other.get_state() == index.get_initial_state() != guide.get_state()
