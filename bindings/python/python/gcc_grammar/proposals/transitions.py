"""Transition matrices of hidden Markov models: dense, or in Monarch form.

A Monarch matrix (Dao et al. 2022) is a product of block-diagonal matrices with permutations between them. It has
``2 H sqrt(H)`` numbers instead of ``H * H``. The published models of Dang et al. (2026) have it, with H = 16,384 and blocks of 128.
"""

from __future__ import annotations

from typing import Any, Protocol, Sequence

import numpy as np


class Transition(Protocol):
    """A stochastic matrix A (H x H): row h has the probabilities of the state that follows h."""

    @property
    def hidden(self) -> int:
        """H."""

    def forward(self, rows: Any) -> Any:
        """``rows @ A``: distributions of the state before, to those of the state behind."""

    def backward(self, rows: Any) -> Any:
        """``rows @ A.T``: functions of the state behind, to their expectations given the state before."""

    def arrays(self) -> dict[str, Any]:
        """The arrays that a file has."""


class Dense:
    """A matrix as it is."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    @property
    def hidden(self) -> int:
        return int(self.matrix.shape[0])

    def forward(self, rows: Any) -> Any:
        return rows @ self.matrix

    def backward(self, rows: Any) -> Any:
        return rows @ self.matrix.T

    def arrays(self) -> dict[str, Any]:
        return {"alpha_exp": self.matrix}


class Monarch:
    """Block-diagonal matrices ``factors[i]`` of shape (H / b_i, b_i, b_i).

    The expectations of a function y of the state behind are computed from the last factor to the first: y is cut into blocks, each block is
    multiplied, and the axes of block and place are exchanged.
    """

    def __init__(self, factors: Sequence[Any]) -> None:
        self.factors = list(factors)

    @property
    def hidden(self) -> int:
        blocks, size, _ = self.factors[0].shape
        return int(blocks * size)

    def backward(self, rows: Any) -> Any:
        shape = rows.shape
        for factor in reversed(self.factors):
            blocks, size, _ = factor.shape
            rows = np.einsum("kij,nkj->nik", factor, rows.reshape(-1, blocks, size))
        return rows.reshape(shape)

    def forward(self, rows: Any) -> Any:
        shape = rows.shape
        for factor in self.factors:
            blocks, size, _ = factor.shape
            rows = np.einsum("nik,kij->nkj", rows.reshape(-1, size, blocks), factor)
        return rows.reshape(shape)

    def arrays(self) -> dict[str, Any]:
        return {f"alpha_exp.weights_exp.{place}": factor for place, factor in enumerate(self.factors)}
