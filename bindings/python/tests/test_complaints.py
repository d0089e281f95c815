"""What users complain of about other engines, one test for each thread: vllm is github.com/vllm-project/vllm, and so on.

The behaviour is described in docs/complaints.md, under the name of the complaint.
"""

import copy
import json
import sys
import threading
import types

import engines
import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar import _engine

END = 262
ROW = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}, "required": ["a", "b"]}


def tool(number):
    properties = {f"argument_{number}": {"type": "string"}, "count": {"type": "integer"}, "kind": {"enum": ["a", "b", str(number)]}}
    parameters = {"type": "object", "properties": properties, "required": ["count"], "additionalProperties": False}
    return {"type": "function", "function": {"name": f"tool_{number}", "parameters": parameters, "strict": True}}


def commit(matcher, text):
    for byte in text.encode():
        matcher.commit(byte)


def accepts(artifact, text):
    matcher = artifact.matcher()
    return all(matcher.try_commit(byte) for byte in text.encode()) and matcher.is_accepting


# Compiling without bound


def test_vllm_54003_compiling_is_bounded(letters):
    """Work has a limit that does not depend on the clock or the machine, and the error says which option raises it."""
    schema = {"type": "array", "items": ROW, "maxItems": 40}
    messages = set()
    for _ in range(2):
        with pytest.raises(gg.OverBudgetError, match='limits={"work": ...}') as error:
            gg.compile(schema, letters, limits={"work": 50_000})
        messages.add(str(error.value))
    assert len(messages) == 1
    assert accepts(gg.compile(schema, letters), '[{"a": 1, "b": "x"}]')


def test_xgrammar_680_many_tools(llama3):
    """A set of 128 tools compiles in seconds, within a bound on work."""
    artifact = gg.compile(gg.Tools([tool(number) for number in range(128)], model="hermes"), llama3, limits={"work": 1_000_000_000})
    matcher = artifact.matcher()
    for token in llama3.tokenize('Well: <tool_call>\n{"name": "tool_77", "arguments": {"count": 3, "kind": "'):
        matcher.commit(token)
    texts = {llama3.token_bytes(token)[:2] for token in matcher.allowed() if b"\\" not in llama3.token_bytes(token)}
    assert texts <= {b"a", b'a"', b"b", b'b"', b"7", b"77"} and b"77" in texts


# Filling blocks, copies


def lets_others_run(work):
    """Whether another thread gets the lock of the interpreter during some of 2,000 calls. Python never takes the lock away meanwhile."""
    wanted, ran = threading.Event(), threading.Event()
    interval = sys.getswitchinterval()

    def other():
        wanted.wait()
        ran.set()

    thread = threading.Thread(target=other)
    thread.start()
    sys.setswitchinterval(1000)
    try:
        wanted.set()
        for _ in range(2000):
            work()
            if ran.is_set():
                return True
        return False
    finally:
        sys.setswitchinterval(interval)
        thread.join()


def test_vllm_24300_other_threads_run_while_masks_are_filled(llama3):
    """The lock of the interpreter is released, so a scheduler goes on while masks are filled or a schema is compiled."""
    artifact = gg.compile(ROW, llama3)
    matchers = [artifact.matcher() for _ in range(400)]
    rows = np.zeros((len(matchers), artifact.row_words), dtype=np.int32)
    assert lets_others_run(lambda: gg.fill_masks(matchers, rows))
    assert lets_others_run(lambda: gg.compile(ROW, llama3))
    assert not lets_others_run(lambda: sum(range(100)))


def test_vllm_49780_no_copies_of_rows(llama3):
    """Masks are written into the rows of the engine, wherever they lie; an update writes what differs, and not the whole row."""
    artifact = gg.compile({"type": "string"}, llama3, strings="canonical")
    matcher = artifact.matcher()
    matcher.commit_text('"')
    words = artifact.row_words
    memory = np.zeros((4, words), dtype=np.int32)
    tensor = types.SimpleNamespace(__array_interface__=memory.__array_interface__)
    matcher.fill(tensor, 2)
    assert memory[2].tobytes() == matcher.mask() and not memory[[0, 1, 3]].any()
    row = memory[3]
    matcher.update(row)
    matcher.commit_text("x")
    row[:] = ~row
    before = row.copy()
    matcher.update(row)
    # The masks before and behind the letter are equal: nothing is written.
    assert (row == before).all()


