"""Arguments of the wrong kind are errors of the package that say what to give; copies and pickles."""

import array
import copy
import enum
import functools
import pathlib
import pickle

import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar.numbered import NumberedMasks, row_words_of
from gcc_grammar.proposals import smc
from gcc_grammar.transformers import GrammarLogitsProcessor

BYTES = [bytes([byte]) for byte in range(256)]


@functools.cache
def vocabulary():
    return gg.Vocabulary(BYTES)


@functools.cache
def artifact():
    return gg.compile(gg.Regex("[0-9]{2}"), vocabulary())


def matcher():
    return artifact().matcher()


def numbered():
    return NumberedMasks(artifact().row_words, rows=2, room=8)


def row(words=None):
    return np.zeros(words or artifact().row_words, np.int32)


class Index(enum.IntEnum):
    DIGIT = ord("7")


TEXT_OPTIONS = "profile whitespace strings integer_spelling property_order repeated_keys formats unenforced draft special_tokens budgets".split()

#: Calls with an argument of the wrong type, and what the message must say.
WRONG_TYPES = {
    # Single texts where a list of texts is expected
    "Choice": (lambda: gg.Choice("yes"), r"a list of texts; for a single one, give \['yes'\]"),
    "Choice of bytes": (lambda: gg.Choice(b"yes"), "a list of texts"),
    "Choice of numbers": (lambda: gg.Choice([1, 2]), r"choices\[0\] is of the type int: give a text"),
    "Choice of nothing": (lambda: gg.Choice(None), "the choices is None: give a list of texts"),
    "Source of choices": (lambda: gg.Source("choices", "", choices="yes"), r"give \['yes'\]"),
    "keywords": (lambda: gg.keywords("snow"), r"give \['snow'\]"),
    "forms of a word": (lambda: gg.keywords(["drive"], inflections={"drive": "drove"}), r"give \['drove'\]"),
    "forms of a function": (lambda: gg.keywords(["drive"], inflections=lambda word: word + "s"), r"give \['drives'\]"),
    "inflections": (lambda: gg.keywords(["drive"], inflections=3), '"english", a mapping'),
    "allow_narrowed": (lambda: gg.compile(True, vocabulary(), strict=True, allow_narrowed="key-order"), r"give \['key-order'\]"),
    "import_folders": (lambda: gg.compile(gg.Lark("start: /a/"), vocabulary(), import_folders="grammars"), r"give \['grammars'\]"),
    "a folder": (lambda: gg.check(gg.Lark("start: /a/"), import_folders=pathlib.Path("grammars")), r"give \['grammars'\]"),
    # Vocabularies
    "get_vocab()": (lambda: gg.Vocabulary({"a": 0, "b": 1}), "give the tokenizer itself: get_vocab"),
    "a vocabulary of bytes": (lambda: gg.Vocabulary(b"abc"), "of the type bytes"),
    "a vocabulary of numbers": (lambda: gg.Vocabulary([1, 2]), "token 0 of the vocabulary is of the type int"),
    "no vocabulary": (lambda: gg.Vocabulary(None), "a tokenizer of transformers"),
    "a number as a vocabulary": (lambda: gg.compile(True, 5), "a tokenizer of transformers"),
    "an artifact as a vocabulary": (lambda: gg.compile(True, artifact()), "artifact.vocabulary"),
    "a float as an id": (lambda: gg.Vocabulary({0.5: b"a"}), "the id of a token is of the type float"),
    "width": (lambda: gg.Vocabulary(BYTES, width="9"), "width is of the type str"),
    "end_tokens": (lambda: gg.Vocabulary(BYTES, end_tokens=1.5), "the id or the name of a token"),
    "end_tokens of None": (lambda: gg.Vocabulary(BYTES, end_tokens=[None]), r"end_tokens\[0\] is None"),
    "token_bytes": (lambda: vocabulary().token_bytes("a"), "the token is of the type str"),
    "decode a text": (lambda: vocabulary().decode("ab"), "a list of the ids of tokens"),
    "decode a number": (lambda: vocabulary().decode(5), "a list of the ids of tokens"),
    "decode texts": (lambda: vocabulary().decode(["a"]), r"the tokens\[0\] is of the type str"),
    "tokenize a number": (lambda: vocabulary().tokenize(5), "a text or bytes"),
    # Inputs and options
    "no input": (lambda: gg.compile(None, vocabulary()), "the input is None"),
    "bytes as an input": (lambda: gg.compile(b'{"type": "object"}', vocabulary()), "decode the bytes"),
    "a list as an input": (lambda: gg.check([1]), "of the type list"),
    "a schema with a set": (lambda: gg.compile({"enum": {1, 2}}, vocabulary()), "the schema cannot be written as JSON"),
    "a set as a schema": (lambda: gg.JsonSchema({1}), "the schema cannot be written as JSON"),
    "Regex": (lambda: gg.Regex(None), "the text of the source is None"),
    "Lark": (lambda: gg.Lark(b"start: /a/"), "decode the bytes"),
    "a function as a tool": (lambda: gg.Tools(print), "a list of tools"),
    "a tool alone": (lambda: gg.Tools({"type": "function", "function": {"name": "f"}}), "a list of tools"),
    "the beginning of a tool": (lambda: gg.Tools([], begin=b"<"), "begin is of the type bytes"),
    "another keyword": (lambda: gg.Tools([], modle="hermes"), r"no keyword 'modle': did you mean model\?"),
    "parallel_tool_calls": (lambda: gg.Tools([], model="hermes", parallel_tool_calls=False), "give parallel=False"),
    "a format as a keyword": (lambda: gg.Tools([], model="hermes", response_format={}), '"response_format": ...} as the tools'),
    "a number as a choice": (lambda: gg.Tools([], model="hermes", tool_choice=3), 'tool_choice is of the type int: give "auto"'),
    "a number as a model": (lambda: gg.Tools([], model=3), "model is of the type int"),
    "a name as a tool": (lambda: gg.Tools(["f"]), r"tools\[0\] is of the type str"),
    "an object as an option": (lambda: gg.compile(True, vocabulary(), whitespace=object()), "whitespace is of the type object: give a text"),
    "strict": (lambda: gg.check(True, strict=1), "strict is of the type int: give True or False"),
    "number_digits": (lambda: gg.check(True, number_digits=[1, 2]), "number_digits is of the type list: give an integer"),
    "integer_with_point": (lambda: gg.check(True, integer_with_point="no"), "integer_with_point is of the type str: give True or False"),
    "the start of a grammar": (lambda: gg.Gbnf('root ::= "a"', start=5), "start is of the type int: give a text"),
    "the start of Lark": (lambda: gg.Lark("start: /a/", start=5), "start is of the type int: give a text"),
    **{
        f"{name} as bytes": (lambda name=name: gg.check(True, **{name: b"off"}), f"{name} is of the type bytes: give a text; decode the bytes")
        for name in TEXT_OPTIONS
    },
    # Flags
    "embed_vocabulary": (lambda: gg.compile(True, vocabulary(), embed_vocabulary="no"), "embed_vocabulary is of the type str: give True or False"),
    "on_demand": (lambda: gg.compile(True, vocabulary(), on_demand="false"), "on_demand is of the type str"),
    "embed_vocabulary of a key": (lambda: gg.artifact_key(True, vocabulary(), embed_vocabulary=1), "embed_vocabulary is of the type int"),
    "on_demand of a session": (lambda: gg.CompileSession(vocabulary()).compile(True, on_demand=1), "on_demand is of the type int"),
    "on_demand of a store": (lambda: gg.Store(cache="/tmp/gcc-grammar-none").compile(True, vocabulary(), on_demand=[]), "on_demand is of the type list"),
    "trusted": (lambda: gg.open("none.gcg", trusted="false"), "trusted is of the type str"),
    "parallel": (lambda: gg.Tools([], model="hermes", parallel="false"), "parallel is of the type str"),
    "parallel of None": (lambda: gg.Tools([], model="hermes", parallel=None), "parallel is None: give True or False"),
    "thinking": (lambda: gg.Tools([], model="hermes", thinking=[1]), "thinking is of the type list"),
    "special_names": (lambda: vocabulary().tokenize("a", special_names="no"), "special_names is of the type str"),
    "prompt": (lambda: vocabulary().tokenize("a", prompt=np.zeros(2)), "prompt is of the type ndarray"),
    "canonical": (lambda: artifact().matcher(canonical="false"), "canonical is of the type str"),
    "rules": (lambda: gg.Events(matcher(), rules="no"), "rules is of the type str"),
    "ignore_case": (lambda: gg.keywords(["a"], ignore_case="no"), "ignore_case is of the type str"),
    "drafts": (lambda: GrammarLogitsProcessor(artifact(), drafts="no"), "drafts is of the type str"),
    # Objects of other kinds
    **{
        f"an indenter of {name}": (lambda value=value: gg.Lark("start: /a/", indenter=value), "indenter is of the type .*: give an object such as lark.indenter")
        for name, value in {"5": 5, "a list": [], "an object": object(), "a class": int, "a path": pathlib.Path("a")}.items()
    },
    "names of an indenter": (lambda: gg.Lark("start: /a/", indenter={"OPEN_PAREN_types": 1.5}), "OPEN_PAREN_types of the indenter is of the type float"),
    "limits of values": (lambda: gg.Events(matcher(), limits=5), "limits is of the type int"),
    "inflections of a class": (lambda: gg.keywords(["a"], inflections=int), '"english", a mapping'),
    "limits": (lambda: gg.compile(True, vocabulary(), limits=5), "limits is of the type int"),
    "a limit": (lambda: gg.compile(True, vocabulary(), limits={"work": "much"}), r"limits\['work'\] is of the type str"),
    "resources": (lambda: gg.compile(True, vocabulary(), resources=[1]), "resources is of the type list"),
    "a resource": (lambda: gg.compile(True, vocabulary(), resources={"a": {1}}), "the resource a cannot be written as JSON"),
    "max_bytes": (lambda: gg.CompileSession(vocabulary(), max_bytes="1"), "max_bytes is of the type str"),
    "to_schema": (lambda: gg.to_schema(5), "cannot be described"),
    # Files and stores
    "open": (lambda: gg.open(5), "a path"),
    "save": (lambda: artifact().save(5), "a path"),
    "from_bytes": (lambda: gg.Artifact.from_bytes("GCG"), "the artifact is of the type str: give bytes"),
    "restore": (lambda: artifact().restore("saved"), "the saved matcher is of the type str"),
    "Store": (lambda: gg.Store(5), "url is of the type int"),
    "a key": (lambda: gg.Store(cache="/tmp/gcc-grammar-none").get(5, vocabulary()), "the key is of the type int"),
    # Matchers
    "max_rollback": (lambda: artifact().matcher(max_rollback="1"), "max_rollback is of the type str"),
    "start_after": (lambda: artifact().matcher(start_after=b"</think>"), "a text, or the id of a token"),
    "max_free_tokens": (lambda: artifact().matcher(start_after="x", max_free_tokens="1"), "max_free_tokens is of the type str"),
    "commit a text": (lambda: matcher().commit("{"), "commit_text commits a text"),
    "commit nothing": (lambda: matcher().commit(None), "the token is None"),
    "commit a float": (lambda: matcher().try_commit(3.0), "the token is of the type float"),
    "commit a list": (lambda: matcher().commit([48]), "the token is of the type list"),
    "allows": (lambda: matcher().allows("4"), "Vocabulary.tokenize makes tokens"),
    "commit_text": (lambda: matcher().commit_text(5), "the text is of the type int"),
    "commit_text of a list": (lambda: matcher().try_commit_text([48]), "a text or bytes"),
    "validate a number": (lambda: matcher().validate(5), "a list of the ids of tokens"),
    "validate a text": (lambda: matcher().validate("47"), "Vocabulary.tokenize makes tokens"),
    "validate texts": (lambda: matcher().validate([48, "7"]), r"the tokens\[1\] is of the type str"),
    "rollback": (lambda: matcher().rollback("1"), "of the type str"),
    "forced_bytes": (lambda: matcher().forced_bytes(1.5), "most is of the type float"),
    "forced_tokens": (lambda: matcher().forced_tokens("ab"), "the tokens before is of the type str"),
    "set_budget": (lambda: matcher().set_budget("5"), "the budget is of the type str"),
    "verify_tree": (lambda: matcher().verify_tree(["x"], [48], row().reshape(1, -1)), "a parent is of the type str"),
    "tokens of a tree": (lambda: matcher().verify_tree([-1], ["4"], row().reshape(1, -1)), r"the tokens\[0\]"),
    "to_tensors": (lambda: artifact().to_tensors(depth="1"), "depth is of the type str"),
    # Batches on devices, and transformers
    "an artifact alone": (lambda: row_words_of(artifact()), "a list of instances of Artifact"),
    "rows of numbered masks": (lambda: NumberedMasks(9, rows="2", room=8), "rows is of the type str"),
    "a text as an artifact": (lambda: numbered().add("x"), "the artifact is of the type str"),
    "a text as a matcher": (lambda: numbered().stage(["x"], row(99)), r"the matchers\[0\] is of the type str"),
    "a processor of a text": (lambda: GrammarLogitsProcessor("x"), "a list of artifacts"),
    "a processor of texts": (lambda: GrammarLogitsProcessor(["x"]), r"artifacts\[0\] is of the type str"),
    "particles": (lambda: smc(None, None, particles="2", max_tokens=3), "particles is of the type str: give an integer"),
    "max_tokens": (lambda: smc(None, None, particles=2, max_tokens=None), "max_tokens is None"),
    "an array as the model of a request": (lambda: gg.Tools({"tools": [], "model": np.zeros(2)}), "the tools cannot be written as JSON"),
    # Rows
    "a list as a row": (lambda: matcher().fill([0] * 9), "a list is no memory"),
    "no row": (lambda: matcher().fill(None), "the row is None"),
    "a text as a row": (lambda: matcher().update("x"), "the row is of the type str"),
    "floats as a row": (lambda: matcher().fill(np.zeros(9)), "32-bit integers, not <f8"),
    "an index": (lambda: matcher().fill(row().reshape(1, -1), "0"), "the index of the row is of the type str"),
    "no matchers": (lambda: gg.fill_masks(None, [row()]), "a list of instances of Matcher"),
    "a matcher alone": (lambda: gg.fill_masks(matcher(), [row()]), "for a single one, give a list with it"),
    "artifacts for matchers": (lambda: gg.fill_masks([artifact()], [row()]), r"the matchers\[0\] is of the type Artifact"),
    "threads": (lambda: gg.fill_masks([matcher()], [row()], threads="2"), "threads is of the type str"),
    "indices": (lambda: gg.fill_masks([matcher()], [row()], indices=0), "a list of the numbers of rows"),
    "floats in a buffer": (lambda: matcher().fill(array.array("f", [0] * 9)), "32-bit integers, not f"),
    "long integers in a buffer": (lambda: matcher().fill(array.array("q", [0] * 9)), "32-bit integers, not q"),
    "no list of rows": (lambda: gg.fill_masks([matcher()], []), "there is no row 0 of 0"),
    "no rows of a tree": (lambda: matcher().verify_tree([-1], [48], []), "there is no row 0 of 0"),
    "a float that is no token": (lambda: matcher().allows(float("nan")), "the token is of the type float"),
    # Logits
    "a list of logits": (lambda: gg.apply_mask([0.0] * 257, row()), "the logits is of the type list"),
    "no logits": (lambda: gg.apply_mask(None, row()), "the logits is None"),
    "logits as memory": (lambda: gg.apply_mask(memoryview(b"abcd"), row()), "the logits is of the type memoryview"),
    "logits of bool": (lambda: gg.apply_mask(np.zeros(257, bool), row()), "the logits are of the type bool: give floating-point numbers"),
    "logits of integers": (lambda: gg.apply_mask(np.zeros(257, np.int64), row()), "the logits are of the type int64"),
    "logits of objects": (lambda: gg.apply_mask(np.zeros(257, object), row()), "the logits are of the type object"),
    "a number as logits": (lambda: gg.apply_mask(np.float32(1), row()), r"the logits have the shape \(\)"),
    "logits of three dimensions": (lambda: gg.apply_mask(np.zeros((1, 1, 257)), row()), r"the logits have the shape \(1, 1, 257\)"),
    "words of another byte order": (lambda: gg.apply_mask(np.zeros(257, np.float32), row().astype(">i4")), "in the order of this machine"),
    "read-only logits": (lambda: gg.apply_mask(np.broadcast_to(np.float32(0), (257,)), row()), "the logits are read-only: give a copy"),
    "bytes that are no rows": (lambda: gg.apply_mask(np.zeros(257), b"abc"), "the rows cannot be read"),
    "ragged rows": (lambda: gg.apply_mask(np.zeros(257), [[1], [1, 2]]), "the rows cannot be read"),
    "an index of a batch": (lambda: gg.fill_masks([matcher()], row().reshape(1, -1), indices=["0"]), "of the type str"),
}


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_wrong_types_are_errors_that_say_what_to_give(name):
    call, message = WRONG_TYPES[name]
    with pytest.raises(gg.WrongTypeError, match=message) as error:
        call()
    assert isinstance(error.value, (gg.Error, TypeError)) and error.value.diagnostics == []


