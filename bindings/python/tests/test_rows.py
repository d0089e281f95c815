"""Rows that are updated, words of rows beyond the mask, and the threads that fill rows."""

import array
import gc
import os
import sys
import time

import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar import _engine

SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 40}, "age": {"type": "integer"}},
    "required": ["name", "age"],
}
TEXT = '{"name": "Alice Smith", "age": 31}'


@pytest.fixture(scope="module")
def artifact(llama3):
    return gg.compile(SCHEMA, llama3)


def expected(matcher):
    return np.frombuffer(matcher.mask(), np.int32)


def steps(artifact):
    """A matcher before each token of a text."""
    matcher = artifact.matcher()
    for token in artifact.vocabulary.tokenize(TEXT):
        yield matcher
        matcher.commit(token)
    yield matcher


def is_mask(row, matcher):
    words = matcher.artifact.row_words
    return bool((np.asarray(row)[:words] == expected(matcher)).all() and not np.asarray(row)[words:].any())


# Rows that are updated


@pytest.mark.parametrize("fill", [0, -1])
def test_a_fresh_array_at_the_address_of_one_that_is_gone_is_filled_as_a_whole(artifact, fill):
    addresses = []
    for matcher in steps(artifact):
        row = np.full(artifact.row_words, fill, np.int32)
        addresses.append(row.ctypes.data)
        matcher.update(row)
        assert is_mask(row, matcher)
        del row
        gc.collect()
    # While an array is remembered, no other is made at its address.
    assert all(one != other for one, other in zip(addresses, addresses[1:]))


def test_fresh_buffers_of_other_kinds_are_filled_as_a_whole(artifact):
    kinds = [
        lambda: array.array("i", [-1]) * artifact.row_words,
        lambda: bytearray(b"\xff" * 4 * artifact.row_words),
        lambda: memoryview(bytearray(4 * artifact.row_words)),
    ]
    for make in kinds:
        for matcher in steps(artifact):
            row = make()
            matcher.update(row)
            assert bytes(row) == matcher.mask()


def test_the_same_row_is_updated_also_through_an_index_and_through_views(artifact):
    row, rows, views = (np.full(shape, -1, np.int32) for shape in [artifact.row_words, (3, artifact.row_words), (3, artifact.row_words)])
    indexed = None
    for step, matcher in enumerate(steps(artifact)):
        indexed = indexed or matcher.fork()
        matcher.update(row)
        assert is_mask(row, matcher)
        for other in (rows, views):
            fork = matcher.fork()
            for index in (step % 3, (step + 1) % 3):
                fork.update(other, index) if other is rows else fork.update(other[index])
                assert is_mask(other[index], fork)


def test_what_the_matcher_itself_writes_in_between_is_known(artifact):
    row, matrix = np.zeros(artifact.row_words, np.int32), np.zeros((2, artifact.row_words), np.int32)
    tokens = artifact.vocabulary.tokenize(TEXT)
    writes = [
        lambda matcher: matcher.fill(row),
        lambda matcher: gg.fill_masks([matcher], [row]),
        lambda matcher: gg.fill_masks([matcher], row.reshape(1, -1)),
        lambda matcher: matcher.verify_tree([-1], [tokens[-1]], row.reshape(1, -1)),
        lambda matcher: matcher.update(matrix, 1),
        lambda matcher: matcher.reset(),
    ]
    for write in writes:
        for place in range(len(tokens)):
            matcher = artifact.matcher()
            for token in tokens[:place]:
                matcher.commit(token)
            matcher.update(row)
            matcher.commit(tokens[place])
            write(matcher)
            matcher.update(row)
            assert is_mask(row, matcher)


