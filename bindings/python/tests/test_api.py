"""The package as a user calls it."""

import array
import base64
import json
import pickle
import re
import subprocess
import sys
import threading

import numpy as np
import pytest

import gcc_grammar as gg

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
    "additionalProperties": False,
}

#: A schema with a keyword that cannot be enforced.
UNENFORCEABLE = {"type": "array", "uniqueItems": True, "items": {"propertyNames": {"pattern": "^a$"}}}


def bits(row: np.ndarray) -> list:
    """The tokens of a mask, by NumPy and not by the package."""
    return np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist()


def commit(matcher: gg.Matcher, text: str) -> None:
    for byte in text.encode():
        matcher.commit(byte)


def test_a_first_minute(llama3, tmp_path):
    artifact = gg.compile(PERSON, llama3)
    path = tmp_path / "person.gcg"
    artifact.save(path)
    artifact = gg.open(path, llama3)
    assert {entry["coverage"] for entry in artifact.report} == {"enforced", "narrowed"}
    matcher = artifact.matcher()
    row = np.zeros(artifact.row_words, dtype=np.int32)
    text = json.dumps({"name": "Ada", "age": 36})
    for token in llama3.tokenize(text):
        matcher.fill(row)
        assert token in bits(row)
        matcher.commit(token)
    assert matcher.is_accepting and not matcher.is_terminated
    matcher.commit(llama3.end_tokens[0])
    assert matcher.is_terminated


def test_rows_of_every_kind_get_the_same_mask(letters):
    artifact = gg.compile(gg.Regex("[a-f]+"), letters)
    matcher = artifact.matcher()
    expected = list(range(ord("a"), ord("g")))
    assert matcher.allowed() == expected and matcher.count_allowed() == 6
    rows = np.full((3, artifact.row_words + 2), -1, dtype=np.int32)
    matcher.fill(rows, 1)
    assert bits(rows[1]) == expected and rows[0].min() == rows[2].min() == -1
    single = np.zeros(artifact.row_words, dtype=np.uint32)
    matcher.update(single)
    matcher.update(single)
    assert bits(single) == expected
    buffer = bytearray(4 * artifact.row_words)
    matcher.fill(buffer)
    assert bytes(buffer) == matcher.mask() == single.tobytes()
    words = array.array("i", [0] * artifact.row_words)
    matcher.fill(words)
    assert words.tobytes() == matcher.mask()


@pytest.mark.parametrize(
    "row, index, error",
    [
        (np.zeros(1, np.int32), None, ValueError),
        (np.zeros(100, np.int64), None, TypeError),
        (np.zeros(100, np.float32), None, TypeError),
        (np.zeros(200, np.int32)[::2], None, ValueError),
        (np.zeros((2, 100), np.int32), None, ValueError),
        (np.zeros((2, 100), np.int32), 2, IndexError),
        (np.zeros((2, 100), np.int32), -1, IndexError),
        (b"\0" * 400, None, ValueError),
        (bytearray(399), None, ValueError),
        (np.zeros(401, np.uint8)[1:].view(np.int32), None, ValueError),
        ([0] * 100, None, TypeError),
        (None, None, TypeError),
    ],
)
def test_other_rows_are_refused(letters, row, index, error):
    with pytest.raises(error):
        gg.compile(gg.Regex("a"), letters).matcher().fill(row, index)


def test_read_only_rows_are_refused(letters):
    row = np.zeros(100, np.int32)
    row.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        gg.compile(gg.Regex("a"), letters).matcher().fill(row)


def test_commits_and_rollbacks(letters):
    matcher = gg.compile(PERSON, letters, whitespace="compact").matcher(max_rollback=3)
    commit(matcher, '{"name":"')
    before = matcher.mask()
    fork = matcher.fork()
    commit(fork, 'a"')
    assert fork.mask() != before == matcher.mask()
    fork.rollback(2)
    assert fork.mask() == before
    with pytest.raises(gg.RefusedError, match="only 1"):
        fork.rollback(2)
    with pytest.raises(ValueError):
        fork.rollback(-1)
    restored = matcher.artifact.restore(matcher.save())
    assert restored.mask() == before and restored.committed == matcher.committed == 9
    matcher.reset()
    assert matcher.committed == 0 and matcher.allowed() == [ord("{"), letters.tokenize('{"')[0]]


