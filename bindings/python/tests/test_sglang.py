"""The adapter to SGLang, with stand-ins of its classes."""

import types

import engines
import numpy as np
import pytest

from gcc_grammar import sglang as adapter


@pytest.fixture
def internals(monkeypatch, tmp_path):
    monkeypatch.setenv("GCC_GRAMMAR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GCC_GRAMMAR_OPTIONS", raising=False)
    modules = engines.sglang_modules()
    engines.install(monkeypatch, *modules)
    engines.forget(monkeypatch, "gcc_grammar._sglang_backend")
    return modules


def make(internals, **arguments):
    adapter.register()
    create = internals[0].GRAMMAR_BACKEND_REGISTRY["gcc"]
    return create(types.SimpleNamespace(reasoning_parser=None, **arguments), engines.Tokenizer(), 40, {0})


@pytest.fixture
def backend(internals):
    return make(internals)


IDS = engines.Tokenizer().ids


def test_the_plugin_registers_the_backend_and_its_choice(internals):
    adapter.register()
    adapter.register()
    assert list(internals[0].GRAMMAR_BACKEND_REGISTRY) == ["gcc"]
    assert internals[1].GRAMMAR_BACKEND_CHOICES == ["xgrammar", "none", "gcc"]


def test_other_internals_are_reported(internals):
    internals[0].BaseGrammarObject.rollback = lambda self, count: None
    with pytest.raises(RuntimeError, match=r"rollback takes \(count\) instead of \(k\).*SGLANG_PLUGINS"):
        adapter.register()
    del internals[0].InvalidGrammarObject
    with pytest.raises(RuntimeError, match="has no InvalidGrammarObject"):
        adapter.register()


@pytest.mark.parametrize(
    "kind, text, valid",
    [
        ("json", '{"const": {"a": 1}}', '{"a":1}'),
        ("json", "$$ANY$$", "[1]"),
        ("regex", "a{2}b", "aab"),
        ("ebnf", 'root ::= "a" "b"', "ab"),
        ("ebnf", 'start: "ab"', "ab"),
        ("structural_tag", '{"structures": [{"begin": "<a>", "schema": {"const": 1}, "end": "</a>"}], "triggers": ["<a"]}', "b<a>1</a>"),
    ],
)
def test_requests_of_every_kind(backend, kind, text, valid):
    grammar = getattr(backend, f"dispatch_{kind}")(text)
    for token in IDS(valid):
        grammar.accept_token(token)
    assert not grammar.is_terminated()
    grammar.accept_token(0)
    assert grammar.is_terminated() and grammar.current_token == 0
    grammar.accept_token(IDS("a")[0])
    other = grammar.copy()
    assert not other.is_terminated()
    other.accept_token(IDS(valid)[0])


def test_what_cannot_be_compiled_is_an_invalid_grammar(backend, internals):
    for kind, text, message in [
        ("json", '{"type": "integre"}', "integre"),
        ("json", "{", "text ends"),
        ("regex", "(", "error"),
        ("ebnf", "root ::= nothing", "nothing"),
        ("structural_tag", "{}", "type"),
    ]:
        found = getattr(backend, f"dispatch_{kind}")(text)
        assert isinstance(found, internals[0].InvalidGrammarObject) and message in found.error_message


def test_a_token_that_is_not_allowed_raises(backend):
    grammar = backend.dispatch_regex("ab")
    grammar.accept_token(IDS("a")[0])
    with pytest.raises(ValueError, match=f"does not allow token {IDS('a')[0]} after 1 tokens"):
        grammar.accept_token(IDS("a")[0])
    grammar.rollback(1)
    grammar.accept_token(IDS("a")[0])


@pytest.mark.parametrize("words", [2, 3])
def test_rows_of_a_batch(backend, words):
    row = types.SimpleNamespace
    grammars = [backend.dispatch_regex(pattern) for pattern in ("a", "b", "1")]
    mask = np.full((5, words), -1, dtype=np.int32)
    entries = [row(row=place, grammar=grammar) for place, grammar in zip((3, 0, 2), grammars)]
    type(grammars[0]).fill_vocab_mask_batched(entries, mask)
    assert [engines.bits(mask[place]) for place in (3, 0, 2)] == [IDS("a"), IDS("b"), IDS("1")]
    assert (mask[1] == -1).all() and (mask[4] == -1).all()
    type(grammars[0]).fill_vocab_mask_batched([], mask)


def test_grammars_of_others_fill_themselves(backend):
    class Reasoner:
        def fill_vocab_mask(self, vocab_mask, idx):
            vocab_mask[idx] = 7

    own = backend.dispatch_regex("a")
    mask = np.full((2, 2), -1, dtype=np.int32)
    entries = [types.SimpleNamespace(row=0, grammar=Reasoner()), types.SimpleNamespace(row=1, grammar=own)]
    type(own).fill_vocab_mask_batched(entries, mask)
    assert mask[0].tolist() == [7, 7] and engines.bits(mask[1]) == IDS("a")


def test_jump_forward(backend):
    grammar = backend.dispatch_regex("a(ab)1?b|ab")
    assert grammar.try_jump_forward(None) == ([], "a")
    grammar.accept_token(IDS("a")[0])
    assert grammar.try_jump_forward(None) is None
    grammar.accept_token(IDS("a")[0])
    helper = grammar.try_jump_forward(None)
    assert grammar.jump_forward_str_state(helper) == ("b", -1)
    grammar.jump_and_retokenize(IDS("aa"), IDS("aab1"), -1)
    assert grammar.try_jump_forward(None) == ([], "b")
    grammar.jump_and_retokenize(IDS("aab1"), IDS("ab"), -1)
    grammar.accept_token(0)
    assert grammar.is_terminated()


