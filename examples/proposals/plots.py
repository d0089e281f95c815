"""Draws the plots of docs/proposals.md: right calls by particles, slowdown by H, and the bias at small scale, beside what is exact.

    python plots.py FOLDER ../../docs/plots

FOLDER has the results of evaluate.py. The bias is computed here, with NumPy alone.
"""

from __future__ import annotations

import json
import os
import sys

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from evaluate import PAPER, PARTICLES  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "bindings", "python", "tests"))
import small  # noqa: E402

from gcc_grammar.proposals import Budgeted, Expected, Lcd, Product, smc  # noqa: E402
from gcc_grammar.proposals.hmm import fit  # noqa: E402
from gcc_grammar.proposals.models import draw, log_softmax  # noqa: E402

#: The same SVG each time, whatever the fonts of the machine.
plt.rcParams.update({"svg.hashsalt": "gcc-grammar", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
#: Tokens of an output of the bias plot, and independent runs of each point.
MOST, RUNS = 5, 6000


def save(figure, folder: str, name: str) -> None:
    figure.savefig(os.path.join(folder, name), metadata={"Date": None}, bbox_inches="tight")
    plt.close(figure)


def accuracy(results: dict, folder: str) -> None:
    figure, axes = plt.subplots(figsize=(5.4, 3.4))
    for name, entries in results["qualities"].items():
        rates = [100 * entries[str(count)]["right"] for count in PARTICLES]
        errors = [100 * entries[str(count)]["error"] for count in PARTICLES]
        axes.errorbar(PARTICLES, rates, yerr=errors, label=name, marker="o", markersize=3, capsize=2, linewidth=1.2)
    axes.set(xscale="log", xlabel="particles", ylabel="right calls (%)", ylim=(0, 100))
    axes.set_xticks(PARTICLES, [str(count) for count in PARTICLES])
    axes.legend(frameon=False)
    save(figure, folder, "proposals-accuracy.svg")


def slowdown(results: dict, folder: str) -> None:
    figure, axes = plt.subplots(figsize=(5.4, 3.4))
    base = results["times"]["unconstrained"]
    sizes = [int(name.split("= ")[1]) for name in results["times"] if "H =" in name]
    axes.plot(sizes, [results["times"][f"P-GCD, H = {size}"] / base for size in sizes], marker="o", markersize=3, label="P-GCD")
    for name, style in (("LCD", "--"), ("GCD", ":")):
        axes.axhline(results["times"][name] / base, linestyle=style, color="gray", label=name)
    axes.plot([1024], [PAPER["P-GCD, H = 1024"]], marker="x", linestyle="none", color="black", label="P-GCD of the paper (8B, H100)")
    axes.set(xscale="log", xlabel="hidden states H", ylabel="time of a step / unconstrained", ylim=(0, None))
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.legend(frameon=False)
    save(figure, folder, "proposals-slowdown.svg")


def bias(folder: str) -> None:
    """The total variation between drawn outputs and the conditional, for a random automaton and model of which all outputs are known."""
    tensors, outputs = next((tensors, outputs) for tensors, outputs in small.automata(20, MOST) if len(outputs) > 10)
    model = small.Model(tensors.width, seed=1)
    want, _ = small.conditional({output: model.log_probability(output) for output in outputs})
    rng, tokens = np.random.default_rng(0), np.zeros((2000, 0), dtype=np.int64)
    for _ in range(MOST):
        tokens = np.concatenate([tokens, draw(log_softmax(model(tokens)), rng)[:, None]], axis=1)
    end = tensors.width - 1
    samples = [row[: row.index(end) + 1] if end in row else row for row in tokens.tolist()]
    potentials = {
        "LCD": Lcd(tensors),
        "GCD": Budgeted(tensors),
        "P-GCD, H = 2": Expected(Product(tensors, fit(samples, hidden=2, width=tensors.width, em_steps=30), MOST)),
        "P-GCD, H = 8": Expected(Product(tensors, fit(samples, hidden=8, width=tensors.width, em_steps=60), MOST)),
    }
    figure, axes = plt.subplots(figsize=(5.4, 3.4))
    counts = (1, 2, 4, 8, 16, 32)
    for name, potential in potentials.items():
        errors = []
        for particles in counts:
            found = smc(model, potential, particles=particles, max_tokens=MOST, runs=RUNS, seed=particles)
            fine = found.weights.sum(axis=1) > 0
            mean: dict = dict.fromkeys(want, 0.0)
            for row in fine.nonzero()[0]:
                for output, weight in zip(found.outputs[row], found.weights[row].tolist()):
                    if weight > 0:
                        mean[tuple(output)] += weight / fine.sum()
            errors.append(small.distance(mean, want))
            print(f"{name}, {particles} particles: {errors[-1]:.4f}", flush=True)
        axes.plot(counts, errors, marker="o", markersize=3, label=name, linewidth=1.2)
    first = axes.get_lines()[0].get_ydata()[0]
    axes.plot(counts, [first / count for count in counts], color="gray", linestyle="--", linewidth=0.8, label="1 / particles")
    axes.set(xscale="log", yscale="log", xlabel="particles", ylabel="total variation to the conditional")
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.legend(frameon=False)
    save(figure, folder, "proposals-bias.svg")


def main(results: str, folder: str) -> None:
    bias(folder)
    path = os.path.join(results, "results.json")
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    accuracy(found, folder)
    slowdown(found, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
