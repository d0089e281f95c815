"""GCD and P-GCD with PyTorch, in float32, on any device, for batches of outputs: those of :mod:`.gcd` and :mod:`.pgcd`."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
import torch

from .hmm_torch import TorchHmm
from .pgcd import FLOOR, Product, check
from .potentials import Twist
from .tensors import DEAD, Tensors

#: Tokens of a state that are weighed at once.
CHUNK = 8192
#: Edges that are summed at once.
EDGES = 16_384


class TorchGcd:
    """The masks of GCD on a device. ``dense`` multiplies with the matrix of labels, which suits accelerators; otherwise words of bits are added."""

    def __init__(self, tensors: Tensors, device: Any = "cpu", *, dense: Optional[bool] = None) -> None:
        self.tensors, self.device = tensors, torch.device(device)
        arrays = (tensors.out_edges, tensors.target, tensors.edge_label, tensors.distance, tensors.accept, tensors.label_bits.view(np.int32))
        moved = [torch.as_tensor(np.array(array), device=device) for array in arrays]
        self.out_edges, self.target, self.label, self.distance, self.accept, self._bits = moved
        self._dense = self.device.type == "cuda" if dense is None else dense
        self._matrix = self._unpacked(self._bits).to(torch.float16 if self.device.type == "cuda" else torch.float32) if self._dense else None

    def open_edges(self, states: Any, left: Any) -> tuple[Any, Any]:
        """By row, the edges of a state, and whether each leads near enough to the end."""
        edges = self.out_edges[states]
        near = self.distance[self.target[edges]] <= torch.as_tensor(left, device=self.device).reshape(-1, 1) - 1
        return edges, near & (edges >= 0) & (states != DEAD)[:, None]

    def masks(self, states: Any, left: Any) -> Any:
        """Equation (3): whether each token may come next, by states and numbers of tokens left."""
        states = torch.as_tensor(states, device=self.device)
        edges, near = self.open_edges(states, left)
        if self._matrix is not None:
            open_labels = torch.zeros((len(states), self.tensors.labels), dtype=self._matrix.dtype, device=self.device)
            open_labels.scatter_add_(1, self.label[edges], near.to(self._matrix.dtype))
            return open_labels @ self._matrix > 0
        # The labels of a state are disjoint, so the sum of their bits is their union.
        words = (self._bits[self.label[edges]] * near[:, :, None]).sum(dim=1, dtype=torch.int32)
        return self._unpacked(words)

    def step(self, states: Any, tokens: Any) -> Any:
        """The states after a token each; -1 where there is none."""
        edges = self.out_edges[states]
        words = self._bits[self.label[edges], (tokens // 32)[:, None]]
        has = ((words >> (tokens % 32).to(torch.int32)[:, None]) & 1).bool() & (edges >= 0) & (states != DEAD)[:, None]
        found = edges.gather(1, has.int().argmax(dim=1, keepdim=True))[:, 0]
        return torch.where(has.any(dim=1), self.target[found], DEAD)

    def _unpacked(self, words: Any) -> Any:
        shifts = torch.arange(32, dtype=torch.int32, device=self.device)
        return ((words.unsqueeze(-1) >> shifts) & 1).reshape(words.shape[0], -1)[:, : self.tensors.width].bool()


class TorchProduct:
    """The probabilities of completion on a device."""

    def __init__(self, tensors: Tensors, hmm: TorchHmm, budget: int) -> None:
        check(tensors, hmm)
        self.tensors, self.hmm, self.budget = tensors, hmm, budget
        self.gcd = TorchGcd(tensors, hmm.device)
        self.rows, self.log_scales = _backward(tensors, hmm, budget)

    @staticmethod
    def of(product: Product, device: Any = "cpu") -> TorchProduct:
        """A product that was computed with NumPy, on a device."""
        made = TorchProduct.__new__(TorchProduct)
        made.tensors, made.budget, made.hmm = product.tensors, product.budget, TorchHmm.of(product.hmm, device)
        made.gcd = TorchGcd(product.tensors, device)
        made.rows = torch.as_tensor(np.array(product.rows), dtype=torch.float32, device=device)
        made.log_scales = torch.as_tensor(np.array(product.log_scales), dtype=torch.float64, device=device)
        return made

    def log_psi(self, states: Any, beliefs: Any, left: int) -> Any:
        """Equation (7), as logarithms; minus infinity where GCD has no token."""
        log_psi = torch.full((len(states), self.tensors.width), -torch.inf, device=self.hmm.device)
        distinct, group = torch.unique(states, return_inverse=True)
        for number, state in enumerate(distinct.tolist()):
            rows = (group == number).nonzero()[:, 0]
            columns, targets = self._columns(state, left)
            values = torch.empty((len(rows), len(columns)), device=self.hmm.device)
            for first in range(0, len(columns), CHUNK):
                part = slice(first, first + CHUNK)
                values[:, part] = self._log_ratio(beliefs[rows], columns[part], targets[part], left)
            log_psi[rows[:, None], columns] = values
        return _floored(log_psi, self.gcd.masks(states, left))

    def _columns(self, state: int, left: int) -> tuple[Any, Any]:
        """The tokens of a state that lead near enough to the end, and their targets."""
        tokens, targets = self.tensors.near_tokens(state, left)
        return torch.as_tensor(tokens, device=self.hmm.device), torch.as_tensor(targets, device=self.hmm.device)

    def _log_ratio(self, beliefs: Any, columns: Any, targets: Any, left: int) -> Any:
        row = min(left, self.budget + 1) - 1
        emission = self.hmm.emission[columns]
        # Relative to the greatest emission of a token: the quotient is the same, and nothing underflows.
        emission = emission / emission.amax(dim=1, keepdim=True).clamp_min(torch.finfo(emission.dtype).tiny)
        completed = beliefs @ (emission * self.rows[row][targets]).T
        return completed.log() - (beliefs @ emission.T).log() + self.log_scales[row][targets].float()


def _floored(log_psi: Any, mask: Any) -> Any:
    finite = torch.where(log_psi.isfinite(), log_psi, -torch.inf)
    top = finite.amax(dim=1, keepdim=True)
    floor = torch.where(top.isfinite(), top, 0.0) + FLOOR
    return torch.where(mask, torch.maximum(finite, floor), -torch.inf)


def _backward(tensors: Tensors, hmm: TorchHmm, budget: int) -> tuple[Any, Any]:
    """Equation (5), as in :func:`.pgcd.backward`."""
    device = hmm.device
    weights = _edge_weights(tensors, hmm)
    rows = torch.zeros((budget + 1, tensors.states, hmm.hidden), device=device)
    log_scales = torch.full((budget + 1, tensors.states), -torch.inf, dtype=torch.float64, device=device)
    accept = torch.as_tensor(tensors.accept, device=device)
    rows[:, accept], log_scales[:, accept] = 1.0, 0.0
    open_states = (~accept).nonzero()[:, 0]
    source, target, label = (torch.as_tensor(array, device=device) for array in (tensors.source, tensors.target, tensors.edge_label))
    for left in range(1, budget + 1):
        scales = torch.full((tensors.states,), -torch.inf, dtype=torch.float64, device=device)
        scales.scatter_reduce_(0, source, log_scales[left - 1][target], reduce="amax")
        scales = torch.where(scales.isfinite(), scales, 0.0)
        sums = torch.zeros((tensors.states, hmm.hidden), device=device)
        for first in range(0, tensors.edges, EDGES):
            part = slice(first, first + EDGES)
            factors = (log_scales[left - 1][target[part]] - scales[source[part]]).exp().float()
            sums.index_add_(0, source[part], weights[label[part]] * rows[left - 1][target[part]] * factors[:, None])
        moved = hmm.backward(sums[open_states])
        top = moved.amax(dim=1)
        rows[left, open_states] = moved / torch.where(top > 0, top, 1.0)[:, None]
        log_scales[left, open_states] = top.double().log() + torch.where(top > 0, scales[open_states], 0.0)
    return rows, log_scales


def _edge_weights(tensors: Tensors, hmm: TorchHmm) -> Any:
    """Equation (6), by label and hidden state."""
    weights = torch.zeros((tensors.labels, hmm.hidden), device=hmm.device)
    tokens = torch.as_tensor(tensors.label_indices, device=hmm.device)
    labels = torch.as_tensor(np.repeat(np.arange(tensors.labels), np.diff(tensors.label_indptr)), device=hmm.device)
    for first in range(0, len(tokens), CHUNK):
        part = slice(first, first + CHUNK)
        weights.index_add_(0, labels[part], hmm.emission[tokens[part]])
    return weights


class TorchBudgeted:
    """GCD as a potential, on a device."""

    def __init__(self, gcd: TorchGcd) -> None:
        self._gcd = gcd

    def begin(self, rows: int) -> Twist:
        return _TorchStates(self._gcd, rows)


class TorchExpected:
    """P-GCD as a potential, on a device. ``prefix`` is as in :class:`.Expected`."""

    def __init__(self, product: TorchProduct, *, prefix: Any = ()) -> None:
        self._product, self._prefix = product, list(prefix)

    def begin(self, rows: int) -> Twist:
        return _TorchBeliefs(self._product, rows, self._prefix)


class _TorchStates:
    def __init__(self, gcd: TorchGcd, rows: int) -> None:
        self._gcd = gcd
        self._states = torch.full((rows,), gcd.tensors.start, device=gcd.device)
        self._ended = gcd.accept[self._states]

    @property
    def ended(self) -> Any:
        return self._ended.cpu().numpy()

    def log_psi(self, left: int) -> Any:
        return torch.where(self._gcd.masks(self._states, left), 0.0, -torch.inf)

    def advance(self, tokens: Any) -> None:
        tokens = torch.as_tensor(tokens, device=self._gcd.device)
        stepped = torch.where(tokens >= 0, self._gcd.step(self._states, tokens.clamp_min(0)), DEAD)
        self._states = torch.where(self._ended, self._states, stepped)
        self._ended = self._ended | (self._states == DEAD) | self._gcd.accept[self._states]

    def reorder(self, sources: Any) -> None:
        sources = torch.as_tensor(sources, device=self._gcd.device)
        self._states, self._ended = self._states[sources], self._ended[sources]


class _TorchBeliefs(_TorchStates):
    def __init__(self, product: TorchProduct, rows: int, prefix: list[int]) -> None:
        super().__init__(product.gcd, rows)
        self._product = product
        self._beliefs = product.hmm.begin(1)
        for token in prefix:
            self._beliefs = product.hmm.update(self._beliefs, [token])
        self._beliefs = self._beliefs.repeat(rows, 1)

    def log_psi(self, left: int) -> Any:
        return self._product.log_psi(self._states, self._beliefs, left)

    def advance(self, tokens: Any) -> None:
        super().advance(tokens)
        tokens = torch.as_tensor(tokens, device=self._gcd.device)
        self._beliefs = self._product.hmm.update(self._beliefs, tokens.clamp_min(0))

    def reorder(self, sources: Any) -> None:
        super().reorder(sources)
        self._beliefs = self._beliefs[torch.as_tensor(sources, device=self._gcd.device)]
