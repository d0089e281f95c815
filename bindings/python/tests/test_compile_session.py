"""A session of compilations makes the artifacts that compiling alone makes."""

import threading

import pytest

import gcc_grammar as gg
from gcc_grammar import _engine

SCHEMAS = [
    {"type": "object", "properties": {"n": {"type": "integer"}, "day": {"type": "string", "format": "date"}}},
    {"type": "object", "properties": {"m": {"type": "integer"}}, "required": ["m"]},
    {"type": "array", "items": {"type": "string", "maxLength": 9}},
    True,
]


@pytest.fixture(scope="module")
def vocabulary():
    return gg.Vocabulary([bytes([byte]) for byte in range(32, 127)] + [b'"}', b'":', b', "', b"19", b"20"])


def test_artifacts_are_those_of_compiling_alone(vocabulary):
    alone = [gg.compile(schema, vocabulary).to_bytes() for schema in SCHEMAS]
    for session in (gg.CompileSession(vocabulary), gg.CompileSession(vocabulary, max_bytes=20_000)):
        assert session.vocabulary is vocabulary and session.bytes == 0
        for _ in range(2):
            assert [session.compile(schema).to_bytes() for schema in SCHEMAS] == alone
        assert session.bytes > 0
    whole = gg.CompileSession(vocabulary)
    embedded = whole.compile(SCHEMAS[0], embed_vocabulary=True).to_bytes()
    assert embedded == gg.compile(SCHEMAS[0], vocabulary, embed_vocabulary=True).to_bytes() != alone[0]
    assert whole.compile(SCHEMAS[0]).to_bytes() == alone[0]


def test_what_was_compiled_is_not_compiled_again(vocabulary):
    session = gg.CompileSession(vocabulary)
    artifact = session.compile(SCHEMAS[2])
    # With this limit it cannot be compiled, but it has been.
    assert session.compile(SCHEMAS[2], limits={"work": 1}).to_bytes() == artifact.to_bytes()
    with pytest.raises(gg.OverBudgetError):
        session.compile({"type": "array", "items": {"type": "string", "maxLength": 8}}, limits={"work": 1})
    with pytest.raises(gg.RefusedError, match="whitespaces"):
        session.compile(True, whitespaces="any")
    assert session.compile({"type": "integer"}).matcher().allowed()


def test_warnings(vocabulary):
    source = gg.Lark('start: "a"\nother: "b"\n')
    session, alone = gg.CompileSession(vocabulary), gg.compile(source, vocabulary)
    assert alone.warnings and session.compile(source).warnings == alone.warnings
    kept = session.compile(source).warnings
    assert [warning["message"] for warning in kept] == [warning["message"] for warning in alone.warnings]


def test_a_store_compiles_in_a_session(vocabulary, tmp_path):
    store, session = gg.Store(tmp_path), gg.CompileSession(vocabulary)
    made = store.compile(SCHEMAS[0], session)
    assert session.bytes > 0
    assert made.to_bytes() == gg.compile(SCHEMAS[0], vocabulary).to_bytes()
    assert store.get(made.key, vocabulary).to_bytes() == made.to_bytes()


def test_threads_share_a_session(vocabulary):
    session, alone = gg.CompileSession(vocabulary), [gg.compile(schema, vocabulary).to_bytes() for schema in SCHEMAS]
    found = []

    def work():
        found.append([session.compile(schema).to_bytes() for schema in SCHEMAS])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


@pytest.mark.parametrize("folder", [None, "store"])
def test_engines_compile_in_sessions(vocabulary, tmp_path, folder):
    settings = _engine.Settings({}, folder and tmp_path / folder)
    compiler = _engine.Compiler(lambda ends: vocabulary, settings)
    made = compiler.compile("json", '{"type": "integer"}')
    assert made.to_bytes() == gg.compile({"type": "integer"}, vocabulary).to_bytes()
    assert compiler._session(None).bytes > 0
    # Sessions that may keep nothing.
    bare = _engine.Compiler(lambda ends: vocabulary, _engine.Settings({}, None, session_bytes=0))
    assert bare.compile("json", '{"type": "integer"}').to_bytes() == made.to_bytes()


def test_masks_on_demand_are_those_of_the_artifact(tmp_path) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 5}, "b": {"type": "integer"}}, "required": ["a"]}
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)] + [b'{"', b'a": "', b'", "b', b"12"])
    whole = gg.compile(schema, vocabulary)
    session = gg.CompileSession(vocabulary)
    store = gg.Store(tmp_path / "store")
    ways = [
        gg.compile(schema, vocabulary, on_demand=True),
        session.compile(schema, on_demand=True),
        store.compile(schema, vocabulary, on_demand=True),
        store.compile(schema, session, on_demand=True),
    ]
    for lazy in ways:
        one, two = whole.matcher(), lazy.matcher()
        for step, token in enumerate(b'{"a": "xyz", "b": 12}'):
            assert one.allowed() == two.allowed()
            one.commit(token)
            two.commit(token)
            if step == 4:
                lazy.complete()
        assert lazy.is_complete and one.allowed() == two.allowed()
        assert lazy.to_bytes() == whole.to_bytes() and lazy.key == whole.key and lazy.report == whole.report
        assert lazy.restore(two.save()).allowed() == one.allowed()
    assert store.get(gg.artifact_key(schema, vocabulary), vocabulary) is not None
    # Those that were compiled are found at once.
    assert session.compile(schema, on_demand=True).is_complete and store.compile(schema, vocabulary, on_demand=True).is_complete


