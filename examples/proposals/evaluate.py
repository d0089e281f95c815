"""Tables of the example: satisfied constraints and right calls by particles, and the time of a token, for LCD, GCD and P-GCD.

    python evaluate.py FOLDER [--cases 6] [--prompts 20] > tables.md

Reads what train.py wrote, and writes FOLDER/results.json for plots.py. Every seed is fixed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time

import numpy as np
import torch
import transformers
from task import MAX_TOKENS, Case, Cutter, case, is_right

import gcc_grammar as gg
from gcc_grammar.proposals import Expected, Lcd, smc
from gcc_grammar.proposals.hmm_torch import TorchHmm, initial
from gcc_grammar.proposals.models import on_device
from gcc_grammar.proposals.torch import TorchBudgeted, TorchExpected, TorchGcd, TorchProduct
from gcc_grammar.proposals.transformers import Transformer

PARTICLES = (1, 2, 4, 8, 16, 32)


class Behind:
    """P-GCD with a prompt of its own for each run: the hidden Markov model reads it."""

    def __init__(self, product: TorchProduct, prompts: list[list[int]]) -> None:
        self._product, self._prompts = product, prompts

    def begin(self, rows: int):
        twist = TorchExpected(self._product).begin(rows)
        beliefs = [TorchExpected(self._product, prefix=prompt).begin(1)._beliefs for prompt in self._prompts]
        twist._beliefs = torch.cat(beliefs).repeat_interleave(rows // len(self._prompts), dim=0)
        return twist


class Experiment:
    def __init__(self, folder: str, cutter: Cutter) -> None:
        self.model = transformers.LlamaForCausalLM.from_pretrained(os.path.join(folder, "model")).eval()
        self.hmms = {int(name.split("-")[1]): TorchHmm.load(os.path.join(folder, name)) for name in os.listdir(folder) if name.startswith("hmm-")}
        self.cutter, self.vocabulary = cutter, cutter.vocabulary()

    def proposals(self, at_hand: Case) -> dict:
        """By name, a function from prompts to a potential."""
        artifact = gg.compile(at_hand.schema, self.vocabulary, whitespace="compact", strings="canonical")
        tensors = artifact.to_tensors()
        made = {"LCD": lambda prompts: Lcd(artifact), "GCD": lambda prompts: TorchBudgeted(TorchGcd(tensors))}
        for hidden, hmm in sorted(self.hmms.items()):
            product = TorchProduct(tensors, hmm, MAX_TOKENS)
            made[f"P-GCD, H = {hidden}"] = lambda prompts, product=product: Behind(product, prompts)
        return made

    def run(self, at_hand: Case, potential, particles: int, seed: int) -> tuple[list[float], list[float]]:
        """By prompt: whether an output is complete, and the probability that the drawn output is right."""
        satisfied, right = [], []
        for places in by_length([self.cutter.prompt(prompt) for prompt in at_hand.prompts]):
            prompts = [self.cutter.prompt(at_hand.prompts[place]) for place in places]
            model = Transformer(self.model, torch.tensor(prompts))
            found = smc(model, potential(prompts), particles=particles, max_tokens=MAX_TOKENS, runs=len(prompts), seed=seed)
            for place, outputs, weights in zip(places, found.outputs, found.weights):
                satisfied.append(float(weights.sum() > 0))
                right.append(sum(w for output, w in zip(outputs, weights) if is_right(self.cutter.text(output), at_hand.key, at_hand.right[place])))
        return satisfied, right


def by_length(prompts: list[list[int]]) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for place, prompt in enumerate(prompts):
        groups.setdefault(len(prompt), []).append(place)
    return list(groups.values())


def qualities(experiment: Experiment, cases: int, prompts: int) -> dict:
    """By proposal and particles: the rate of satisfied constraints, the rate of right calls, and its standard error."""
    found: dict = {}
    for number in range(cases):
        at_hand = case(["get_weather", "send_note"][number % 2], number, prompts)
        for name, potential in experiment.proposals(at_hand).items():
            for particles in PARTICLES:
                satisfied, right = experiment.run(at_hand, potential, particles, seed=number)
                entry = found.setdefault(name, {}).setdefault(particles, {"satisfied": [], "right": []})
                entry["satisfied"] += satisfied
                entry["right"] += right
    return {
        name: {
            particles: {
                "satisfied": float(np.mean(entry["satisfied"])),
                "right": float(np.mean(entry["right"])),
                "error": float(np.std(entry["right"]) / np.sqrt(len(entry["right"]))),
                "outputs": len(entry["right"]),
            }
            for particles, entry in entries.items()
        }
        for name, entries in found.items()
    }


def unconstrained(experiment: Experiment, cases: int, prompts: int) -> dict:
    """The model alone: how many of its outputs are valid, and how many are right."""
    valid, right = [], []
    for number in range(cases):
        at_hand = case(["get_weather", "send_note"][number % 2], number, prompts)
        artifact = gg.compile(at_hand.schema, experiment.vocabulary, whitespace="compact", strings="canonical")
        for place, prompt in enumerate(at_hand.prompts):
            model = Transformer(experiment.model, torch.tensor([experiment.cutter.prompt(prompt)]))
            (output,) = model.sample(1, seed=number, max_tokens=MAX_TOKENS, end_tokens=[experiment.cutter.end])
            fine = artifact.matcher().validate(output) == len(output) and output[-1] == experiment.cutter.end
            valid.append(fine)
            right.append(fine and is_right(experiment.cutter.text(output), at_hand.key, at_hand.right[place]))
    return {"satisfied": float(np.mean(valid)), "right": float(np.mean(right))}


def times(experiment: Experiment, sizes: list[int], rows: int = 8, repeats: int = 5) -> dict:
    """By proposal, the milliseconds of processor time of a step of ``rows`` outputs: model, proposal and draw; the best of some repeats. The
    models of P-GCD are random ones of each size, as their time does not depend on their numbers."""
    at_hand = case("send_note", 1, 12)
    artifact = gg.compile(at_hand.schema, experiment.vocabulary, whitespace="compact", strings="canonical")
    tensors = artifact.to_tensors()
    prompt = torch.tensor([experiment.cutter.prompt(at_hand.prompts[0])])
    potentials = {"unconstrained": None, "LCD": Lcd(artifact), "GCD": TorchBudgeted(TorchGcd(tensors))}
    for hidden in sizes:
        hmm = initial([[0]], hidden, experiment.cutter.width, seed=0, device="cpu", end_token=experiment.cutter.end)
        potentials[f"P-GCD, H = {hidden}"] = TorchExpected(TorchProduct(tensors, hmm, MAX_TOKENS))
    found: dict = {}
    for _ in range(repeats):
        for name, potential in potentials.items():
            found.setdefault(name, []).append(_time_of_a_step(experiment, prompt, potential, rows))
    return {name: 1000 * min(seconds) for name, seconds in found.items()}


def _time_of_a_step(experiment: Experiment, prompt, potential, rows: int) -> float:
    model = Transformer(experiment.model, prompt)
    if potential is None:
        rng, free = np.random.default_rng(0), torch.zeros((rows, experiment.cutter.width))
        logits = model.begin(rows)
        begun = time.process_time()
        for _ in range(MAX_TOKENS - 1):
            logits = model.advance(np.maximum(on_device(logits, free, 1.0, rng)[0], 0))
        return (time.process_time() - begun) / (MAX_TOKENS - 1)
    marks: list[float] = []

    class Timed(Transformer):
        def begin(self, count):
            logits = super().begin(count)
            marks.append(time.process_time())
            return logits

    found = smc(Timed(experiment.model, prompt), potential, particles=rows, max_tokens=MAX_TOKENS, threshold=0.5, seed=0)
    return (time.process_time() - marks[0]) / max(len(found.effective), 1)


#: Dang et al. (2026), an 8B model on an H100: the slowdown against unconstrained decoding.
PAPER = {"LCD": 1.08, "GCD": 1.10, "P-GCD, H = 1024": 3.11}


def show(results: dict) -> None:
    print(f"{results['machine']}; PyTorch {torch.__version__}; {results['parameters']:,} parameters, {results['width']} tokens\n")
    alone = results["alone"]
    print(f"The model alone: {100 * alone['satisfied']:.1f} % of the outputs are valid, {100 * alone['right']:.1f} % are right.\n")
    for title, key in (("satisfied", "satisfied"), ("right calls", "right")):
        print(f"| {title} | " + " | ".join(f"{count} particles" for count in PARTICLES) + " |\n|---|" + "---:|" * len(PARTICLES))
        for name, entries in results["qualities"].items():
            print(f"| {name} | " + " | ".join(f"{100 * entries[count][key]:.1f} %" for count in PARTICLES) + " |")
        print()
    entries = [entry for entries in results["qualities"].values() for entry in entries.values()]
    worst = max(entry["error"] for entry in entries)
    print(f"{entries[0]['outputs']} prompts; the standard error of right calls is at most {100 * worst:.1f} points.\n")
    print("| step of 8 outputs | ms | slowdown | in the paper |\n|---|---:|---:|---:|")
    base = results["times"]["unconstrained"]
    for name, milliseconds in results["times"].items():
        paper = f"{PAPER[name]:.2f}" if name in PAPER else ""
        print(f"| {name} | {milliseconds:.2f} | {milliseconds / base:.2f} | {paper} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--prompts", type=int, default=25)
    parser.add_argument("--sizes", type=int, nargs="*", default=[32, 128, 512, 1024, 2048])
    given = parser.parse_args()
    experiment = Experiment(given.folder, Cutter())
    results = {
        "machine": f"{platform.machine()}, {torch.get_num_threads()} threads",
        "parameters": sum(parameter.numel() for parameter in experiment.model.parameters()),
        "width": experiment.cutter.width,
        "alone": unconstrained(experiment, given.cases, given.prompts),
        "qualities": qualities(experiment, given.cases, given.prompts),
        "times": times(experiment, given.sizes),
    }
    with open(os.path.join(given.folder, "results.json"), "w", encoding="utf-8") as file:
        json.dump(results, file, indent=2)
    show(results)


if __name__ == "__main__":
    main()