def test_sglang_30027_one_call_for_a_batch(llama3):
    """One call fills the rows of a batch of different grammars, in any order of rows."""
    artifacts = [gg.compile(source, llama3) for source in (ROW, gg.Regex("[0-9]+"), gg.Choice(["yes", "no"]))]
    matchers = [artifacts[place % 3].matcher() for place in range(40)]
    rows = np.zeros((50, artifacts[0].row_words), dtype=np.int32)
    indices = [(7 * place) % 50 for place in range(40)]
    gg.fill_masks(matchers, rows, indices=indices, threads=2)
    for matcher, index in zip(matchers, indices):
        assert rows[index].tobytes() == matcher.mask()
    assert not rows[[row for row in range(50) if row not in indices]].any()


# Caches, and compiled grammars that stay


def test_vllm_16283_caches_are_bounded(letters):
    """What an engine keeps in memory has a bound in bytes."""
    size = len(gg.compile(gg.Regex("a{1}b{20}"), letters))
    compiler = _engine.Compiler(lambda ends: letters, _engine.Settings({}, None, memory_bytes=4 * size))
    for number in range(30):
        compiler.compile("regex", f"a{{{number + 1}}}b{{20}}")
        assert compiler._memory.held_bytes <= 4 * size
    assert compiler._memory.held_bytes > 0


def test_xgrammar_675_compiled_grammars_are_files(letters, tmp_path):
    """An artifact is a file: another process opens it, and has the same masks at once."""
    artifact = gg.compile(ROW, letters)
    artifact.save(tmp_path / "row.gcg")
    opened = gg.open(tmp_path / "row.gcg", letters)
    assert opened.to_bytes() == artifact.to_bytes() and opened.matcher().mask() == artifact.matcher().mask()
    with pytest.raises(gg.OtherVocabularyError):
        gg.open(tmp_path / "row.gcg", gg.Vocabulary([b"a"]))


def test_vllm_45948_engines_find_artifacts_again(letters, tmp_path):
    """A second engine finds in the folder what the first one compiled."""
    found = []
    for _ in range(2):
        artifact = gg.Store(cache=tmp_path).compile(ROW, letters)
        [path] = tmp_path.glob("v1/*/*/*.gcg")
        found.append((artifact.key, path.stat().st_ino))
    assert found[0] == found[1]


# Keywords that are dropped


@pytest.mark.parametrize(
    "schema, wrong",
    [
        ({"type": "integer", "minimum": 3}, 2),
        ({"type": "integer", "exclusiveMaximum": 3}, 3),
        ({"type": "integer", "multipleOf": 3}, 4),
        ({"type": "number", "maximum": 2.5}, 2.6),
        ({"type": "string", "minLength": 3}, "ab"),
        ({"type": "string", "pattern": "^a+$", "maxLength": 2}, "aaa"),
        ({"type": "string", "format": "date"}, "2023-02-29"),
        ({"type": "string", "format": "ipv4"}, "1.2.3.256"),
        ({"type": "array", "minItems": 2}, [1]),
        ({"type": "array", "uniqueItems": True}, [1, 1]),
        ({"type": "array", "contains": {"const": 1}}, [2]),
        ({"type": "array", "prefixItems": [{"type": "null"}], "items": False}, [None, None]),
        ({"type": "object", "required": ["a"]}, {"b": 1}),
        ({"type": "object", "minProperties": 1}, {}),
        ({"type": "object", "propertyNames": {"maxLength": 1}}, {"ab": 1}),
        ({"type": "object", "patternProperties": {"^a": {"type": "null"}}}, {"ab": 1}),
        ({"type": "object", "dependentRequired": {"a": ["b"]}}, {"a": 1}),
        ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, 2),
        ({"oneOf": [{"minimum": 3}, {"type": "integer"}]}, 4),
        ({"not": {"const": 1}}, 1),
        ({"if": {"type": "string"}, "then": {"maxLength": 1}}, "ab"),
        ({"$ref": "#/$defs/x", "$defs": {"x": {"enum": [1]}}}, 2),
        ({"unevaluatedProperties": False, "type": "object", "properties": {"a": {}}}, {"b": 1}),
    ],
    ids=lambda value: next(reversed(value)) if isinstance(value, dict) and len(value) > 1 else None,
)
def test_xgrammar_895_keywords_are_enforced_or_refused(letters, schema, wrong):
    """Of each keyword, a value that it alone forbids is refused, or the schema is, with the place of the keyword. (Also sglang 37707.)"""
    jsonschema = pytest.importorskip("jsonschema")
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    if "format" not in schema:
        assert not jsonschema.Draft202012Validator(schema, format_checker=checker).is_valid(wrong)
    try:
        artifact = gg.compile(schema, letters)
    except gg.RefusedError as error:
        diagnostic = error.diagnostics[0]
        assert diagnostic["code"] == "unenforceable" and any(keyword in diagnostic["message"] for keyword in schema)
        return
    assert not accepts(artifact, json.dumps(wrong))
    assert {entry["coverage"] for entry in artifact.report} <= {"enforced", "annotation", "narrowed"}


