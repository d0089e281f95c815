"""Adaptive weighted rejection sampling (AWRS, Lipkin et al. 2025): the proposal of LCD, without its masks.

Tokens are drawn from the model until the language allows one. Tokens that were refused are not drawn again: how often sampling with replacement
would have drawn one of them is drawn from a geometric distribution. Drawing goes on to a second allowed token. If that is draw number N,
1 / (N - 1) is an unbiased estimate of the probability of the mask, and does not depend on which token came first (Haldane 1945). So the first token
with this weight is what the proposal of LCD with the weight (9) is, in expectation, and few tokens are asked for.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .models import expect_width, log_softmax
from .potentials import Lcd, Twist


class Awrs:
    """AWRS on the masks of an artifact or of tensors."""

    def __init__(self, language: Any, *, seed: int = 0) -> None:
        self._language, self._seed = language, seed
        #: How many tokens were asked for so far.
        self.asked = 0

    def begin(self, rows: int) -> Twist:
        return _Rejection(self, Lcd(self._language).begin(rows), np.random.default_rng(self._seed))


class _Rejection:
    def __init__(self, source: Awrs, masks: Any, rng: np.random.Generator) -> None:
        self._source, self._masks, self._rng = source, masks, rng

    @property
    def ended(self) -> Any:
        return self._masks.ended

    def log_psi(self, left: int) -> Any:
        return self._masks.log_psi(left)

    def advance(self, tokens: Any) -> None:
        self._masks.advance(tokens)

    def reorder(self, sources: Any) -> None:
        self._masks.reorder(sources)

    def propose(self, logits: Any, temperature: float, left: int) -> tuple[Any, Any, Any]:
        """Tokens, the logarithms of the estimates of (9), and the logarithms of their potentials."""
        expect_width(logits, self._masks.width)
        log_p = log_softmax(logits, temperature)
        tokens: Any = np.full(len(log_p), -1)
        log_factors: Any = np.full(len(log_p), -np.inf)
        for row in (~self.ended).nonzero()[0].tolist():
            token, draws = two_accepted(np.exp(log_p[row]), lambda token: self._allows(row, token), self._rng)
            if token >= 0:
                tokens[row], log_factors[row] = token, -np.log(draws - 1)
        return tokens, log_factors, np.zeros(len(log_p))

    def _allows(self, row: int, token: int) -> bool:
        self._source.asked += 1
        allowed: bool = self._masks.allows(row, token)
        return allowed


def two_accepted(probabilities: Any, accepts: Callable[[int], bool], rng: np.random.Generator) -> tuple[int, float]:
    """The first accepted token, and the number of draws with replacement up to the second; -1 if no token is accepted."""
    left = probabilities / probabilities.sum()
    first, draws, accepted = -1, 0.0, 0
    known: set[int] = set()
    while accepted < 2:
        mass = left.sum()
        if mass <= 0 or not (left > 0).any():
            return -1, np.inf
        if mass < 1:
            # Draws of tokens that were refused.
            draws += float(rng.geometric(mass)) - 1 if mass > 1e-15 else 1 / mass
        draws += 1
        token = int(rng.choice(len(left), p=left / mass))
        if token in known or accepts(token):
            known.add(token)
            accepted += 1
            first = token if accepted == 1 else first
        else:
            left[token] = 0.0
    return first, draws
