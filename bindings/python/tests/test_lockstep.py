"""Matchers on demand beside those of the artifact, through everything that only the Python package has: rows of arrays, bound rows, batches, numbered
masks, pickles, explanations. The operations of matchers themselves are compared by a campaign in Rust (``tests/campaigns.sh lockstep``)."""

import json
import pickle
import random

import numpy as np
import pytest
from test_numbered import Device

import gcc_grammar as gg

WORDS = [b'{"', b'":', b'": "', b'","', b'"}', b'"f0"', b'": ', b"true", b"null", b"12", b"abc", b"-17", b"va", b"v0"]
GRAMMAR = gg.Lark('start: (NAME "=" NUMBER ";")+\nNAME: /[a-z]+/\nNUMBER: /[0-9]{1,12}/\n%ignore / +/\n')


@pytest.fixture(scope="module")
def vocabulary() -> gg.Vocabulary:
    pairs = [bytes([a, b]) for a in range(97, 113) for b in range(97, 113)]
    return gg.Vocabulary([bytes([byte]) for byte in range(256)] + WORDS + pairs)


def leaf(numbers: random.Random) -> dict:
    most = numbers.randint(1, 30)
    return numbers.choice(
        [
            {"type": "string", "maxLength": most},
            {"type": "string", "pattern": f"^[a-z]{{2,{most + 2}}}-[0-9]+$"},
            {"type": "integer", "minimum": most % 4},
            {"enum": [f"v{most}", f"va{most}", most, None]},
            {"type": "array", "items": {"type": ["boolean", "null"]}, "maxItems": most % 5 + 1},
        ]
    )


def source(numbers: random.Random) -> object:
    if numbers.random() < 0.2:
        return GRAMMAR
    properties = {f"f{number}": leaf(numbers) for number in range(numbers.randint(1, 6))}
    required = [name for name in properties if numbers.random() < 0.7]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": numbers.random() < 0.3}


class Pair:
    """A matcher of the artifact, and one that began on demand or behind it, with rows that are bound to it."""

    def __init__(self, whole: gg.Matcher, lazy: gg.Matcher, shared: np.ndarray) -> None:
        self.whole, self.lazy = whole, lazy
        # All pairs have bound the same row of one array.
        self.bound = [matcher.bind(shared, 1) for matcher in (whole, lazy)]

    def ask(self, shared: np.ndarray, numbers: random.Random, device: Device) -> np.ndarray:
        mask = np.zeros(shared.shape[1], dtype=np.int32)
        self.whole.fill(mask)
        ids = np.flatnonzero(np.unpackbits(mask.view(np.uint8), bitorder="little")).tolist()
        both = list(zip((self.whole, self.lazy), self.bound))
        numbers.shuffle(both)
        for matcher, bound in both:
            row = shared[2]
            for write in numbers.sample([bound.update, bound.fill, lambda m=matcher: m.update(shared, 1), lambda m=matcher: m.fill(shared, 1)], 2):
                write()
                np.testing.assert_array_equal(shared[1], mask)
            matcher.update(shared, 0)
            matcher.update(row)
            np.testing.assert_array_equal(shared[0], mask)
            np.testing.assert_array_equal(shared[2], mask)
            assert matcher.mask() == mask.tobytes() and matcher.allowed() == ids and matcher.count_allowed() == len(ids)
            if not matcher.is_terminated:
                np.testing.assert_array_equal(device.masks([matcher])[0], mask)
            for token in numbers.sample(range(256), 4):
                assert matcher.allows(token) == (token in ids)
            if numbers.random() < 0.05:
                token = numbers.randrange(256)
                # A matcher that was restored does not know its text, and so names no places in it.
                why = [(why.is_allowed, why.possible, why.lexeme, why.expected, why.rules) for why in (matcher.why(token), self.whole.why(token))]
                assert why[0] == why[1] and not any(name.startswith("terminal ") for name in why[0][2] + why[0][3])
            states = [(m.forced_bytes(), m.is_accepting, m.is_terminated, m.committed, m.remaining) for m in (matcher, self.whole)]
            assert states[0] == states[1]
        return np.array(ids)


def operate(pair: Pair, ids: np.ndarray, artifacts: list, numbers: random.Random) -> None:
    whole, lazy = pair.whole, pair.lazy
    chosen = numbers.randrange(14)
    if chosen == 0:
        assert lazy.save() == whole.save()
        pair.lazy = numbers.choice(artifacts).restore(whole.save())
    elif chosen == 1:
        pair.whole, pair.lazy = pickle.loads(pickle.dumps(whole)), pickle.loads(pickle.dumps(lazy))
    elif chosen == 2:
        count = numbers.randint(0, whole.committed)
        whole.rollback(count)
        lazy.rollback(count)
    elif chosen == 3:
        least = whole.min_remaining()
        assert lazy.min_remaining() == least and lazy.shortest_completion() == whole.shortest_completion()
        budget = None if least is None or numbers.random() < 0.3 else least + numbers.randrange(9)
        whole.set_budget(budget)
        lazy.set_budget(budget)
    elif chosen == 4 and len(ids):
        parents, tokens = [-1, 0, -1], [int(numbers.choice(ids)) for _ in range(3)]
        rows = np.zeros((2, 3, whole.artifact.row_words), dtype=np.int32)
        assert whole.verify_tree(parents, tokens, rows[0]) == lazy.verify_tree(parents, tokens, rows[1])
        np.testing.assert_array_equal(rows[0], rows[1])
    elif len(ids):
        token = int(numbers.choice(ids))
        whole.commit(token)
        lazy.commit(token)
    else:
        whole.reset()
        lazy.reset()