def test_outlines_core_261_expressions_drop_nothing():
    """The regular expression of a schema has all its keywords, or there is none."""
    from gcc_grammar.compat.outlines_core.json_schema import build_regex_from_schema

    with pytest.raises(ValueError, match="minimum"):
        build_regex_from_schema('{"type": "integer", "minimum": 3}')


# White space


def test_xgrammar_412_white_space_has_an_end(letters):
    """A model cannot go on with white space for ever: of line breaks one may come, of spaces 32; of neither with compact white space."""
    for options, most in (({}, 33), ({"whitespace": "spaced"}, 1), ({"whitespace": "compact"}, 0)):
        matcher = gg.compile(ROW, letters, **options).matcher()
        commit(matcher, '{"a":' if most != 1 else '{"a": ')
        run = 0 if most != 1 else 1
        for blank in "\n" + 100 * " ":
            run += matcher.try_commit(ord(blank))
        assert run <= most and not matcher.allows(ord(" ")) and not matcher.allows(ord("\n"))
        commit(matcher, "1")


# The end


def several_ends():
    tokens = {byte: bytes([byte]) for byte in range(256)}
    return gg.Vocabulary(tokens, end_tokens=[300, 301, 307], width=310)


def test_vllm_42403_several_end_tokens():
    """Every end token is masked before the end, and each of them is allowed there."""
    matcher = gg.compile(ROW, several_ends(), whitespace="compact").matcher()
    for byte in b'{"a":1,"b":"x"}':
        assert not {300, 301, 307} & set(matcher.allowed())
        assert not any(matcher.try_commit(end) for end in (300, 301, 307))
        matcher.commit(byte)
    assert matcher.allowed() == [300, 301, 307]
    for end in (300, 301, 307):
        fork = matcher.fork()
        fork.commit(end)
        assert fork.is_terminated and fork.allowed() == []


def test_sglang_31533_stop_tokens_of_a_request(monkeypatch, tmp_path):
    """vLLM passes the stop tokens of a request: they end its output, and no others do."""
    monkeypatch.setenv("GCC_GRAMMAR_CACHE", str(tmp_path))
    tokenizer = engines.Tokenizer()
    compiler = _engine.Compiler.for_tokenizer(tokenizer, 40, _engine.Settings({}, None))
    for ends in ({0}, {0, 30}, {30}):
        run = _engine.Run(compiler.compile("regex", "a", ends), 4)
        assert run.accept(tokenizer.ids("a")[0]) and set(run.matcher.allowed()) == ends


def test_vllm_29632_no_text_after_the_end(letters):
    """When nothing can follow, the end token is all that the mask has; behind it nothing is."""
    matcher = gg.compile(ROW, letters, whitespace="compact").matcher()
    commit(matcher, '{"a":1,"b":"x"}')
    assert matcher.allowed() == [END] and not matcher.try_commit(ord("H"))
    matcher.commit(END)
    assert matcher.is_terminated and matcher.count_allowed() == 0
    assert not matcher.try_commit(ord(" ")) and not matcher.try_commit(END) and not matcher.try_commit_text("Hope this helps")
    matcher.rollback()
    assert matcher.allowed() == [END]


# Drafts


def test_vllm_44006_drafts_leave_the_state_as_it_was(letters):
    """Drafts are committed, refused in the middle, and rolled back: what follows is as if they had not been there."""
    matcher, plain = (gg.compile(ROW, letters, whitespace="compact").matcher() for _ in range(2))
    for step, byte in enumerate(b'{"a":12,"b":"xyz"}'):
        draft = list(b'{"a":12,"b":"xyz"}'[step : step + 2]) + [ord("!"), ord("}")]
        accepted = 0
        for token in draft:
            if not matcher.try_commit(token):
                break
            accepted += 1
        assert accepted == plain.validate(draft) >= 1
        matcher.rollback(accepted)
        assert matcher.mask() == plain.mask() and matcher.save() == plain.save()
        matcher.commit(byte)
        plain.commit(byte)


