"""Globally constrained decoding beside enumeration: at most 6 tokens over vocabularies of at most 6."""

import numpy as np
import pytest
import small

import gcc_grammar as gg
from gcc_grammar.proposals import Gcd, gcd

MOST = 5


@pytest.fixture(scope="module")
def cases() -> list:
    return list(small.automata(60, MOST))


def expected(outputs: list, prefix: tuple, left: int, width: int) -> list:
    """The tokens that some output of at most ``left`` more tokens goes on with."""
    begin = len(prefix)
    longest = begin + left
    following = {output[begin] for output in outputs if output[:begin] == prefix and begin < len(output) <= longest}
    return [token in following for token in range(width)]


def test_masks_are_those_of_enumeration(cases):
    """Every beginning of every output, with every number of tokens left."""
    masks = 0
    for tensors, outputs in cases:
        found = Gcd(tensors)
        for prefix in small.prefixes(outputs):
            state = tensors.run(prefix)
            for left in range(MOST - len(prefix) + 1):
                want = expected(outputs, prefix, left, tensors.width)
                assert found.masks([state], [left])[0].tolist() == want, (prefix, left)
                masks += 1
    assert masks > 5000


def test_equations_are_the_lists(cases):
    """Equations (1), (2) and (3) as matrix products, beside states and distances."""
    for tensors, outputs in cases:
        beta = gcd.backward(tensors, MOST)
        distances = tensors.distance
        assert np.array_equal(beta, distances <= np.arange(MOST + 1)[:, None])
        found = Gcd(tensors)
        for prefix in list(small.prefixes(outputs))[::7]:
            alpha = gcd.forward(tensors, prefix)
            assert alpha.nonzero()[0].tolist() == [tensors.run(prefix)]
            for left in range(MOST + 1):
                assert np.array_equal(gcd.mask(tensors, alpha, beta, left), found.masks([tensors.run(prefix)], [left])[0])


def test_the_shortest_output(cases):
    for tensors, outputs in cases:
        assert Gcd(tensors).shortest == min(map(len, outputs))


def test_every_path_of_masks_is_an_output(cases):
    """Random tokens of the masks always complete an output within the budget."""
    rng = np.random.default_rng(1)
    for tensors, outputs in cases:
        found = Gcd(tensors)
        known = set(outputs)
        for _ in range(20):
            state, path = tensors.start, ()
            while not tensors.accept[state]:
                allowed = found.masks([state], [MOST - len(path)])[0].nonzero()[0]
                path += (int(rng.choice(allowed)),)
                state = tensors.run(path[-1:], state)
            assert path in known


def test_a_distant_budget_is_the_plain_mask(letters):
    artifact = gg.compile({"type": "array", "items": {"enum": ["a", True]}, "maxItems": 3}, letters, whitespace="compact")
    tensors = artifact.to_tensors()
    found = Gcd(tensors)
    matcher = artifact.matcher()
    state = tensors.start
    for token in letters.tokenize(b'["a",true]'):
        assert found.bits([state], [1000])[0].tobytes() == matcher.mask()
        matcher.commit(token)
        state = tensors.run([token], state)
    assert found.bits([state], [1])[0].tobytes() == matcher.mask() and found.masks([state], [0]).sum() == 0


def test_batches_have_a_row_for_each_state(cases):
    tensors, _ = cases[0]
    found = Gcd(tensors)
    rows = found.masks([0, 0, 1, -1], [MOST, 0, 2, 3])
    assert rows.shape == (4, tensors.width) and not rows[1].any() and not rows[3].any()
    assert found.masks([], []).shape == (0, tensors.width)
