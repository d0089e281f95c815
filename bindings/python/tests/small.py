"""Small random automata for the tests of proposals, and what is true of them by enumeration."""

from __future__ import annotations

import itertools
from typing import Iterator

import numpy as np

from gcc_grammar.proposals import Tensors


def automaton(rng: np.random.Generator, states: int = 5, width: int = 5, density: float = 0.5) -> Tensors:
    """A random deterministic automaton, not trimmed. The last token ends an output, and leads to the last state, which alone accepts."""
    end = width - 1
    edges: dict[tuple[int, int], list[int]] = {}
    for state, token in itertools.product(range(states - 1), range(width)):
        if rng.random() < density:
            target = states - 1 if token == end else int(rng.integers(states - 1))
            edges.setdefault((state, target), []).append(token)
    return Tensors.of_edges(width, states=states, accept=[states - 1], edges=edges)


def transitions(tensors: Tensors) -> dict[tuple[int, int], int]:
    """The target by state and token, from the lists of the edges alone."""
    table = {}
    for edge in range(tensors.edges):
        for token in tensors.tokens(tensors.edge_label[edge]):
            table[int(tensors.source[edge]), int(token)] = int(tensors.target[edge])
    return table


def language(tensors: Tensors, most: int) -> list[tuple[int, ...]]:
    """The outputs of at most so many tokens, by following all sequences that the automaton has."""
    table = transitions(tensors)
    found, level = [], [((), tensors.start)]
    for _ in range(most + 1):
        found += [tokens for tokens, state in level if tensors.accept[state]]
        longer = [(tokens + (token,), (state, token)) for tokens, state in level for token in range(tensors.width)]
        level = [(tokens, table[step]) for tokens, step in longer if step in table]
    return found


def prefixes(outputs: list[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """All beginnings of these outputs, each once."""
    return iter(sorted({output[:length] for output in outputs for length in range(len(output) + 1)}))


def automata(count: int, most: int, **options: float) -> Iterator[tuple[Tensors, list[tuple[int, ...]]]]:
    """Random automata that have outputs of at most so many tokens, with these outputs."""
    seed = 0
    while count > 0:
        tensors = automaton(np.random.default_rng(seed), **options)
        outputs = language(tensors, most)
        seed += 1
        if outputs:
            count -= 1
            yield tensors, outputs


class Model:
    """A random language model: the logits depend on the last two tokens, and on the length."""

    def __init__(self, width: int, seed: int, scale: float = 1.5) -> None:
        rng = np.random.default_rng(seed)
        self._last = rng.normal(size=(width + 1, width + 1, width)) * scale
        self._length = rng.normal(size=(16, width)) * scale

    def __call__(self, tokens: np.ndarray) -> np.ndarray:
        length = tokens.shape[1]
        padded = np.concatenate([np.full((len(tokens), 2), -1), tokens], axis=1)
        return self._last[padded[:, -1], padded[:, -2]] + self._length[length]

    def log_probability(self, output: tuple[int, ...]) -> float:
        """The logarithm of the probability of an output."""
        total = 0.0
        for length, token in enumerate(output):
            logits = self(np.array([output[:length]], dtype=np.int64).reshape(1, length))[0]
            total += float(logits[token] - np.log(np.exp(logits).sum()))
        return total


def conditional(log_probabilities: dict[tuple[int, ...], float]) -> tuple[dict[tuple[int, ...], float], float]:
    """The distribution of outputs given that they are among these, and the probability of these."""
    total = sum(np.exp(log) for log in log_probabilities.values())
    return {output: float(np.exp(log) / total) for output, log in log_probabilities.items()}, float(total)


def distance(one: dict, other: dict) -> float:
    """The total variation between two distributions."""
    return sum(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in {*one, *other}) / 2