def test_vllm_53777_drafts_beyond_the_end(letters):
    """A draft that goes on behind an end token is accepted up to it, and can be rolled back across it."""
    matcher = gg.compile(gg.Regex("ab"), letters).matcher()
    matcher.commit(ord("a"))
    draft = [ord("b"), END, ord("c"), END]
    assert matcher.validate(draft) == 2
    rows = np.full((4, matcher.artifact.row_words), -1, dtype=np.int32)
    assert matcher.verify_tree([-1, 0, 1, 2], draft, rows) == [True, True, False, False] and not rows[2:].any()
    assert [matcher.try_commit(token) for token in draft] == [True, True, False, False]
    matcher.rollback(2)
    assert matcher.allowed() == [ord("b")] and not matcher.is_terminated


# Thinking


def test_vllm_47027_thinking_then_json(letters):
    """Every token may come up to the marker, however it is cut into tokens; then the schema holds. Rolling back crosses the marker."""
    artifact = gg.compile(ROW, letters, whitespace="compact")
    matcher = artifact.matcher(start_after="</think>")
    commit(matcher, 'Let me see: {"a": no </thin')
    assert matcher.is_free and matcher.count_allowed() == letters.width and not matcher.is_accepting
    commit(matcher, "</think")
    before = matcher.save()
    matcher.commit(ord(">"))
    assert not matcher.is_free and matcher.allowed() == artifact.matcher().allowed()
    commit(matcher, '{"a":1')
    matcher.rollback(7)
    assert matcher.is_free and matcher.save() == before
    restored = artifact.restore(before)
    commit(restored, '>{"a":1,"b":""}')
    assert restored.is_accepting and restored.allowed() == [END]


def test_vllm_15418_thinking_is_limited(letters):
    """After so many tokens, masks have only the rest of the marker, across copies and rollbacks."""
    artifact = gg.compile(ROW, letters, whitespace="compact")
    matcher = artifact.matcher(start_after="</think>", max_free_tokens=3)
    commit(matcher, "a</")
    copied = copy.copy(matcher)
    for letter in "think>":
        assert matcher.allowed() == [ord(letter)] and not matcher.allows(END)
        matcher.commit(ord(letter))
    assert not matcher.is_free and matcher.allowed() == artifact.matcher().allowed()
    matcher.rollback(7)
    assert matcher.count_allowed() == letters.width
    assert artifact.restore(copied.save()).forced_bytes()[:6] == b"think>"
    with pytest.raises(gg.RefusedError, match="start_after"):
        artifact.matcher(max_free_tokens=3)


def test_llama_cpp_12276_grammars_begin_behind_the_thinking():
    """The marker may be a token. A token in which text follows the marker is allowed if the grammar allows that text."""
    tokens = {byte: bytes([byte]) for byte in range(256)}
    tokens.update({256: b"</think>", 257: b'</think>{"', 258: b"</think>\n\n"})
    vocabulary = gg.Vocabulary(tokens, end_tokens=260)
    artifact = gg.compile(ROW, vocabulary, whitespace="compact", strings="canonical")
    matcher = artifact.matcher(start_after="</think>")
    assert matcher.allows(256) and matcher.allows(257) and not matcher.allows(258) and matcher.allows(260)
    matcher.commit(257)
    assert matcher.allowed() == [ord("a")]
    matcher = artifact.matcher(start_after=256)
    matcher.commit_text("</think>")
    assert matcher.is_free and matcher.allows(258)
    matcher.commit(256)
    assert matcher.allowed() == [ord("{")]
    with pytest.raises(gg.RefusedError, match="no token 999"):
        artifact.matcher(start_after=999)


# Tools


def test_vllm_49661_strict_tools_when_the_model_may_choose(letters):
    """With free text around the calls, the arguments of a call are still those of its schema, and no other tool can be called."""
    artifact = gg.compile(gg.Tools([tool(1), tool(2)], model="hermes"), letters)
    assert accepts(artifact, "No tool is needed: 1 < 2.")
    start = 'I call it. <tool_call>\n{"name": "tool_1", "arguments": '
    assert accepts(artifact, start + '{"count": 3}}\n</tool_call>')
    assert not accepts(artifact, start + '{"count": "3"}}\n</tool_call>')
    assert not accepts(artifact, start + '{"count": 3, "other": 1}}\n</tool_call>')
    assert not accepts(artifact, start + '{"argument_1": "x"}}\n</tool_call>')
    assert not accepts(artifact, start.replace("tool_1", "tool_3") + '{"count": 3}}\n</tool_call>')