def test_refused_tokens_leave_the_matcher_as_it_was(letters):
    matcher = gg.compile(gg.Choice(["true", "no"]), letters).matcher()
    before = matcher.mask()
    for token in (ord("x"), -1, 1 << 40, letters.width, letters.end_tokens[0]):
        assert not matcher.allows(token) and not matcher.try_commit(token)
        with pytest.raises(gg.RefusedError):
            matcher.commit(token)
    assert not matcher.try_commit_text("nope") and matcher.mask() == before
    assert matcher.validate([256, ord("x")]) == 1 and matcher.validate([-5]) == 0
    matcher.commit_text("tru")
    assert matcher.allowed() == [ord("e")] and matcher.forced_bytes() == b"e"


def test_budgets(letters):
    artifact = gg.compile({"type": "array", "items": {"type": "integer"}}, letters, whitespace="compact")
    matcher = artifact.matcher()
    end = letters.end_tokens[0]
    assert matcher.remaining is None and matcher.min_remaining() == len(matcher.shortest_completion()) == 3
    with pytest.raises(gg.RefusedError, match="3"):
        matcher.set_budget(2)
    for wrong in (-1, 1 << 32):
        with pytest.raises(ValueError):
            matcher.set_budget(wrong)
    for budget in range(3, 12):
        matcher.reset()
        matcher.set_budget(budget)
        output = []
        while not matcher.is_terminated:
            assert matcher.min_remaining() <= matcher.remaining == budget - len(output)
            allowed = matcher.allowed()
            longest = max(token for token in allowed)
            output.append(ord("1") if ord("1") in allowed else ord(",") if ord(",") in allowed else longest)
            matcher.commit(output[-1])
        assert len(output) == budget and output[-1] == end
        matcher.rollback(2)
        assert matcher.remaining == 2 and matcher.shortest_completion() == [ord("]"), end]
        assert not matcher.allows(ord("1"))
        matcher.set_budget(None)
        assert matcher.remaining is None and matcher.allows(ord("1"))
    without = gg.compile({"type": "integer"}, letters, budgets="off").matcher()
    with pytest.raises(gg.Error, match="budgets"):
        without.set_budget(9)


def test_forced_tokens_are_those_of_the_tokenizer(llama3):
    artifact = gg.compile(gg.Regex(r'\{"international_standard": [0-9]+\}'), llama3)
    text = '{"international_standard": 12}'
    tokens = llama3.tokenize(text)
    forced = artifact.matcher().forced_tokens()
    assert forced and forced == tokens[: len(forced)]
    matcher = artifact.matcher()
    for token in forced:
        matcher.commit(token)
    assert matcher.forced_tokens(forced) == []


def test_trees_of_drafts(letters):
    artifact = gg.compile(gg.Regex("a(b|cd)*"), letters)
    matcher = artifact.matcher()
    tokens = [ord(letter) for letter in "abxcdb"]
    parents = [-1, 0, 1, 1, 3, 2]
    rows = np.zeros((6, artifact.row_words), dtype=np.int32)
    assert matcher.verify_tree(parents, tokens, rows) == [True, True, False, True, True, False]
    assert bits(rows[3]) == [ord("d")] and not rows[2].any() and not rows[5].any()
    assert matcher.committed == 0
    with pytest.raises(ValueError):
        matcher.verify_tree([1], [97], rows)
    with pytest.raises(IndexError):
        matcher.verify_tree(parents, tokens, rows[:2])