#: Calls with a number that cannot be meant.
WRONG_NUMBERS = {
    "a negative id": lambda: gg.Vocabulary({-1: b"a"}),
    "a large id": lambda: gg.Vocabulary({1 << 40: b"a"}),
    "the last id": lambda: gg.Vocabulary({(1 << 32) - 2: b"a"}),
    "width": lambda: gg.Vocabulary(BYTES, width=-1),
    "a large width": lambda: gg.Vocabulary(BYTES, width=1 << 40),
    "end_tokens": lambda: gg.Vocabulary(BYTES, end_tokens=1 << 40),
    "the name of an end token": lambda: gg.Vocabulary(BYTES, end_tokens=str(1 << 70)),
    "decode": lambda: vocabulary().decode([-1]),
    "decode a large id": lambda: vocabulary().decode([1 << 40]),
    "half of a pair": lambda: vocabulary().tokenize("\ud800"),
    "half of a pair in a matcher": lambda: matcher().commit_text("\ud800"),
    "max_rollback": lambda: artifact().matcher(max_rollback=1 << 40),
    "a negative max_rollback": lambda: artifact().matcher(max_rollback=-1),
    "start_after": lambda: artifact().matcher(start_after=1 << 40),
    "max_free_tokens": lambda: artifact().matcher(start_after="x", max_free_tokens=-1),
    "rollback": lambda: matcher().rollback(-1),
    "a large rollback": lambda: matcher().rollback(1 << 70),
    "forced_bytes": lambda: matcher().forced_bytes(-1),
    "set_budget": lambda: matcher().set_budget(-1),
    "a large budget": lambda: matcher().set_budget(1 << 40),
    "a parent": lambda: matcher().verify_tree([-2], [48], row().reshape(1, -1)),
    "a late parent": lambda: matcher().verify_tree([1 << 62], [48], row().reshape(1, -1)),
    "a token of a tree": lambda: matcher().verify_tree([-1], [1 << 40], row().reshape(1, -1)),
    "depth": lambda: artifact().to_tensors(depth=-1),
    "max_work": lambda: artifact().to_tensors(max_work=-1),
    "threads": lambda: gg.fill_masks([matcher()], [row()], threads=-1),
    "max_bytes": lambda: gg.CompileSession(vocabulary(), max_bytes=-1),
    "no particles": lambda: smc(None, None, particles=0, max_tokens=3),
    "resampling": lambda: smc(None, None, particles=2, max_tokens=3, resampling="none"),
    "a limit": lambda: gg.compile(True, vocabulary(), limits={"work": -1}),
    "a short row": lambda: matcher().fill(row(1)),
    "a tool without a name": lambda: gg.compile(gg.Tools([{"type": "function", "function": {}}], model="hermes"), vocabulary()),
    "a circle": lambda: gg.JsonSchema(circle()),
    "rows of numbered masks": lambda: NumberedMasks(9, rows=1 << 70, room=8),
    "a negative number of slots": lambda: NumberedMasks(9, rows=2, room=-1),
    "no artifacts": lambda: GrammarLogitsProcessor([]),
}


