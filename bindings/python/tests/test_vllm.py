"""The adapter to vLLM, with stand-ins of its classes."""

import enum
import types

import engines
import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar import vllm as adapter


@pytest.fixture
def internals(monkeypatch, tmp_path):
    monkeypatch.setenv("GCC_GRAMMAR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("GCC_GRAMMAR_VLLM", "1")
    monkeypatch.delenv("GCC_GRAMMAR_OPTIONS", raising=False)
    modules = engines.vllm_modules()
    engines.install(monkeypatch, *modules)
    engines.forget(monkeypatch, "gcc_grammar._vllm_backend")
    return modules


@pytest.fixture
def backend(internals):
    adapter.register()
    return internals[0].XgrammarBackend(config(), engines.Tokenizer(), 40)


def config(drafts=0, compact=False):
    structured = types.SimpleNamespace(disable_any_whitespace=compact)
    return types.SimpleNamespace(num_speculative_tokens=drafts, structured_outputs_config=structured)


def compiled(backend, internals, kind, text, stop=frozenset({0})):
    return backend.compile_grammar(internals[1].StructuredOutputOptions[kind], text, stop_token_ids=set(stop))


def test_the_plugin_does_nothing_unless_it_is_wanted(internals, monkeypatch):
    for value in ("0", ""):
        monkeypatch.setenv("GCC_GRAMMAR_VLLM", value)
        adapter.register()
    monkeypatch.delenv("GCC_GRAMMAR_VLLM")
    adapter.register()
    assert internals[0].XgrammarBackend is object


def test_the_plugin_may_run_twice(internals):
    adapter.register()
    first = internals[0].XgrammarBackend
    adapter.register()
    assert internals[0].XgrammarBackend is first is not object


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda of: delattr(of.manager, "XgrammarBackend"), "has no XgrammarBackend"),
        (lambda of: delattr(of.manager.VllmConfig, "num_speculative_tokens"), "VllmConfig has no num_speculative_tokens"),
        (lambda of: delattr(of.xgrammar, "validate_xgrammar_grammar"), "has no validate_xgrammar_grammar"),
        (lambda of: delattr(of.exceptions, "VLLMClientError"), "has no VLLMClientError"),
        (
            lambda of: setattr(of.kinds.StructuredOutputGrammar, "rollback", lambda self, count, why: None),
            r"rollback takes \(count, why\) instead of \(num_tokens\)",
        ),
        (lambda of: setattr(of.kinds.StructuredOutputGrammar, "__abstractmethods__", frozenset({"jump"})), "also needs jump"),
        (
            lambda of: setattr(of.kinds, "StructuredOutputOptions", enum.Enum("Options", "JSON GRAMMAR TOOLS")),
            "there is a kind of request TOOLS",
        ),
    ],
)
def test_other_internals_are_reported(internals, change, message):
    change(types.SimpleNamespace(**dict(zip(("manager", "kinds", "xgrammar", "exceptions"), internals))))
    with pytest.raises(RuntimeError, match=message) as error:
        adapter.register()
    assert "unset GCC_GRAMMAR_VLLM" in str(error.value) and "0.32" in str(error.value)


def test_missing_internals_are_reported(monkeypatch):
    monkeypatch.setenv("GCC_GRAMMAR_VLLM", "1")
    engines.install(monkeypatch, engines.module("vllm.v1.other"))
    with pytest.raises(RuntimeError, match="does not fit into vLLM"):
        adapter.register()


@pytest.mark.parametrize(
    "kind, text, valid, invalid",
    [
        ("JSON", '{"const": {"a": 1}}', '{"a":1}', '{"b"'),
        ("JSON_OBJECT", "", "{}", "["),
        ("REGEX", "a{2}b", "aab", "ab"),
        ("GRAMMAR", 'root ::= "a" "b"', "ab", "b"),
        ("GRAMMAR", 'start: "ab"', "ab", "b"),
        ("CHOICE", '["a", "bb"]', "bb", "ba"),
        ("STRUCTURAL_TAG", '{"type": "structural_tag", "format": {"type": "const_string", "value": "ab"}}', "ab", "b"),
    ],
)
def test_requests_of_every_kind(backend, internals, kind, text, valid, invalid):
    ids = backend.tokenizer.ids
    grammar = compiled(backend, internals, kind, text)
    assert len(grammar.validate_tokens(ids(invalid))) < len(invalid)
    assert grammar.accept_tokens("r", ids(valid)) and not grammar.is_terminated()
    assert grammar.accept_tokens("r", [0]) and grammar.is_terminated()
    # A draft may go on behind the end.
    assert grammar.accept_tokens("r", ids("a")) and grammar.validate_tokens(ids("a")) == []
    grammar.reset()
    assert not grammar.accept_tokens("r", ids(invalid))


