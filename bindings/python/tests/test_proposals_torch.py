"""Proposals with PyTorch in float32, beside the reference in float64."""

import numpy as np
import pytest
import small

torch = pytest.importorskip("torch")

import gcc_grammar as gg  # noqa: E402
from gcc_grammar.proposals import Budgeted, Expected, Gcd, Hmm, Product, smc  # noqa: E402
from gcc_grammar.proposals.hmm import em_step  # noqa: E402
from gcc_grammar.proposals.hmm_torch import TorchHmm, distill, fit, progress_bar  # noqa: E402
from gcc_grammar.proposals.hmm_torch import em_step as torch_em_step  # noqa: E402
from gcc_grammar.proposals.torch import TorchBudgeted, TorchExpected, TorchGcd, TorchProduct  # noqa: E402
from gcc_grammar.proposals.transitions import Monarch  # noqa: E402

MOST = 5


@pytest.fixture(scope="module")
def cases() -> list:
    return [(tensors, outputs, Hmm.random(3, tensors.width, seed=seed)) for seed, (tensors, outputs) in enumerate(small.automata(12, MOST))]


@pytest.mark.parametrize("dense", [False, True])
def test_masks_are_those_of_the_reference(cases, dense):
    for tensors, _, _ in cases:
        one, other = Gcd(tensors), TorchGcd(tensors, dense=dense)
        states = np.arange(-1, tensors.states)
        for left in range(MOST + 2):
            assert np.array_equal(other.masks(torch.tensor(states), left).numpy(), one.masks(states, left))
        tokens = np.arange(len(states)) % tensors.width
        assert np.array_equal(other.step(torch.tensor(states), torch.tensor(tokens)).numpy(), tensors.step(states, tokens))


def test_masks_of_a_large_vocabulary(llama3):
    tensors = gg.compile({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}, llama3).to_tensors()
    states = np.arange(0, tensors.states, 7)
    for dense in (False, True):
        for left in (3, 9, 100):
            assert np.array_equal(TorchGcd(tensors, dense=dense).masks(torch.tensor(states), left).numpy(), Gcd(tensors).masks(states, left))


@pytest.mark.parametrize("monarch", [False, True])
def test_models_are_those_of_the_reference(monarch, tmp_path):
    rng = np.random.default_rng(1)
    hmm = Hmm.random(6, 7, seed=1, concentration=0.3, end_token=6)
    if monarch:
        hmm.transition = Monarch([rng.dirichlet(np.ones(2), size=(3, 2)), rng.dirichlet(np.ones(3), size=(2, 3))])
    single = TorchHmm.of(hmm)
    samples = hmm.sample(30, seed=3, max_tokens=40)
    assert np.allclose(single.log_likelihoods(samples).numpy(), hmm.log_likelihoods(samples), rtol=1e-4, atol=1e-4)
    beliefs, reference = single.begin(2), hmm.begin(2)
    for tokens in ([1, 2], [3, 3], [0, 5]):
        assert np.allclose(single.log_next(beliefs).numpy(), hmm.log_next(reference), rtol=1e-4, atol=1e-4)
        beliefs, reference = single.update(beliefs, tokens), hmm.update(reference, tokens)
    single.save(tmp_path / "model")
    for loaded in (TorchHmm.load(tmp_path / "model"), TorchHmm.of(Hmm.load(tmp_path / "model"))):
        assert torch.allclose(loaded.log_likelihoods(samples), single.log_likelihoods(samples), atol=1e-3) and loaded.end_token == 6


def test_steps_of_baum_welch_are_those_of_the_reference():
    source = Hmm.random(3, 6, seed=5, concentration=0.4, end_token=5)
    samples = source.sample(200, seed=1, max_tokens=10)
    reference = Hmm.random(3, 6, seed=8)
    single = TorchHmm.of(reference)
    for _ in range(5):
        reference, want = em_step(reference, samples, 0.01)
        found = torch_em_step(single, samples, pseudocount=0.01, batch=64)
        assert np.isclose(found, want, rtol=1e-4)
    assert np.allclose(single.transition.numpy(), reference.transition.matrix, atol=1e-4)
    assert np.allclose(single.emission.numpy().T, reference.emission, atol=1e-4)
    assert np.allclose(single.initial.numpy(), np.exp(reference.log_initial), atol=1e-4)


