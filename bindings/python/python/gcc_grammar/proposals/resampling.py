"""Resampling: which particles go on, so that each is expected as many times as its weight says.

All three schemes are unbiased. Those that are stratified spread the draws evenly, which lowers the variance (Douc and Cappé 2005).
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

#: From weights, of which each row has the sum 1, to the particles that each place of a row goes on with.
Scheme = Callable[[Any, np.random.Generator], Any]


def multinomial(weights: Any, rng: np.random.Generator) -> Any:
    """Independent draws."""
    return _inverse(weights, rng.random(weights.shape))


def stratified(weights: Any, rng: np.random.Generator) -> Any:
    """A draw from each of k equal parts of the unit interval."""
    count = weights.shape[-1]
    return _inverse(weights, (np.arange(count) + rng.random(weights.shape)) / count)


def systematic(weights: Any, rng: np.random.Generator) -> Any:
    """One draw for all parts."""
    count = weights.shape[-1]
    return _inverse(weights, (np.arange(count) + rng.random((*weights.shape[:-1], 1))) / count)


SCHEMES: dict[str, Scheme] = {"multinomial": multinomial, "stratified": stratified, "systematic": systematic}


def _inverse(weights: Any, places: Any) -> Any:
    """The particles at places of the unit interval, of which each has a part as long as its weight."""
    sums = weights.cumsum(axis=-1)
    sums = sums / sums[..., -1:]
    return np.minimum((sums[..., None, :] <= places[..., :, None]).sum(axis=-1), weights.shape[-1] - 1)


def effective_sample_size(weights: Any) -> Any:
    """The number of equal weights that would say as much: 1 / sum of squares, for weights with the sum 1."""
    with np.errstate(divide="ignore"):
        return 1.0 / np.square(weights).sum(axis=-1)
