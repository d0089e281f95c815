"""Artifacts are compiled once, kept within bounds, and found again."""

import multiprocessing
import os
import threading
import time

import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar import _engine, _store


def settings(folder, **more):
    return _engine.Settings({}, folder, **more)


def compiler(letters, folder=None, **more):
    return _engine.Compiler(lambda ends: letters, settings(folder, **more))


class Counted:
    """A function that makes an artifact, and counts its calls."""

    def __init__(self, vocabulary, pattern="a", pause=0.0, error=None):
        self.calls, self.vocabulary, self.pattern, self.pause, self.error = 0, vocabulary, pattern, pause, error

    def __call__(self):
        self.calls += 1
        time.sleep(self.pause)
        if self.error is not None:
            raise self.error
        return gg.compile(gg.Regex(self.pattern), self.vocabulary)


def test_threads_wait_for_one_compilation(letters):
    store = _store.Store(None, 1 << 20)
    make = Counted(letters, pause=0.1)
    found = []
    threads = [threading.Thread(target=lambda: found.append(store.get("k", letters, make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert make.calls == 1 and len(found) == 8 and len(set(map(id, found))) == 1


def test_a_refusal_is_kept_and_other_errors_are_not(letters):
    store = _store.Store(None, 1 << 20)
    refusal = Counted(letters, error=gg.RefusedError("no"))
    for _ in range(3):
        with pytest.raises(gg.RefusedError, match="no"):
            store.get("k", letters, refusal)
    assert refusal.calls == 1
    passing = Counted(letters, error=OSError("disk"))
    for _ in range(3):
        with pytest.raises(OSError):
            store.get("other", letters, passing)
    assert passing.calls == 3


def test_the_number_of_refusals_is_bounded(letters):
    held = _store.Held(1)
    for number in range(3 * _store.REFUSALS):
        held.refuse(str(number), gg.RefusedError(str(number)))
    assert held.get("0") is None and held.get(str(3 * _store.REFUSALS - 1)) is not None
    assert len(held._refusals) == _store.REFUSALS


def test_memory_is_bounded_and_the_least_used_goes_first(letters):
    sizes = {name: len(gg.compile(gg.Regex(name), letters)) for name in "abc"}
    store = _store.Store(None, sizes["a"] + sizes["b"] + sizes["c"] - 1)
    makes = {name: Counted(letters, name) for name in "abc"}
    for name in "aba":
        store.get(name, letters, makes[name])
    store.get("c", letters, makes["c"])
    assert store.held_bytes == sizes["a"] + sizes["c"]
    store.get("a", letters, makes["a"])
    store.get("b", letters, makes["b"])
    assert [makes[name].calls for name in "abc"] == [1, 2, 1]


def test_an_artifact_larger_than_the_memory_is_used_and_not_kept(letters):
    store = _store.Store(None, 10)
    make = Counted(letters)
    assert store.get("k", letters, make).matcher().allowed() == [ord("a")]
    assert store.held_bytes == 0


def test_the_folder_serves_other_stores(letters, tmp_path):
    make = Counted(letters)
    for _ in range(2):
        folder = _store.Folder(tmp_path / "cache", 1 << 30)
        assert _store.Store(folder, 1 << 20).get("k", letters, make).matcher().allowed() == [ord("a")]
    assert make.calls == 1
    assert os.stat(tmp_path / "cache").st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"nonsense", None])
def test_a_broken_file_is_made_anew(letters, tmp_path, content):
    folder = _store.Folder(tmp_path, 1 << 30)
    make = Counted(letters)
    folder.get("k", letters, make)
    path = tmp_path / "k.gcg"
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(whole[: len(whole) // 2] if content is None else content)
    assert folder.get("k", letters, make).matcher().allowed() == [ord("a")]
    assert make.calls == 2 and path.read_bytes() == whole


def test_an_artifact_of_another_vocabulary_is_made_anew(letters, tmp_path):
    folder = _store.Folder(tmp_path, 1 << 30)
    folder.get("k", letters, Counted(letters))
    other = gg.Vocabulary([b"a", b"b"])
    assert folder.get("k", other, Counted(other)).matcher().allowed() == [0]


def test_the_folder_is_bounded(letters, tmp_path):
    size = len(gg.compile(gg.Regex("a"), letters))
    folder = _store.Folder(tmp_path, 3 * size + size // 2)
    for number, key in enumerate("abcd"):
        folder.get(key, letters, Counted(letters))
        os.utime(tmp_path / f"{key}.gcg", (number, number))
        if key == "c":
            os.utime(tmp_path / "a.gcg", (10, 10))
    assert sorted(path.stem for path in tmp_path.glob("*.gcg")) == ["a", "c", "d"]
    tiny = _store.Folder(tmp_path / "tiny", size - 1)
    assert tiny.get("k", letters, Counted(letters)).matcher().allowed() == [ord("a")]
    assert not list((tmp_path / "tiny").glob("*.gcg"))


def _compile_in_folder(path, log):
    vocabulary = gg.Vocabulary([b"a"])

    def make():
        with open(log, "a") as file:
            file.write("made\n")
        time.sleep(0.3)
        return gg.compile(gg.Regex("a"), vocabulary)

    _store.Folder(path, 1 << 30).get("k", vocabulary, make)


def test_processes_wait_for_one_compilation(tmp_path):
    pytest.importorskip("fcntl")
    context = multiprocessing.get_context("spawn")
    arguments = (str(tmp_path / "cache"), str(tmp_path / "log"))
    processes = [context.Process(target=_compile_in_folder, args=arguments) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert (tmp_path / "log").read_text() == "made\n"


def test_keys_differ_by_all_that_decides_the_artifact(letters):
    sources = [gg.Regex("a"), gg.Regex("b"), gg.Choice(["a"]), gg.Choice(["a\nb"]), gg.Choice(["a", "b"]), gg.Lark("a", start="s")]
    vocabularies = [letters, gg.Vocabulary([b"a"]), gg.Vocabulary([b"a"], width=9), gg.Vocabulary([b"a", b"b"], end_tokens=1)]
    keys = [_engine._key(source, letters, {}) for source in sources]
    keys += [_engine._key(sources[0], vocabulary, {}) for vocabulary in vocabularies[1:]]
    keys.append(_engine._key(sources[0], letters, {"whitespace": "compact"}))
    assert len(set(keys)) == len(keys)
    assert _engine._key(gg.Regex("a"), letters, {}) == keys[0]


def test_settings_of_the_environment():
    found = _engine.Settings.from_environment({"XDG_CACHE_HOME": "/c", "GCC_GRAMMAR_MEMORY_MB": "3"})
    assert str(found.folder) == "/c/gcc-grammar" and found.memory_bytes == 3 << 20
    found = _engine.Settings.from_environment({"GCC_GRAMMAR_CACHE": "", "GCC_GRAMMAR_OPTIONS": '{"whitespace": "compact"}'})
    assert found.folder is None and found.options == {"whitespace": "compact"}
    for name, value in [("OPTIONS", "[]"), ("OPTIONS", "{"), ("OPTIONS", '{"draft": "1"}'), ("CACHE_MB", "-1"), ("MEMORY_MB", "1.5")]:
        with pytest.raises(ValueError, match=f"GCC_GRAMMAR_{name}"):
            _engine.Settings.from_environment({f"GCC_GRAMMAR_{name}": value})


def test_a_folder_that_cannot_be_made_is_done_without(letters, tmp_path, caplog):
    (tmp_path / "file").write_text("")
    made = compiler(letters, tmp_path / "file" / "cache")
    assert made.compile("regex", "a").matcher().allowed() == [ord("a")]
    assert "GCC_GRAMMAR_CACHE" in caplog.text


def test_a_folder_without_locks_or_space_serves_nevertheless(letters, tmp_path, caplog, monkeypatch):
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_):
        raise OSError("no locks here")

    monkeypatch.setattr(fcntl, "flock", refuse)
    folder = _store.Folder(tmp_path, 1 << 30)
    make = Counted(letters)
    for _ in range(2):
        assert folder.get("k", letters, make).matcher().allowed() == [ord("a")]
    assert make.calls == 1 and "without a lock" in caplog.text
    # The folder was removed meanwhile.
    for path in [*tmp_path.iterdir()]:
        path.unlink()
    tmp_path.rmdir()
    assert folder.get("k", letters, make).matcher().allowed() == [ord("a")]
    assert make.calls == 2 and "not kept on disk" in caplog.text


def test_an_artifact_that_is_there_waits_for_no_lock(letters, tmp_path, monkeypatch):
    folder = _store.Folder(tmp_path, 1 << 30)
    make = Counted(letters)
    folder.get("k", letters, make)
    monkeypatch.setattr(folder, "_lock", lambda key: pytest.fail("a lock was taken"))
    folder.get("k", letters, make)
    assert make.calls == 1


@pytest.mark.parametrize(
    "text, notation",
    [
        ('start: "a"', "lark"),
        ('# ::= in a comment\nstart: "a"', "lark"),
        ('root ::= "a"', "ebnf"),
        ('root ::= TagDispatch(("<a>", x))\nx ::= "b"', "ebnf"),
        ('root ::= "a"++', "gbnf"),
        ('root ::= nothing', "ebnf"),
    ],
)
def test_the_notation_of_a_grammar_is_found(text, notation):
    assert _engine.source_of_request("grammar", text, {}).notation == notation


def test_requests_of_every_kind(letters):
    made = compiler(letters)
    for kind, text, valid in [
        ("json", '{"const": 1}', "1"),
        ("json_object", "", "{}"),
        ("any_json", "", "[]"),
        ("regex", "[ab]c", "bc"),
        ("choice", '["x", "yz"]', "yz"),
        ("grammar", 'root ::= "p" | "q"', "q"),
        ("grammar", 'start: "p"', "p"),
        ("structural_tag", '{"structures": [{"begin": "<f>", "schema": {"const": 1}, "end": "</f>"}], "triggers": ["<f"]}', "a<f>1</f>"),
    ]:
        matcher = made.compile(kind, text).matcher()
        assert matcher.try_commit_text(valid) and matcher.is_accepting, kind
    for kind, text in [("choice", '"x"'), ("choice", "[1]"), ("json", "{"), ("regex", "("), ("structural_tag", "[]"), ("structural_tag", '{"structures": [{}], "triggers": []}')]:
        with pytest.raises(gg.RefusedError):
            made.compile(kind, text)
    with pytest.raises(ValueError, match="no kind of request"):
        made.compile("yaml", "")


def test_a_vocabulary_for_each_set_of_end_tokens(letters):
    asked = []

    def vocabulary(ends):
        asked.append(ends)
        return gg.Vocabulary([b"a", b"b", b"c"], end_tokens=ends)

    made = _engine.Compiler(vocabulary, settings(None))
    for ends in ([1], {1}, (2, 1), [1, 2], None):
        assert made.compile("regex", "a", ends).vocabulary.end_tokens == (sorted(ends) if ends else [3])
    assert asked == [(1,), (1, 2), None]
    for end in range(3, 3 + 2 * _engine.VOCABULARIES):
        made.vocabulary([end])
    assert len(made._vocabularies) == _engine.VOCABULARIES


def test_a_vocabulary_is_made_once_and_holds_up_no_other():
    begun, go_on, asked = threading.Event(), threading.Event(), []

    def vocabulary(ends):
        asked.append(ends)
        if ends == (1,):
            begun.set()
            assert go_on.wait(10)
        return gg.Vocabulary([b"a", b"b", b"c"], end_tokens=ends)

    made = _engine.Compiler(vocabulary, settings(None))
    found = []
    threads = [threading.Thread(target=lambda: found.append(made.vocabulary([1]))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(10)
    assert made.vocabulary([2]).end_tokens == [2]
    go_on.set()
    for thread in threads:
        thread.join()
    assert asked == [(1,), (2,)] and len(found) == 3 and len(set(map(id, found))) == 1


def test_a_vocabulary_that_cannot_be_made_is_tried_again():
    answers = [gg.RefusedError("no"), gg.Vocabulary([b"a"])]

    def vocabulary(ends):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    made = _engine.Compiler(vocabulary, settings(None))
    with pytest.raises(gg.RefusedError, match="no"):
        made.vocabulary()
    assert made.vocabulary().width >= 1


def test_check_refuses_without_compiling():
    gg.check({"type": "object"})
    gg.check(gg.Choice(["a"]))
    with pytest.raises(gg.RefusedError) as error:
        gg.check({"type": "objekt"})
    assert error.value.diagnostics
    with pytest.raises(gg.RefusedError):
        gg.check(gg.Lark("start: nothing"))
    with pytest.raises(gg.RefusedError, match="whitespaces"):
        gg.check({}, whitespaces="any")


def test_rows_are_found_again_and_checked(letters):
    run = _engine.Run(gg.compile(gg.Regex("[ab]"), letters), 4)
    words = run.artifact.row_words
    expected = run.matcher.mask()
    arrays = [np.full((3, words + extra), -1, dtype=np.int32) for extra in (0, 0, 2)]
    for array in (arrays[0], arrays[0], arrays[1], arrays[2], arrays[0]):
        array.fill(-1)
        run.fill(array, 1)
        assert array[1, :words].tobytes() == expected and (array[1, words:] == 0).all()
        assert (array[0] == -1).all() and (array[2] == -1).all()
        for index in (-1, 3):
            with pytest.raises(IndexError):
                run.fill(array, index)
    for wrong in (np.zeros((3, words - 1), np.int32), np.zeros((0, words), np.int32), np.zeros((3, words), np.int64)):
        with pytest.raises((ValueError, IndexError, TypeError)):
            run.fill(wrong, 0)
    single = np.zeros((1, words), np.int32)
    run.fill(single, 0)
    assert single[0].tobytes() == expected
    strided = np.full((6, words), -1, dtype=np.int32)
    run.fill(strided[::2], 1)
    assert strided[2].tobytes() == expected and (strided[1] == -1).all()
