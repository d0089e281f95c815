"""Patterns of requests are read as the engines' own backend reads them, by every adapter and by `compat.xgrammar`."""

import json
import random
import re

import pytest

import gcc_grammar as gg
from gcc_grammar import _engine, _patterns
from gcc_grammar.compat.xgrammar._regex import translated

# Python warns of what other versions may take for operations on sets.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")

#: Texts of one character: ASCII, digits and letters of Unicode, and white space of Unicode.
CHARACTERS = ["a", "Z", "_", "5", "-", ".", "^", "[", "&", "~", " ", "\n", "\t", "\b", "\x0b", "٣", "５", "é", "ß", "д", "中", "²", "\u2003", "\x85"]


@pytest.fixture(scope="module")
def byte_vocabulary():
    return gg.Vocabulary([bytes([byte]) for byte in range(256)])


def accepts(source, vocabulary, text):
    matcher = gg.compile(source, vocabulary).matcher()
    return matcher.try_commit_text(text) and matcher.is_accepting


def oracle(pattern):
    """The pattern in Python, which refuses a range that begins or ends with a set of characters; in ECMAScript its hyphen is a character."""
    spelled = pattern.replace(r"[\w-.]", r"[\w\-.]").replace(r"[.-\w]", r"[.\-\w]").replace(r"\/", "/")
    return re.compile(spelled, re.ASCII | re.DOTALL)


def compiled(kind, text, vocabulary):
    """The artifact of a request, as every adapter compiles it."""
    settings = _engine.Settings({}, None)
    return _engine.Compiler(lambda ends: vocabulary, settings).compile(kind, text)


def matches(artifact, text):
    matcher = artifact.matcher()
    return matcher.try_commit_text(text) and matcher.is_accepting


CLASSES = [
    r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"[\d]", r"[^\d]", r"[\D]", r"[^\D]", r"[\w-.]", r"[.-\w]", r"[^\w-]", r"[\W_]", r"[\s\d]",
    r"[\S\n]", r"[^\S ]", r"[a&&b]", r"[a~~b]", r"[[]", r"[\[^]", r"[a\-z]", r"[+--]", r"[\^-a]", r"[-a]", r"[a-]", r"[\b]", ".", r"[.]", r"[\d-]",
]  # fmt: skip


@pytest.mark.parametrize("pattern", CLASSES)
def test_classes_are_those_of_ascii(pattern, byte_vocabulary):
    """The oracle is the module `re` of Python in its ASCII mode, which has these classes of ECMAScript. The no-break space is left out."""
    artifact = compiled("regex", pattern, byte_vocabulary)
    for character in CHARACTERS:
        assert matches(artifact, character) == bool(oracle(pattern).fullmatch(character)), repr(character)


def test_random_patterns_match_what_the_oracle_matches(byte_vocabulary):
    chance = random.Random(5)
    parts = [part for part in CLASSES if part != r"[\b]"] + ["a", "é", "٣", r"\.", r"(?:a|\d)", r"(?:\bZ)", r"(?:5\b)", r"\x41", r"\u0041", r"\/"]
    for _ in range(120):
        chosen = [chance.choice(parts) + chance.choice(["", "", "?", "*", "{1,2}"]) for _ in range(chance.randint(1, 3))]
        pattern = "".join(chosen)
        try:
            artifact = compiled("regex", pattern, byte_vocabulary)
        except gg.RefusedError as error:
            # Boundaries of words may leave no text at all.
            assert error.diagnostics[0]["code"] == "no-text" and "b" in pattern
            artifact = None
        for _ in range(20):
            text = "".join(chance.choice(CHARACTERS) for _ in range(chance.randint(0, 4)))
            assert (artifact is not None and matches(artifact, text)) == bool(oracle(pattern).fullmatch(text)), (pattern, text)


def test_the_other_differences(byte_vocabulary):
    for pattern, inside, outside in [
        (r"\s", "\xa0", "\u2003"),
        (r"[^]", "\n", ""),
        (r"a[]|b", "b", "a"),
        (r"\cA", "\x01", "A"),
        (r"\0\a\e\f\v", "\0\x07\x1b\x0c\x0b", "0aefv"),
        (r"\"\'\,\:\_", "\"',:_", "x"),
        (r"[\0-\x1f]", "\x05", "5"),
        (r"\p{Greek}\d", "α1", "α٣"),
        (r"(?<name>\d)+", "12", "٣"),
        (r"^\d{2}$", "12", "٣٣"),
        (r"(?i)é\w", "Éa", "Éé"),
    ]:
        artifact = compiled("regex", pattern, byte_vocabulary)
        assert matches(artifact, inside) and not matches(artifact, outside), pattern


def tag(content):
    return {"type": "structural_tag", "format": content}


REQUESTS = {
    "regex": r"<\d+>",
    "grammar": 'root ::= "<" Regex("\\\\d+") ">"',
    "structural_tag": json.dumps(tag({"type": "sequence", "elements": [
        {"type": "tag", "begin": "<", "content": {"type": "regex", "pattern": r"\d+"}, "end": ">"}]})),
}  # fmt: skip


@pytest.mark.parametrize("kind", REQUESTS)
def test_every_kind_of_request_reads_digits_as_ascii(kind, byte_vocabulary):
    artifact = compiled(kind, REQUESTS[kind], byte_vocabulary)
    assert matches(artifact, "<12>") and not matches(artifact, "<1٣>") and not matches(artifact, "<٣>")


def test_grammars_in_tags_are_read_alike(byte_vocabulary):
    text = json.dumps(tag({"type": "grammar", "grammar": 'root ::= Regex("\\\\w")'}))
    artifact = compiled("structural_tag", text, byte_vocabulary)
    assert matches(artifact, "w") and not matches(artifact, "é")


def test_texts_and_schemas_in_tags_are_left_alone():
    schema = {"type": "object", "properties": {"type": {"const": "regex"}, "pattern": {"type": "regex", "pattern": r"\d"}}}
    kept = [
        json.dumps(tag({"type": "json_schema", "json_schema": schema})),
        json.dumps(tag({"type": "const_string", "value": r"\d"})),
        json.dumps(tag({"type": "regex", "pattern": "[0-9]"})),
        '{"type": "structural_tag", "format": {"type": "regex", "pattern": "a", "pattern": "\\\\d"}}',
        "{",
        "[" * 100_000,
    ]
    for text in kept:
        assert _patterns.structural_tag(text) is text
    older = {"structures": [{"begin": "<", "schema": schema, "end": ">"}], "triggers": ["<"]}
    assert json.loads(_patterns.structural_tag(json.dumps(older))) == {"type": "structural_tag", **older}


def test_the_interface_of_xgrammar_has_the_same_translation():
    for pattern in [*CLASSES, r"\b\d\B", r"[\w-.]+", "a.b"]:
        assert translated(pattern) == _patterns.regex(pattern)
    with pytest.raises(RuntimeError, match="repetition"):
        translated("a{2}{3}")


def test_wrong_patterns_are_errors_of_the_package(byte_vocabulary):
    for pattern in ["(", "[a", "[", "a\\", "[\\", "a(?=b)", r"(a)\1", "[b-a]", "a{3,2}", r"\p{Nothing}", "\\c"]:
        with pytest.raises(gg.RefusedError):
            compiled("regex", pattern, byte_vocabulary)
