"""Hidden Markov models with PyTorch, in float32, on any device: those of :mod:`.hmm` for large numbers of states and tokens.

Emissions are kept by token (V x H): the rows of the tokens that are read lie together. Beliefs have the sum 1, so nothing underflows that a
float32 can hold; a token to which all states give less than that tells nothing about the state.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Sequence

import numpy as np
import torch

from .hmm import LOG_ZERO, Hmm, Path, Progress, padded, parameters, read_arrays
from .transitions import Dense, Monarch

#: Tokens whose emissions are normalized at once.
CHUNK = 16_384


class TorchHmm:
    """A hidden Markov model on a device. It has the methods of :class:`.Hmm` that sampling needs."""

    def __init__(self, transition: Any, emission: Any, initial: Any, *, end_token: Optional[int] = None) -> None:
        #: The transition matrix (H x H), or the factors of a Monarch matrix.
        self.transition = transition
        #: By token and hidden state, the probability that the state emits the token (V x H).
        self.emission = emission
        self.initial = initial
        self.end_token = end_token

    @staticmethod
    def of(hmm: Hmm, device: Any = "cpu") -> TorchHmm:
        """The same model on a device."""
        if isinstance(hmm.transition, Monarch):
            transition: Any = [_tensor(factor, device) for factor in hmm.transition.factors]
        else:
            transition = _tensor(hmm.transition.forward(np.eye(hmm.hidden)), device)
        return TorchHmm(transition, _tensor(hmm.emission.T, device), _tensor(np.exp(hmm.log_initial), device), end_token=hmm.end_token)

    @staticmethod
    def load(path: Path, device: Any = "cpu") -> TorchHmm:
        """Reads a model in one of the layouts of :meth:`.Hmm.load`."""
        arrays, config = read_arrays(path)
        return TorchHmm.of(Hmm(*parameters(arrays, np.float32), end_token=config.get("eos_token_id")), device)

    def save(self, folder: Path) -> None:
        """Writes a folder in one of the layouts of :meth:`.Hmm.save`."""
        self.to_numpy(np.float32).save(folder)

    def to_numpy(self, dtype: Any = np.float64) -> Hmm:
        """The same model for NumPy."""
        if isinstance(self.transition, torch.Tensor):
            transition: Any = Dense(_array(self.transition, dtype))
        else:
            transition = Monarch([_array(factor, dtype) for factor in self.transition])
        return Hmm(transition, _log(_array(self.emission.T, dtype)), _log(_array(self.initial, dtype)), end_token=self.end_token)

    @property
    def hidden(self) -> int:
        """H."""
        return int(self.emission.shape[1])

    @property
    def width(self) -> int:
        """V."""
        return int(self.emission.shape[0])

    @property
    def device(self) -> Any:
        """Where the numbers lie."""
        return self.emission.device

    def begin(self, count: int) -> Any:
        """The beliefs at the beginning, a row for each output."""
        return self.initial.expand(count, -1).contiguous()

    def log_next(self, beliefs: Any) -> Any:
        """Equation (4), left: the logarithms of the probabilities of the next tokens."""
        return (beliefs @ self.emission.T).log()

    def update(self, beliefs: Any, tokens: Any) -> Any:
        """Equation (4), right: the beliefs behind a token each."""
        emitted = self.emission[torch.as_tensor(tokens, device=self.device)]
        # Relative to the greatest, so that products do not underflow.
        joint = beliefs * (emitted / emitted.amax(dim=1, keepdim=True).clamp_min(torch.finfo(emitted.dtype).tiny))
        total = joint.sum(dim=1, keepdim=True)
        return self.forward(torch.where(total > 0, joint / total, beliefs))

    def forward(self, rows: Any) -> Any:
        """``rows @ A``."""
        if isinstance(self.transition, torch.Tensor):
            return rows @ self.transition
        shape = rows.shape
        for factor in self.transition:
            blocks, size, _ = factor.shape
            rows = torch.einsum("nik,kij->nkj", rows.reshape(-1, size, blocks), factor)
        return rows.reshape(shape)

    def backward(self, rows: Any) -> Any:
        """``rows @ A.T``."""
        if isinstance(self.transition, torch.Tensor):
            return rows @ self.transition.T
        shape = rows.shape
        for factor in reversed(self.transition):
            blocks, size, _ = factor.shape
            rows = torch.einsum("kij,nkj->nik", factor, rows.reshape(-1, blocks, size))
        return rows.reshape(shape)

    def log_likelihoods(self, samples: Sequence[Sequence[int]]) -> Any:
        """The logarithms of the probabilities of outputs, in float64."""
        tokens, lengths = (torch.as_tensor(array, device=self.device) for array in padded(samples))
        beliefs = self.begin(len(samples))
        total = torch.zeros(len(samples), dtype=torch.float64, device=self.device)
        for place in range(tokens.shape[1]):
            column = tokens[:, place]
            log = (beliefs * self.emission[column]).sum(dim=1).double().log()
            total += torch.where(place < lengths, log, 0.0)
            beliefs = self.update(beliefs, column)
        return total


def fit(
    samples: Sequence[Sequence[int]],
    *,
    hidden: int,
    width: int,
    em_steps: int = 20,
    seed: int = 0,
    pseudocount: float = 1e-3,
    batch: int = 256,
    device: Any = "cpu",
    end_token: Optional[int] = None,
    begin: Optional[TorchHmm] = None,
    progress: Optional[Progress] = None,
) -> TorchHmm:
    """Baum-Welch like :func:`.hmm.fit`, in batches of outputs. ``progress=progress_bar()`` shows a bar."""
    hmm = begin or initial(samples, hidden, width, seed=seed, device=device, end_token=end_token)
    for step in range(em_steps):
        likelihood = em_step(hmm, samples, pseudocount=pseudocount, batch=batch)
        if progress:
            progress(step, em_steps, likelihood)
    return hmm


def initial(samples: Sequence[Sequence[int]], hidden: int, width: int, *, seed: int, device: Any, end_token: Optional[int]) -> TorchHmm:
    """A random model to start with, whose emissions lie around the frequencies of the tokens in the samples."""
    generator = torch.Generator().manual_seed(seed)
    counts = torch.bincount(torch.tensor([token for sample in samples for token in sample]), minlength=width).float()
    emission = -torch.rand((width, hidden), generator=generator).log() * (counts + 0.01)[:, None]
    transition = -torch.rand((hidden, hidden), generator=generator).log()
    start = -torch.rand((1, hidden), generator=generator).log()
    return TorchHmm(
        (transition / transition.sum(dim=1, keepdim=True)).to(device),
        (emission / emission.sum(dim=0)).to(device),
        (start / start.sum())[0].to(device),
        end_token=end_token,
    )


def em_step(hmm: TorchHmm, samples: Sequence[Sequence[int]], *, pseudocount: float, batch: int) -> float:
    """One step of Baum-Welch, in place. Returns the mean log-likelihood of the samples in front of it."""
    if not isinstance(hmm.transition, torch.Tensor):
        raise ValueError("only models with a dense transition matrix can be fitted")
    counts = _Counts(hmm)
    # Outputs of about the same length are in one batch.
    ordered = sorted(samples, key=len)
    for first in range(0, len(ordered), batch):
        counts.add(hmm, ordered[first : first + batch])
    counts.normalize(hmm, pseudocount)
    return counts.log_likelihood / max(len(samples), 1)


class _Counts:
    """Expected counts over batches."""

    def __init__(self, hmm: TorchHmm) -> None:
        self.moves = torch.zeros_like(hmm.transition)
        self.emitted = torch.zeros_like(hmm.emission)
        self.initial = torch.zeros_like(hmm.initial)
        self.log_likelihood = 0.0

    def add(self, hmm: TorchHmm, samples: Sequence[Sequence[int]]) -> None:
        """The expectations of a batch: forward, then backward."""
        tokens, lengths = (torch.as_tensor(array, device=hmm.device) for array in padded(samples))
        beliefs, seen, entering = hmm.begin(len(samples)), [], []
        for place in range(tokens.shape[1]):
            emitted = hmm.emission[tokens[:, place]]
            joint = beliefs * emitted
            scale = joint.sum(dim=1, keepdim=True).clamp_min(torch.finfo(joint.dtype).tiny)
            self.log_likelihood += float(torch.where(place < lengths, scale[:, 0].double().log(), 0.0).sum())
            seen.append(joint / scale)
            entering.append(emitted / scale)
            beliefs = seen[-1] @ hmm.transition
        ahead = torch.ones_like(beliefs)
        for place in reversed(range(tokens.shape[1])):
            inside = (place < lengths)[:, None]
            ahead = torch.where((place == lengths - 1)[:, None], 1.0, ahead)
            posterior = torch.where(inside, seen[place] * ahead, 0.0)
            self.emitted.index_add_(0, tokens[:, place], posterior)
            entered = torch.where(inside, entering[place] * ahead, 0.0)
            if place > 0:
                self.moves.addmm_(torch.where(inside, seen[place - 1], 0.0).T, entered)
            else:
                self.initial += posterior.sum(dim=0)
            ahead = entered @ hmm.transition.T

    def normalize(self, hmm: TorchHmm, pseudocount: float) -> None:
        """Writes the model in which the counts are likeliest, a part of the vocabulary at a time."""
        self.moves.mul_(hmm.transition).add_(pseudocount)
        torch.div(self.moves, self.moves.sum(dim=1, keepdim=True), out=hmm.transition)
        hmm.initial = (self.initial + pseudocount) / (self.initial + pseudocount).sum()
        total = self.emitted.sum(dim=0) + pseudocount * hmm.width
        for first in range(0, hmm.width, CHUNK):
            hmm.emission[first : first + CHUNK] = (self.emitted[first : first + CHUNK] + pseudocount) / total


def progress_bar(width: int = 30) -> Progress:
    """A bar on the standard error."""

    def show(step: int, steps: int, likelihood: float) -> None:
        filled = width * (step + 1) // steps
        end = "\n" if step + 1 == steps else ""
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (width - filled)}] step {step + 1} of {steps}, {likelihood:.3f} nats an output{end}")
        sys.stderr.flush()

    return show


def distill(
    sample: Callable[[int, int], Sequence[Sequence[int]]],
    *,
    outputs: int,
    hidden: int,
    width: int,
    seed: int = 0,
    **options: Any,
) -> TorchHmm:
    """A model of what ``sample(count, seed)`` draws, such as :meth:`.models_torch.Transformer.sample`. The options are those of :func:`fit`."""
    return fit(sample(outputs, seed), hidden=hidden, width=width, seed=seed, **options)


def _tensor(array: Any, device: Any) -> Any:
    return torch.as_tensor(np.ascontiguousarray(array), dtype=torch.float32, device=device)


def _array(tensor: Any, dtype: Any) -> Any:
    return tensor.cpu().numpy().astype(dtype)


def _log(array: Any) -> Any:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log(array), LOG_ZERO)
