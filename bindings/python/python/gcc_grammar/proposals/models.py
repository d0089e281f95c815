"""Language models for sequential Monte Carlo: anything that gives logits for a batch of outputs."""

from __future__ import annotations

from typing import Any, Callable, Protocol

import numpy as np

from .._errors import RefusedError

#: From the tokens of a batch of outputs, all of the same length (rows x length), to the logits of the next tokens (rows x V).
Logits = Callable[[Any], Any]


class Model(Protocol):
    """A language model with the state of a batch of outputs."""

    def begin(self, rows: int) -> Any:
        """The logits of the first token of each output (rows x V)."""

    def advance(self, tokens: Any) -> Any:
        """The logits behind one more token in each row. The tokens of outputs that have ended do not matter."""

    def reorder(self, sources: Any) -> None:
        """Goes on in each row with a copy of the output in the row ``sources`` says."""


class Stateless:
    """A function of the tokens so far."""

    def __init__(self, logits: Logits) -> None:
        self._logits = logits
        self._tokens: Any = np.zeros((0, 0), dtype=np.int64)

    def begin(self, rows: int) -> Any:
        self._tokens = np.zeros((rows, 0), dtype=np.int64)
        return self._logits(self._tokens)

    def advance(self, tokens: Any) -> Any:
        self._tokens = np.concatenate([self._tokens, np.asarray(tokens)[:, None]], axis=1)
        return self._logits(self._tokens)

    def reorder(self, sources: Any) -> None:
        self._tokens = self._tokens[sources]


def as_model(model: Any) -> Model:
    """A model, or a function of the tokens so far as one."""
    if hasattr(model, "begin"):
        found: Model = model
        return found
    return Stateless(model)


def checked(logits: Any, running: Any) -> Any:
    """Logits with a row for each output, of which those that are ``running`` have a greatest number."""
    if not hasattr(logits, "detach"):
        logits = np.asarray(logits)
    if len(logits.shape) != 2 or len(logits) != len(running):
        raise RefusedError(f"the logits of the model have the shape {tuple(logits.shape)}: give {len(running)} rows, one for each output")
    tops = logits.detach().amax(dim=1).cpu().double().numpy() if hasattr(logits, "detach") else logits.max(axis=1)
    if not np.isfinite(np.asarray(tops, dtype=np.float64)[running]).all():
        raise RefusedError("the logits of the model have NaN or infinity, or a row of minus infinity: give finite numbers, and minus infinity where a token must not come")
    return logits


def expect_width(logits: Any, width: int) -> None:
    """Refuses logits with fewer tokens than the vocabulary has."""
    if logits.shape[1] < width:
        raise RefusedError(f"the model has {logits.shape[1]} logits, and the vocabulary {width} tokens")


def log_softmax(logits: Any, temperature: float = 1.0) -> Any:
    """The logarithms of probabilities, in float64. Logits may be of PyTorch."""
    if hasattr(logits, "detach"):
        logits = logits.detach().to("cpu").double().numpy()
    logits = np.asarray(logits, dtype=np.float64) / temperature
    logits = logits - logits.max(axis=-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def log_sum(log: Any) -> Any:
    """The logarithm of the sum of each row; minus infinity for a row of zeros."""
    top = log.max(axis=-1)
    shift = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.log(np.exp(log - shift[..., None]).sum(axis=-1)) + shift


def draw(log: Any, rng: np.random.Generator) -> Any:
    """A token of each row, with probabilities in proportion to the exponentials; -1 for a row of zeros."""
    top = log.max(axis=-1, keepdims=True)
    sums = np.exp(log - np.where(np.isfinite(top), top, 0.0)).cumsum(axis=-1)
    # The place is less than the sum, so a token with the weight zero is never behind it.
    places = rng.random((len(log), 1)) * sums[:, -1:]
    tokens = (sums <= places).sum(axis=-1)
    return np.where(sums[:, -1] > 0, np.minimum(tokens, log.shape[-1] - 1), -1)


def on_device(logits: Any, log_psi: Any, temperature: float, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Draws from the product of a model and a potential that is a tensor of PyTorch, where that lies: tokens, -1 for rows of zeros; the logarithms
    of the sums of the rows; and the logarithms of the potentials of the tokens."""
    import torch

    logits = torch.as_tensor(logits, device=log_psi.device).float() / temperature
    joint = logits.log_softmax(dim=1)[:, : log_psi.shape[1]] + log_psi
    top = joint.amax(dim=1, keepdim=True)
    sums = (joint - torch.where(top.isfinite(), top, 0.0)).exp().double().cumsum(dim=1)
    places = torch.as_tensor(rng.random((len(joint), 1)), device=log_psi.device) * sums[:, -1:]
    tokens = torch.searchsorted(sums, places, right=True)[:, 0].clamp_max(joint.shape[1] - 1)
    chosen = log_psi.gather(1, tokens[:, None])[:, 0]
    log_sums = sums[:, -1].log() + top[:, 0].double()
    tokens = torch.where(sums[:, -1] > 0, tokens, -1)
    return tokens.cpu().numpy(), log_sums.cpu().numpy(), chosen.double().cpu().numpy()
