"""Events of JSON values while an output is written, explanations of refused tokens, and the examples of both."""

import json
import random
import runpy
from pathlib import Path

import pytest

import gcc_grammar as gg

EXAMPLES = Path(__file__).parents[3] / "examples"
BYTES = [bytes([byte]) for byte in range(256)]
SCHEMA = {
    "type": "object",
    "properties": {"a/b": {"type": "array", "items": {"type": ["number", "null", "boolean"]}}, "s": {"type": "string"}},
    "required": ["a/b", "s"],
    "additionalProperties": False,
}


def events_of(schema, **options):
    return gg.Events(gg.compile(schema, gg.Vocabulary(BYTES)).matcher(), **options)


def leaves(value, pointer=""):
    """All values of a JSON value, by pointer, the inner ones first."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from leaves(member, f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}")
    yield pointer, value


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_every_value_ends_once_with_its_value(size):
    text = '{"a/b": [1, -2.5, null, true], "s": "é\\u00e9\\ud83d\\ude00\\n"}'
    events = events_of(SCHEMA)
    data, told = text.encode(), []
    for start in range(0, len(data), size):
        told += events.commit_text(data[start : start + size])
    ended = [(event.pointer, event.value) for event in told if event.happened == "ended"]
    assert ended == list(leaves(json.loads(text)))
    assert [event.pointer for event in told if event.happened == "began"] == ["", "/a~1b", "/a~1b/0", "/a~1b/1", "/a~1b/2", "/a~1b/3", "/s"]
    assert events.text == data and events.pointer is None


def test_texts_only_grow():
    events = events_of(SCHEMA)
    text = '{"a/b":[10.25],"s":"\\"\\\\ \\ud83d\\ude00 é"}'
    so_far = {}
    for byte in text.encode():
        for event in events.commit(byte):
            if event.happened == "grew":
                assert len(event.text) > len(so_far.get(event.pointer, ""))
            assert event.text.startswith(so_far.get(event.pointer, ""))
            so_far[event.pointer] = event.text


def test_rollbacks_are_exact():
    text = '{"a/b": [1, 22, null], "s": "x\\ny\\u00e9"}'.encode()
    other = b'{"a/b": [], "s": "zz"}'
    plain, wandering = events_of(SCHEMA), events_of(SCHEMA)
    chance = random.Random(1)
    for place, byte in enumerate(text):
        taken = 0
        for wrong in other[place : place + chance.randrange(4)]:
            if wandering.matcher.allows(wrong):
                wandering.commit(wrong)
                taken += 1
        wandering.rollback(taken)
        assert wandering.commit(byte) == plain.commit(byte)
        assert wandering.pointer == plain.pointer


def test_refused_tokens_change_nothing():
    events = events_of({"type": "integer"})
    assert [event.happened for event in events.commit(ord("1"))] == ["began", "grew"]
    with pytest.raises(gg.RefusedError):
        events.commit(ord("x"))
    assert [(event.happened, event.value) for event in events.end()] == [("ended", 1)]
    with pytest.raises(gg.WrongTypeError, match="Matcher"):
        gg.Events("matcher")
    with pytest.raises(gg.WrongTypeError, match="beginning"):
        gg.Events(events.matcher)


def test_a_refused_token_is_explained():
    matcher = gg.compile(SCHEMA, gg.Vocabulary(BYTES)).matcher()
    matcher.commit_text('{"a/b": [1, ')
    why = matcher.why(ord("x"))
    assert (why.is_allowed, why.possible, why.may_end) == (False, 0, False)
    assert "number" in why.lexeme + why.expected
    assert str(why).startswith('token 120 "x" may not come next\n')
    assert matcher.why(ord("5")).is_allowed
    with pytest.raises(gg.WrongTypeError):
        matcher.why("x")


def run(name, capsys):
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out.splitlines()


def test_the_example_of_a_growing_object(capsys):
    lines = run("growing_object.py", capsys)
    assert lines[-1] == (
        "Forecast(city='Zürich', days=[Day(rain=False, high=21.5), Day(rain=True, high=17)], note='bring a \"coat\"')"
    )
    assert '{"city": "Zü"}' in lines
    assert '{"city": "Zürich", "days": [{"rain": false}]}' in lines


def test_the_example_of_live_tool_calls(capsys):
    lines = run("live_tool_calls.py", capsys)
    assert lines[0] == "call 1: mail" and "call 1:   to = 'ada@'…" in lines
    assert "call 1:   text = 'Dear Ada,\\nsee you at 5.'" in lines
    assert lines[-2:] == ["call 2:   copies = '2'", "call 2: complete"]