def test_batches_are_filled_by_threads(letters):
    artifacts = [gg.compile(gg.Regex(pattern), letters) for pattern in ("[0-9]+", "[a-z]{3}", "true|false")]
    matchers = [artifacts[place % 3].matcher() for place in range(150)]
    expected = [matcher.mask() for matcher in matchers]
    for threads in (1, 2, 0):
        rows = np.zeros((160, artifacts[0].row_words), dtype=np.int32)
        gg.fill_masks(matchers, rows, threads=threads)
        assert [row.tobytes() for row in rows[:150]] == expected and not rows[150:].any()
    gg.fill_masks(matchers[:2], rows, indices=[159, 3])
    assert rows[159].tobytes() == expected[0] and rows[3].tobytes() == expected[1]
    gg.fill_masks([], rows)
    for wrong in ([0, 0], [0], [0, 160], [0, -1]):
        with pytest.raises((ValueError, IndexError)):
            gg.fill_masks(matchers[:2], rows, indices=wrong)
    with pytest.raises(ValueError):
        gg.fill_masks([matchers[0], matchers[0]], rows)
    with pytest.raises(ValueError, match="the rows have 1 words"):
        gg.fill_masks(matchers, np.zeros((150, 1), dtype=np.int32))
    listed = [np.zeros(artifacts[0].row_words, dtype=np.int32) for _ in matchers]
    gg.fill_masks(matchers, listed, threads=2)
    assert [row.tobytes() for row in listed] == expected


def test_threads_share_artifacts_and_matchers(letters):
    artifact = gg.compile(PERSON, letters)
    shared, failures = artifact.matcher(), []

    def work():
        try:
            for _ in range(100):
                own = artifact.matcher()
                own.commit(ord("{"))
                shared.mask()
                assert own.committed == 1
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert failures == []


def test_artifacts_are_pickled_with_their_vocabulary(letters):
    artifact = gg.compile(PERSON, letters)
    copy = pickle.loads(pickle.dumps(artifact))
    assert copy.to_bytes() == artifact.to_bytes()
    assert copy.matcher().mask() == artifact.matcher().mask()
    assert copy.vocabulary.fingerprint == letters.fingerprint


def test_pickles_of_artifacts_name_vocabularies_that_can_be_found(tmp_path, llama3):
    artifact = gg.compile(PERSON, llama3)
    pickled = pickle.dumps(artifact)
    assert len(pickled) < len(artifact) + 400
    # In another process, nothing is loaded.
    program = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()).vocabulary.fingerprint)"
    done = subprocess.run([sys.executable, "-c", program], input=pickled, capture_output=True, check=True)
    assert done.stdout.decode().strip() == llama3.fingerprint

    ranks = tmp_path / "ranks.tiktoken"
    ranks.write_bytes(b"".join(base64.b64encode(bytes([byte])) + b" %d\n" % byte for byte in range(256)))
    pickled = pickle.dumps(gg.compile(PERSON, gg.Vocabulary(ranks, end_tokens=256, width=257)))
    ranks.unlink()
    with pytest.raises(gg.NotFoundError, match="load the vocabulary before the artifact is unpickled"):
        pickle.loads(pickled)


def test_errors_say_what_is_wrong(letters, tmp_path):
    with pytest.raises(gg.RefusedError) as refused:
        gg.compile(UNENFORCEABLE, letters)
    assert refused.value.diagnostics[0]["code"] == "unenforceable" and "uniqueItems" in str(refused.value)
    artifact = gg.compile(UNENFORCEABLE, letters, unenforced="allow")
    assert "superset" in {entry["coverage"] for entry in artifact.report}
    with pytest.raises(gg.RefusedError) as refused:
        gg.compile({"type": "integer"}, letters, strict=True, allow_narrowed=("white-space",))
    assert [diagnostic["code"] for diagnostic in refused.value.diagnostics] == ["narrowed"]
    # Of what no option admits, only the report tells, unless that is asked for.
    text = {"type": "string"}
    kinds = ("white-space", "string-spelling")
    assert gg.compile(text, letters, strict=True, allow_narrowed=kinds).report
    with pytest.raises(gg.RefusedError, match="half-surrogate"):
        gg.compile(text, letters, strict="all", allow_narrowed=kinds)
    allowed = gg.compile({"type": "integer"}, letters, strict=True, allow_narrowed=("white-space", "number-spelling"))
    assert {entry["kind"] for entry in allowed.report if entry["coverage"] == "narrowed"} == {"white-space", "number-spelling"}
    with pytest.raises(gg.OverBudgetError, match='limits={"work": ...}'):
        gg.compile(PERSON, letters, limits={"work": 100})
    with pytest.raises(gg.NotFoundError):
        gg.open(tmp_path / "missing.gcg", letters)
    with pytest.raises(gg.NotFoundError):
        gg.Vocabulary("no-such-vocabulary")
    with pytest.raises(gg.RefusedError):
        gg.Artifact.from_bytes(b"damaged", letters)
    with pytest.raises(gg.OtherVocabularyError):
        gg.Artifact.from_bytes(artifact.to_bytes(), gg.Vocabulary([b"a"]))
    with pytest.raises(gg.RefusedError):
        artifact.restore(b"damaged")
    with pytest.raises(gg.RefusedError, match="whitespaces"):
        gg.compile(PERSON, letters, whitespace="whitespaces")
    with pytest.raises(TypeError):
        gg.compile(3.5, letters)


