"""Sequential Monte Carlo beside enumeration: random automata and models, at most 5 tokens over 5, 10,000 runs at once."""

import numpy as np
import pytest
import small

import gcc_grammar as gg
from gcc_grammar.proposals import Awrs, Budgeted, Expected, Hmm, Lcd, Product, Tensors, smc
from gcc_grammar.proposals.awrs import two_accepted
from gcc_grammar.proposals.hmm import fit
from gcc_grammar.proposals.models import draw, log_softmax
from gcc_grammar.proposals.resampling import SCHEMES, effective_sample_size

MOST = 5
RUNS = 10_000
FEWER = 4000


class Case:
    """An automaton, a model, a hidden Markov model that was distilled from it, and the conditional distribution."""

    def __init__(self, tensors: Tensors, outputs: list, seed: int) -> None:
        self.tensors = tensors
        self.model = small.Model(tensors.width, seed)
        self.conditional, self.z = small.conditional({output: self.model.log_probability(output) for output in outputs})
        samples = [draws for draws in sampled(self.model, 500, seed)]
        hmm = fit(samples, hidden=3, width=tensors.width, em_steps=15, seed=seed, pseudocount=0.1)
        self.potentials = {
            "lcd": Lcd(tensors),
            "gcd": Budgeted(tensors),
            "pgcd": Expected(Product(tensors, hmm, MOST)),
        }


def sampled(model, count: int, seed: int) -> list:
    rng = np.random.default_rng(seed)
    tokens = np.zeros((count, 0), dtype=np.int64)
    for _ in range(MOST):
        tokens = np.concatenate([tokens, draw(log_softmax(model(tokens)), rng)[:, None]], axis=1)
    end = tokens.max(initial=0)
    return [row[: row.index(end) + 1] if end in row else row for row in tokens.tolist()]


@pytest.fixture(scope="module")
def cases() -> list:
    return [Case(tensors, outputs, seed) for seed, (tensors, outputs) in enumerate(small.automata(4, MOST)) if len(outputs) > 3]


def histogram(samples, runs: slice = slice(None)) -> dict:
    """The weighted mean over runs."""
    found: dict = {}
    for outputs, weights in zip(samples.outputs[runs], samples.weights[runs]):
        for output, weight in zip(outputs, weights.tolist()):
            if weight > 0:
                found[tuple(output)] = found.get(tuple(output), 0.0) + weight
    total = sum(found.values())
    return {output: weight / total for output, weight in found.items()}


@pytest.mark.parametrize("name", ["lcd", "gcd", "pgcd"])
@pytest.mark.parametrize("resampling, threshold", [("systematic", 0.5), ("stratified", 2.0), ("multinomial", 0.9)])
def test_the_estimate_of_z_is_unbiased(cases, name, resampling, threshold):
    """The mean over 10,000 runs is within 3 standard errors, and so are all unnormalized expectations, here those of each output."""
    for number, case in enumerate(cases):
        found = smc(case.model, case.potentials[name], particles=3, max_tokens=MOST, runs=RUNS, threshold=threshold, resampling=resampling, seed=7 + number)
        estimates = np.exp(found.log_z)
        error = estimates.std() / np.sqrt(RUNS)
        assert abs(estimates.mean() - case.z) < 3 * error + 1e-12, (number, estimates.mean(), case.z, error)
        assert (name == "lcd") or np.isfinite(found.log_z).all()


def test_weights_are_right_for_every_output(cases):
    """E[Z w(x)] = p(x) for each x: the weighted outputs are properly weighted."""
    checked = 0
    for case in cases:
        for name, potential in case.potentials.items():
            found = smc(case.model, potential, particles=3, max_tokens=MOST, runs=RUNS, seed=3)
            z = np.exp(found.log_z)[:, None]
            scaled = np.where(found.weights > 0, z * found.weights, 0.0)
            sums: dict = {}
            for run, (outputs, weights) in enumerate(zip(found.outputs, scaled)):
                for output, weight in zip(map(tuple, outputs), weights.tolist()):
                    sums.setdefault(output, np.zeros(RUNS))[run] += weight
            for output, p in case.conditional.items():
                terms = sums.get(output, np.zeros(RUNS))
                # Rare outputs are not drawn often enough for a standard error.
                if np.count_nonzero(terms) > 50:
                    checked += 1
                    assert abs(terms.mean() - p * case.z) < 4 * terms.std() / np.sqrt(RUNS), (name, output)
    assert checked > 40


