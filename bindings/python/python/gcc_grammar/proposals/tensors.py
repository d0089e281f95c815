"""Tensors: a finite automaton over tokens, as arrays.

The names are those of Dang et al. (2026), definitions 3.1 and 3.2: S states, E edges, V tokens; ``T_out`` (S x E) says which edges leave a
state, ``T_in`` (E x S) which state an edge enters, and ``B_f`` (E x V) which tokens an edge has. An edge leaves one state and enters one,
so the first two are lists of E numbers here. Many edges have the same tokens, so the distinct rows of ``B_f``, the *labels*, are stored
once: row e of ``B_f`` is row ``edge_label[e]`` of the labels.
"""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from .safetensors import read_safetensors, write_safetensors

#: The state behind a token that the automaton does not have.
DEAD = -1


class Tensors:
    """A deterministic automaton over tokens. Two edges of a state have no token in common.

    >>> tensors = Tensors.of_edges(3, states=3, accept=[2], edges={(0, 0): [0], (0, 1): [1], (1, 2): [2]})
    >>> tensors.states, tensors.edges, tensors.nonzeros
    (3, 3, 3)
    >>> tensors.step(np.array([0, 0, 1]), np.array([1, 2, 2])).tolist()
    [1, -1, 2]
    """

    def __init__(self, arrays: Mapping[str, Any], description: Mapping[str, Any]) -> None:
        #: What the file says about itself: what it was made from, and what was cut.
        self.description = dict(description)
        #: V, the number of tokens.
        self.width = int(description["width"])
        self.start = int(arrays["start"][0])
        self.accept = np.asarray(arrays["accept"], dtype=bool)
        #: By edge: the state that it leaves.
        self.source = np.asarray(arrays["T_out"], dtype=np.int64)
        #: By edge: the state that it enters.
        self.target = np.asarray(arrays["T_in"], dtype=np.int64)
        #: By edge: its label.
        self.edge_label = np.asarray(arrays["edge_label"], dtype=np.int64)
        #: The labels as CSR.
        self.label_indptr = np.asarray(arrays["B_f.indptr"], dtype=np.int64)
        self.label_indices = np.asarray(arrays["B_f.indices"], dtype=np.int64)
        #: The labels as bits: token t is bit t % 32 of word t // 32.
        self.label_bits = np.asarray(arrays["B_f.bits"]).view(np.uint32)
        _check(self)

    @staticmethod
    def of_edges(width: int, *, states: int, accept: Sequence[int], edges: Mapping[tuple[int, int], Sequence[int]]) -> Tensors:
        """An automaton with the given tokens on edges from state to state. State 0 is the start."""
        order = sorted(edge for edge, tokens in edges.items() if len(tokens) > 0)
        rows = [np.unique(np.asarray(edges[edge], dtype=np.int64)) for edge in order]
        indptr = np.cumsum([0, *map(len, rows)])
        bits: Any = np.zeros((len(rows), (width + 31) // 32), dtype=np.uint32)
        for row, tokens in enumerate(rows):
            np.bitwise_or.at(bits[row], tokens // 32, np.uint32(1) << (tokens % 32).astype(np.uint32))
        arrays = {
            "start": np.zeros(1),
            "accept": np.isin(np.arange(states), np.asarray(accept)),
            "T_out": np.array([source for source, _ in order], dtype=np.int64),
            "T_in": np.array([target for _, target in order], dtype=np.int64),
            "edge_label": np.arange(len(order)),
            "B_f.indptr": indptr,
            "B_f.indices": np.concatenate([np.zeros(0, dtype=np.int64), *rows]),
            "B_f.bits": bits,
        }
        return Tensors(arrays, {"width": width})

    @staticmethod
    def load(path: Union[str, "os.PathLike[str]"]) -> Tensors:
        """Reads a file of ``gcc-grammar export --tensors``, or of :meth:`save`: ``.npz`` or ``.safetensors``."""
        if os.fspath(path).endswith(".safetensors"):
            arrays, texts = read_safetensors(path)
            return Tensors(arrays, {name: _value(text) for name, text in texts.items()})
        with np.load(path) as file:
            arrays = {name: file[name] for name in file.files}
        return Tensors(arrays, json.loads(arrays.pop("description").tobytes()))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a file: ``.npz`` or ``.safetensors``."""
        arrays = {
            "start": np.array([self.start], dtype=np.int32),
            "accept": self.accept,
            "T_out": self.source.astype(np.int32),
            "T_in": self.target.astype(np.int32),
            "edge_label": self.edge_label.astype(np.int32),
            "B_f.indptr": self.label_indptr.astype(np.int32),
            "B_f.indices": self.label_indices.astype(np.int32),
            "B_f.bits": self.label_bits.view(np.int32),
        }
        if os.fspath(path).endswith(".safetensors"):
            texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in self.description.items()}
            write_safetensors(path, arrays, texts)
            return
        description = np.frombuffer(json.dumps(self.description).encode(), dtype=np.uint8)
        np.savez_compressed(path, **arrays, description=description)

    @property
    def states(self) -> int:
        """S."""
        return len(self.accept)

    @property
    def edges(self) -> int:
        """E."""
        return len(self.source)

    @property
    def labels(self) -> int:
        """The number of distinct rows of ``B_f``."""
        return len(self.label_indptr) - 1

    @property
    def nonzeros(self) -> int:
        """The number of ones in ``B_f``."""
        return int(np.diff(self.label_indptr)[self.edge_label].sum())

    def tokens(self, label: int) -> Any:
        """The tokens of a label, ascending."""
        return self.label_indices[self.label_indptr[label] : self.label_indptr[label + 1]]

    def T_out(self) -> Any:
        """Definition 3.1: the matrix S x E that says which edges leave a state."""
        matrix: Any = np.zeros((self.states, self.edges), dtype=np.uint8)
        matrix[self.source, np.arange(self.edges)] = 1
        return matrix

    def T_in(self) -> Any:
        """Definition 3.1: the matrix E x S that says which state an edge enters."""
        matrix: Any = np.zeros((self.edges, self.states), dtype=np.uint8)
        matrix[np.arange(self.edges), self.target] = 1
        return matrix

    def B_f(self) -> Any:
        """Definition 3.2: the matrix E x V that says which tokens an edge has."""
        matrix: Any = np.zeros((self.edges, self.width), dtype=np.uint8)
        for edge, label in enumerate(self.edge_label):
            matrix[edge, self.tokens(label)] = 1
        return matrix

    @cached_property
    def out_edges(self) -> Any:
        """By state: its edges, filled up with -1 to the greatest number that a state has."""
        counts = np.bincount(self.source, minlength=self.states)
        table = np.full((self.states, max(counts.max(initial=0), 1)), -1, dtype=np.int64)
        order = np.argsort(self.source, kind="stable")
        places = np.arange(self.edges) - np.repeat(np.cumsum(counts) - counts, counts)
        table[self.source[order], places] = order
        return table

    @cached_property
    def distance(self) -> Any:
        """By state: the least number of tokens that lead to an accepting state, the end token included; infinite if there are none."""
        distance = np.where(self.accept, 0.0, np.inf)
        while True:
            nearer = distance.copy()
            np.minimum.at(nearer, self.source, 1 + distance[self.target])
            if np.array_equal(nearer, distance):
                return distance
            distance = nearer

    def near_edges(self, state: int, left: int) -> Any:
        """The edges of a state after which the output can still be completed, if a token of ``left`` is for the edge; none of ``DEAD``."""
        edges = self.out_edges[state] if state != DEAD else np.zeros(0, dtype=np.int64)
        edges = edges[edges >= 0]
        return edges[self.distance[self.target[edges]] <= left - 1]

    def near_tokens(self, state: int, left: int) -> tuple[Any, Any]:
        """The tokens of :meth:`near_edges`, edge by edge, and the state that each leads to."""
        edges = self.near_edges(state, left)
        columns = [self.tokens(label) for label in self.edge_label[edges]]
        targets: Any = np.repeat(self.target[edges], [len(tokens) for tokens in columns])
        return np.concatenate([np.zeros(0, dtype=np.int64), *columns]), targets

    def step(self, states: Any, tokens: Any) -> Any:
        """The states after a token each; -1 where there is none."""
        states, tokens = np.asarray(states, dtype=np.int64), np.asarray(tokens, dtype=np.int64)
        edges = self.out_edges[states]
        words = self.label_bits[self.edge_label[edges], (tokens // 32)[:, None]]
        has = ((words >> (tokens % 32).astype(np.uint32)[:, None]) & 1).astype(bool) & (edges >= 0) & (states >= 0)[:, None]
        found = edges[np.arange(len(edges)), has.argmax(axis=1)]
        return np.where(has.any(axis=1), self.target[found], DEAD)

    def run(self, tokens: Sequence[int], state: Optional[int] = None) -> int:
        """The state after a sequence of tokens, from the start by default; -1 if there is none."""
        state = self.start if state is None else state
        for token in tokens:
            if state == DEAD:
                break
            state = int(self.step(np.array([state]), np.array([token]))[0])
        return state

    def __repr__(self) -> str:
        return f"<Tensors: {self.states} states, {self.edges} edges, {self.labels} labels, {self.width} tokens>"


def unpacked(bits: Any, width: int) -> Any:
    """Rows of bits as truth values."""
    return np.unpackbits(np.ascontiguousarray(bits).view(np.uint8), axis=-1, bitorder="little", count=width).astype(bool)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _check(tensors: Tensors) -> None:
    """Refuses arrays that do not fit together: a file may come from anyone."""
    states, edges, labels = len(tensors.accept), len(tensors.source), len(tensors.label_indptr) - 1
    sound = (
        labels >= 0
        and states > 0
        and len(tensors.target) == len(tensors.edge_label) == edges
        and tensors.label_bits.shape == (labels, (tensors.width + 31) // 32)
        and _within([tensors.start], states)
        and _within(tensors.source, states)
        and _within(tensors.target, states)
        and _within(tensors.edge_label, labels)
        and _within(tensors.label_indices, tensors.width)
        and bool((np.diff(tensors.label_indptr) >= 0).all())
        and tensors.label_indptr[0] == 0
        and tensors.label_indptr[-1] == len(tensors.label_indices)
    )
    if not sound:
        raise ValueError("the arrays are no automaton: their sizes or numbers do not fit together")


def _within(numbers: Any, limit: int) -> bool:
    numbers = np.asarray(numbers)
    return bool(((numbers >= 0) & (numbers < limit)).all())