#: Calls with half of a surrogate pair, as JSON that is cut in two has it, and what the message must name.
HALVES = {
    "Regex": (lambda half: gg.Regex(half), "the text of the source"),
    "Choice": (lambda half: gg.Choice(["a", half]), r"the choices\[1\]"),
    "Lark": (lambda half: gg.Lark(half), "the text of the source"),
    "the name of a source": (lambda half: gg.Lark("start: /a/", name=half), "the name of the source"),
    "the start": (lambda half: gg.Ebnf('root ::= "a"', start=half), "start"),
    "JsonSchema": (lambda half: gg.compile(half, vocabulary()), "the text of the source"),
    "keywords": (lambda half: gg.keywords([half]), r"the words\[0\]"),
    "Tools": (lambda half: gg.Tools(half, model="hermes"), "the text of the source"),
    "model": (lambda half: gg.Tools([], model=half), "model"),
    "families": (lambda half: gg.Tools([], families=half), "families"),
    "tool_choice": (lambda half: gg.Tools([], model="hermes", tool_choice=half), "tool_choice"),
    "an option": (lambda half: gg.check(True, whitespace=half), "whitespace"),
    "a resource": (lambda half: gg.check(True, resources={half: True}), "the URI of a resource"),
    "a folder": (lambda half: gg.check(True, import_folders=[half]), r"import_folders\[0\]"),
    "a limit": (lambda half: gg.check(True, limits={half: 1}), "the name of a limit"),
    "Vocabulary": (lambda half: gg.Vocabulary(half), "the vocabulary"),
    "its name": (lambda half: gg.Vocabulary([b"a"], name=half), "the name of the vocabulary"),
    "its end": (lambda half: gg.Vocabulary([b"a"], end_tokens=half), "end_tokens"),
    "Store": (lambda half: gg.Store(half), "url"),
    "bytes as a path": (lambda _: gg.Store(b"\xff\xfe"), "url"),
    "cache": (lambda half: gg.Store(cache=half), "cache"),
    "a key": (lambda half: gg.Store(cache="/tmp/gcc-grammar-none").get(half, vocabulary()), "the key"),
    "open": (lambda half: gg.open(half), "the path of the artifact"),
    "start_after": (lambda half: artifact().matcher(start_after=half), "start_after"),
    "start_after of events": (lambda half: gg.Events(matcher(), start_after=half), "start_after"),
}