def test_rows_that_were_resized_or_reshaped_are_filled_as_a_whole(artifact):
    words = artifact.row_words
    row = np.full(words + 8, -1, np.int32)
    for step, matcher in enumerate(steps(artifact)):
        length = words + step % 3
        row.resize(length, refcheck=False)
        row[:] = -1
        matcher.update(row)
        assert is_mask(row, matcher)
    wide = np.full(words + 2, -1, np.int32)
    matcher = artifact.matcher()
    matcher.update(wide)
    wide.shape = (1, words + 2)
    matcher.commit_text("{")
    matcher.update(wide, 0)
    assert is_mask(wide[0], matcher)


def test_a_remembered_row_lives_as_long_as_it_is_remembered(artifact):
    matcher, row = artifact.matcher(), np.zeros(artifact.row_words, np.int32)
    before = sys.getrefcount(row)
    matcher.update(row)
    assert sys.getrefcount(row) == before + 1
    matcher.update(np.zeros(artifact.row_words, np.int32))
    assert sys.getrefcount(row) == before


def test_adapters_see_that_an_array_was_moved_or_resized(artifact):
    words = artifact.row_words
    rows = np.full((4, words), -1, np.int32)
    run = _engine.Run(artifact, 8)
    run.fill(rows, 1)
    for shape in [(4, words + 3), (3, words), (400, words + 1)]:
        rows.resize(shape, refcheck=False)
        rows[:] = -1
        run.fill(rows, 2)
        assert is_mask(rows[2], run.matcher) and (rows[:2] == -1).all() and (rows[3:] == -1).all()
    with pytest.raises(gg.RefusedError, match="the rows have 1 words"):
        run.fill(np.zeros((2, 1), np.int32), 0)


# Words beyond the mask


def beyond(artifact, write):
    row = array.array("i", [-1]) * (artifact.row_words + 2)
    write(row)
    return row[artifact.row_words :].tolist()


@pytest.mark.parametrize("options", [{}, {"canonical": True}, {"start_after": "<x>"}, {"start_after": "<x>", "canonical": True}])
def test_words_beyond_the_mask_allow_nothing(artifact, options):
    matcher = artifact.matcher(**options)
    ended = matcher.fork()
    if "start_after" in options:
        ended.commit(artifact.vocabulary.end_tokens[0])
    behind = matcher.fork()
    if "start_after" in options:
        behind.commit_text("<x>")
    near = behind.fork()
    near.set_budget(near.min_remaining())
    for state in (matcher, ended, behind, near):
        assert beyond(artifact, state.fill) == [0, 0]
        assert beyond(artifact, state.update) == [0, 0]
        assert beyond(artifact, lambda row: gg.fill_masks([state], [row])) == [0, 0]
        matrix = np.full((3, artifact.row_words + 2), -1, np.int32)
        gg.fill_masks([state], matrix, indices=[1])
        assert is_mask(matrix[1], state) and (matrix[::2] == -1).all()


def test_adapters_allow_nothing_beyond_the_mask(artifact):
    rows = np.full((3, artifact.row_words + 2), -1, np.int32)
    run = _engine.Run(artifact, 8)
    run.fill(rows, 1)
    assert is_mask(rows[1], run.matcher) and (rows[::2] == -1).all()


# Threads


def batch(count):
    artifact = gg.compile({"type": "integer"}, gg.Vocabulary([bytes([byte]) for byte in range(256)]))
    return [artifact.matcher() for _ in range(count)], np.full((count, artifact.row_words), -1, np.int32)


@pytest.mark.parametrize("threads", [3000, 1 << 40, (1 << 63) - 1, 1 << 63, 1 << 64, 1 << 70])
def test_more_threads_than_can_be_used_count_as_the_most_that_can(threads):
    matchers, rows = batch(200)
    gg.fill_masks(matchers, rows, threads=threads)
    assert all(is_mask(row, matcher) for row, matcher in zip(rows, matchers))


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="threads are counted on Linux")
def test_threads_of_other_numbers_are_not_kept():
    matchers, rows = batch(200)
    for threads in range(2, 40):
        gg.fill_masks(matchers, rows, threads=threads)
    gg.fill_masks(matchers, rows, threads=2)
    # Threads that were told to end may still be ending.
    for _ in range(200):
        if len(os.listdir("/proc/self/task")) < 60:
            return
        time.sleep(0.05)
    raise AssertionError("there are more than 60 threads")


