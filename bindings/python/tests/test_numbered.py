"""Masks by number, read back with NumPy by the description of the format."""

import collections

import numpy as np
import pytest
from walks import AMBIGUOUS, GRAMMARS, SCHEMA, Batch, words_of_letters

import gcc_grammar as gg
from gcc_grammar.numbered import FREE, HEADER_WORDS, WHOLE, NumberedMasks, bases


class Device:
    """What an accelerator would hold and do."""

    def __init__(self, artifacts: list, rows: int, room: int = 1000) -> None:
        self.host = NumberedMasks(artifacts[0].row_words, rows=rows, room=room)
        self.slots = np.full((room, self.host.row_words), 0x55555555, dtype=np.int32)
        self.words = np.full(self.host.words, -7, dtype=np.int32)
        self.kinds = collections.Counter()
        for artifact in artifacts:
            assert self.add(artifact)

    def add(self, artifact: gg.Artifact) -> bool:
        new = self.host.add(artifact)
        for slot, base in (new or {}).items():
            self.slots[slot] = np.frombuffer(base, dtype=np.int32)
        return new is not None

    def masks(self, matchers: list) -> np.ndarray:
        """The rows, from the words that travel and nothing else."""
        self.words.fill(0x33333333)
        used = self.host.stage(matchers, self.words)
        words = self.words[:used].copy()
        return np.stack([self._row(words, row) for row in range(self.host.rows)])

    def _row(self, words: np.ndarray, row: int) -> np.ndarray:
        kind, begin, count, *slots = words[row * HEADER_WORDS : (row + 1) * HEADER_WORDS].tolist()
        self.kinds[kind] += 1
        if kind == FREE:
            return np.full(self.host.row_words, -1, dtype=np.int32)
        begin += self.host.rows * HEADER_WORDS
        flips = words[begin : begin + count]
        if kind == WHOLE:
            return flips
        assert 0 <= kind <= 4 and len(flips) == count <= min(1024, self.host.row_words) and (np.diff(flips) > 0).all()
        mask = np.zeros(self.host.row_words, dtype=np.int32)
        for slot in slots[:kind]:
            mask |= self.slots[slot]
        np.bitwise_xor.at(mask, flips >> 5, (np.uint32(1) << (flips & 31).astype(np.uint32)).view(np.int32))
        return mask


def walk(artifacts: list, added: list, steps: int, rows: int = 50) -> Device:
    device = Device(added, rows)
    batch = Batch(artifacts, rows, seed=steps, free=3)
    for _ in range(steps):
        expected = batch.masks()
        np.testing.assert_array_equal(device.masks(batch.matchers), expected)
        batch.move()
    return device


def test_100_000_states_give_the_same_rows(llama3):
    """One artifact was not added, so its rows travel whole."""
    small = words_of_letters(6000)
    artifacts = [gg.compile(grammar, small) for grammar in GRAMMARS]
    device = walk(artifacts, artifacts[:-1], 1800)
    assert {FREE, WHOLE, 0, 1, 2} <= set(device.kinds), device.kinds
    large = [gg.compile(grammar, llama3) for grammar in GRAMMARS]
    other = walk(large, large, 200)
    assert sum((device.kinds + other.kinds).values()) == 100_000
    assert {FREE, 0, 1} <= set(other.kinds), other.kinds


def test_rows_that_are_shorter_than_their_flips_travel_whole(letters):
    artifacts = [gg.compile(gg.Regex("[a-z]*"), letters), gg.compile(gg.Regex("([a-e]|true|[^a-p])*"), letters)]
    device = Device(artifacts[:1], 2)
    matchers = [artifact.matcher() for artifact in artifacts]
    expected = np.stack([np.frombuffer(matcher.mask(), dtype=np.int32) for matcher in matchers])
    np.testing.assert_array_equal(device.masks(matchers), expected)
    assert device.kinds[WHOLE] >= 1
    assert device.host.stage([], device.words) == 2 * HEADER_WORDS


def test_equal_bases_share_a_slot(llama3):
    artifacts = [gg.compile({"type": "object", "properties": {name: {"type": "string"}}}, llama3) for name in ("first", "second")]
    device = Device(artifacts, 2)
    assert device.host.used_slots < sum(artifact.base_count for artifact in artifacts)
    matchers = [artifact.matcher() for artifact in artifacts]
    expected = [matcher.mask() for matcher in matchers]
    assert [row.tobytes() for row in device.masks(matchers)] == expected
    # What is shared stays when one of them goes.
    device.host.remove(artifacts[0])
    assert artifacts[0] not in device.host and artifacts[1] in device.host
    assert [row.tobytes() for row in device.masks(matchers)] == expected
    device.host.remove(artifacts[1])
    assert device.host.used_slots == 0
    assert [row.tobytes() for row in device.masks(matchers)] == expected
    # Slots are used again.
    assert device.add(artifacts[1]) and device.add(artifacts[1])
    assert [row.tobytes() for row in device.masks(matchers)] == expected


def test_without_room_nothing_changes(llama3):
    artifact = gg.compile(SCHEMA, llama3)
    size = 4 * artifact.row_words
    content = bytes(bases(artifact))
    distinct = len({content[first : first + size] for first in range(0, len(content), size)})
    assert distinct > 1
    for room in range(distinct + 1):
        host = NumberedMasks(artifact.row_words, rows=1, room=room)
        assert (host.add(artifact) is None) == (room < distinct)
        assert host.used_slots == (distinct if room == distinct else 0)


def test_ended_outputs_and_missing_matchers_are_free(letters):
    artifact = gg.compile(gg.Choice(["a"]), letters)
    ended, active = artifact.matcher(), artifact.matcher()
    ended.commit_text("a")
    ended.commit(letters.end_tokens[0])
    device = Device([artifact], 4)
    masks = device.masks([ended, None, active])
    assert (masks[[0, 1, 3]] == -1).all() and masks[2].tobytes() == active.mask()
    ended.rollback(1)
    assert device.masks([ended])[0].tobytes() == ended.mask()


def test_the_bases_of_an_artifact(llama3):
    artifact = gg.compile(AMBIGUOUS, llama3)
    rows = np.full((artifact.base_count * artifact.row_words + 1), -7, dtype=np.int32)
    artifact.copy_bases(rows)
    assert rows[:-1].tobytes() == bytes(bases(artifact)) and rows[-1] == -7
    with pytest.raises(ValueError, match="words"):
        artifact.copy_bases(rows[:-2])


def test_wrong_arguments_are_refused(letters, llama3):
    artifact, wide = gg.compile(gg.Regex("[a-z]*"), letters), gg.compile(gg.Regex("[a-z]*"), llama3)
    host = NumberedMasks(artifact.row_words, rows=2, room=10)
    words = np.zeros(host.words, dtype=np.int32)
    with pytest.raises(ValueError, match="words"):
        host.add(wide)
    with pytest.raises(ValueError, match="3 matchers for 2 rows"):
        host.stage([None] * 3, words)
    with pytest.raises(ValueError, match="words"):
        host.stage([artifact.matcher()], words[:-1])
    with pytest.raises(gg.Error, match="words"):
        host.stage([wide.matcher()], words)
    with pytest.raises(KeyError):
        host.remove(artifact)
    # The same matcher may be in several rows, as all threads of the pool read one after the other.
    matcher = artifact.matcher()
    assert host.stage([matcher, matcher], words) > 2 * HEADER_WORDS
