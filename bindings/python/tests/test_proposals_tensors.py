"""Tensors beside matchers and files."""

import json
import subprocess
import sys

import numpy as np
import pytest

import gcc_grammar as gg
from gcc_grammar.proposals import Budgeted, Gcd, Tensors, smc

SCHEMA = {"type": "object", "properties": {"a": {"type": "boolean"}, "b": {"enum": [1, None]}}, "required": ["a"], "additionalProperties": False}
NESTED = gg.Lark('start: pair*\npair: "(" pair* ")"\n')


def same_arrays(one: Tensors, other: Tensors) -> bool:
    names = ("accept", "source", "target", "edge_label", "label_indptr", "label_indices", "label_bits")
    return one.start == other.start and all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_states_are_those_of_matchers(letters):
    artifact = gg.compile(SCHEMA, letters, whitespace="compact")
    tensors = artifact.to_tensors()
    assert tensors.description["cut_deeper"] == tensors.description["cut_longer"] == 0
    assert tensors.description["artifact"] == artifact.key and tensors.description["vocabulary"] == letters.fingerprint
    open_states = [(tensors.start, artifact.matcher())]
    seen = {tensors.start}
    while open_states:
        state, matcher = open_states.pop()
        edges = [edge for edge in tensors.out_edges[state] if edge >= 0]
        allowed = sorted(int(token) for edge in edges for token in tensors.tokens(tensors.edge_label[edge]))
        assert allowed == matcher.allowed() and bool(tensors.accept[state]) == matcher.is_terminated
        for token in allowed:
            following = int(tensors.step(np.array([state]), np.array([token]))[0])
            if following not in seen:
                seen.add(following)
                fork = matcher.fork()
                fork.commit(token)
                open_states.append((following, fork))
    assert len(seen) == tensors.states > 10


def budget_masks(artifact: gg.Artifact) -> tuple:
    """How many masks within a budget there are, in all states and with all budgets up to four tokens more than the fewest, and how many tokens of
    GCD on tensors the matcher lacks in them. It never has others."""
    tensors = artifact.to_tensors()
    found = Gcd(tensors)
    masks = lacks = 0
    for state in range(tensors.states):
        matcher = artifact.matcher()
        for token in shortest_path(tensors, state):
            matcher.commit(token)
        for left in range(int(tensors.distance[state]) + 5):
            least = matcher.min_remaining()
            if least <= left:
                matcher.set_budget(left)
            have = set(matcher.allowed()) if least <= left else set()
            want = set(found.masks([state], [left])[0].nonzero()[0].tolist())
            assert have <= want
            masks += 1
            lacks += len(want - have)
            matcher.set_budget(None)
    return masks, lacks


def shortest_path(tensors: Tensors, state: int) -> list:
    paths: dict = {tensors.start: []}
    level = [tensors.start]
    while state not in paths:
        here = level.pop(0)
        for edge in range(tensors.edges):
            target = int(tensors.target[edge])
            if int(tensors.source[edge]) == here and target not in paths:
                paths[target] = paths[here] + [int(tensors.tokens(tensors.edge_label[edge])[0])]
                level.append(target)
    return paths[state]


def test_budgets_of_matchers_are_gcd_on_tensors():
    """Equal bit by bit where no token spans lexemes."""
    of_bytes = gg.Vocabulary([bytes([byte]) for byte in range(256)])
    for input in (SCHEMA, gg.Regex("(ab|cd)*e{2}"), {"type": "array", "items": {"enum": ["a", True]}, "maxItems": 2}):
        masks, lacks = budget_masks(gg.compile(input, of_bytes, whitespace=None if isinstance(input, gg.Source) else "compact"))
        assert masks > 20 and lacks == 0
    of_pairs = gg.Vocabulary([bytes([byte]) for byte in range(256)] + [b"()"])
    masks, lacks = budget_masks(gg.compile(gg.Lark('start: pair pair\npair: "(" ")"\n'), of_pairs))
    assert masks > 20 and lacks > 0


