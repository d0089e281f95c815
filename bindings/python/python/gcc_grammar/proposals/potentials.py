"""Potentials: what sequential Monte Carlo knows of the future of an output, and the proposals that they make.

A potential gives, for the outputs so far and each next token v, the number psi(x_1 ... x_t v): zero if v must not come next, and else how
promising it is. The proposal is q(v) proportional to p_lm(v) psi(v). The three potentials of this module:

| potential | psi | proposal |
|---|---|---|
| :class:`Lcd` | 1 where the mask has the token | locally constrained decoding |
| :class:`Budgeted` | 1 where the output can still be completed within the tokens that are left | GCD |
| :class:`Expected` | the probability that it will be, in a hidden Markov model | P-GCD |
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from .._api import Artifact, Matcher, fill_masks
from .gcd import Gcd
from .pgcd import Product
from .tensors import DEAD, Tensors, unpacked


class Twist(Protocol):
    """The potentials of the outputs of one run. Rows are outputs."""

    @property
    def ended(self) -> Any:
        """Whether each output has ended."""

    def log_psi(self, left: int) -> Any:
        """By row and token, the logarithm of the potential of the output with that token, with ``left`` tokens left, this one included."""

    def advance(self, tokens: Any) -> None:
        """Adds a token to each output that has not ended. A negative token ends an output that has none."""

    def reorder(self, sources: Any) -> None:
        """Goes on in each row with a copy of the output in the row ``sources`` says."""


class Potential(Protocol):
    """Makes potentials for runs."""

    def begin(self, rows: int) -> Twist:
        """The potentials of outputs without a token."""


def log_of_masks(masks: Any) -> Any:
    """Zero where a mask has the token, and minus infinity elsewhere."""
    return np.where(masks, 0.0, -np.inf)


class Lcd:
    """The masks of an artifact, or of tensors: a token may come next if some output goes on with it, however long."""

    def __init__(self, language: Any) -> None:
        self._language = language

    def begin(self, rows: int) -> Twist:
        if isinstance(self._language, Artifact):
            return _Matchers([self._language.matcher(max_rollback=0) for _ in range(rows)])
        return _States(Gcd(self._language) if isinstance(self._language, Tensors) else self._language, rows, bounded=False)


class Budgeted:
    """The masks of GCD: of tensors, or of an artifact whose matchers have a budget. These need no tensors, so the grammar may be recursive. Where
    tokens span lexemes, they may lack a token near the end of the budget: the completions that they know take one token per lexeme or more. An output
    for which none is known within the budget goes on as with :class:`Lcd`."""

    def __init__(self, language: Any) -> None:
        self._language = Gcd(language) if isinstance(language, Tensors) else language

    def begin(self, rows: int) -> Twist:
        if isinstance(self._language, Artifact):
            return _Matchers([self._language.matcher(max_rollback=0) for _ in range(rows)], bounded=True)
        return _States(self._language, rows, bounded=True)


class Expected:
    """The probabilities of completion of a product with a hidden Markov model. ``prefix`` are tokens in front of the outputs, such as the
    end of a prompt, that the hidden Markov model has seen in its samples."""

    def __init__(self, product: Product, *, prefix: Any = ()) -> None:
        self._product, self._prefix = product, list(prefix)

    def begin(self, rows: int) -> Twist:
        return _Beliefs(self._product, rows, self._prefix)


class _Matchers:
    def __init__(self, matchers: list[Matcher], *, bounded: bool = False) -> None:
        self._matchers, self._bounded = matchers, bounded
        self.ended: Any = np.zeros(len(matchers), dtype=bool)
        artifact = matchers[0].artifact
        self.width = artifact.vocabulary.width
        self._rows: Any = np.zeros((len(matchers), artifact.row_words), dtype=np.int32)

    def log_psi(self, left: int) -> Any:
        if self._bounded:
            self._set_budgets(left)
        self._rows[:] = 0
        running = (~self.ended).nonzero()[0].tolist()
        if running:
            fill_masks([self._matchers[row] for row in running], self._rows, indices=running)
        return log_of_masks(unpacked(self._rows, self.width))

    def _set_budgets(self, left: int) -> None:
        """Commits count down, so an output needs this once. Until a completion within the tokens that are left is known, its masks are those of LCD: there
        may be one all the same."""
        for row in (~self.ended).nonzero()[0].tolist():
            matcher = self._matchers[row]
            least = matcher.min_remaining() if matcher.remaining is None else None
            if least is not None and least <= left:
                matcher.set_budget(left)

    def allows(self, row: int, token: int) -> bool:
        """Whether the mask of a row has a token."""
        return self._matchers[row].allows(token)

    def advance(self, tokens: Any) -> None:
        for row in (~self.ended).nonzero()[0].tolist():
            token = int(tokens[row])
            if token < 0:
                self.ended[row] = True
            else:
                self._matchers[row].commit(token)
                self.ended[row] = self._matchers[row].is_terminated

    def reorder(self, sources: Any) -> None:
        self.ended = self.ended[sources]
        taken: set[int] = set()
        old, self._matchers = self._matchers, []
        for source in np.asarray(sources).tolist():
            self._matchers.append(old[source].fork() if source in taken else old[source])
            taken.add(source)


class _States:
    """The states of an automaton."""

    def __init__(self, gcd: Gcd, rows: int, *, bounded: bool) -> None:
        self._gcd, self._bounded, self.width = gcd, bounded, gcd.tensors.width
        self._states: Any = np.full(rows, gcd.tensors.start)
        self.ended: Any = gcd.tensors.accept[self._states]

    def log_psi(self, left: int) -> Any:
        # No distance is infinite in tensors that are trimmed; in others, such states are no continuation either.
        pairs, rows = np.unique(self._states, return_inverse=True)
        masks = self._gcd.masks(pairs, left if self._bounded else np.iinfo(np.int64).max)
        return log_of_masks(masks)[rows.reshape(-1)]

    def allows(self, row: int, token: int) -> bool:
        """Whether the mask of a row has a token."""
        tensors = self._gcd.tensors
        return token < tensors.width and tensors.run([token], int(self._states[row])) != DEAD

    def advance(self, tokens: Any) -> None:
        stepped = self._gcd.tensors.step(self._states, np.maximum(tokens, 0))
        self._states = np.where(self.ended, self._states, np.where(tokens >= 0, stepped, DEAD))
        self.ended = self.ended | (self._states == DEAD) | self._gcd.tensors.accept[self._states]

    def reorder(self, sources: Any) -> None:
        self._states, self.ended = self._states[sources], self.ended[sources]


class _Beliefs(_States):
    """The states of an automaton, and the beliefs of a hidden Markov model."""

    def __init__(self, product: Product, rows: int, prefix: list[int]) -> None:
        super().__init__(product.gcd, rows, bounded=True)
        self._product = product
        self._beliefs = product.hmm.begin(1)
        for token in prefix:
            self._beliefs = product.hmm.update(self._beliefs, [token])
        self._beliefs = np.repeat(self._beliefs, rows, axis=0)

    def log_psi(self, left: int) -> Any:
        return self._product.log_psi(self._states, self._beliefs, left)

    def advance(self, tokens: Any) -> None:
        super().advance(tokens)
        self._beliefs = self._product.hmm.update(self._beliefs, np.maximum(tokens, 0))

    def reorder(self, sources: Any) -> None:
        super().reorder(sources)
        self._beliefs = self._beliefs[sources]
