"""P-GCD: the product of an automaton with a hidden Markov model says how likely an output is to be completed.

:mod:`.gcd` asks whether an output can be completed within the budget; the product asks with which probability it will be, if the tokens to
come are those of a hidden Markov model (theorem 4.4 of Dang et al. 2026: both are circuits of the same structure, and so is their product).
By state s of the automaton, hidden state z, and r tokens left, before the next token is emitted:

    (5)  B_0(s, z) = [s accepts],  B_r(s, z) = [s accepts] + sum over edges e of s:  W(e, z) (A B_{r-1}(target of e, .))(z)
    (6)  W(e, z) = sum over tokens v of e:  b(v | z)

With the belief f of :mod:`.hmm` behind x_1 ... x_t, in state s and with r tokens left, the probability that the output will be completed is
known for each next token v, on the edge e of s:

    (7)  psi(x_1 ... x_t v) = sum_z f(z) b(v | z) (A B_{r-1}(target of e, .))(z)  /  sum_z f(z) b(v | z)
    (8)  q(v | x_1 ... x_t) proportional to p_lm(v | x_1 ... x_t) psi(x_1 ... x_t v)

What is needed of B is A B_r, a row of H numbers by r and s, which :class:`Product` computes ahead of time, backwards, edge by edge. Rows are
relative to their greatest number, whose logarithm is kept apart, so that nothing underflows.
"""

from __future__ import annotations

import hashlib
import os
from typing import Any, Optional, Union

import numpy as np

from .gcd import Gcd
from .hmm import Hmm
from .models import log_sum
from .safetensors import read_safetensors, write_safetensors
from .tensors import Tensors, unpacked

Path = Union[str, "os.PathLike[str]"]
#: The version of the layout of cached products.
VERSION = 1
#: Tokens whose bits are unpacked at once, and edges that are summed at once.
CHUNK = 4096
#: A token that may come next but has no probability in the model keeps this much less than the likeliest, as a logarithm: no token is lost.
FLOOR = -100.0


class Product:
    """The probabilities of completion, for up to ``budget`` tokens."""

    def __init__(self, tensors: Tensors, hmm: Hmm, budget: int) -> None:
        check(tensors, hmm)
        self.tensors, self.hmm, self.budget = tensors, hmm, budget
        self.gcd = Gcd(tensors)
        self.rows, self.log_scales = backward(tensors, hmm, hmm.emission, budget)

    @property
    def log_satisfied(self) -> float:
        """The logarithm of the probability that an output of the model has at most ``budget`` tokens and is in the language."""
        start = self.hmm.begin(1)
        log_psi = self.log_psi([self.tensors.start], start, [self.budget])
        return float(log_sum(self.hmm.log_next(start)[:, : self.tensors.width] + log_psi)[0])

    def log_psi(self, states: Any, beliefs: Any, left: Any) -> Any:
        """Equation (7), as logarithms, for a batch of states, beliefs and numbers of tokens left; minus infinity where GCD has no token.

        Every other number is finite: a token that the model does not expect counts as much as ``FLOOR`` says.
        """
        states, left = np.broadcast_arrays(np.asarray(states), np.asarray(left))
        log_psi: Any = np.full((len(states), self.tensors.width), -np.inf)
        pairs, group = np.unique(np.stack([states, left], axis=1), axis=0, return_inverse=True)
        for number, (state, tokens) in enumerate(pairs.tolist()):
            rows = (group.reshape(-1) == number).nonzero()[0]
            columns, ahead, log_scales = self._ahead(state, tokens)
            emission = self.hmm.emission[:, columns]
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = (beliefs[rows] @ (emission * ahead)) / (beliefs[rows] @ emission)
                log_psi[np.ix_(rows, columns)] = np.log(ratio) + log_scales
        return floored(log_psi, self.gcd.masks(states, left))

    def _ahead(self, state: int, left: int) -> tuple[Any, Any, Any]:
        """The tokens of a state that lead near enough to the end; by hidden state and token, A B of the target; and its scale by token."""
        tokens, targets = self.tensors.near_tokens(state, left)
        row = min(left, self.budget + 1) - 1
        return tokens, self.rows[row][targets].T, self.log_scales[row][targets]

    def key(self) -> str:
        """The key of this product: what it was made from, as 64 hexadecimal digits."""
        return product_key(self.tensors, self.hmm, self.budget)


