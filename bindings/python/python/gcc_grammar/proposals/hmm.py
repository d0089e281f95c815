"""Hidden Markov models (HMM) over tokens: the reference, in float64 with NumPy. :mod:`.hmm_torch` is for large models.

A model has H hidden states: z_1 is drawn from ``initial``; each z_t emits the token x_t, and z_{t+1} is drawn from row z_t of the transition
matrix. It is a model of whole outputs: what follows an end token does not count. With the belief f_t(z) = p(z_t = z | x_1 ... x_{t-1}):

    (4)  p(x_t | x_1 ... x_{t-1}) = sum_z f_t(z) b(x_t | z),    f_{t+1} = (f_t * b(x_t | .)) / p(x_t | ...) A

Beliefs have the sum 1, and emissions are taken relative to the greatest, so no length of text underflows.

Files have the layouts of the published line of work: Ctrl-G (Zhang et al. 2024; a folder with ``alpha_exp``, ``beta``, ``gamma``), the models
of Dang et al. (2026; a Monarch matrix and ``gamma_exp``), and GeLaTo (Zhang et al. 2023; a pickle with ``alpha``, ``beta``, ``gamma``).
"""

from __future__ import annotations

import json
import os
from functools import cached_property
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from .safetensors import read_safetensors, write_safetensors
from .transitions import Dense, Monarch, Transition

Path = Union[str, "os.PathLike[str]"]
#: Called with a step, the number of steps, and the mean log-likelihood of an output in front of it.
Progress = Callable[[int, int, float], None]
#: The logarithm of a probability that counts as zero. Files have no infinities.
LOG_ZERO = -1e10


class Hmm:
    """A hidden Markov model."""

    def __init__(self, transition: Union[Transition, Any], log_emission: Any, log_initial: Any, *, end_token: Optional[int] = None) -> None:
        self.transition: Transition = Dense(transition) if isinstance(transition, np.ndarray) else transition
        #: By hidden state and token, the logarithm of the probability that the state emits the token (H x V).
        self.log_emission = log_emission
        #: By hidden state, the logarithm of its probability at the beginning.
        self.log_initial = log_initial
        self.end_token = end_token
        if log_emission.shape[0] != self.transition.hidden or log_initial.shape != (self.hidden,):
            raise ValueError("the numbers of hidden states differ")

    @staticmethod
    def random(hidden: int, width: int, *, seed: int = 0, concentration: float = 1.0, end_token: Optional[int] = None) -> Hmm:
        """A model whose distributions are drawn from a Dirichlet distribution."""
        rng = np.random.default_rng(seed)
        rows = [rng.dirichlet(np.full(columns, concentration), size=count) for count, columns in ((hidden, hidden), (hidden, width), (1, hidden))]
        return Hmm(rows[0], _log(rows[1]), _log(rows[2][0]), end_token=end_token)

    @property
    def hidden(self) -> int:
        """H, the number of hidden states."""
        return int(self.log_emission.shape[0])

    @property
    def width(self) -> int:
        """V, the number of tokens."""
        return int(self.log_emission.shape[1])

    @cached_property
    def emission(self) -> Any:
        """The probabilities of emissions (H x V)."""
        return np.exp(self.log_emission)

    def begin(self, count: int) -> Any:
        """The beliefs at the beginning, a row for each output."""
        return np.tile(np.exp(self.log_initial), (count, 1))

    def log_next(self, beliefs: Any) -> Any:
        """Equation (4), left: the logarithms of the probabilities of the next tokens."""
        return _log(beliefs @ self.emission)

    def update(self, beliefs: Any, tokens: Any) -> Any:
        """Equation (4), right: the beliefs behind a token each. A token that the model cannot emit tells nothing about the state."""
        log = _log(beliefs) + self.log_emission[:, np.asarray(tokens)].T
        top = log.max(axis=1, keepdims=True)
        seen = np.where(top > LOG_ZERO / 2, np.exp(log - np.where(np.isfinite(top), top, 0)), beliefs)
        return self.transition.forward(seen / seen.sum(axis=1, keepdims=True))

    def log_likelihoods(self, samples: Sequence[Sequence[int]]) -> Any:
        """The logarithms of the probabilities of outputs."""
        tokens, lengths = padded(samples)
        beliefs = self.begin(len(samples))
        total: Any = np.zeros(len(samples))
        for place in range(tokens.shape[1]):
            column = tokens[:, place]
            log = _log_sum(_log(beliefs) + self.log_emission[:, column].T)
            total += np.where(place < lengths, log, 0.0)
            beliefs = self.update(beliefs, column)
        return total

    def sample(self, count: int, *, seed: int = 0, max_tokens: int = 64) -> list[list[int]]:
        """Outputs drawn from the model. They end behind the end token, or after ``max_tokens``."""
        rng = np.random.default_rng(seed)
        beliefs, outputs = self.begin(count), [[] for _ in range(count)]  # type: tuple[Any, list[list[int]]]
        for _ in range(max_tokens):
            sums = np.exp(self.log_next(beliefs)).cumsum(axis=1)
            tokens = (sums < rng.random((count, 1)) * sums[:, -1:]).sum(axis=1)
            for output, token in zip(outputs, tokens.tolist()):
                if not output or output[-1] != self.end_token:
                    output.append(token)
            beliefs = self.update(beliefs, tokens)
        return outputs

    def save(self, folder: Path) -> None:
        """Writes a folder in the layout of Ctrl-G, or, with a Monarch matrix, in that of Dang et al."""
        os.makedirs(folder, exist_ok=True)
        arrays = {name: _single(array) for name, array in self.transition.arrays().items()}
        arrays["beta"] = _single(np.maximum(self.log_emission, LOG_ZERO))
        config: dict[str, Any] = {"hidden_states": self.hidden, "vocab_size": self.width, "eos_token_id": self.end_token}
        if isinstance(self.transition, Monarch):
            arrays["gamma_exp"] = _single(np.exp(self.log_initial)[None, :])
            config["block_sizes"] = [factor.shape[1] for factor in self.transition.factors]
        else:
            arrays["gamma"] = _single(np.maximum(self.log_initial, LOG_ZERO))
        write_safetensors(os.path.join(folder, "model.safetensors"), arrays)
        with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
            json.dump(config, file, indent=2)

    @staticmethod
    def load(path: Path) -> Hmm:
        """Reads a folder of :meth:`save`, Ctrl-G or Dang et al., or a file ``.th`` of GeLaTo, which needs PyTorch."""
        arrays, config = read_arrays(path)
        return Hmm(*parameters(arrays), end_token=config.get("eos_token_id"))