# Outputs that are cut off


@pytest.mark.parametrize("length", range(0, 22))
def test_atlas_144_outputs_that_are_cut_off(letters, length):
    """`is_accepting` tells that an output is not complete, `shortest_completion` has tokens that complete it, and a saved matcher goes on later."""
    artifact = gg.compile(ROW, letters, whitespace="compact")
    text = '{"a":12,"b":"some text'[:length]
    matcher = artifact.matcher()
    commit(matcher, text)
    assert not matcher.is_accepting
    completion = matcher.shortest_completion()
    assert completion is not None and matcher.committed == length
    value = json.loads(text + letters.decode(completion[:-1]).decode())
    assert isinstance(value["a"], int) and isinstance(value["b"], str) and set(value) == {"a", "b"}
    later = artifact.restore(matcher.save())
    assert completion[-1] == END
    for token in completion:
        later.commit(token)
    assert later.is_terminated


# Failing open, crashing


@pytest.mark.parametrize(
    "source",
    [
        gg.Gbnf('root ::= "a" missing'),
        gg.Gbnf("root ::= ["),
        gg.Gbnf("root ::= root"),
        gg.Gbnf("root ::= " + "(" * 100_000),
        gg.Gbnf(""),
        gg.Lark("start: /(/"),
        gg.Lark("start: " + "(" * 100_000 + '"a"'),
        gg.Regex("a{0,1000000}{0,1000000}"),
        gg.Regex("(" * 100_000),
        gg.JsonSchema('{"a": ' * 100_000),
        gg.JsonSchema('{"type": "strin"}'),
        gg.JsonSchema({"$ref": "#"}),
        gg.StructuralTag("{}"),
        gg.StructuralTag({"type": "structural_tag", "format": {"type": "unknown"}}),
    ],
    ids=lambda source: f"{source.notation}-{source.text[:14]}",
)
def test_llama_cpp_19051_grammars_that_are_wrong_are_errors(letters, source):
    """A grammar that cannot be used raises an error with a diagnostic. It never means free text, and never ends the process."""
    with pytest.raises(gg.Error) as error:
        gg.compile(source, letters, limits={"work": 50_000_000})
    assert error.value.diagnostics and error.value.diagnostics[0]["message"]


def test_llama_cpp_27619_tokens_that_are_refused_are_errors(letters):
    """A token that the mask does not have is refused, whatever it is, and the matcher stays as it was."""
    matcher = gg.compile(gg.Gbnf('root ::= "a" [0-9]+'), letters).matcher()
    before = matcher.save()
    for token in (-1, ord("b"), END, letters.width, 1 << 31, 1 << 32, 1 << 70):
        with pytest.raises(gg.RefusedError):
            matcher.commit(token)
    assert matcher.save() == before and matcher.allowed() == [ord("a")]


def test_llama_cpp_7554_steps_of_gbnf_take_microseconds(llama3):
    """The grammar of JSON in the notation of llama.cpp: a step takes a small part of a millisecond, whatever was read before."""
    grammar = r"""
        root   ::= object
        value  ::= object | array | string | number | ("true" | "false" | "null") ws
        object ::= "{" ws ( string ":" ws value ("," ws string ":" ws value)* )? "}" ws
        array  ::= "[" ws ( value ("," ws value)* )? "]" ws
        string ::= "\"" ( [^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}) )* "\"" ws
        number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws
        ws     ::= | " " | "\n" [ \t]{0,20}
    """
    matcher = gg.compile(gg.Gbnf(grammar), llama3).matcher()
    row = np.zeros(matcher.artifact.row_words, dtype=np.int32)
    sizes = []
    for token in llama3.tokenize(json.dumps({"items": [{"name": f"item {n}", "price": n / 4, "tags": ["a", "b"]} for n in range(40)]})):
        matcher.fill(row)
        assert row[token // 32] >> (token % 32) & 1
        matcher.commit(token)
        sizes.append(len(matcher.save()))
    # What is slow there is a set of stacks that grows with the text. The state stays small here; benches measure the time.
    assert matcher.is_accepting and max(sizes[200:]) <= 2 * max(sizes[:200])