def backward(tensors: Tensors, hmm: Hmm, emission: Any, budget: int) -> tuple[Any, Any]:
    """Equation (5): by r from 0 to the budget and by state, A B_r relative to its greatest number, and the logarithm of that."""
    weights = edge_weights(tensors, emission)
    rows: Any = np.zeros((budget + 1, tensors.states, hmm.hidden), dtype=emission.dtype)
    log_scales: Any = np.full((budget + 1, tensors.states), -np.inf)
    # An accepting state has no edges, and whatever the hidden state is, nothing more is needed.
    rows[:, tensors.accept], log_scales[:, tensors.accept] = 1.0, 0.0
    order = np.argsort(tensors.source, kind="stable")
    for left in range(1, budget + 1):
        sums, scales = _sums_of_edges(tensors, weights, order, rows[left - 1], log_scales[left - 1])
        open_states = (~tensors.accept).nonzero()[0]
        moved = hmm.transition.backward(sums[open_states])
        top = moved.max(axis=1)
        rows[left, open_states] = moved / np.where(top > 0, top, 1.0)[:, None]
        with np.errstate(divide="ignore"):
            log_scales[left, open_states] = np.log(top) + np.where(top > 0, scales[open_states], 0.0)
    return rows, log_scales


def _sums_of_edges(tensors: Tensors, weights: Any, order: Any, rows: Any, log_scales: Any) -> tuple[Any, Any]:
    """By state, the sum over its edges in equation (5), relative to the greatest scale of a target, and that scale."""
    scales: Any = np.full(tensors.states, -np.inf)
    np.maximum.at(scales, tensors.source, log_scales[tensors.target])
    scales = np.where(np.isfinite(scales), scales, 0.0)
    sums = np.zeros_like(rows)
    for first in range(0, tensors.edges, CHUNK):
        edges = order[first : first + CHUNK]
        factors = np.exp(log_scales[tensors.target[edges]] - scales[tensors.source[edges]])
        terms = weights[tensors.edge_label[edges]] * rows[tensors.target[edges]] * factors[:, None]
        begins = np.flatnonzero(np.diff(tensors.source[edges], prepend=-1))
        sums[tensors.source[edges[begins]]] += np.add.reduceat(terms, begins, axis=0)
    return sums, scales


def edge_weights(tensors: Tensors, emission: Any) -> Any:
    """Equation (6), by label and hidden state: the probability that a state emits some token of the label."""
    weights: Any = np.zeros((tensors.labels, emission.shape[0]), dtype=emission.dtype)
    for first in range(0, tensors.width, CHUNK):
        last = min(first + CHUNK, tensors.width)
        bits = tensors.label_bits[:, first // 32 : (last + 31) // 32]
        weights += unpacked(bits, last - first).astype(emission.dtype) @ emission[:, first:last].T
    return weights


def floored(log_psi: Any, mask: Any) -> Any:
    """Every allowed token gets at least the greatest number of its row plus ``FLOOR``."""
    finite = np.where(np.isfinite(log_psi), log_psi, -np.inf)
    top = finite.max(axis=1, keepdims=True)
    floor = np.where(np.isfinite(top), top, 0.0) + FLOOR
    return np.where(mask, np.maximum(finite, floor), -np.inf)


def cached(folder: Path, tensors: Tensors, hmm: Hmm, budget: int, *, name: Optional[str] = None) -> Product:
    """The product, read from a folder if it was computed before, and written there otherwise.

    The file has a key of its own, over the automaton, the model and the budget; ``name`` is that of the artifact beside which it lies.
    """
    key = product_key(tensors, hmm, budget)
    path = os.path.join(folder, f"{name or 'product'}.{key[:16]}.pgcd.safetensors")
    if os.path.exists(path):
        arrays, metadata = read_safetensors(path)
        if metadata.get("key") == key:
            product = Product.__new__(Product)
            product.tensors, product.hmm, product.budget, product.gcd = tensors, hmm, budget, Gcd(tensors)
            product.rows, product.log_scales = arrays["rows"], arrays["log_scales"]
            return product
    product = Product(tensors, hmm, budget)
    os.makedirs(folder, exist_ok=True)
    arrays = {"rows": product.rows, "log_scales": product.log_scales}
    write_safetensors(f"{path}.{os.getpid()}", arrays, {"key": key})
    os.replace(f"{path}.{os.getpid()}", path)
    return product


def product_key(tensors: Tensors, hmm: Hmm, budget: int) -> str:
    """A digest of everything that a product is made from."""
    digest = hashlib.sha256(f"pgcd {VERSION} {tensors.width} {tensors.start} {budget}".encode())
    arrays = [tensors.accept, tensors.source, tensors.target, tensors.edge_label, tensors.label_indptr, tensors.label_indices]
    arrays += [hmm.log_emission, hmm.log_initial, *hmm.transition.arrays().values()]
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def check(tensors: Tensors, hmm: Any) -> None:
    if tensors.accept[tensors.source].any():
        raise ValueError("outputs of this automaton do not end with a token: compile for a vocabulary that has an end token")
    if hmm.width < tensors.width:
        raise ValueError(f"the model has {hmm.width} tokens, and the automaton {tensors.width}")