def test_files_that_are_trusted(letters, tmp_path):
    artifact = gg.compile(PERSON, letters)
    path = tmp_path / "person.gcg"
    artifact.save(path)
    damaged = bytearray(artifact.to_bytes())
    damaged[len(damaged) // 2] ^= 1
    assert gg.open(path, letters, trusted=True).key == artifact.key
    path.write_bytes(damaged)
    with pytest.raises(gg.RefusedError, match="damaged"):
        gg.open(path, letters)
    matcher = gg.open(path, letters, trusted=True).matcher()
    matcher.fill(np.zeros(matcher.artifact.row_words, dtype=np.int32))
    assert issubclass(gg.OverBudgetError, gg.Error) and issubclass(gg.NotFoundError, OSError)


INDENTED = """
start: statement*
statement: NAME _NL | NAME ":" _NL _INDENT statement+ _DEDENT
NAME: /[a-z]/
_NL: /(\\n[\\t ]*)+/
%declare _INDENT _DEDENT
"""


class Indented:
    """What Lark's Indenter has."""

    NL_type = "_NL"
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    OPEN_PAREN_types: list[str] = []
    CLOSE_PAREN_types: list[str] = []
    tab_len = 8


def test_lexers_and_indenters_are_checked():
    for wrong in [{"lexer": "earley"}, {"indenter": {"tabs": 4}}, {"indenter": "tab_len=0"}]:
        with pytest.raises(gg.RefusedError):
            gg.check(gg.Lark('start: "a"', **wrong))
    with pytest.raises(gg.WrongTypeError):
        gg.Lark('start: "a"', lexer=3)


def test_every_notation_compiles(letters):
    for source, text in [
        (gg.Lark('start: "a" NUMBER\n%import common.NUMBER\n'), "a12"),
        (gg.Lark('top: "x"', start="top"), "x"),
        (gg.Gbnf('root ::= "a" [0-9]+'), "a1"),
        (gg.Ebnf('root ::= "a" [0-9]{2}'), "a12"),
        (gg.W3c("a ::= 'x' b\nb ::= [0-9] - '5'"), "x4"),
        (gg.Abnf("a = %x61 2DIGIT"), "a12"),
        (gg.Antlr("grammar G; a : 'x' N EOF ; N : [0-9]+ ;"), "x12"),
        (gg.TreeSitter({"name": "g", "rules": {"a": {"type": "PATTERN", "value": "[a-c]+"}}}), "abc"),
        (gg.Lark("start: A B\nA: /ab*/\nB: /bc?/\n", lexer="dynamic"), "ab"),
        (gg.Lark(INDENTED, indenter={"tab_len": 2, "unit": 2}), "a:\n  b\n"),
        (gg.Lark(INDENTED, indenter=Indented()), "a:\n    b\n"),
        (gg.Regex("(ab)+"), "abab"),
        (gg.Choice(["yes", "line\nbreak"]), "line\nbreak"),
        (gg.JsonSchema('{"const": 1}'), "1"),
        (gg.StructuralTag({"type": "structural_tag", "format": {"type": "const_string", "value": "hi"}}), "hi"),
    ]:
        matcher = gg.compile(source, letters).matcher()
        commit(matcher, text)
        assert matcher.is_accepting, source


def test_tools(letters):
    def weather(city: str, days: int = 1) -> str:
        """The weather of the next days."""

    openai = {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}
    matcher = gg.compile(gg.Tools([weather, openai], model="hermes"), letters).matcher()
    commit(matcher, 'Let me see. <tool_call>\n{"name": "weather", "arguments": {"city": "Bonn"}}\n</tool_call> Done.')
    assert matcher.is_accepting
    matcher.reset()
    commit(matcher, '<tool_call>\n{"name": "')
    assert matcher.allowed() == [ord("n"), ord("w")]
    matcher.reset()
    commit(matcher, '<tool_call>{"name":"now","arguments":{}}</tool_call>')
    assert matcher.is_accepting
    only = gg.compile(gg.Tools([weather], model="hermes", tool_choice="required"), letters).matcher()
    assert only.allowed() == [ord(character) for character in "\t\n\r <"] and not only.is_accepting


def test_families_of_ones_own(letters, tmp_path):
    """A family is a dictionary, a list of them, or a file; the model or the request names one of several."""
    tool = {"name": "roll", "inputSchema": {"type": "object", "properties": {}}}
    mine = {"name": "mine", "forms": [{"trigger": "CALL ", "calls": ["CALL $name WITH $arguments"], "text_after": True}]}
    other = {"name": "other", "forms": [{"trigger": "DO ", "calls": ["DO $name $arguments"]}]}
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(mine))

    def accepted(source):
        matcher = gg.compile(source, letters).matcher()
        return [text for text in ("CALL roll WITH {}", "DO roll {}", "CALL x", "DO x") if matcher.reset() or matcher.try_commit_text(text) and matcher.is_accepting]

    first, second = ["CALL roll WITH {}", "DO roll {}", "DO x"], ["CALL roll WITH {}", "DO roll {}", "CALL x"]
    for source in (
        gg.Tools([tool], model=mine),
        gg.Tools([tool], model=file),
        gg.Tools([tool], families=mine),
        gg.Tools([tool], families=file),
        gg.Tools([tool], families=str(file)),
        gg.Tools([tool], families=[mine, other], model="mine"),
        gg.Tools({"tools": [tool], "model": "mine"}, families=[mine, other]),
    ):
        assert accepted(source) == first
    assert accepted(gg.Tools([tool], families=[mine, other], model="other")) == second
    for families, message in (
        ({"name": "mine"}, '"forms" is missing'),
        ([mine, mine], "two families mine"),
        ({**mine, "name": "hermes"}, "the family hermes is built in"),
    ):
        with pytest.raises(gg.RefusedError, match=message):
            gg.compile(gg.Tools([tool], families=families), letters)
    with pytest.raises(gg.RefusedError, match="the families that are given are mine, other"):
        gg.compile(gg.Tools([tool], families=[mine, other]), letters)
    with pytest.raises(gg.WrongTypeError, match="families is of the type int"):
        gg.Tools([tool], families=3)


