"""Events of JSON values while an output is written, explanations of refused tokens, and the examples of both."""

import copy
import json
import pickle
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
    with pytest.raises(gg.RefusedError, match="beginning"):
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


def test_the_example_of_growing_statements(capsys):
    lines = run("growing_statements.py", capsys)
    assert lines == [
        "byte 0: an assignment",
        "byte 0: width = 3 + 4;",
        "byte 15: an assignment",
        "byte 15: area = width * (width + 1);",
        "byte 43: print area;",
        "at the end: start",
    ]


GRAMMARS = {
    "sums": (
        r"""
start: statement+
statement: assignment | call ";"
assignment: NAME "=" sum ";"
call: NAME "(" list ")"
list: sum | list "," sum
sum: product | sum "+" product
product: value | product "*" value
value: NUMBER | NAME | "(" sum ")" | call
NAME: /[a-z]+/
NUMBER: /[0-9]+/
%ignore /[ \n]+/
""",
        ["x = 1;", "x = 1 + 22 * (y);\nf(x, 1 + 2, g(3)) ;", "a=b; c=d*e*f+g; h((((1))));"],
    ),
    "right": (
        r"""
start: list
list: item | item ";" list
item: WORD | "[" list "]" | pair
pair: WORD ":" item
WORD: /[a-z]+/
""",
        ["a", "a;b;c", "[a;[b];c:d:[e;f]]", "a:b;c"],
    ),
}


@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_rules_are_those_of_the_trees_of_lark(name, size):
    lark = pytest.importorskip("lark")
    grammar, texts = GRAMMARS[name]
    parser = lark.Lark(grammar, parser="lalr", propagate_positions=True)
    artifact = gg.compile(gg.Lark(grammar), gg.Vocabulary(BYTES))
    for text in texts:
        tree = parser.parse(text)
        expected = sorted((str(node.data), node.meta.start_pos, text[node.meta.start_pos : node.meta.end_pos]) for node in tree.iter_subtrees())
        events = gg.Events(artifact.matcher())
        told = [event for start in range(0, len(text), size) for event in events.commit_text(text[start : start + size])] + events.end()
        assert sorted((event.rule, event.start, event.text) for event in told if event.happened == "ended") == expected
        check_the_order(told)


def check_the_order(told):
    """Rules begin before they end, texts only grow, and rules end from the inside out."""
    begun, ends = [], []
    so_far = {}
    for event in told:
        place = (event.rule, event.start)
        if event.happened == "began":
            begun.append(place)
            assert event.text == ""
        else:
            assert place in begun
            assert event.text.startswith(so_far.get(place, ""))
            so_far[place] = event.text
        if event.happened == "ended":
            begun.remove(place)
            end = event.start + len(event.text)
            assert all(other_end <= end for _, other_end in ends)
            assert all(start >= event.start for start, other_end in ends if other_end > event.start)
            ends.append((event.start, end))
    assert not begun


def test_rollbacks_of_rules_are_exact():
    grammar, texts = GRAMMARS["sums"]
    artifact = gg.compile(gg.Lark(grammar), gg.Vocabulary(BYTES))
    plain, wandering = gg.Events(artifact.matcher()), gg.Events(artifact.matcher())
    chance = random.Random(2)
    for place, byte in enumerate(texts[1].encode()):
        taken = 0
        for wrong in texts[2].encode()[place : place + chance.randrange(4)]:
            if wandering.matcher.allows(wrong):
                wandering.commit(wrong)
                taken += 1
        wandering.rollback(taken)
        assert wandering.commit(byte) == plain.commit(byte)
        assert wandering.end() == plain.end()


def test_rules_of_grammars_whose_rules_are_lexemes():
    events = gg.Events(gg.compile(gg.Gbnf('root ::= word ("," word)*\nword ::= [a-zé]+'), gg.Vocabulary(BYTES)).matcher())
    told = [(event.happened, event.rule, event.text) for byte in "é,b".encode() for event in events.commit(byte)]
    assert told == [
        ("began", "root", ""),
        ("began", "word", ""),
        ("grew", "word", ""),
        ("grew", "word", "é"),
        ("ended", "word", "é"),
        ("grew", "root", "é,"),
        ("began", "word", ""),
        ("grew", "word", "b"),
    ]


def test_an_error_of_the_events_takes_the_commit_back():
    artifact = gg.compile(gg.Gbnf('root ::= "a" root | "a"'), gg.Vocabulary(BYTES))
    events = gg.Events(artifact.matcher(), limits={"work": 20_000})
    with pytest.raises(gg.OverBudgetError, match="in stage events"):
        for _ in range(100_000):
            events.commit(ord("a"))
    assert events.matcher.committed == len(events.text)
    with pytest.raises(gg.RefusedError, match="work"):
        gg.Events(artifact.matcher(), limits={"states": 1})
    with pytest.raises(gg.RefusedError, match="has no rules"):
        gg.Events(gg.compile({"type": "integer"}, gg.Vocabulary(BYTES)).matcher(), rules=True)


def test_a_refused_token_is_explained_with_its_place():
    grammar, _ = GRAMMARS["sums"]
    matcher = gg.compile(gg.Lark(grammar), gg.Vocabulary(BYTES)).matcher()
    matcher.commit_text("x = 1 + ")
    why = matcher.why(ord(";"))
    assert [(rule.name, rule.line) for rule in why.rules] == [("assignment", 4), ("call", 5), ("value", 9)]
    assert "that stands in assignment (line 4), call (line 5), value (line 9)" in str(why)
    events = events_of(SCHEMA)
    events.commit_text('{"a/b": [1, ')
    assert events.why(ord("x")).pointer == "/a~1b/1" and 'the JSON value at "/a~1b/1"' in str(events.why(ord("x")))
    assert events.why(ord("5")).is_allowed and events.why(ord("5")).schema == []


def test_the_place_in_the_schema_is_told():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "integer"}}}, "additionalProperties": False}
    artifact = gg.compile(schema, gg.Vocabulary(BYTES))
    matcher = artifact.matcher()
    for text, pointer, places in [("", "", [""]), ('{"a', "", ["/properties/a"]), ('":1,"b":', "/b", ["/properties/b"]), ("[1,", "/b/1", ["/properties/b/items"])]:
        matcher.commit_text(text)
        why = matcher.why(ord("x"))
        assert (why.pointer or "", why.schema) == (pointer, places)
        assert f'the schema describes it at "{places[0]}"' in str(why)
    fork = matcher.fork()
    matcher.rollback(1)
    assert (fork.why(ord("x")).schema, matcher.why(ord("x")).schema) == (["/properties/b/items"], ["/properties/b"])
    with pytest.raises(gg.RefusedError):
        fork.commit_text("x")
    for byte in b'2]}':
        fork.commit(byte)
    assert fork.why(ord("x")).pointer is None
    fork.reset()
    assert fork.why(ord("x")).schema == [""]
    restored = artifact.restore(matcher.save())
    assert (restored.why(ord("x")).pointer, restored.why(ord("x")).schema) == (None, [])
    assert restored.why(ord("x"), text='{"a":1,"b":').schema == ["/properties/b"]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_events_are_not_copied(copied):
    """A copy would share the state."""
    with pytest.raises(gg.WrongTypeError, match="make Events of a new matcher"):
        copied(events_of(SCHEMA))
