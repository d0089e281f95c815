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
