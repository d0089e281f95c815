"""Globally constrained decoding (GCD): a token may come next only if the output can still be completed within the budget.

The budget is a number of tokens, the end token included. With the matrices of :class:`.Tensors`, and vectors of truth values whose products
are disjunctions of conjunctions:

    (1)  alpha_0 = start,   alpha_t = (alpha_{t-1} T_out * B_f[:, x_t]) T_in           the states after x_1 ... x_t
    (2)  beta_0 = accept,   beta_r = accept or T_out (T_in beta_{r-1})                 the states that accept within r tokens
    (3)  m(x_1 ... x_t, r) = (alpha_t T_out * T_in beta_{r-1}) B_f                     the mask with r tokens left

where ``*`` is the product by elements and a token is read only while one is left. The functions :func:`forward`, :func:`backward` and
:func:`mask` are these equations as they stand. :class:`Gcd` computes the same by lists: the automaton is deterministic, so alpha is one state,
and beta_r are the states whose distance to the end is at most r.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from .tensors import Tensors, unpacked

#: Masks that are kept.
KEPT = 256


def forward(tensors: Tensors, tokens: Any) -> Any:
    """Equation (1): whether each state is one after these tokens."""
    out, entered, labels = tensors.T_out(), tensors.T_in(), tensors.B_f()
    alpha: Any = np.zeros(tensors.states, dtype=np.int64)
    alpha[tensors.start] = 1
    for token in tokens:
        alpha = ((alpha @ out) * labels[:, token]) @ entered > 0
    return alpha > 0


def backward(tensors: Tensors, budget: int) -> Any:
    """Equation (2): by number of tokens from 0 to the budget, and by state, whether the state accepts within as many tokens."""
    out, entered = tensors.T_out().astype(np.int64), tensors.T_in().astype(np.int64)
    beta = [tensors.accept]
    for _ in range(budget):
        beta.append(tensors.accept | (out @ (entered @ beta[-1].astype(np.int64)) > 0))
    return np.stack(beta)


def mask(tensors: Tensors, alpha: Any, beta: Any, left: int) -> Any:
    """Equation (3): whether each token may come next, with ``left`` tokens left."""
    if left == 0:
        return np.zeros(tensors.width, dtype=bool)
    edges = (alpha.astype(np.int64) @ tensors.T_out()) * (tensors.T_in().astype(np.int64) @ beta[left - 1].astype(np.int64))
    return edges @ tensors.B_f().astype(np.int64) > 0


class Gcd:
    """The masks of GCD for batches of states.

    >>> gcd = Gcd(Tensors.of_edges(3, states=3, accept=[2], edges={(0, 0): [0], (0, 1): [1], (1, 2): [2]}))
    >>> gcd.masks(np.array([0, 0]), np.array([3, 2])).tolist()
    [[True, True, False], [False, True, False]]
    """

    def __init__(self, tensors: Tensors) -> None:
        self.tensors = tensors
        self._kept: OrderedDict[tuple[int, bytes], Any] = OrderedDict()

    @property
    def shortest(self) -> int:
        """The number of tokens of the shortest output, the end token included."""
        return int(self.tensors.distance[self.tensors.start])

    def bits(self, states: Any, left: Any) -> Any:
        """The masks as rows of 32-bit words, like those of :meth:`gcc_grammar.Matcher.fill`, by states and numbers of tokens left."""
        states, left = np.broadcast_arrays(np.asarray(states), np.asarray(left))
        rows = [self._row(int(state), int(tokens)) for state, tokens in zip(states, left)]
        return np.stack(rows) if rows else np.zeros((0, self.tensors.label_bits.shape[1]), dtype=np.uint32)

    def masks(self, states: Any, left: Any) -> Any:
        """The masks as truth values, by states and numbers of tokens left."""
        return unpacked(self.bits(states, left), self.tensors.width)

    def _row(self, state: int, left: int) -> Any:
        """Equation (3), where alpha is one state: the union of the labels of its edges that lead near enough to the end."""
        tensors = self.tensors
        open_edges = tensors.near_edges(state, left)
        key = (state, open_edges.tobytes())
        if key not in self._kept:
            self._kept[key] = np.bitwise_or.reduce(tensors.label_bits[tensors.edge_label[open_edges]], axis=0)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]
