"""Artifacts are compiled once, kept within bounds, and found again."""

import multiprocessing
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar import _engine, _memory


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
    store = _memory.Memory(1 << 20)
    make = Counted(letters, pause=0.1)
    found = []
    threads = [threading.Thread(target=lambda: found.append(store.get("k", make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert make.calls == 1 and len(found) == 8 and len(set(map(id, found))) == 1


def test_a_refusal_is_kept_and_other_errors_are_not(letters):
    store = _memory.Memory(1 << 20)
    refusal = Counted(letters, error=gg.RefusedError("no"))
    for _ in range(3):
        with pytest.raises(gg.RefusedError, match="no"):
            store.get("k", refusal)
    assert refusal.calls == 1
    passing = Counted(letters, error=OSError("disk"))
    for _ in range(3):
        with pytest.raises(OSError):
            store.get("other", passing)
    assert passing.calls == 3


def test_the_number_of_refusals_is_bounded(letters):
    held = _memory.Held(1)
    for number in range(3 * _memory.REFUSALS):
        held.refuse(str(number), gg.RefusedError(str(number)))
    assert held.get("0") is None and held.get(str(3 * _memory.REFUSALS - 1)) is not None
    assert len(held._refusals) == _memory.REFUSALS


def test_memory_is_bounded_and_the_least_used_goes_first(letters):
    sizes = {name: len(gg.compile(gg.Regex(name), letters)) for name in "abc"}
    store = _memory.Memory(sizes["a"] + sizes["b"] + sizes["c"] - 1)
    makes = {name: Counted(letters, name) for name in "abc"}
    for name in "aba":
        store.get(name, makes[name])
    store.get("c", makes["c"])
    assert store.held_bytes == sizes["a"] + sizes["c"]
    store.get("a", makes["a"])
    store.get("b", makes["b"])
    assert [makes[name].calls for name in "abc"] == [1, 2, 1]


def test_an_artifact_larger_than_the_memory_is_used_and_not_kept(letters):
    store = _memory.Memory(10)
    make = Counted(letters)
    assert store.get("k", make).matcher().allowed() == [ord("a")]
    assert store.held_bytes == 0


def files(folder):
    return sorted(folder.glob("v1/*/*/*.gcg"))


def test_a_store_serves_other_stores(letters, tmp_path):
    made = gg.Store(tmp_path / "a").compile(gg.Regex("a"), letters)
    [path] = files(tmp_path / "a")
    assert path.stem == made.key == gg.artifact_key(gg.Regex("a"), letters) and path.read_bytes() == made.to_bytes()
    for store in [gg.Store(tmp_path / "a"), gg.Store(f"file://{tmp_path}/a", cache=tmp_path / "b"), gg.Store(cache=tmp_path / "b")]:
        assert store.get(made.key, letters).matcher().allowed() == [ord("a")]
    assert gg.Store(tmp_path / "a").get("7" * 64, letters) is None
    with pytest.raises(gg.Error):
        gg.Store(tmp_path / "a").get("key", letters)
    with pytest.raises(ValueError, match="address or a cache"):
        gg.Store()


def test_what_the_command_line_puts_into_a_store_is_found(tmp_path):
    (tmp_path / "list.jsonl").write_text('{"id": 1, "schema": {"type": "integer"}}\n')
    batch = ["batch", str(tmp_path / "list.jsonl"), "--vocab", "llama3", "--store", str(tmp_path / "store")]
    subprocess.run([sys.executable, "-m", "gcc_grammar", *batch], check=True)
    vocabulary = gg.Vocabulary("llama3")
    found = gg.Store(tmp_path / "store").get(gg.artifact_key({"type": "integer"}, vocabulary), vocabulary)
    assert found.matcher().mask() == gg.compile({"type": "integer"}, vocabulary).matcher().mask()


@pytest.mark.parametrize("content", [b"", b"nonsense", None])
def test_a_broken_file_is_made_anew(letters, tmp_path, caplog, content):
    store = gg.Store(cache=tmp_path)
    made = store.compile(gg.Regex("a"), letters)
    [path] = files(tmp_path)
    whole = path.read_bytes()
    path.unlink()
    path.write_bytes(whole[: len(whole) // 2] if content is None else content)
    with pytest.raises(gg.RefusedError):
        store.get(made.key, letters)
    assert store.compile(gg.Regex("a"), letters).matcher().allowed() == [ord("a")]
    assert path.read_bytes() == whole and "store of artifacts" in caplog.text


def test_a_cache_is_bounded(letters, tmp_path):
    size = len(gg.compile(gg.Regex("a"), letters))
    store = gg.Store(cache=tmp_path, cache_bytes=4 * size)
    for letter in "abcdefgh":
        store.compile(gg.Regex(letter), letters)
    assert 0 < sum(path.stat().st_size for path in files(tmp_path)) <= 4 * size
    tiny = gg.Store(cache=tmp_path / "tiny", cache_bytes=size - 1)
    assert tiny.compile(gg.Regex("a"), letters).matcher().allowed() == [ord("a")]
    assert not files(tmp_path / "tiny")


def test_a_store_that_cannot_be_written_serves_nevertheless(letters, tmp_path, caplog):
    (tmp_path / "store" / "v1").mkdir(parents=True)
    store = gg.Store(tmp_path / "store")
    (tmp_path / "store" / "v1").rmdir()
    (tmp_path / "store" / "v1").write_text("not a folder")
    for _ in range(2):
        assert store.compile(gg.Regex("a"), letters).matcher().allowed() == [ord("a")]
    assert "store of artifacts" in caplog.text


def test_refusals_are_not_the_store(letters, tmp_path):
    with pytest.raises(gg.RefusedError):
        gg.Store(tmp_path).compile(gg.Regex("("), letters)
    with pytest.raises(gg.OverBudgetError):
        gg.Store(tmp_path).compile(gg.Regex("a{1000}"), letters, limits={"work": 10})


def _compile_in_store(path, barrier, origins):
    vocabulary = gg.Vocabulary([b"a"])
    barrier.wait()
    # What was compiled here has the warnings of the compiler as data; what was found has their messages.
    artifact = gg.Store(cache=path).compile(gg.Regex("a{1,300}"), vocabulary)
    origins.put(artifact.to_bytes())


def test_processes_share_a_store(tmp_path):
    context = multiprocessing.get_context("spawn")
    barrier, contents = context.Barrier(3), context.Queue()
    processes = [context.Process(target=_compile_in_store, args=(str(tmp_path), barrier, contents)) for _ in range(3)]
    for process in processes:
        process.start()
    found = {contents.get() for _ in processes}
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert found == {files(tmp_path)[0].read_bytes()} and len(files(tmp_path)) == 1


def test_engines_use_the_store_of_the_environment(letters, tmp_path):
    """An engine finds what a batch has put into the store, and copies it to its cache."""
    made = gg.Store(tmp_path / "store").compile({"type": "null"}, letters)
    for cache in ["", str(tmp_path / "cache")]:
        environment = {"GCC_GRAMMAR_STORE": str(tmp_path / "store"), "GCC_GRAMMAR_CACHE": cache}
        engine = _engine.Compiler(lambda ends: letters, _engine.Settings.from_environment(environment))
        assert engine.compile("json", '{"type": "null"}').key == made.key
    assert [path.stem for path in files(tmp_path / "cache")] == [made.key]
    assert [path.stem for path in files(tmp_path / "store")] == [made.key]


def test_keys_differ_by_all_that_decides_the_artifact(letters):
    sources = [gg.Regex("a"), gg.Regex("b"), gg.Choice(["a"]), gg.Choice(["a\nb"]), gg.Choice(["a", "b"]), gg.Lark('s: "a"', start="s")]
    sources += [gg.JsonSchema({"type": "integer"}), gg.Gbnf('root ::= "a"'), gg.Ebnf('root ::= "a"')]
    vocabularies = [letters, gg.Vocabulary([b"a"]), gg.Vocabulary([b"a"], width=9), gg.Vocabulary([b"a", b"b"], end_tokens=1)]
    keys = [gg.artifact_key(source, letters) for source in sources]
    keys += [gg.artifact_key(sources[0], vocabulary) for vocabulary in vocabularies[1:]]
    keys.append(gg.artifact_key({"type": "integer"}, letters, whitespace="compact"))
    assert len(set(keys)) == len(keys)
    assert gg.artifact_key(gg.Regex("a"), letters, limits={"work": 10**9}) == keys[0] == gg.compile(gg.Regex("a"), letters).key


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
    with pytest.raises(gg.Error):
        _engine.Settings({}, None, str(tmp_path / "file" / "store")).store()


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
    assert len(made._sessions) == _engine.VOCABULARIES


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
