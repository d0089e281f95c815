"""Trains a small transformer on generated calls, and distills hidden Markov models from it. Takes minutes on two cores; nothing is downloaded.

    python train.py FOLDER [--steps 1500] [--hidden 32 128 512]
"""

from __future__ import annotations

import argparse
import os
import random
import time

import torch
import transformers
from task import MAX_TOKENS, Cutter, example

from gcc_grammar.proposals.hmm_torch import fit, progress_bar
from gcc_grammar.proposals.transformers import Transformer

LENGTH = 40


def train(cutter: Cutter, steps: int, batch: int = 64) -> transformers.LlamaForCausalLM:
    """A causal language model of prompts and calls."""
    torch.manual_seed(0)
    rng = random.Random(0)
    config = transformers.LlamaConfig(
        vocab_size=cutter.width, hidden_size=96, intermediate_size=256, num_hidden_layers=3, num_attention_heads=4,
        max_position_embeddings=128, bos_token_id=cutter.separator, eos_token_id=cutter.end, pad_token_id=cutter.end, tie_word_embeddings=True,
    )
    model = transformers.LlamaForCausalLM(config).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    begun, mean = time.perf_counter(), 0.0
    for step in range(steps):
        rows = [(cutter.prompt(drawn.prompt) + cutter.cut(drawn.call) + [cutter.end])[:LENGTH] for drawn in (example(rng) for _ in range(batch))]
        width = max(map(len, rows))
        ids = torch.tensor([row + [cutter.end] * (width - len(row)) for row in rows])
        labels = torch.tensor([row + [-100] * (width - len(row)) for row in rows])
        loss = model(input_ids=ids, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        mean = loss.item() if step == 0 else 0.98 * mean + 0.02 * loss.item()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1} of {steps}: loss {mean:.4f}, {time.perf_counter() - begun:.0f} s", flush=True)
    return model.eval()


def samples(model: transformers.LlamaForCausalLM, cutter: Cutter, count: int) -> list[list[int]]:
    """Prompts with calls that the model drew, for the hidden Markov models: they are conditioned on prompts when they are used."""
    rng = random.Random(1)
    groups: dict[int, list[list[int]]] = {}
    for _ in range(count):
        prompt = cutter.prompt(example(rng).prompt)
        groups.setdefault(len(prompt), []).append(prompt)
    drawn = []
    for seed, prompts in enumerate(groups.values()):
        for first in range(0, len(prompts), 500):
            part = prompts[first : first + 500]
            outputs = Transformer(model, torch.tensor(part)).sample(len(part), seed, max_tokens=28, end_tokens=[cutter.end])
            drawn += [prompt + output for prompt, output in zip(part, outputs)]
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--samples", type=int, default=6000)
    parser.add_argument("--em-steps", type=int, default=30)
    parser.add_argument("--hidden", type=int, nargs="*", default=[32, 128, 512])
    given = parser.parse_args()
    cutter = Cutter()
    model_folder = os.path.join(given.folder, "model")
    if os.path.exists(os.path.join(model_folder, "config.json")):
        model = transformers.LlamaForCausalLM.from_pretrained(model_folder).eval()
    else:
        model = train(cutter, given.steps)
        model.save_pretrained(model_folder)
    outputs = samples(model, cutter, given.samples)
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters, {cutter.width} tokens; {len(outputs)} samples, e.g. {cutter.text(outputs[0])}")
    for hidden in given.hidden:
        begun = time.perf_counter()
        hmm = fit(outputs, hidden=hidden, width=cutter.width, em_steps=given.em_steps, end_token=cutter.end, progress=progress_bar())
        hmm.save(os.path.join(given.folder, f"hmm-{hidden}"))
        print(f"H = {hidden}: {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