def test_tools_of_models(letters):
    """A model's own syntax, definitions of MCP, a choice, and thoughts."""
    tool = {"name": "roll", "inputSchema": {"type": "object", "properties": {"dice": {"type": "integer"}}, "additionalProperties": False}}

    def accepts(text, tools=(tool,), **options):
        matcher = gg.compile(gg.Tools(tools, **options), letters).matcher()
        return matcher.try_commit_text(text) and matcher.is_accepting

    call = "<function=roll>\n<parameter=dice>\n2\n</parameter>\n</function>"
    coder = f"<tool_call>\n{call}\n</tool_call>"
    assert accepts("Now: " + coder, model="Qwen/Qwen3-Coder-30B-A3B-Instruct")
    assert accepts(coder, tools={"tools": [tool]}, model="qwen3-coder", tool_choice="roll")
    assert not accepts(coder + coder, model="qwen3-coder", tool_choice="roll")
    assert not accepts("Now: " + coder, model="qwen3-coder", tool_choice="required")
    assert accepts("Dice.</think>\n\n" + coder, model="qwen3-coder", tool_choice="required", thinking=True)
    assert accepts("[roll(dice=2)]", model="meta-llama/Llama-4-Scout-17B-16E-Instruct") and not accepts("[roll(dice='2')]", model="meta-llama/Llama-4-Scout-17B-16E-Instruct")
    assert accepts("CALL roll: {}!", begin="CALL {name}: ", end="!", trigger="CALL ")
    with pytest.raises(gg.RefusedError, match="no thoughts whose tokens could be limited"):
        gg.compile(gg.Tools([tool], model="qwen3", thinking_tokens=9), letters)
    assert accepts("</think>" + coder, model="qwen3-coder", thinking=True, thinking_tokens=0)
    with pytest.raises(gg.RefusedError, match="is not known"):
        gg.compile(gg.Tools([tool], model="clippy"), letters)
    with pytest.raises(gg.RefusedError, match="inputShema"):
        gg.compile(gg.Tools([{"name": "f", "inputShema": {}}], model="hermes"), letters)