def test_distilling_comes_near_the_source(capsys):
    source = Hmm.random(4, 30, seed=6, concentration=0.1, end_token=29)
    found = distill(lambda count, seed: source.sample(count, seed=seed, max_tokens=20), outputs=400, hidden=8, width=30, em_steps=12, seed=1,
                    end_token=29, progress=progress_bar())
    fresh = source.sample(300, seed=99, max_tokens=20)
    assert float(found.log_likelihoods(fresh).mean()) > source.log_likelihoods(fresh).mean() - 1.5
    shown = capsys.readouterr().err
    assert "step 12 of 12" in shown and shown.endswith("nats an output\n")
    again = fit(source.sample(400, seed=1, max_tokens=20), hidden=8, width=30, em_steps=12, seed=1, end_token=29)
    assert torch.equal(found.emission, again.emission)
    with pytest.raises(ValueError, match="only models with a dense transition matrix"):
        torch_em_step(TorchHmm([torch.eye(2)[None]], torch.ones(3, 2), torch.ones(2)), [[1]], pseudocount=0, batch=1)


def test_potentials_are_those_of_the_reference(cases):
    for tensors, outputs, hmm in cases:
        reference = Product(tensors, hmm, MOST)
        for single in (TorchProduct(tensors, TorchHmm.of(hmm), MOST), TorchProduct.of(reference)):
            for prefix in list(small.prefixes(outputs))[::11]:
                state, beliefs = tensors.run(prefix), hmm.begin(1)
                for token in prefix:
                    beliefs = hmm.update(beliefs, [token])
                for left in range(MOST - len(prefix) + 1):
                    want = reference.log_psi([state], beliefs, [left])
                    found = single.log_psi(torch.tensor([state]), torch.tensor(beliefs).float(), left).numpy()
                    assert np.array_equal(np.isfinite(found), np.isfinite(want)) and np.allclose(found, want, rtol=1e-3, atol=1e-4)


def test_samples_are_those_of_the_reference(cases):
    """The same random numbers draw the same outputs, but for places where float32 differs."""
    same = total = 0
    for seed, (tensors, _, hmm) in enumerate(cases):
        model = small.Model(tensors.width, seed)
        reference = Product(tensors, hmm, MOST)
        pairs = [(Budgeted(tensors), TorchBudgeted(TorchGcd(tensors))), (Expected(reference), TorchExpected(TorchProduct.of(reference)))]
        for one, other in pairs:
            options = {"particles": 4, "max_tokens": MOST, "runs": 40, "seed": seed}
            found, want = smc(lambda tokens: torch.tensor(model(tokens)), other, **options), smc(model, one, **options)
            same += sum(a == b for a, b in zip(found.outputs, want.outputs))
            total += 40
            assert np.allclose(found.log_z, want.log_z, atol=0.02) or np.isclose(np.exp(found.log_z).mean(), np.exp(want.log_z).mean(), rtol=0.1)
    assert same > 0.98 * total


def test_the_estimate_of_z_is_unbiased_in_float32(cases):
    for seed, (tensors, outputs, hmm) in enumerate(cases[:3]):
        model = small.Model(tensors.width, seed)
        _, z = small.conditional({output: model.log_probability(output) for output in outputs})
        potential = TorchExpected(TorchProduct(tensors, TorchHmm.of(hmm), MOST))
        estimates = np.exp(smc(lambda tokens: torch.tensor(model(tokens)), potential, particles=3, max_tokens=MOST, runs=10_000, seed=2).log_z)
        assert abs(estimates.mean() - z) < 3 * estimates.std() / 100 + 1e-9


def test_a_prefix_is_read_by_the_model(cases):
    tensors, _, hmm = cases[0]
    product = Product(tensors, hmm, MOST)
    for one, other in ((Expected(product, prefix=[1, 2]), TorchExpected(TorchProduct.of(product), prefix=[1, 2])),):
        want, found = one.begin(2).log_psi(MOST), other.begin(2).log_psi(MOST).numpy()
        assert np.allclose(found, want, atol=1e-4) and not np.allclose(want, Expected(product).begin(2).log_psi(MOST))