def test_outputs_are_valid(cases):
    for case in cases:
        for name in ("gcd", "pgcd"):
            found = smc(case.model, case.potentials[name], particles=4, max_tokens=MOST, runs=200, seed=1)
            assert all(tuple(output) in case.conditional for outputs in found.outputs for output in outputs)
            assert np.allclose(found.weights.sum(axis=1), 1.0)


def test_total_variation_falls_with_the_number_of_particles(cases):
    """A sample drawn by its weight has the conditional as its distribution in the limit; the error falls at least as 1/k, up to the noise of
    the runs. One particle of LCD is locally constrained decoding, whose bias stays."""
    for case in cases[:2]:
        for name, potential in case.potentials.items():
            errors = []
            for particles in (1, 4, 16):
                found = smc(case.model, potential, particles=particles, max_tokens=MOST, runs=FEWER, seed=11)
                usable = np.isfinite(found.log_z)
                mean = dict.fromkeys(case.conditional, 0.0)
                for outputs, weights, fine in zip(found.outputs, found.weights, usable):
                    for output, weight in zip(outputs, weights.tolist()) if fine else ():
                        if weight > 0:
                            mean[tuple(output)] += weight / usable.sum()
                errors.append(small.distance(mean, case.conditional))
            noise = 2 * np.sqrt(len(case.conditional) / FEWER)
            assert errors[2] < errors[0] / 4 + noise and errors[2] < errors[1] + noise, (name, errors)


def test_the_bias_of_lcd_is_seen():
    """The model likes `a`, behind which nothing good comes: LCD takes it almost always, the conditional almost never."""
    tensors = Tensors.of_edges(4, states=4, accept=[3], edges={(0, 1): [0], (0, 2): [1], (1, 3): [3], (2, 3): [3]})

    def logits(tokens):
        rows = np.log(np.array([[0.9, 0.1, 1e-9, 1e-9]] * len(tokens)))
        if tokens.shape[1] == 1:
            after_a, after_b = np.log([0.3, 0.3, 0.399, 0.001]), np.log([0.003, 0.003, 0.004, 0.99])
            rows = np.where(tokens[:, :1] == 0, after_a, after_b)
        return rows

    want = 0.9 * 0.001 / (0.9 * 0.001 + 0.1 * 0.99)
    rates = {}
    for particles in (1, 2, 8, 64):
        found = smc(logits, Lcd(tensors), particles=particles, max_tokens=2, runs=4000, seed=5)
        rates[particles] = histogram(found)[0, 3]
    assert rates[1] > 0.88 and abs(rates[64] - want) < 0.01
    assert rates[1] > rates[2] > rates[8] > rates[64]
    hmm = Hmm(np.array([[0, 0, 1.0, 0], [0, 0, 0, 1.0], [0, 0, 1, 0], [0, 0, 0, 1]]),
              np.log(np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0.3, 0.3, 0.399, 0.001], [0.003, 0.003, 0.004, 0.99]]) + 1e-12), np.log([0.9, 0.1, 1e-12, 1e-12]))
    one = histogram(smc(logits, Expected(Product(tensors, hmm, 2)), particles=1, max_tokens=2, runs=4000, seed=5))
    assert abs(one[0, 3] - want) < 0.01


def test_a_product_with_the_model_itself_needs_one_particle(cases):
    """All weights are Z, whatever is drawn."""
    for case in cases:
        hmm = Hmm.random(3, case.tensors.width, seed=2)

        def logits(tokens, hmm=hmm):
            beliefs = hmm.begin(len(tokens))
            for place in range(tokens.shape[1]):
                beliefs = hmm.update(beliefs, tokens[:, place])
            return hmm.log_next(beliefs)

        product = Product(case.tensors, hmm, MOST)
        found = smc(logits, Expected(product), particles=5, max_tokens=MOST, runs=50, seed=1)
        assert np.allclose(found.log_z, product.log_satisfied) and np.allclose(found.weights, 0.2) and not found.resampled.any()


def test_awrs_is_lcd_in_expectation(cases):
    for case in cases[:2]:
        awrs = Awrs(case.tensors, seed=3)
        found = smc(case.model, awrs, particles=3, max_tokens=MOST, runs=1500, seed=4)
        estimates = np.exp(found.log_z)
        assert abs(estimates.mean() - case.z) < 3 * estimates.std() / np.sqrt(len(estimates))
        assert awrs.asked > 0