@pytest.mark.parametrize("name", HALVES)
def test_texts_that_no_utf8_spells_are_refused_by_name(name):
    call, argument = HALVES[name]
    with pytest.raises(gg.RefusedError, match=f"^{argument} has half of a surrogate pair at character [01]: give a text that can be UTF-8"):
        call("\ud83d")


def test_files_of_families_that_cannot_be_read(tmp_path):
    (tmp_path / "latin").write_bytes(b"\xe9")
    for path, message in ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory"), ("a\0b", "null character")):
        with pytest.raises(gg.NotFoundError, match=message):
            gg.Tools([], model="hermes", families=path)
    with pytest.raises(gg.RefusedError, match="is not UTF-8 at byte 0"):
        gg.Tools([], model="hermes", families=tmp_path / "latin")


def test_flags_of_numpy_are_flags():
    assert gg.artifact_key(True, vocabulary(), embed_vocabulary=np.bool_(True)) == gg.artifact_key(True, vocabulary(), embed_vocabulary=True)
    assert gg.Tools([], model="hermes", parallel=np.False_).options["parallel"] is False
    assert gg.check(True, integer_with_point=np.True_, strict=np.False_).report == gg.check(True).report


def circle():
    schema = {}
    schema["not"] = schema
    return schema


@pytest.mark.parametrize("name", WRONG_NUMBERS)
def test_values_that_cannot_be_meant_are_refused(name):
    with pytest.raises((gg.RefusedError, gg.OverBudgetError)):
        WRONG_NUMBERS[name]()