def test_vocabularies(letters, tmp_path):
    assert letters.width == 263 and letters.end_tokens == [262] and letters.special_tokens == {"<end>": 262}
    other = gg.Vocabulary({5: b"a", 9: "b"}, end_tokens=9, width=64)
    assert other.width == 64 and other.end_tokens == [9] and other.token_bytes(5) == b"a" and other.token_bytes(6) is None
    assert gg.compile(gg.Regex("a"), other).matcher().allowed() == [5]
    assert len(letters) == 263 and letters.decode([97, 262, 98]) == b"ab"
    with pytest.raises(gg.RefusedError):
        gg.Vocabulary([b"a"], end_tokens="stop")


def test_profiles_follow_other_engines(letters):
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}}
    accepts = lambda text, **options: gg.compile(schema, letters, **options).matcher().try_commit_text(text)  # noqa: E731
    assert accepts('{ "b"') and not accepts('{ "b"', profile="outlines")
    assert accepts('{  "a"', profile="xgrammar") and not accepts('{  "a"', profile="xgrammar", whitespace="compact")
    with pytest.raises(gg.RefusedError, match="forbids"):
        gg.compile({"type": "array"}, letters, profile="openai")
    assert gg.artifact_key(schema, letters, profile="outlines") != gg.artifact_key(schema, letters)


def test_warnings_are_warnings_of_python(letters):
    with pytest.warns(gg.GrammarWarning, match=r"so it restricts nothing, at #/minItms \(did you mean minItems\?\)"):
        artifact = gg.compile({"type": "array", "minItms": 1}, letters)
    assert [warning["code"] for warning in artifact.warnings] == ["unknown-keyword"]
    with pytest.raises(gg.RefusedError) as refused:
        gg.compile({"properties": {key: UNENFORCEABLE for key in "ab"}}, letters)
    pointers = [diagnostic["location"]["pointer"] for diagnostic in refused.value.diagnostics]
    assert pointers == ["/properties/a/uniqueItems", "/properties/b/uniqueItems"]
    assert 'unenforced="allow"' in str(refused.value)


#: Patterns that look at the end of the text, that match the empty text, with lazy repetitions, and with octal escapes.
WHOLE = ["^[a-z]*$", "^(abc)?$", r"\A[a-z]*\Z", "^$", r"(?=.*[a-z])[a-z\d]*", "x*(?!.)", r"(\b|a)", "a*?", "(ab|cd)??", r"a.*?\.", r"\141\x62*", r"(?a)\w+", "a$\\n?"]


@pytest.mark.parametrize(
    "pattern",
    [re.compile("[0-9]{2}/x"), re.compile("ab|CD", re.I), re.compile("a.c", re.S), re.compile("a b # c\n", re.X), re.compile("(?P<n>a)*"), re.compile(r"\/\\/?\d"), *map(re.compile, WHOLE)],
)
def test_compiled_patterns_mean_what_they_mean_in_python(pattern):
    letters = gg.Vocabulary([bytes([byte]) for byte in range(128)])
    artifact = gg.compile(pattern, letters)
    texts = ["\n", "a\n", "x", "ab\n", "a. b.", "1", "12/x", "ab", "cd", "aB", "a\nc", "abc", "a b", "", "a", "aaa", "//", "/\\7", "/\\/7", "1/x"]
    for text in texts:
        matcher = artifact.matcher()
        accepted = all(matcher.try_commit(byte) for byte in text.encode()) and matcher.is_accepting
        assert accepted == bool(pattern.fullmatch(text)), text