def test_rejection_estimates_the_mass_that_is_allowed():
    probabilities = np.array([0.5, 0.3, 0.15, 0.05])
    for allowed in ({2, 3}, {0}, {3}, {0, 1, 2, 3}):
        rng = np.random.default_rng(len(allowed))
        asked: list = []

        def accepts(token: int, asked=asked, allowed=allowed) -> bool:
            asked.append(token)
            return token in allowed

        draws = [two_accepted(probabilities, accepts, rng) for _ in range(8000)]
        weights = np.array([1 / (count - 1) for _, count in draws])
        mass = sum(probabilities[list(allowed)])
        assert abs(weights.mean() - mass) < 3 * weights.std() / np.sqrt(len(draws)) + 1e-12
        for token in allowed:
            term = np.array([weight if first == token else 0.0 for (first, _), weight in zip(draws, weights)])
            assert abs(term.mean() - probabilities[token]) < 3.5 * term.std() / np.sqrt(len(draws))
        assert len(asked) <= 4 * len(draws)
    assert two_accepted(probabilities, lambda token: False, np.random.default_rng(0))[0] == -1


def test_matchers_and_tensors_make_the_same(letters):
    """LCD over an artifact and over its tensors, with the same random numbers."""
    schema = {"type": "object", "properties": {"a": {"enum": [True, "b"]}}, "required": ["a"], "additionalProperties": False}
    artifact = gg.compile(schema, letters, whitespace="compact", strings="canonical")
    model = small.Model(letters.width, 1)
    arguments = {"particles": 6, "max_tokens": 15, "threshold": 2.0, "seed": 9}
    one, other = smc(model, Lcd(artifact), **arguments), smc(model, Lcd(artifact.to_tensors()), **arguments)
    assert one.outputs == other.outputs and np.allclose(one.weights, other.weights)
    texts = {letters.decode(output).decode() for output, weight in zip(one.outputs[0], one.weights[0]) if weight > 0}
    assert texts <= {'{"a":true}', '{"a":"b"}'}


def test_outputs_that_are_cut_off_have_no_weight():
    """LCD does not see the budget; GCD does."""
    tensors = Tensors.of_edges(3, states=2, accept=[1], edges={(0, 0): [0], (0, 1): [2]})
    logits = lambda tokens: np.tile(np.log([0.9, 0.0999, 0.0001]), (len(tokens), 1))  # noqa: E731
    lcd = smc(logits, Lcd(tensors), particles=4, max_tokens=3, runs=500, seed=1)
    gcd = smc(logits, Budgeted(tensors), particles=4, max_tokens=3, runs=500, seed=1)
    assert (lcd.log_z == -np.inf).mean() > 0.9 and (lcd.weights.sum(axis=1) == 0).mean() > 0.9
    assert np.isfinite(gcd.log_z).all() and all(output[-1] == 2 and len(output) <= 3 for outputs in gcd.outputs for output in outputs)
    assert gcd.best(0)[-1] == 2 and len(gcd.draw()) == 500 and len(lcd.draw()) == 500


@pytest.mark.parametrize("name", sorted(SCHEMES))
def test_resampling_is_unbiased(name):
    rng = np.random.default_rng(1)
    weights = np.array([0.5, 0.0, 0.3, 0.15, 0.05])
    drawn = SCHEMES[name](np.tile(weights, (20_000, 1)), rng)
    counts = np.stack([(drawn == particle).sum(axis=1) for particle in range(5)], axis=1)
    assert np.allclose(counts.mean(axis=0), 5 * weights, atol=0.05) and (counts[:, 1] == 0).all()
    if name != "multinomial":
        assert (np.abs(counts - 5 * weights) < (1 if name == "systematic" else 2)).all()


def test_sizes_of_samples():
    assert np.allclose(effective_sample_size(np.array([[0.25] * 4, [1.0, 0, 0, 0], [0.5, 0.5, 0, 0]])), [4, 1, 2])


def test_seeds_decide(cases):
    one, other, third = (smc(cases[0].model, cases[0].potentials["pgcd"], particles=4, max_tokens=MOST, runs=20, seed=seed) for seed in (1, 1, 2))
    assert one.outputs == other.outputs and np.array_equal(one.log_z, other.log_z) and one.outputs != third.outputs