@pytest.mark.parametrize("most", [1 << 16, 1 << 31, 1 << 40, (1 << 63) - 1, 1 << 63, 1 << 64, 1 << 80])
def test_great_bounds_take_no_memory(most):
    text = "a" * 1000
    found = gg.compile(gg.Choice([text + "b", text + "c"]), vocabulary())
    assert found.matcher().forced_bytes(most) == text.encode()
    assert gg.compile(True, vocabulary(), limits={"work": most << 16}).key
    assert gg.CompileSession(vocabulary(), max_bytes=most).compile(True).key
    assert artifact().to_tensors(max_work=most, max_bytes=most, max_states=most).states


def test_integers_of_other_packages_are_integers():
    state = artifact().matcher(max_rollback=np.int64(4))
    state.commit(np.uint16(ord("4")))
    assert state.validate(np.array([ord("2"), 0])) == 1
    state.commit(Index.DIGIT)
    state.rollback(np.int32(1))
    assert vocabulary().decode(np.array([97, 98])) == b"ab" and vocabulary().token_bytes(np.int8(97)) == b"a"
    assert gg.Vocabulary(BYTES, width=np.int64(300), end_tokens=np.int64(290)).end_tokens == [290]


# Copies and pickles


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda state: pickle.loads(pickle.dumps(state))])
@pytest.mark.parametrize("options", [{}, {"start_after": "</think>"}])
def test_copies_of_matchers_are_independent(copied, options):
    state = artifact().matcher(**options)
    if options:
        state.commit_text("hm </think>")
    state.commit_text("1")
    held = row()
    state.update(held)
    other = copied(state)
    assert other.save() == state.save() and other.mask() == state.mask()
    other.commit_text("2")
    assert other.is_accepting and not state.is_accepting and state.committed + 1 == other.committed
    state.rollback()
    assert other.is_accepting and state.committed + 2 == other.committed
    # The row that one of them remembers is not that of the other.
    other.update(held)
    assert held.tobytes() == other.mask()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_of_processors_have_matchers_of_their_own(copied):
    processor = GrammarLogitsProcessor(artifact())
    processor._matchers = processor._begin(2)
    other = copied(processor)
    other._matchers[1].commit_text("1")
    assert [state.committed for state in processor._matchers] == [0, 0]
    assert [state.committed for state in other._matchers] == [0, 1]