def test_rows_batches_and_pickles_are_those_of_the_artifact(vocabulary) -> None:
    masks = 0
    for seed in range(40):
        numbers = random.Random(seed)
        text = source(numbers)
        whole = gg.compile(text, vocabulary)
        lazy, other = (gg.compile(text, vocabulary, on_demand=True) for _ in range(2))
        artifacts = [whole, lazy, other]
        shared = np.zeros((3, whole.row_words), dtype=np.int32)
        device = Device([whole], rows=1)
        pairs = [Pair(whole.matcher(), lazy.matcher(), shared)]
        switch = numbers.randrange(30)
        for step in range(30):
            if step == switch:
                # Its matchers have their masks by number from now on; those that began on demand travel whole.
                assert device.add(lazy) and lazy.is_complete
            number = numbers.randrange(len(pairs))
            ids = pairs[number].ask(shared, numbers, device)
            operate(pairs[number], ids, artifacts, numbers)
            pairs[number] = Pair(pairs[number].whole, pairs[number].lazy, shared)
            if len(pairs) < 4 and numbers.random() < 0.1:
                pairs.append(Pair(pairs[number].whole.fork(), pairs[number].lazy.fork(), shared))
            elif len(pairs) < 4 and numbers.random() < 0.1:
                pairs.append(Pair(whole.matcher(), lazy.matcher(), shared))
            rows = np.full((2, len(pairs), whole.row_words), -1, dtype=np.int32)
            gg.fill_masks([pair.whole for pair in pairs], rows[0], threads=2)
            gg.fill_masks([pair.lazy for pair in pairs], rows[1], threads=2)
            np.testing.assert_array_equal(rows[0], rows[1])
            masks += len(pairs)
    assert masks > 2_000, masks


def test_an_updated_row_outlives_the_switch(vocabulary) -> None:
    properties = {f"f{i}": {"enum": [f"v{i}{j}" for j in range(6)]} if i % 3 else {"type": "string", "pattern": "^[a-z]{2,%d}-[0-9]+$" % (4 + i)} for i in range(12)}
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    text = json.dumps({name: value["enum"][2] if "enum" in value else "abc-17" for name, value in properties.items()})
    tokens = vocabulary.tokenize(text)
    whole = gg.compile(schema, vocabulary)
    for switch in range(1, len(tokens), 9):
        lazy = gg.compile(schema, vocabulary, on_demand=True)
        matcher, reference = lazy.matcher(), whole.matcher()
        row, wanted = (np.zeros(whole.row_words, dtype=np.int32) for _ in range(2))
        for step, token in enumerate(tokens):
            if step == switch:
                lazy.complete()
            matcher.update(row)
            reference.fill(wanted)
            np.testing.assert_array_equal(row, wanted)
            matcher.commit(token)
            reference.commit(token)


def test_rows_that_other_matchers_wrote_are_written_as_a_whole(vocabulary) -> None:
    one, two = (gg.compile(text, vocabulary).matcher() for text in (gg.Regex("[a-c]+x"), {"type": "integer"}))
    row, wanted = np.zeros(one.artifact.row_words, dtype=np.int32), {}
    for matcher in (one, two):
        fresh = row.copy()
        matcher.fill(fresh)
        wanted[matcher] = fresh
    bound = one.bind(row)
    for write, matcher in [(one.update, one), (two.update, two), (one.update, one), (two.fill, two), (one.update, one)]:
        bound.update()
        np.testing.assert_array_equal(row, wanted[one])
        write(row)
        np.testing.assert_array_equal(row, wanted[matcher])
    gg.fill_masks([two], [row])
    one.update(row)
    np.testing.assert_array_equal(row, wanted[one])


def test_states_of_another_grammar_are_refused(vocabulary) -> None:
    lazy = gg.compile({"type": "integer"}, vocabulary, on_demand=True)
    saved = gg.compile({"type": "boolean"}, vocabulary, on_demand=True).matcher().save()
    for artifact in (lazy, gg.compile({"type": "integer"}, vocabulary)):
        with pytest.raises(gg.OtherVocabularyError, match="another compiled grammar"):
            artifact.restore(saved)


def test_refusals_name_terminals_before_and_after_the_artifact(vocabulary) -> None:
    whole, lazy = gg.compile(GRAMMAR, vocabulary), gg.compile(GRAMMAR, vocabulary, on_demand=True)
    early = lazy.matcher()
    lazy.complete()
    said = []
    for matcher in (whole.matcher(), early, lazy.matcher()):
        matcher.commit_text("a=")
        said.append((str(matcher.why(ord("x"))), [rule.name for rule in matcher.why(ord("x")).rules]))
    assert said[0] == said[1] == said[2]
    assert "NUMBER" in said[0][0] and said[0][1]