def test_on_demand_refuses_what_compile_refuses() -> None:
    vocabulary = gg.Vocabulary([b"1", b"2"])
    with pytest.raises(gg.RefusedError):
        gg.compile({"type": "nothing"}, vocabulary, on_demand=True)
    with pytest.raises(gg.RefusedError, match="embed_vocabulary"):
        gg.compile(True, vocabulary, on_demand=True, embed_vocabulary=True)
    # The automata are small, and the artifact is too large.
    lazy = gg.compile({"type": "integer"}, vocabulary, on_demand=True, limits={"dwa_states": 0})
    assert lazy.matcher().allowed() == [0, 1]
    with pytest.raises(gg.OverBudgetError):
        lazy.complete()


SOURCES = {
    "schema": {"type": "object", "properties": {"a": {"type": "string"}}},
    "lark": gg.Lark("start: /a+/ start?"),
    "gbnf": gg.Gbnf('root ::= "a" root | "b"', start="root"),
    "regex": gg.Regex("a{3}"),
    "choices": gg.Choice(["a", "b\nc"]),
    "tools": gg.Tools([{"name": "f", "parameters": {"type": "object"}}], model="hermes"),
}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_what_is_known_of_an_artifact_on_demand_is_that_of_the_whole(source) -> None:
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)])
    lazy, whole = gg.compile(source, vocabulary, on_demand=True), gg.compile(source, vocabulary)
    assert (lazy.key, lazy.source) == (whole.key, whole.source)
    assert f"Artifact of {whole.source.notation}" in repr(lazy) and whole.source.notation in lazy._repr_html_()
    lazy.complete()
    assert (lazy.key, lazy.source) == (whole.key, whole.source)
    assert [warning["message"] for warning in lazy.warnings] == [warning["message"] for warning in whole.warnings]


@pytest.mark.filterwarnings("ignore::gcc_grammar.GrammarWarning")
def test_warnings_of_the_whole_are_there_when_it_is_complete() -> None:
    """Those of the front end keep their code and place."""
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)])
    schema = {"type": "array", "uniqueItems": True, "default": 1, "contains": {"type": "integer"}, "minContains": 0}
    lazy, whole = gg.compile(schema, vocabulary, on_demand=True), gg.compile(schema, vocabulary)
    lazy.complete()
    assert len(whole.warnings) > 0
    assert [warning["message"] for warning in lazy.warnings] == [warning["message"] for warning in whole.warnings]
    front = gg.check(schema).warnings
    assert front == [warning for warning in lazy.warnings if "code" in warning]


@pytest.mark.parametrize("limits", [{"dwa_states": 1}, {"dwa_states": 20}])
def test_a_limit_is_the_reason_why_an_artifact_on_demand_has_no_budgets(limits) -> None:
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)] + [b'":', b'ab"}'])
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 60}, "b": {"format": "date"}}, "required": ["a", "b"]}
    lazy = gg.compile(schema, vocabulary, on_demand=True, limits=limits)
    matcher = lazy.matcher()
    for call in (lazy.complete, lambda: matcher.set_budget(100), matcher.min_remaining, matcher.shortest_completion):
        with pytest.raises(gg.OverBudgetError, match="dwa_states"):
            call()
    # What needs no artifact is there all the same.
    assert lazy.key == gg.artifact_key(schema, vocabulary) and lazy.source.notation == "json-schema" and not lazy.is_complete
    assert "Artifact of json-schema" in repr(lazy) and "Matcher of" in repr(matcher) and "json-schema" in lazy._repr_html_()
    assert lazy.warnings == gg.check(schema).warnings and matcher.count_allowed() > 0


def test_other_artifacts_without_budgets_say_so() -> None:
    vocabulary = gg.Vocabulary([bytes([byte]) for byte in range(256)])
    for on_demand in (False, True):
        matcher = gg.compile(gg.Regex("a+"), vocabulary, budgets="off", on_demand=on_demand).matcher()
        with pytest.raises(gg.RefusedError, match="has no budgets: they were off"):
            matcher.set_budget(5)
        with pytest.raises(gg.RefusedError, match="has no budgets: they were off"):
            matcher.min_remaining()