def test_matchers_that_are_pickled_together_share_their_artifact():
    states = pickle.loads(pickle.dumps([matcher(), matcher()]))
    assert states[0].artifact is states[1].artifact and states[0].artifact.key == artifact().key


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_vocabularies_artifacts_sessions_and_stores_can_be_copied(copied, llama3, tmp_path):
    for value in (vocabulary(), llama3, gg.Vocabulary([b"a", b"b"], end_tokens=[0, 4], width=9)):
        other = copied(value)
        assert (other.fingerprint, other.name, other.end_tokens) == (value.fingerprint, value.name, value.end_tokens)
        assert other.special_tokens == value.special_tokens
    assert copied(llama3).tokenize("internationalization 123456") == llama3.tokenize("internationalization 123456")
    assert copied(artifact()).to_bytes() == artifact().to_bytes()
    session = copied(gg.CompileSession(vocabulary(), max_bytes=1 << 20))
    assert session.compile(gg.Regex("[0-9]{2}")).to_bytes() == artifact().to_bytes()
    store = copied(gg.Store(tmp_path))
    assert store.compile(gg.Regex("[0-9]{2}"), vocabulary()).key == artifact().key
    assert gg.Store(tmp_path).get(artifact().key, vocabulary()) is not None


def test_a_pickled_vocabulary_of_a_file_finds_its_tokenizer_again(tmp_path):
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path / "model"
    folder.mkdir()
    path = folder / "tokenizer.json"

    def write(pairs):
        letters = {"a": 0, "b": 1, **{one + other: place + 2 for place, (one, other) in enumerate(pairs)}}
        tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=letters, merges=pairs))
        tokenizer.add_special_tokens(["</s>"])
        tokenizer.save(str(path))

    write([("a", "b"), ("ab", "b")])
    loaded = gg.Vocabulary(path, end_tokens="</s>")
    pickled = pickle.dumps(loaded)
    assert pickle.loads(pickled).tokenize("aabb") == loaded.tokenize("aabb") == [0, 3]
    # Without the file, the tokens are there; the tokenizer is not.
    path.unlink()
    assert pickle.loads(pickled).fingerprint == loaded.fingerprint
    # Another file in its place is not taken for it.
    write([("b", "a"), ("ba", "b")])
    assert pickle.loads(pickled).fingerprint == loaded.fingerprint


def test_numbered_masks_say_what_they_need():
    masks = numbered()
    with pytest.raises(gg.Error, match="the row has 1 words"):
        masks.stage([matcher()], row(1))