def test_budgets_of_matchers_steer_sampling(letters):
    """A recursive grammar has no tensors; all outputs are complete within the budget."""
    artifact = gg.compile(NESTED, letters)
    samples = smc(lambda tokens: np.zeros((len(tokens), letters.width)), Budgeted(artifact), particles=50, max_tokens=9, seed=3)
    for output in samples.outputs[0]:
        text = bytes(token for token in output[:-1]).decode()
        assert len(output) <= 9 and output[-1] == letters.end_tokens[0]
        while "()" in text:
            text = text.replace("()", "")
        assert text == ""
    with pytest.raises(gg.Error, match="budgets"):
        smc(lambda tokens: np.zeros((len(tokens), letters.width)), Budgeted(gg.compile(NESTED, letters, budgets="off")), particles=2, max_tokens=9)


def test_matrices_have_the_shapes_of_the_paper(letters):
    tensors = gg.compile(gg.Regex("a[bc]*d"), letters).to_tensors()
    states, edges, width = tensors.states, tensors.edges, letters.width
    assert tensors.T_out().shape == (states, edges) and tensors.T_in().shape == (edges, states) and tensors.B_f().shape == (edges, width)
    assert (tensors.T_out().sum(axis=0) == 1).all() and (tensors.T_in().sum(axis=1) == 1).all()
    assert tensors.B_f().sum() == tensors.nonzeros
    assert tensors.run([ord("a"), ord("c"), ord("d")]) >= 0 and tensors.run([ord("a"), ord("x")]) == -1


@pytest.mark.parametrize("extension", ["npz", "safetensors"])
def test_files(letters, tmp_path, extension):
    """The command line and the package write and read the same."""
    artifact = gg.compile(SCHEMA, letters, whitespace="compact", embed_vocabulary=True)
    artifact.save(tmp_path / "a.gcg")
    path = tmp_path / f"a.{extension}"
    command = [sys.executable, "-m", "gcc_grammar", "export", str(tmp_path / "a.gcg"), "--tensors", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    tensors, loaded = artifact.to_tensors(), Tensors.load(path)
    assert same_arrays(loaded, tensors) and loaded.description == tensors.description
    printed = json.loads(done.stdout)["tensors"]
    assert (printed["states"], printed["edges"], printed["nonzeros"]) == (tensors.states, tensors.edges, tensors.nonzeros)
    loaded.save(tmp_path / f"b.{extension}")
    assert same_arrays(Tensors.load(tmp_path / f"b.{extension}"), tensors)


def test_safetensors_are_those_of_the_package(letters, tmp_path):
    safetensors = pytest.importorskip("safetensors.numpy")
    tensors = gg.compile(SCHEMA, letters).to_tensors()
    tensors.save(tmp_path / "a.safetensors")
    assert np.array_equal(safetensors.load_file(tmp_path / "a.safetensors")["T_in"], tensors.target)


def test_recursion_needs_a_bound():
    vocabulary = gg.Vocabulary([b"(", b")", b"((", b"))", b"()"])
    artifact = gg.compile(NESTED, vocabulary)
    with pytest.raises(gg.OverBudgetError, match="more than 300 states") as error:
        artifact.to_tensors(max_states=300)
    assert "--depth" in error.value.diagnostics[0]["help"]
    by_depth, by_tokens = artifact.to_tensors(depth=3), artifact.to_tensors(tokens=6)
    assert by_depth.description["cut_deeper"] > 0 and by_depth.description["cut_longer"] == 0
    assert by_tokens.description["cut_longer"] > 0 and by_tokens.description["cut_deeper"] == 0
    with pytest.raises(gg.RefusedError, match="no output is left"):
        artifact.to_tensors(tokens=0)


def test_damaged_files_are_refused(tmp_path):
    tensors = Tensors.of_edges(3, states=2, accept=[1], edges={(0, 1): [0, 2]})
    path = tmp_path / "a.safetensors"
    tensors.save(path)
    content = path.read_bytes()
    for length in (0, 7, 100, len(content) - 1):
        path.write_bytes(content[:length])
        with pytest.raises(ValueError):
            Tensors.load(path)
    tensors.target[0] = 2
    tensors.save(path)
    with pytest.raises(ValueError, match="no automaton"):
        Tensors.load(path)