def test_rows_and_drafts(backend, internals):
    ids = backend.tokenizer.ids
    grammar = compiled(backend, internals, "REGEX", "ab1")
    rows = np.full((4, 3), -1, dtype=np.int32)
    draft = ids("ab1")
    for row, token in enumerate(draft):
        grammar.fill_bitmask(rows, row)
        assert grammar.accept_tokens("r", [token])
    grammar.fill_bitmask(rows, 3)
    assert [engines.bits(row) for row in rows] == [[token] for token in draft] + [[0]]
    grammar.rollback(3)
    again = np.full((1, 3), -1, dtype=np.int32)
    grammar.fill_bitmask(again, 0)
    assert (again[0] == rows[0]).all()
    # The end can be taken back, too.
    grammar.accept_tokens("r", [*draft, 0])
    grammar.rollback(2)
    assert not grammar.is_terminated() and grammar.validate_tokens(ids("1a")) == ids("1")


def bitmask(grammar, rows, drafts, start):
    """The rows of a step as vLLM's `grammar_bitmask` fills them: draft ``start`` is the first behind the end of thinking."""
    advanced = 0
    for row, token in enumerate(drafts):
        if row >= start and not grammar.is_terminated():
            grammar.fill_bitmask(rows, row)
        else:
            rows[row] = -1
        if row >= start and not grammar.is_terminated() and grammar.accept_tokens("r", [token]):
            advanced += 1
    if start <= len(drafts) and not grammar.is_terminated():
        grammar.fill_bitmask(rows, len(drafts))
    else:
        rows[len(drafts)] = -1
    if advanced > 0:
        grammar.rollback(advanced)


def test_a_request_that_is_thinking_is_constrained_behind_its_thoughts_only(backend, internals):
    ids = backend.tokenizer.ids
    grammar = compiled(backend, internals, "REGEX", "ab")
    rows = np.zeros((5, 2), dtype=np.int32)
    # All drafts are thoughts: nothing is committed, and every row allows everything.
    bitmask(grammar, rows, ids("11"), start=3)
    assert (rows[:3] == -1).all() and grammar.validate_tokens(ids("ab")) == ids("ab")
    # The second draft ends the thoughts.
    bitmask(grammar, rows, [*ids("1>"), *ids("ab")], start=2)
    assert (rows[:2] == -1).all() and [engines.bits(row) for row in rows[2:]] == [ids("a"), ids("b"), [0]]
    assert grammar.accept_tokens("r", ids("a")) and grammar.validate_tokens(ids("ab")) == []


def test_the_end_inside_of_drafts(backend, internals):
    ids = backend.tokenizer.ids
    grammar = compiled(backend, internals, "REGEX", "ab")
    rows = np.zeros((4, 2), dtype=np.int32)
    for _ in range(2):
        bitmask(grammar, rows, [*ids("ab"), 0], start=0)
        assert [engines.bits(row) for row in rows[:3]] == [ids("a"), ids("b"), [0]] and (rows[3] == -1).all()
        assert not grammar.is_terminated()
    assert grammar.accept_tokens("r", [*ids("ab"), 0, *ids("a")]) and grammar.is_terminated()
    # Only what was committed can be taken back; the token behind the end was not.
    grammar.rollback(1)
    assert grammar.validate_tokens([0]) == [0]


def test_a_draft_that_is_refused_changes_nothing(backend, internals):
    ids = backend.tokenizer.ids
    grammar = compiled(backend, internals, "REGEX", "aab")
    assert not grammar.accept_tokens("r", ids("ab"))
    # The first token of the two was committed, as with XGrammar.
    assert grammar.validate_tokens(ids("ab")) == ids("ab")
    grammar.rollback(1)
    assert grammar.validate_tokens(ids("aab1")) == ids("aab")


