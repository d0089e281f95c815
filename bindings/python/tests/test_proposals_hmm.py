"""Hidden Markov models beside sums over all sequences of hidden states."""

import itertools
import json

import numpy as np
import pytest

from gcc_grammar.proposals import Hmm
from gcc_grammar.proposals.hmm import em_step, fit
from gcc_grammar.proposals.safetensors import read_safetensors, write_safetensors
from gcc_grammar.proposals.transitions import Dense, Monarch


def probability(hmm: Hmm, tokens: tuple) -> float:
    """The probability of tokens, by enumeration."""
    initial, matrix, emission = np.exp(hmm.log_initial), hmm.transition.forward(np.eye(hmm.hidden)), np.exp(hmm.log_emission)
    total = 0.0
    for states in itertools.product(range(hmm.hidden), repeat=len(tokens)):
        term = initial[states[0]] if states else 1.0
        for place, (state, token) in enumerate(zip(states, tokens)):
            term *= emission[state, token] * (matrix[states[place - 1], state] if place > 0 else 1.0)
        total += term
    return total


def random_monarch(rng: np.random.Generator, sizes: tuple) -> Monarch:
    hidden = int(np.prod(sizes))
    return Monarch([rng.dirichlet(np.ones(size), size=(hidden // size, size)) for size in sizes])


@pytest.mark.parametrize("seed", range(5))
def test_probabilities_are_those_of_enumeration(seed):
    hmm = Hmm.random(3, 4, seed=seed)
    for tokens in itertools.product(range(4), repeat=4):
        assert np.isclose(hmm.log_likelihoods([tokens])[0], np.log(probability(hmm, tokens)), atol=1e-12)
    beliefs = hmm.begin(2)
    for token, place in ((1, 0), (3, 1), (0, 2)):
        prefix = (1, 3, 0)[:place]
        for following in range(4):
            want = probability(hmm, (*prefix, following)) / (probability(hmm, prefix) if prefix else 1.0)
            assert np.allclose(np.exp(hmm.log_next(beliefs)[:, following]), want)
        beliefs = hmm.update(beliefs, [token, token])


def test_outputs_of_different_lengths_and_long_ones():
    hmm = Hmm.random(3, 4, seed=1)
    samples = [[0], [1, 2, 3, 3], [], [2, 2]]
    assert np.allclose(hmm.log_likelihoods(samples), [np.log(probability(hmm, tuple(sample))) for sample in samples])
    assert hmm.log_likelihoods([[1, 2] * 2000])[0] < -2000 and np.isfinite(hmm.log_likelihoods([[1, 2] * 2000])[0])


def test_a_token_that_cannot_come_tells_nothing():
    hmm = Hmm(np.full((2, 2), 0.5), np.log(np.array([[1.0, 1e-300], [0.5, 0.5]])), np.log(np.array([0.5, 0.5])))
    hmm.log_emission[:, 1] = -np.inf
    assert hmm.log_likelihoods([[1]])[0] == -np.inf
    assert np.allclose(hmm.update(hmm.begin(1), [1]), 0.5)


@pytest.mark.parametrize("seed", range(3))
def test_a_step_of_baum_welch_is_the_expectation(seed):
    """Expected counts by enumeration of all hidden sequences."""
    hmm = Hmm.random(2, 3, seed=seed)
    samples = [[0, 1, 2], [2, 2], [1], [0, 0, 1, 1]]
    initial, moves, emitted = np.zeros(2), np.zeros((2, 2)), np.zeros((2, 3))
    matrix, emission, start = hmm.transition.matrix, np.exp(hmm.log_emission), np.exp(hmm.log_initial)
    for sample in samples:
        weights = {}
        for states in itertools.product(range(2), repeat=len(sample)):
            weight = start[states[0]]
            for place, token in enumerate(sample):
                weight *= emission[states[place], token] * (matrix[states[place - 1], states[place]] if place else 1.0)
            weights[states] = weight
        total = sum(weights.values())
        for states, weight in weights.items():
            initial[states[0]] += weight / total
            for place, token in enumerate(sample):
                emitted[states[place], token] += weight / total
                if place:
                    moves[states[place - 1], states[place]] += weight / total
    fitted, likelihood = em_step(hmm, samples)
    assert np.allclose(fitted.transition.matrix, moves / moves.sum(axis=1, keepdims=True))
    assert np.allclose(np.exp(fitted.log_emission), emitted / emitted.sum(axis=1, keepdims=True))
    assert np.allclose(np.exp(fitted.log_initial), initial / initial.sum())
    assert np.isclose(likelihood, hmm.log_likelihoods(samples).mean())


def test_fitting_makes_samples_likelier():
    source = Hmm.random(3, 5, seed=3, concentration=0.3, end_token=4)
    samples = source.sample(400, seed=1, max_tokens=12)
    assert all(sample.index(4) == len(sample) - 1 for sample in samples if 4 in sample)
    seen = []
    fitted = fit(samples, hidden=3, width=5, em_steps=40, seed=5, pseudocount=1e-6, end_token=4, progress=lambda *news: seen.append(news[2]))
    assert all(later > earlier - 1e-6 for earlier, later in zip(seen, seen[1:])) and len(seen) == 40
    # The model that drew the samples is not much likelier than the one that was fitted.
    assert fitted.log_likelihoods(samples).mean() > source.log_likelihoods(samples).mean() - 0.1


def test_samples_have_the_probabilities_of_the_model():
    hmm = Hmm.random(2, 3, seed=4, end_token=2)
    samples = [tuple(sample) for sample in hmm.sample(40_000, seed=2, max_tokens=2)]
    for output in {(2,), (0, 2), (1, 0)}:
        assert abs(samples.count(output) / 40_000 - probability(hmm, output)) < 0.01


@pytest.mark.parametrize("sizes", [(2, 3), (3, 2), (2, 2, 2), (4, 4)])
def test_monarch_matrices(sizes):
    """Forward and backward belong to the same matrix, which is stochastic."""
    rng = np.random.default_rng(0)
    monarch = random_monarch(rng, sizes)
    matrix = monarch.forward(np.eye(monarch.hidden))
    assert np.allclose(matrix.sum(axis=1), 1.0) and np.allclose(monarch.backward(np.eye(monarch.hidden)), matrix.T)
    rows = rng.random((5, monarch.hidden))
    assert np.allclose(monarch.forward(rows), Dense(matrix).forward(rows)) and np.allclose(monarch.backward(rows), Dense(matrix).backward(rows))


def test_a_monarch_matrix_is_that_of_its_definition():
    """By hand, two factors: blocks of consecutive places are multiplied, then block and place are exchanged."""
    rng = np.random.default_rng(1)
    first, second = rng.dirichlet(np.ones(2), size=(3, 2)), rng.dirichlet(np.ones(3), size=(2, 3))
    values = rng.random(6)
    half = np.concatenate([second[block] @ values[3 * block : 3 * block + 3] for block in range(2)]).reshape(2, 3).T.reshape(-1)
    want = np.concatenate([first[block] @ half[2 * block : 2 * block + 2] for block in range(3)]).reshape(3, 2).T.reshape(-1)
    assert np.allclose(Monarch([first, second]).backward(values[None])[0], want)


@pytest.mark.parametrize("kind", ["ctrl-g", "monarch"])
def test_folders(tmp_path, kind):
    hmm = Hmm.random(6, 5, seed=1, end_token=4)
    if kind == "monarch":
        hmm.transition = random_monarch(np.random.default_rng(2), (2, 3))
    hmm.save(tmp_path / "model")
    loaded = Hmm.load(tmp_path / "model")
    assert loaded.end_token == 4 and loaded.width == 5
    assert np.allclose(loaded.log_likelihoods([[1, 2, 3], [0, 4]]), hmm.log_likelihoods([[1, 2, 3], [0, 4]]), atol=1e-5)


def test_the_layout_of_ctrl_g(tmp_path):
    """Names, shapes and meanings as `ctrlg.HMM` has them: probabilities of transitions, logarithms of the others."""
    rng = np.random.default_rng(3)
    alpha, beta, gamma = rng.dirichlet(np.ones(3), size=3), np.log(rng.dirichlet(np.ones(7), size=3)), np.log(rng.dirichlet(np.ones(3)))
    arrays = {name: array.astype(np.float32) for name, array in (("alpha_exp", alpha), ("beta", beta), ("gamma", gamma))}
    (tmp_path / "model").mkdir()
    write_safetensors(tmp_path / "model" / "model.safetensors", arrays)
    (tmp_path / "model" / "config.json").write_text(json.dumps({"hidden_states": 3, "vocab_size": 7, "eos_token_id": 6}))
    hmm = Hmm.load(tmp_path / "model")
    assert np.allclose(hmm.transition.matrix, alpha, atol=1e-6) and np.allclose(hmm.log_emission, beta, atol=1e-5)
    assert np.allclose(hmm.log_initial, gamma, atol=1e-5) and hmm.end_token == 6
    hmm.save(tmp_path / "again")
    names = {name: array.shape for name, array in read_safetensors(tmp_path / "again" / "model.safetensors")[0].items()}
    assert names == {"alpha_exp": (3, 3), "beta": (3, 7), "gamma": (3,)}
    assert json.loads((tmp_path / "again" / "config.json").read_text()) == {"hidden_states": 3, "vocab_size": 7, "eos_token_id": 6}


def test_the_layout_of_gelato(tmp_path):
    """A pickle of logits, as `GeLaTo` trains them."""
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(3)
    logits = {"alpha": rng.normal(size=(3, 3)), "beta": rng.normal(size=(3, 7)), "gamma": rng.normal(size=3)}
    torch.save({name: torch.tensor(array) for name, array in logits.items()}, tmp_path / "weights.th")
    hmm = Hmm.load(tmp_path / "weights.th")
    softmax = lambda array: np.exp(array) / np.exp(array).sum(axis=-1, keepdims=True)  # noqa: E731
    assert np.allclose(hmm.transition.matrix, softmax(logits["alpha"])) and np.allclose(np.exp(hmm.log_initial), softmax(logits["gamma"]))


def test_other_files_are_refused(tmp_path):
    (tmp_path / "model").mkdir()
    write_safetensors(tmp_path / "model" / "model.safetensors", {"weight": np.zeros((2, 2), dtype=np.float32)})
    with pytest.raises(ValueError, match="no hidden Markov model of a known layout"):
        Hmm.load(tmp_path / "model")
    with pytest.raises(ValueError, match="numbers of hidden states differ"):
        Hmm(np.eye(2), np.zeros((3, 4)), np.zeros(2))