def in_a_child(work):
    """The exit status of a fork that does something; 99 if it does not end."""
    child = os.fork()
    if child == 0:
        status = 3
        try:
            status = work()
        finally:
            os._exit(status)
    for _ in range(1200):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 98
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return 99


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.parametrize("threads", [2, 5, 0])
def test_a_fork_fills_masks_with_threads_of_its_own(threads):
    matchers, rows = batch(512)
    gg.fill_masks(matchers, rows, threads=threads)

    def fill():
        rows[:] = -1
        for _ in range(2):
            gg.fill_masks(matchers, rows, threads=threads)
        right = all(is_mask(row, matcher) for row, matcher in zip(rows, matchers))
        gg.fill_masks(matchers, rows, threads=3)
        return 0 if right else 1

    assert in_a_child(fill) == 0
    # A fork of a fork, and the parent afterwards.
    assert in_a_child(lambda: fill() or in_a_child(fill)) == 0
    assert fill() == 0


# What has the interface of a tensor of PyTorch


class Tensor:
    """An array with the methods of a tensor that are used here."""

    def __init__(self, array):
        self.array, self.is_cpu, self.dtype = array, True, "torch.int32"

    def data_ptr(self):
        return self.array.ctypes.data

    @property
    def shape(self):
        return self.array.shape

    def stride(self):
        return tuple(stride // 4 for stride in self.array.strides)

    def dim(self):
        return self.array.ndim

    def is_contiguous(self):
        return self.array.flags["C_CONTIGUOUS"]

    def __len__(self):
        return len(self.array)


def test_tensors_are_updated_and_filled_also_when_they_are_moved_or_resized(artifact):
    words = artifact.row_words
    row, rows = Tensor(np.full(words, -1, np.int32)), Tensor(np.full((4, words), -1, np.int32))
    run = _engine.Run(artifact, 8)
    for step, matcher in enumerate(steps(artifact)):
        matcher.update(row)
        assert is_mask(row.array, matcher)
        run.matcher = matcher
        run.fill(rows, 1)
        assert is_mask(rows.array[1], matcher) and (rows.array[0] == -1).all() and (rows.array[2:] == -1).all()
        if step % 3 == 2:
            # As `resize_` and `set_` of PyTorch do: the same object has another memory.
            row.array = np.full(words + step, -1, np.int32)
            rows.array = np.full((4, words + step), -1, np.int32)
        elif step % 3 == 1:
            rows.array = np.full((words, 4), -1, np.int32)
            with pytest.raises(gg.RefusedError):
                run.fill(rows, 1)
            rows.array = np.full((4, words), -1, np.int32)
        else:
            rows.array[:] = -1


@pytest.mark.parametrize("make", [lambda: np.zeros((3, 9), np.uint32), lambda: np.zeros((3, 9), np.int32)])
def test_bound_rows_have_the_masks_of_fill(make):
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)])
    matcher = gg.compile({"type": "array", "items": {"enum": ["ab", "cd", 12]}}, vocabulary).matcher()
    rows, expected = make(), np.zeros(9, np.uint32)
    filled, updated = matcher.bind(rows, 0), matcher.bind(rows, 2)
    rows[:] = -1 if rows.dtype == np.int32 else 0xFFFFFFFF
    for token in b'["ab", 12, "cd"]':
        matcher.fill(expected)
        filled.fill()
        updated.update()
        assert (rows[0].view(np.uint32) == expected).all() and (rows[2].view(np.uint32) == expected).all()
        matcher.commit(token)
    assert (rows[1].view(np.uint32) == 0xFFFFFFFF).all()
    with pytest.raises(gg.RefusedError):
        matcher.bind(np.zeros(2, np.uint32))
    with pytest.raises(IndexError):
        matcher.bind(rows, 3)


