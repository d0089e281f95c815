"""Sequential Monte Carlo (SMC): weighted outputs that converge to the model's distribution of valid outputs.

The target is the model's distribution of outputs x given that x is valid and has at most n tokens, which the model knows up to a factor Z.
The targets in front of it are twisted by a potential (Lew et al. 2023, Zhao et al. 2024): gamma_t(x_1 ... x_t) = p_lm(x_1 ... x_t) psi(x_1 ... x_t),
with psi = 1 where nothing was read, and psi = 1 or 0 at the end, as the output is valid or not. A particle is extended by the proposal (8), and its
weight by the factor

    (9)  w_t = gamma_t(x_1 ... x_t) / (gamma_{t-1}(x_1 ... x_{t-1}) q(x_t)) = sum over v of p_lm(v) psi(x_1 ... x_{t-1} v)  /  psi(x_1 ... x_{t-1})

Where the effective sample size is low, particles are resampled. The estimate of Z, the product of the mean weights, is unbiased, whatever the
potential and the number of particles (Del Moral 2004).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from .. import _checks
from .._errors import RefusedError
from .models import as_model, checked, draw, expect_width, log_softmax, log_sum, on_device
from .potentials import Potential
from .resampling import SCHEMES, Scheme, effective_sample_size


@dataclass(frozen=True)
class Samples:
    """Weighted outputs of one or several independent runs."""

    #: By run and particle, the tokens, the end token included.
    outputs: list[list[list[int]]]
    #: By run and particle, the logarithm of the weight. The weights of a run have the sum 1; all are zero if no particle is left.
    log_weights: Any
    #: By run, the estimate of log Z, the logarithm of the probability that an output of the model is valid.
    log_z: Any
    #: By step and run, the effective sample size in front of resampling.
    effective: Any
    #: By step and run, whether particles were resampled.
    resampled: Any

    @property
    def weights(self) -> Any:
        """By run and particle, the weight."""
        return np.exp(self.log_weights)

    def best(self, run: int = 0) -> list[int]:
        """The output with the greatest weight, where equal outputs count together. Raises :class:`RefusedError` if all weights of the run are zero."""
        sums: dict[tuple[int, ...], float] = {}
        for output, weight in zip(self.outputs[run], self.weights[run].tolist()):
            sums[tuple(output)] = sums.get(tuple(output), 0.0) + weight
        best, weight = max(sums.items(), key=lambda item: item[1])
        if weight <= 0:
            raise RefusedError(f"run {run} has no complete output: give more max_tokens or more particles")
        return list(best)

    def draw(self, seed: int = 0) -> list[list[int]]:
        """An output of each run, with probabilities as the weights say."""
        rng = np.random.default_rng(seed)
        places = [int(rng.choice(len(weights), p=_or_equal(weights))) for weights in self.weights]
        return [outputs[place] for outputs, place in zip(self.outputs, places)]


def smc(
    model: Any,
    potential: Potential,
    *,
    particles: int,
    max_tokens: int,
    runs: int = 1,
    threshold: float = 0.5,
    resampling: Union[str, Scheme] = "systematic",
    temperature: float = 1.0,
    seed: int = 0,
    rng: Optional[np.random.Generator] = None,
) -> Samples:
    """Samples outputs of at most ``max_tokens`` tokens, the end token included.

    ``model`` is a function from the tokens of a batch to logits, or a :class:`.models.Model`. ``potential`` makes the proposal:
    :class:`.Lcd`, :class:`.Budgeted` or :class:`.Expected`. Particles of a run are resampled where the effective sample size is below
    ``threshold`` times their number: 0 is importance sampling, and above 1 resamples in every step. ``runs`` are independent of each other.
    """
    rng = np.random.default_rng(_checks.integer(seed, "seed")) if rng is None else rng
    threshold = _checks.number(threshold, "threshold", "a number that is not negative", lambda number: number >= 0)
    temperature = _checks.number(temperature, "temperature", "a positive number", lambda number: 0 < number < np.inf)
    scheme = SCHEMES.get(resampling) if isinstance(resampling, str) else resampling
    if scheme is None:
        raise RefusedError(f"there is no resampling {resampling!r}: give {', '.join(map(repr, SCHEMES))} or a function")
    max_tokens = _checks.integer(max_tokens, "max_tokens")
    particles, runs = (_checks.integer(value, name, least=1) for value, name in ((particles, "particles"), (runs, "runs")))
    return _Run(as_model(model), potential, particles, runs, rng).samples(max_tokens, threshold, scheme, temperature)


class _Run:
    def __init__(self, model: Any, potential: Potential, particles: int, runs: int, rng: np.random.Generator) -> None:
        self._model, self._rng, self._shape = model, rng, (runs, particles)
        rows = runs * particles
        self._twist = potential.begin(rows)
        # A potential may have a proposal of its own.
        self._propose = getattr(self._twist, "propose", self._locally_optimal)
        #: By row and step, the token; -1 behind the end.
        self._tokens: Any = np.zeros((rows, 0), dtype=np.int64)
        self._log_weights: Any = np.zeros(self._shape)
        self._log_z: Any = np.zeros(runs)
        #: By row, the logarithm of the potential of the output so far.
        self._log_psi: Any = np.zeros(rows)

    def samples(self, max_tokens: int, threshold: float, scheme: Scheme, temperature: float) -> Samples:
        effective, resampled = [], []
        logits = self._model.begin(len(self._tokens))
        for step in range(max_tokens):
            if self._twist.ended.all():
                break
            tokens = self._extend(logits, temperature, max_tokens - step)
            weights = self._normalized()
            sizes = effective_sample_size(np.where(weights > 0, weights, 0.0))
            chosen = (sizes < threshold * self._shape[1]) & np.isfinite(self._log_z)
            effective.append(sizes)
            resampled.append(chosen)
            sources = self._resample(weights, chosen, scheme) if chosen.any() else None
            if step + 1 < max_tokens and not self._twist.ended.all():
                if sources is not None:
                    # The token of a row is now that of its source.
                    self._model.reorder(sources)
                    tokens = tokens[sources]
                logits = self._model.advance(np.maximum(tokens, 0))
        return self._finish(effective, resampled)

    def _extend(self, logits: Any, temperature: float, left: int) -> Any:
        """Extends each output by a token, and its weight by equation (9). Returns the tokens, -1 where there is none."""
        running = ~self._twist.ended
        tokens, log_factors, log_psi = self._propose(checked(logits, running), temperature, left)
        tokens = np.where(running, tokens, -1)
        factors = np.where(running, log_factors - self._log_psi, 0.0)
        self._log_weights += factors.reshape(self._shape)
        self._log_psi = np.where(running & (tokens >= 0), log_psi, self._log_psi)
        self._tokens = np.concatenate([self._tokens, tokens[:, None]], axis=1)
        self._twist.advance(tokens)
        return tokens

    def _locally_optimal(self, logits: Any, temperature: float, left: int) -> tuple[Any, Any, Any]:
        """Draws from the proposal (8). Returns tokens, the numerators of (9), and the potentials of the outputs with these tokens."""
        log_psi = self._twist.log_psi(left)
        expect_width(logits, log_psi.shape[1])
        if hasattr(log_psi, "detach"):
            return on_device(logits, log_psi, temperature, self._rng)
        joint = log_softmax(logits, temperature)[:, : log_psi.shape[1]] + log_psi
        tokens = draw(joint, self._rng)
        return tokens, log_sum(joint), log_psi[np.arange(len(tokens)), tokens]

    def _normalized(self) -> Any:
        """The weights, with the sum 1 in each run; their sums go into the estimate of Z only where particles are resampled."""
        sums = log_sum(self._log_weights)[:, None]
        return np.exp(self._log_weights - np.where(np.isfinite(sums), sums, 0.0))

    def _resample(self, weights: Any, chosen: Any, scheme: Scheme) -> Any:
        runs, particles = self._shape
        sources = np.tile(np.arange(particles), (runs, 1))
        alive = chosen & (weights.sum(axis=1) > 0)
        sources[alive] = scheme(weights[alive], self._rng)
        self._log_z[alive] += log_sum(self._log_weights[alive]) - np.log(particles)
        self._log_weights[alive] = 0.0
        flat = (sources + np.arange(runs)[:, None] * particles).reshape(-1)
        self._twist.reorder(flat)
        self._log_psi = self._log_psi[flat]
        self._tokens = self._tokens[flat]
        return flat

    def _finish(self, effective: list[Any], resampled: list[Any]) -> Samples:
        """Outputs that did not end have the potential 0, and the others 1."""
        final = np.where(self._complete(), -self._log_psi, -np.inf).reshape(self._shape)
        log_weights = self._log_weights + final
        sums = log_sum(log_weights)
        log_z = self._log_z + sums - np.log(self._shape[1])
        log_weights = log_weights - np.where(np.isfinite(sums), sums, 0.0)[:, None]
        runs, particles = self._shape
        rows = [row[:length] for row, length in zip(self._tokens.tolist(), (self._tokens >= 0).sum(axis=1).tolist())]
        outputs = [rows[run * particles : (run + 1) * particles] for run in range(runs)]
        return Samples(outputs, log_weights, log_z, np.array(effective), np.array(resampled))

    def _complete(self) -> Any:
        """Whether each output has ended, and with a token of its own."""
        return self._twist.ended & np.isfinite(self._log_weights.reshape(-1))


def _or_equal(weights: Any) -> Any:
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1.0 / len(weights))
