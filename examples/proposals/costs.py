"""What a step costs with a real vocabulary, without the model: masks of the runtime, masks of GCD on tensors, and potentials of P-GCD.

    python costs.py [--schema ../person.schema.json] [--vocab llama3] [--hidden 64 256 1024]

Every number is the processor time of one output's step, the median over the states along random valid outputs, with one thread.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch

import gcc_grammar as gg
from gcc_grammar.proposals import Budgeted, Gcd, smc
from gcc_grammar.proposals.hmm_torch import initial
from gcc_grammar.proposals.torch import TorchGcd, TorchProduct

BUDGET = 64


def paths(tensors, count: int) -> list[list[int]]:
    """Random outputs within the budget."""
    rng = np.random.default_rng(0)
    logits = lambda tokens: rng.normal(size=(len(tokens), tensors.width))  # noqa: E731
    return smc(logits, Budgeted(tensors), particles=count, max_tokens=BUDGET, threshold=0.0, seed=0).outputs[0]


def median(function, arguments: list) -> float:
    """The median time of a call, in microseconds; each call is made three times, and the best counts."""
    times = []
    for argument in arguments:
        best = np.inf
        for _ in range(3):
            begun = time.process_time_ns()
            function(*argument)
            best = min(best, time.process_time_ns() - begun)
        times.append(best / 1000)
    return float(np.median(times))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", default="../person.schema.json")
    parser.add_argument("--vocab", default="llama3")
    parser.add_argument("--hidden", type=int, nargs="*", default=[64, 256, 1024])
    given = parser.parse_args()
    torch.set_num_threads(1)
    with open(given.schema, encoding="utf-8") as file:
        artifact = gg.compile(file.read(), gg.Vocabulary(given.vocab), whitespace="compact")
    begun = time.process_time()
    tensors = artifact.to_tensors()
    print(f"{given.schema}, {given.vocab}: {tensors}, {tensors.nonzeros:,} ones in B_f; exported in {time.process_time() - begun:.2f} s")
    steps, matchers = [], []
    for path in paths(tensors, 4):
        state, matcher = tensors.start, artifact.matcher(max_rollback=0)
        for place, token in enumerate(path):
            steps.append((state, BUDGET - place))
            matchers.append(matcher.fork())
            matcher.commit(token)
            state = tensors.run([token], state)
    row: np.ndarray = np.zeros(artifact.row_words, dtype=np.int32)
    print(f"{len(steps)} steps of 4 outputs; microseconds:")
    base = median(lambda matcher: matcher.fill(row), [(matcher,) for matcher in matchers])
    print(f"| mask of the runtime (LCD) | {base:.1f} | |")

    def line(name: str, microseconds: float) -> None:
        print(f"| {name} | {microseconds:.1f} | {microseconds / base:.0f} times |", flush=True)

    line("GCD, NumPy, bits", median(lambda state, left: Gcd(tensors).bits([state], [left]), steps))
    for dense, name in ((False, "sums of bits"), (True, "product of matrices")):
        masks = TorchGcd(tensors, dense=dense)
        line(f"GCD, PyTorch, {name}", median(lambda state, left, masks=masks: masks.masks(torch.tensor([state]), left), steps))
    for hidden in given.hidden:
        hmm = initial([[0]], hidden, tensors.width, seed=0, device="cpu", end_token=None)
        begun = time.process_time()
        product = TorchProduct(tensors, hmm, BUDGET)
        ahead = time.process_time() - begun
        beliefs = hmm.begin(1)
        some = steps[:: max(1, len(steps) // 24)]
        each = median(lambda state, left, product=product: product.log_psi(torch.tensor([state]), beliefs, left), some)
        line(f"P-GCD, PyTorch, H = {hidden} ({ahead:.1f} s ahead of time)", each)


if __name__ == "__main__":
    main()