def test_the_caches_are_bounded(backend, internals):
    from gcc_grammar import _sglang_backend

    assert backend.cache.get("nothing") is None
    for number in range(_sglang_backend.GRAMMARS + 10):
        backend.set_cache(("regex", str(number)), number)
        backend.cache.get(("regex", "0"))
    assert len(backend.cache) == _sglang_backend.GRAMMARS and backend.cache.bytes == 0
    assert backend.cache.get(("regex", "0")) == 0 and backend.cache.get(("regex", "1")) is None
    backend.dispatch_regex("a")
    assert backend.compiler._memory.held_bytes > 0
    backend.reset()
    assert len(backend.cache) == 0 and backend.compiler._memory.held_bytes == 0


def test_the_cache_is_bounded_in_bytes(backend):
    grammars = [backend.dispatch_regex(pattern) for pattern in ("a", "b", "1")]
    for grammar in grammars:
        grammar.run.artifact.complete()
    sizes = [len(grammar.run.artifact) for grammar in grammars]
    backend.cache.most_bytes = sizes[0] + sizes[2]
    backend.set_cache(("regex", "a"), grammars[0])
    backend.set_cache(("regex", "b"), types.SimpleNamespace(grammar=grammars[1]))
    assert backend.cache.get(("regex", "a")) is grammars[0]
    backend.set_cache(("regex", "1"), grammars[2])
    assert list(backend.cache) == [("regex", "a"), ("regex", "1")] and backend.cache.bytes == sizes[0] + sizes[2]
    backend.set_cache(("regex", "a"), grammars[0])
    assert backend.cache.bytes == sizes[0] + sizes[2]
    assert backend.cache.pop(("regex", "1")) is grammars[2] and backend.cache.pop("nothing", 7) == 7
    assert backend.cache.bytes == sizes[0]
    # What does not fit at all is not kept.
    backend.cache.most_bytes = 1
    backend.set_cache(("regex", "b"), grammars[1])
    assert len(backend.cache) == 0 and backend.cache.bytes == 0


def test_a_tree_of_drafts(backend):
    """As `traverse_tree` of SGLang: fill, accept, fill, accept, rollback, the sibling."""
    grammar = backend.dispatch_regex("a(b|1a)")
    mask = np.full((6, 2), -1, dtype=np.int32)

    def visit(node, tree):
        token, children = tree[node]
        if token is not None:
            grammar.accept_token(token)
        if not grammar.is_terminated():
            grammar.fill_vocab_mask(mask, node)
            for child in children:
                visit(child, tree)
        if token is not None:
            grammar.rollback(1)

    a, b, one = IDS("ab1")
    visit(0, {0: (None, [1]), 1: (a, [2, 4]), 2: (b, [3]), 3: (0, []), 4: (one, [])})
    assert [engines.bits(row) for row in mask[:3]] == [[a], sorted([b, one]), [0]] and engines.bits(mask[4]) == [a]
    # Behind the end nothing is filled, and all was taken back.
    assert (mask[3] == -1).all() and not grammar.is_terminated() and grammar.run.matcher.committed == 0


def test_filters_of_single_tokens(backend):
    mask = np.full((2, 2), -1, dtype=np.int32)
    backend.set_token_filter(mask, [3, 31, 33], 0)
    assert engines.bits(mask[0]) == [3, 31, 33] and (mask[1] == -1).all()
    backend.set_token_filter(mask, [31], 0, is_allowed=False, reset_vocab_mask=False)
    assert engines.bits(mask[0]) == [3, 33]
    backend.set_token_filter(mask, [5, 31], 1, is_allowed=False)
    assert sorted(set(range(64)) - set(engines.bits(mask[1]))) == [5, 31]


def test_compact_json(internals):
    backend = make(internals, constrained_json_disable_any_whitespace=True)
    grammar = backend.dispatch_json('{"const": ["a"]}')
    for token in IDS('["a"'):
        grammar.accept_token(token)
    assert grammar.try_jump_forward(None) == ([], "]")


def test_reasoning_is_wrapped(internals, monkeypatch):
    from gcc_grammar import _sglang_backend

    class ReasonerGrammarBackend:
        def __init__(self, grammar_backend, reasoning_parser, tokenizer, enable_strict_thinking=False):
            self.inner, self.parser, self.strict, self.cache = grammar_backend, reasoning_parser, enable_strict_thinking, {}

    class ReasoningParser:
        def __init__(self, model_type, stream_reasoning, tokenizer):
            self.model_type = model_type

    reasoner = engines.module("sglang.srt.constrained.reasoner_grammar_backend", ReasonerGrammarBackend=ReasonerGrammarBackend)
    parser = engines.module("sglang.srt.parser.reasoning_parser", ReasoningParser=ReasoningParser)
    engines.install(monkeypatch, reasoner, parser)
    arguments = types.SimpleNamespace(reasoning_parser="qwen3", enable_strict_thinking=True)
    wrapped = adapter.create(arguments, engines.Tokenizer(), 40, 0)
    assert isinstance(wrapped.inner, _sglang_backend.GccBackend) and wrapped.inner.end_tokens == [0]
    assert wrapped.parser.model_type == "qwen3" and wrapped.strict and isinstance(wrapped.cache, _sglang_backend.Recent)
    for name in ("allocate_vocab_mask", "move_vocab_mask", "apply_vocab_mask", "set_token_filter", "is_support_token_filter"):
        assert getattr(wrapped.inner, name)