def read_arrays(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arrays of a model in one of the layouts, and its configuration."""
    if os.path.isdir(path):
        arrays, _ = read_safetensors(os.path.join(path, "model.safetensors"))
        config_path = os.path.join(path, "config.json")
        if not os.path.exists(config_path):
            return arrays, {}
        with open(config_path, encoding="utf-8") as file:
            return arrays, json.load(file)
    import torch

    # Nothing but tensors is unpickled.
    return {name: tensor.numpy() for name, tensor in torch.load(path, map_location="cpu", weights_only=True).items()}, {}


def parameters(arrays: Mapping[str, Any], dtype: Any = np.float64) -> tuple[Transition, Any, Any]:
    """Transition, logarithms of emissions, and logarithms of the initial distribution, each normalized."""
    factors = sorted((name for name in arrays if name.startswith("alpha_exp.weights_exp.")), key=lambda name: int(name.rsplit(".", 1)[1]))
    if "beta" not in arrays or not (factors or "alpha_exp" in arrays or "alpha" in arrays):
        raise ValueError(f"this is no hidden Markov model of a known layout: it has {sorted(arrays)}")
    if factors:
        transition: Transition = Monarch([_stochastic(arrays[name], dtype) for name in factors])
    elif "alpha_exp" in arrays:
        transition = Dense(_stochastic(arrays["alpha_exp"], dtype))
    else:
        transition = Dense(np.exp(_log_softmax(arrays["alpha"], dtype)))
    if "gamma_exp" in arrays:
        log_initial = _log(_stochastic(arrays["gamma_exp"].reshape(-1), dtype))
    else:
        log_initial = _log_softmax(arrays["gamma"].reshape(-1), dtype)
    return transition, _log_softmax(arrays["beta"], dtype), log_initial


def padded(samples: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """The tokens of outputs as a matrix, filled up with zeros, and their lengths."""
    lengths = np.array([len(sample) for sample in samples], dtype=np.int64)
    tokens: Any = np.zeros((len(samples), lengths.max(initial=0)), dtype=np.int64)
    for row, sample in enumerate(samples):
        tokens[row, : len(sample)] = sample
    return tokens, lengths


def fit(
    samples: Sequence[Sequence[int]],
    *,
    hidden: int,
    width: int,
    em_steps: int = 20,
    seed: int = 0,
    pseudocount: float = 1e-3,
    end_token: Optional[int] = None,
    begin: Optional[Hmm] = None,
    progress: Optional[Progress] = None,
) -> Hmm:
    """Baum-Welch: a model with ``hidden`` states in which the samples are likely. Every step makes them likelier, but for the pseudocounts.

    ``pseudocount`` is added to every expected count, so that no probability becomes zero; ``begin`` is the model to start with.
    """
    hmm = begin or Hmm.random(hidden, width, seed=seed, end_token=end_token)
    for step in range(em_steps):
        hmm, likelihood = em_step(hmm, samples, pseudocount)
        if progress:
            progress(step, em_steps, likelihood)
    return hmm


def em_step(hmm: Hmm, samples: Sequence[Sequence[int]], pseudocount: float = 0.0) -> tuple[Hmm, float]:
    """One step of Baum-Welch: the next model, and the mean log-likelihood of the samples in front of it."""
    tokens, lengths = padded(samples)
    if not isinstance(hmm.transition, Dense):
        raise ValueError("only models with a dense transition matrix can be fitted")
    matrix = hmm.transition.matrix
    steps = tokens.shape[1]
    # The beliefs behind each token, and the probability of each token given those in front of it. Emissions are relative to the greatest.
    beliefs, seen, scales, emissions, likelihood = hmm.begin(len(samples)), [], [], [], 0.0
    for place in range(steps):
        log = hmm.log_emission[:, tokens[:, place]].T
        top = _finite(log.max(axis=1, keepdims=True))
        emissions.append(np.exp(log - top))
        joint = beliefs * emissions[-1]
        scales.append(joint.sum(axis=1, keepdims=True))
        seen.append(joint / scales[-1])
        likelihood += float(np.where(place < lengths, _log(scales[-1][:, 0]) + top[:, 0], 0.0).sum())
        beliefs = seen[-1] @ matrix
    initial, moves, emitted = np.zeros(hmm.hidden), np.zeros_like(matrix), np.zeros((hmm.width, hmm.hidden))
    ahead = np.ones_like(beliefs)
    for place in reversed(range(steps)):
        inside = (place < lengths)[:, None]
        ahead = np.where((place == lengths - 1)[:, None], 1.0, ahead)
        posterior = np.where(inside, seen[place] * ahead, 0.0)
        np.add.at(emitted, tokens[:, place], posterior)
        entering = np.where(inside, emissions[place] * ahead / scales[place], 0.0)
        if place > 0:
            moves += matrix * (np.where(inside, seen[place - 1], 0.0).T @ entering)
        else:
            initial = posterior.sum(axis=0)
        ahead = entering @ matrix.T
    fitted = [_normalized(counts + pseudocount) for counts in (moves, emitted.T, initial)]
    return Hmm(fitted[0], _log(fitted[1]), _log(fitted[2]), end_token=hmm.end_token), likelihood / max(len(samples), 1)


def _finite(numbers: Any) -> Any:
    return np.where(np.isfinite(numbers), numbers, 0.0)


def _log(numbers: Any) -> Any:
    with np.errstate(divide="ignore"):
        return np.log(numbers)


def _log_sum(log: Any) -> Any:
    top = _finite(log.max(axis=1, keepdims=True))
    return _log(np.exp(log - top).sum(axis=1)) + top[:, 0]


def _normalized(counts: Any) -> Any:
    sums = counts.sum(axis=-1, keepdims=True)
    return np.where(sums > 0, counts / np.where(sums > 0, sums, 1.0), 1.0 / counts.shape[-1])


def _stochastic(array: Any, dtype: Any) -> Any:
    array = np.asarray(array, dtype=dtype)
    return array / array.sum(axis=-1, keepdims=True)


def _log_softmax(array: Any, dtype: Any) -> Any:
    array = np.asarray(array, dtype=dtype)
    array = array - array.max(axis=-1, keepdims=True)
    return array - np.log(np.exp(array).sum(axis=-1, keepdims=True))


def _single(array: Any) -> Any:
    return np.asarray(array, dtype=np.float32)