def test_models_with_too_few_logits_are_refused(cases):
    with pytest.raises(ValueError, match="the model has 2 logits, and the vocabulary 5 tokens"):
        smc(lambda tokens: np.zeros((len(tokens), 2)), Lcd(cases[0].tensors), particles=2, max_tokens=3)


def test_budgets_of_matchers_that_are_too_small():
    """Without a known completion, outputs that are not complete have no weight, and Z is what enumeration gives."""
    uniform = lambda tokens: np.zeros((len(tokens), artifact.vocabulary.width))  # noqa: E731
    artifact = gg.compile(gg.Regex("a{3}"), [b"a", b"b"])
    for most in (1, 2, 3):
        found = smc(uniform, Budgeted(artifact), particles=2, max_tokens=most, seed=1)
        assert (found.log_z == -np.inf).all() and (found.weights == 0).all()
        with pytest.raises(gg.RefusedError, match="run 0 has no complete output: give more max_tokens"):
            found.best()
    found = smc(uniform, Budgeted(artifact), particles=2, max_tokens=4, seed=1)
    assert found.best() == [0, 0, 0, 2] and np.allclose(found.log_z, -4 * np.log(3))

    schema = {"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"], "additionalProperties": False}
    tokens = [b'{"a":', b"null", b"}", b"null}", b"{", b'"', b"a", b":", b"n", b"u", b"l"]
    artifact = gg.compile(schema, tokens, whitespace="compact")
    least = artifact.matcher().min_remaining()
    assert least > 3, "the completion that is known is longer than the shortest"
    for most in range(2, least + 2):
        exact = Budgeted(artifact.to_tensors())
        runs = [np.exp(smc(uniform, language, particles=2, max_tokens=most, runs=400, seed=1).log_z) for language in (Budgeted(artifact), exact)]
        assert (most < 3) == (runs[0].max() == 0)
        assert abs(runs[0].mean() - runs[1].mean()) <= 4 * (runs[0].std() + runs[1].std()) / np.sqrt(400) + 1e-12, most


def artifact() -> "gg.Artifact":
    return gg.compile(gg.Regex("ab*c"), [b"a", b"b", b"c"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"temperature": 0}, "temperature is 0.0: give a positive number"),
        ({"temperature": -1}, "temperature is -1.0"),
        ({"temperature": float("nan")}, "temperature is nan"),
        ({"temperature": float("inf")}, "temperature is inf"),
        ({"temperature": "1"}, "temperature is of the type str"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"threshold": -1}, "threshold is -1.0"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 1.5}, "seed is of the type float"),
    ],
)
def test_wrong_numbers_are_errors_of_the_package(given: dict, message: str) -> None:
    with pytest.raises(gg.Error, match=message):
        smc(lambda tokens: np.zeros((len(tokens), 4)), Lcd(artifact()), **{"particles": 2, "max_tokens": 4, **given})


@pytest.mark.parametrize("potential", [Lcd, Budgeted, Awrs])
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0.0] * 3, "the model has 3 logits, and the vocabulary 4 tokens"),
        ([np.nan] * 4, "NaN or infinity"),
        ([0, 0, 0, np.nan], "NaN or infinity"),
        ([-np.inf] * 4, "a row of minus infinity"),
        ([0, np.inf, 0, 0], "NaN or infinity"),
    ],
)
def test_wrong_logits_are_errors_of_the_package(potential, row: list, message: str) -> None:
    with pytest.raises(gg.Error, match=message):
        smc(lambda tokens: np.tile(row, (len(tokens), 1)), potential(artifact()), particles=2, max_tokens=4)


@pytest.mark.parametrize("potential", [Lcd, Budgeted, Awrs])
def test_logits_have_a_row_for_each_output(potential) -> None:
    for logits in (np.zeros((1, 4)), np.zeros(4), None):
        with pytest.raises(gg.Error, match="give 2 rows"):
            smc(lambda tokens, logits=logits: logits, potential(artifact()), particles=2, max_tokens=4)
    lists = smc(lambda tokens: [[0.0, 0, 0, 0]] * len(tokens), potential(artifact()), particles=2, max_tokens=4)
    assert len(lists.outputs[0]) == 2
