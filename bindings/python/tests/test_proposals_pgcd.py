"""P-GCD beside enumeration: random automata, random hidden Markov models, at most 5 tokens over 5."""

import numpy as np
import pytest
import small

import gcc_grammar as gg
from gcc_grammar.proposals import Gcd, Hmm, Product, Tensors
from gcc_grammar.proposals.pgcd import cached, edge_weights
from gcc_grammar.proposals.transitions import Monarch

MOST = 5


@pytest.fixture(scope="module")
def cases() -> list:
    made = []
    for number, (tensors, outputs) in enumerate(small.automata(12, MOST)):
        hmm = Hmm.random(3, tensors.width, seed=number)
        made.append((Product(tensors, hmm, MOST), outputs))
    return made


def probabilities(hmm: Hmm, outputs: list) -> dict:
    return dict(zip(outputs, np.exp(hmm.log_likelihoods(outputs))))


def belief(hmm: Hmm, prefix: tuple) -> np.ndarray:
    beliefs = hmm.begin(1)
    for token in prefix:
        beliefs = hmm.update(beliefs, [token])
    return beliefs


def test_the_probability_of_the_language(cases):
    for product, outputs in cases:
        total = sum(probabilities(product.hmm, outputs).values())
        assert np.isclose(product.log_satisfied, np.log(total), atol=1e-10)


def test_potentials_are_those_of_enumeration(cases):
    """The probability that an output of the model that begins so will be completed, for every beginning and number of tokens left."""
    checked = 0
    for product, outputs in cases:
        hmm, width = product.hmm, product.tensors.width
        whole = probabilities(hmm, outputs)
        for prefix in list(small.prefixes(outputs))[::5]:
            state = product.tensors.run(prefix)
            for left in range(1, MOST - len(prefix) + 1):
                found = np.exp(product.log_psi([state], belief(hmm, prefix), [left]))[0]
                for token in range(width):
                    begun = (*prefix, token)
                    sums = [p for output, p in whole.items() if output[: len(begun)] == begun and len(output) <= len(prefix) + left]
                    want = sum(sums) / np.exp(hmm.log_likelihoods([begun])[0])
                    assert np.isclose(found[token], want, rtol=1e-9), (prefix, left, token)
                    checked += 1
    assert checked > 1000


def test_the_support_is_that_of_gcd(cases):
    """Also where the model is sure that a token does not come."""
    for product, outputs in cases:
        certain = Hmm(product.hmm.transition, product.hmm.log_emission.copy(), product.hmm.log_initial)
        certain.log_emission[:, ::2] = -np.inf
        for model in (product.hmm, certain):
            other = Product(product.tensors, model, MOST)
            for prefix in list(small.prefixes(outputs))[::9]:
                state = product.tensors.run(prefix)
                for left in range(MOST + 1):
                    found = other.log_psi([state], belief(product.hmm, prefix), [left])
                    assert np.array_equal(np.isfinite(found), Gcd(product.tensors).masks([state], [left]))


def test_with_the_model_itself_the_proposal_is_the_conditional(cases):
    """The language model is the hidden Markov model: the proposal has the probabilities of whole outputs, given that they are valid."""
    for product, outputs in cases:
        hmm = product.hmm
        want, _ = small.conditional(dict(zip(outputs, hmm.log_likelihoods(outputs))))
        for output in outputs[::3]:
            found, beliefs, state = 1.0, hmm.begin(1), product.tensors.start
            for place, token in enumerate(output):
                joint = np.exp(hmm.log_next(beliefs) + product.log_psi([state], beliefs, [MOST - place]))[0]
                found *= joint[token] / joint.sum()
                beliefs, state = hmm.update(beliefs, [token]), product.tensors.run([token], state)
            assert np.isclose(found, want[output], rtol=1e-9)


def test_a_monarch_matrix_is_a_matrix(cases):
    product, outputs = cases[0]
    rng = np.random.default_rng(0)
    factors = Monarch([rng.dirichlet(np.ones(2), size=(3, 2)), rng.dirichlet(np.ones(3), size=(2, 3))])
    hmm = Hmm.random(6, product.tensors.width, seed=9)
    one = Product(product.tensors, Hmm(factors, hmm.log_emission, hmm.log_initial), MOST)
    other = Product(product.tensors, Hmm(factors.forward(np.eye(6)), hmm.log_emission, hmm.log_initial), MOST)
    assert np.allclose(one.rows, other.rows) and np.isclose(one.log_satisfied, other.log_satisfied)
    assert np.isclose(one.log_satisfied, np.log(sum(probabilities(one.hmm, outputs).values())))


def test_long_outputs_do_not_underflow():
    """A forced output of 300 tokens, each with a probability of 1e-4."""
    width, length = 3, 300
    edges = {(state, state + 1): [0] for state in range(length)}
    edges[length, length + 1] = [2]
    tensors = Tensors.of_edges(width, states=length + 2, accept=[length + 1], edges=edges)
    hmm = Hmm(np.full((2, 2), 0.5), np.log(np.array([[1e-4, 0.5, 0.5 - 1e-4]] * 2)), np.log(np.array([0.5, 0.5])))
    product = Product(tensors, hmm, length + 1)
    want = length * np.log(1e-4) + np.log(0.5 - 1e-4)
    assert np.isclose(product.log_satisfied, want)
    assert np.isclose(product.log_psi([0], hmm.begin(1), [length + 1])[0, 0], want - np.log(1e-4))


def test_weights_of_edges_are_sums(llama3):
    tensors = gg.compile(gg.Regex("[a-z]{1,3}(, [0-9]+)?"), llama3).to_tensors()
    hmm = Hmm.random(4, tensors.width, seed=0)
    weights = edge_weights(tensors, hmm.emission)
    for label in range(tensors.labels):
        assert np.allclose(weights[label], hmm.emission[:, tensors.tokens(label)].sum(axis=1))


def test_products_are_kept_beside_their_artifacts(cases, tmp_path):
    product, _ = cases[0]
    tensors, hmm = product.tensors, product.hmm
    made = cached(tmp_path, tensors, hmm, MOST, name="a")
    (file,) = tmp_path.iterdir()
    assert file.name == f"a.{made.key()[:16]}.pgcd.safetensors"
    again = cached(tmp_path, tensors, hmm, MOST, name="a")
    assert np.array_equal(again.rows, product.rows) and not again.rows.flags.owndata
    arguments = ([tensors.start], hmm.begin(1), [MOST])
    assert np.array_equal(again.log_psi(*arguments), product.log_psi(*arguments))
    # Another budget and another model have files of their own.
    other = Hmm(hmm.transition, hmm.log_emission, hmm.log_initial[::-1])
    assert len({cached(tmp_path, tensors, model, budget, name="a").key() for model in (hmm, other) for budget in (3, MOST)}) == 4
    assert len(list(tmp_path.iterdir())) == 4


def test_automata_without_end_tokens_are_refused():
    endless = Tensors.of_edges(2, states=2, accept=[1], edges={(0, 1): [0], (1, 1): [0, 1]})
    with pytest.raises(ValueError, match="do not end with a token"):
        Product(endless, Hmm.random(2, 2), 3)
    ended = Tensors.of_edges(3, states=2, accept=[1], edges={(0, 1): [0, 2]})
    with pytest.raises(ValueError, match="the model has 2 tokens, and the automaton 3"):
        Product(ended, Hmm.random(2, 2), 3)