def test_other_patterns_are_refused():
    for pattern, error in [(re.compile(b"a"), gg.WrongTypeError), (re.compile(r"(a)\1"), gg.RefusedError)]:
        with pytest.raises(error):
            gg.check(pattern)


def test_files_are_inputs(tmp_path):
    letters = gg.Vocabulary([bytes([byte]) for byte in range(128)])
    for name, text in [("a.json", '{"const": "x"}'), ("a.gbnf", 'root ::= "x"'), ("a.lark", 'start: "x"'), ("a.regex", "x")]:
        (tmp_path / name).write_text(text)
        assert gg.compile(tmp_path / name, letters).matcher().allowed() in ([ord("x")], [ord('"')])
    (tmp_path / "b.lark").write_text("%import .a.start -> other\nstart: other other\n")
    assert gg.compile(tmp_path / "b.lark", letters).matcher().allowed() == [ord("x")]
    with pytest.raises(gg.NotFoundError):
        gg.compile(tmp_path / "none.json", letters)
    (tmp_path / "a.unknown").write_text("x")
    with pytest.raises(gg.RefusedError):
        gg.check(tmp_path / "a.unknown")


def test_check_returns_what_it_found():
    checked = gg.check({"type": "integer", "title": "n"})
    assert {entry["pointer"]: entry["coverage"] for entry in checked.report}["/type"] == "enforced"
    assert checked.warnings == []
    assert gg.check(gg.Lark('start: "a"\nother: "b"')).warnings[0]["message"]


def test_choices_and_requests_of_services(letters, tmp_path):
    """What services call a choice, whole requests, and models by their files."""
    tools = [{"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}} for name in ("find", "keep")]
    find, keep = ('<tool_call>\n{"name": "%s", "arguments": {}}\n</tool_call>' % name for name in ("find", "keep"))

    def accepted(source):
        matcher = gg.compile(source, letters).matcher()

        def accepts(text):
            matcher.reset()
            return matcher.try_commit_text(text) and matcher.is_accepting

        return [accepts(text) for text in ("Hm.", find, keep, find + find)]

    named = {"type": "function", "function": {"name": "find"}}
    allowed = {"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "find"}]}
    for choice, expected in [
        (None, [True, True, True, True]),
        ("any", [False, True, True, True]),
        (named, [False, True, False, False]),
        ({"type": "tool", "name": "find"}, [False, True, False, False]),
        (allowed, [False, True, False, True]),
        (["find", "keep"], [False, True, True, True]),
        ({"type": "auto", "disable_parallel_tool_use": True}, [True, True, True, False]),
        ({"mode": "NONE"}, [True, False, False, False]),
    ]:
        assert accepted(gg.Tools(tools, model="hermes", tool_choice=choice)) == expected, choice
        if not isinstance(choice, list):
            assert accepted(gg.Tools({"model": "Qwen/Qwen3-8B", "messages": [], "tools": tools, "tool_choice": choice})) == expected, choice
    folder = tmp_path / "Qwen3-8B"
    folder.mkdir()
    (folder / "chat_template.jinja").write_text("{{ '<tool_call>{\"name\": ' }}{{ tool_call.name }}{{ ', \"arguments\": ' }}")
    for model in (folder, str(folder), folder / "chat_template.jinja", (folder / "chat_template.jinja").read_text()):
        assert accepted(gg.Tools(tools, model=model, tool_choice="required")) == [False, True, True, True]
    (folder / "chat_template.jinja").write_text("{{ '[TOOL_CALLS] [' }}")
    with pytest.raises(gg.RefusedError, match="marks of mistral, but models with the name"):
        gg.Tools(tools, model=folder)
    with pytest.raises(gg.RefusedError, match="tools need the model"):
        gg.Tools(tools)
    with pytest.raises(gg.RefusedError, match="did you mean find"):
        gg.compile(gg.Tools(tools, model="hermes", tool_choice={"type": "function", "function": {"name": "fnd"}}), letters)
