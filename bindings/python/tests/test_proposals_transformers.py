"""Proposals for models of transformers, with a small random model."""

import numpy as np
import pytest
import small

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from gcc_grammar.proposals import Budgeted, Expected, Hmm, Lcd, Product, smc  # noqa: E402
from gcc_grammar.proposals.transformers import ProposalLogitsProcessor, Transformer, decode, smc_generate  # noqa: E402

MOST = 5


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    config = transformers.LlamaConfig(vocab_size=9, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
                                      max_position_embeddings=64, eos_token_id=4, bos_token_id=7, pad_token_id=8)
    return transformers.LlamaForCausalLM(config).eval()


@pytest.fixture(scope="module")
def case():
    """An automaton over five tokens, of which the last ends an output; the model has nine."""
    return list(small.automata(3, MOST))[1]


def behind(model, prompt):
    """The model without a cache, as a function of the tokens behind a prompt."""

    def logits(tokens):
        ids = torch.cat([torch.tensor([prompt] * len(tokens)), torch.tensor(tokens)], dim=1)
        with torch.no_grad():
            return model(input_ids=ids).logits[:, -1].double().numpy()

    return logits


def test_the_cache_changes_nothing(model, case):
    """Particles are resampled in every step, and the cache follows."""
    tensors, _ = case
    for potential in (Lcd(tensors), Budgeted(tensors), Expected(Product(tensors, Hmm.random(3, 9, seed=1), MOST))):
        options = {"particles": 6, "max_tokens": MOST, "threshold": 2.0, "seed": 3}
        found = smc(Transformer(model, torch.tensor([[7, 1, 2]])), potential, **options)
        want = smc(behind(model, [7, 1, 2]), potential, **options)
        assert found.outputs == want.outputs and np.allclose(found.log_z, want.log_z, atol=1e-4)


def test_prompts_of_different_lengths_are_runs(model, case):
    tensors, outputs = case
    ids, mask = torch.tensor([[7, 1, 2], [8, 7, 3]]), torch.tensor([[1, 1, 1], [0, 1, 1]])
    found = smc_generate(model, ids, Budgeted(tensors), particles=200, max_new_tokens=MOST, attention_mask=mask, seed=1)
    for run, prompt in enumerate(([7, 1, 2], [7, 3])):
        alone = smc(behind(model, prompt), Budgeted(tensors), particles=4000, max_tokens=MOST, seed=2)
        assert abs(found.log_z[run] - alone.log_z[0]) < 0.25
        assert all(tuple(output) in set(outputs) for output in found.outputs[run])
    with pytest.raises(ValueError, match="2 prompts for 3 outputs"):
        Transformer(model, ids).begin(3)


@pytest.mark.parametrize("name", ["gcd", "pgcd"])
def test_generate_with_the_processor(model, case, name):
    """Every output is valid and within the budget, and its tokens have the probabilities of the proposal."""
    tensors, outputs = case
    potential = Budgeted(tensors) if name == "gcd" else Expected(Product(tensors, Hmm.random(3, 9, seed=1), MOST))
    processor = ProposalLogitsProcessor(potential, MOST)
    torch.manual_seed(1)
    prompt = torch.tensor([[7, 1]] * 600)
    for _ in range(2):
        found = model.generate(prompt, attention_mask=torch.ones_like(prompt), do_sample=True, max_new_tokens=MOST, logits_processor=[processor], top_k=0)
        rows = [tuple(token for token in row if token != 8) for row in found[:, 2:].tolist()]
        assert set(rows) <= set(outputs)
    firsts = np.bincount([row[0] for row in rows], minlength=5)[:5] / len(rows)
    scores = processor(prompt[:1], model(prompt[:1]).logits[:, -1]).softmax(dim=-1)[0]
    assert np.allclose(firsts, scores[:5].detach().numpy(), atol=0.08)


def test_generate_with_particles(model, case):
    tensors, outputs = case
    prompt = torch.tensor([[7, 1], [7, 2]])
    found = model.generate(prompt, attention_mask=torch.ones_like(prompt), custom_generate=decode, potential=Budgeted(tensors), particles=4, max_new_tokens=MOST)
    assert found.shape[0] == 2 and torch.equal(found[:, :2], prompt)
    assert all(tuple(token for token in row if token != 8) in set(outputs) for row in found[:, 2:].tolist())
    with pytest.raises(ValueError, match="needs potential="):
        decode(model, prompt)


def test_samples_for_distillation(model):
    found = Transformer(model, torch.tensor([[7, 1]])).sample(2000, seed=1, max_tokens=3, end_tokens=[4])
    assert all(len(output) <= 3 and 4 not in output[:-1] for output in found)
    want = model(torch.tensor([[7, 1]])).logits[0, -1].softmax(dim=-1).detach().numpy()
    assert np.allclose(np.bincount([output[0] for output in found], minlength=9) / 2000, want, atol=0.04)


def test_models_with_too_few_logits_are_refused(case):
    tensors, _ = case
    with pytest.raises(ValueError, match="the model has 3 logits, and the vocabulary 5 tokens"):
        ProposalLogitsProcessor(Budgeted(tensors), 3)(torch.tensor([[1]]), torch.zeros((1, 3)))