def test_a_bound_row_keeps_its_memory():
    matcher = gg.compile({"type": "integer"}, [b"1", b"2", b"x"]).matcher()
    row = array.array("I", [0])
    bound = matcher.bind(row)
    with pytest.raises(BufferError):
        row.append(1)
    bound.fill()
    assert row[0] == 0b11
    del row, matcher
    bound.fill()


def test_tokens_that_do_not_exist_are_refused():
    matcher = gg.compile({"type": "integer"}, [b"1", b"2", b"x"]).matcher()
    for token in (-1, 1 << 32, 1 << 80):
        assert not matcher.try_commit(token)
        with pytest.raises(gg.RefusedError):
            matcher.commit(token)
    with pytest.raises(TypeError):
        matcher.commit("1")


@pytest.mark.parametrize("row", [np.zeros(1, np.int32), np.zeros(100, np.int64), np.zeros((2, 2, 9), np.int32), [0] * 100, None, b"0" * 400, bytearray(3)])
def test_rows_that_cannot_be_used_raise_one_class(row) -> None:
    matcher = gg.compile(gg.Regex("a"), gg.Vocabulary([bytes([byte]) for byte in range(256)])).matcher()
    for use in (matcher.fill, matcher.update, matcher.bind, lambda row: matcher.verify_tree([-1], [97], row), lambda row: gg.fill_masks([matcher], row)):
        with pytest.raises(gg.RowError) as error:
            use(row)
        assert isinstance(error.value, (ValueError, TypeError)) and error.type is gg.RowError


def test_masks_are_applied_to_logits_of_numpy() -> None:
    artifact = gg.compile(gg.Choice(["ab", "c"]), gg.Vocabulary([bytes([byte]) for byte in range(256)]))
    row = np.zeros(artifact.row_words, dtype=np.int32)
    artifact.matcher().fill(row)
    for width in (97, 98, 99, 257, 400):
        for words in (row, row.view(np.uint32), bytearray(row.tobytes())):
            logits = np.arange(width, dtype=np.float32)
            assert gg.apply_mask(logits, words) is logits
            assert np.flatnonzero(np.isfinite(logits)).tolist() == [token for token in (97, 99) if token < width]
    many = np.stack([row, np.full_like(row, -1)])
    logits = gg.apply_mask(np.ones((2, 300)), many)
    assert np.isfinite(logits).sum(axis=1).tolist() == [2, min(300, 32 * len(row))]
    for wrong in (many, row.astype(np.int64), row.reshape(1, -1)):
        with pytest.raises(gg.RowError, match="do not fit"):
            gg.apply_mask(np.ones(300), wrong)


def test_masks_are_applied_to_logits_of_torch() -> None:
    torch = pytest.importorskip("torch")
    artifact = gg.compile(gg.Choice(["ab", "c"]), gg.Vocabulary([bytes([byte]) for byte in range(256)]))
    row = torch.zeros(artifact.row_words, dtype=torch.int32)
    artifact.matcher().fill(row)
    for words in (row, row.numpy()):
        logits = torch.zeros(257)
        assert gg.apply_mask(logits, words) is logits
        assert torch.isfinite(logits).nonzero().flatten().tolist() == [97, 99]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_completes_an_artifact_itself():
    # The thread that compiles the artifact behind the masks is not there in the child.
    properties = {f"k{n}": {"type": "string", "pattern": "^[a-z]{1,%d}-x$" % (20 + n)} for n in range(12)}
    vocabulary = gg.Vocabulary("llama3")
    for wait in (0.0, 0.01, 0.03):
        artifact = gg.compile({"type": "object", "properties": properties}, vocabulary, on_demand=True)
        time.sleep(wait)

        def complete(artifact=artifact):
            artifact.complete()
            return 0 if artifact.is_complete and artifact.report else 4

        assert in_a_child(complete) == 0, wait
        artifact.complete()