def test_more_than_was_committed_cannot_be_taken_back(backend, internals):
    grammar = compiled(backend, internals, "REGEX", "aa")
    assert grammar.accept_tokens("r", backend.tokenizer.ids("a"))
    with pytest.raises(gg.Error):
        grammar.rollback(2)


def test_long_drafts_can_be_taken_back(internals):
    adapter.register()
    backend = internals[0].XgrammarBackend(config(drafts=300), engines.Tokenizer(), 40)
    grammar = compiled(backend, internals, "REGEX", "a*")
    assert grammar.accept_tokens("r", backend.tokenizer.ids("a" * 300))
    grammar.rollback(300)


def test_stop_tokens_of_a_request_end_it(backend, internals):
    stop = backend.tokenizer.words["1"]
    grammar = compiled(backend, internals, "REGEX", "ab", {0, stop})
    assert grammar.accept_tokens("r", backend.tokenizer.ids("ab"))
    rows = np.zeros((1, 2), dtype=np.int32)
    grammar.fill_bitmask(rows, 0)
    assert engines.bits(rows[0]) == [0, stop]
    # Ids that the model does not have are no reason to refuse a request.
    compiled(backend, internals, "REGEX", "ab", {0, 10_000})


def test_compact_json(internals):
    adapter.register()
    backend = internals[0].XgrammarBackend(config(compact=True), engines.Tokenizer(characters="{} a"), 8)
    grammar = compiled(backend, internals, "JSON_OBJECT", "")
    assert grammar.validate_tokens(backend.tokenizer.ids("{ }")) == backend.tokenizer.ids("{")


def params(**given):
    names = ("json", "json_object", "regex", "choice", "grammar", "structural_tag")
    structured = types.SimpleNamespace(**{name: given.get(name) for name in names})
    return types.SimpleNamespace(structured_outputs=structured)


def test_the_front_refuses_with_diagnostics(internals):
    adapter.register()
    validate = internals[2].validate_xgrammar_grammar
    for good in (params(json={"type": "integer"}), params(json_object=True), params(choice=["a"]), params(grammar='start: "a"')):
        validate(good)
    validate(types.SimpleNamespace(structured_outputs=None))
    for bad, message in (
        (params(json={"type": "integre"}), "integre"),
        (params(json="{"), "text ends"),
        (params(regex="("), "error"),
        (params(grammar="root ::= nothing"), "nothing"),
        (params(structural_tag="{}"), "type"),
    ):
        with pytest.raises(internals[3].VLLMClientError, match=message) as error:
            validate(bad)
        assert isinstance(error.value, ValueError) and not isinstance(error.value, gg.Error)


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("GCC_GRAMMAR_OPTIONS", "{", "GCC_GRAMMAR_OPTIONS is not JSON"),
        ("GCC_GRAMMAR_OPTIONS", '{"whitespaces": "any"}', "GCC_GRAMMAR_OPTIONS has an option that cannot be used.*whitespaces"),
        ("GCC_GRAMMAR_OPTIONS", '{"whitespace": "none"}', "GCC_GRAMMAR_OPTIONS has an option that cannot be used.*white space"),
        ("GCC_GRAMMAR_CACHE_MB", "1 GB", "GCC_GRAMMAR_CACHE_MB is a number of megabytes, not '1 GB'"),
    ],
)
def test_settings_that_cannot_be_used_are_said_at_the_start(internals, monkeypatch, name, value, message):
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=message):
        adapter.register()
    assert internals[0].XgrammarBackend is object


def test_artifacts_are_shared_between_processes_by_the_folder(backend, internals, tmp_path):
    # The artifact comes in the background.
    compiled(backend, internals, "REGEX", "ab").run.artifact.complete()
    assert len(list((tmp_path / "cache").glob("v1/*/*/*.gcg"))) == 1
    other = internals[0].XgrammarBackend(config(), engines.Tokenizer(), 40)
    compiled(other, internals, "REGEX", "ab")
    assert len(list((tmp_path / "cache").glob("v1/*/*/*.gcg"))) == 1
    backend.destroy()
    assert backend.compiler is None


def test_a_tokenizer_that_cannot_be_read_is_named(internals):
    adapter.register()
    backend = internals[0].XgrammarBackend(config(), object(), 40)
    with pytest.raises(gg.RefusedError, match="tokenizer object is not supported"):
        compiled(backend, internals, "REGEX", "ab")
