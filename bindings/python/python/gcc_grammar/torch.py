"""PyTorch: masks by number, applied to logits where they are.

>>> import gcc_grammar as gg
>>> from gcc_grammar.torch import DeviceMasks
>>> masks = DeviceMasks(artifacts, rows=64)  # doctest: +SKIP
>>> masks.apply(logits, matchers)  # doctest: +SKIP

The base bitmaps of the artifacts are copied to the device once. A step copies the numbers of bases and the flips of all rows, a few
kilobytes, from pinned memory in one piece, and launches one kernel. Nothing waits for the device.

In a CUDA graph, capture :meth:`DeviceMasks.apply_staged`, and call :meth:`DeviceMasks.stage` on the same stream before each replay.
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Sequence

import torch

from . import _checks
from ._api import Artifact, Matcher
from ._apply import apply_rows
from .numbered import FREE, HEADER_WORDS, MAX_BASES, WHOLE, NumberedMasks, each_base, row_words_of

#: Arrays in pinned memory that are used in turn. The host waits only if the device is that many steps behind.
RING = 4


class DeviceMasks:
    """The base bitmaps of artifacts on a device, and the masks of a batch as numbers.

    ``rows`` is the largest number of rows of a batch. ``room`` is the number of base bitmaps for which there is memory, by default as many
    as the artifacts have; more is needed to :meth:`add` artifacts later. ``device`` is by default the current one of CUDA, or the
    processor. ``kernel`` is ``"triton"`` or ``"torch"``: plain operations on any device, which may wait for it. By default a CUDA device
    has the first, if triton is installed, and any other device the second. All artifacts have masks of the same length.

    The result is that of :func:`fill_masks` and setting the logits of all other tokens to minus infinity. Rows without a matcher, and
    those whose output has ended, are left alone, so that no row is without any token.
    """

    def __init__(
        self,
        artifacts: Sequence[Artifact],
        *,
        rows: int = 256,
        room: Optional[int] = None,
        device: Any = None,
        kernel: Optional[str] = None,
    ) -> None:
        artifacts = _checks.instances(artifacts, "the artifacts", Artifact)
        device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        if room is None:
            room = len({base for artifact in artifacts for base in each_base(artifact)})
        self._host = NumberedMasks(row_words_of(artifacts), rows=rows, room=room)
        self._kernel = _kernel(kernel, device)
        self._bases = torch.zeros((max(room, 1), self._host.row_words), dtype=torch.int32, device=device)
        self.device = self._bases.device
        self._ring = _Ring(self._host.words, self.device)
        self._staged = torch.zeros(self._host.words, dtype=torch.int32, device=self.device)
        self._staged[: rows * HEADER_WORDS : HEADER_WORDS] = FREE
        #: The bytes that the last call of :meth:`stage` copied.
        self.staged_bytes = 0
        for artifact in artifacts:
            if not self.add(artifact):
                raise ValueError(f"the artifacts have more base bitmaps than there is room for, {room}")

    def add(self, artifact: Artifact) -> bool:
        """Copies the bases of an artifact to the device, and returns whether there was room for them.

        Rows of artifacts that are not on the device travel whole. Artifacts are told apart as objects: open each of them once.
        """
        new = self._host.add(artifact)
        if new is None:
            return False
        for slot, base in new.items():
            self._bases[slot].copy_(torch.frombuffer(bytearray(base), dtype=torch.int32))
        return True

    def remove(self, artifact: Artifact) -> None:
        """Frees the room of an artifact. What was staged before must have been applied."""
        self._host.remove(artifact)

    def apply(self, logits: Any, matchers: Iterable[Optional[Matcher]]) -> Any:
        """Sets the logits of tokens that may not come next to minus infinity, in place, and returns the logits.

        Matcher i is that of row i of the logits; none stands for a row without a grammar, as do rows behind the last matcher.
        """
        self._check(logits)
        matchers = list(matchers)
        if len(matchers) > logits.shape[0]:
            raise ValueError(f"there are {len(matchers)} matchers for {logits.shape[0]} rows of logits")
        self.stage(matchers)
        return self.apply_staged(logits)

    def stage(self, matchers: Iterable[Optional[Matcher]]) -> None:
        """Sends the masks of a batch to the device, in the order of its current stream. Nothing is applied yet."""
        if self.device.type == "cuda" and torch.cuda.is_current_stream_capturing():
            raise RuntimeError("stage outside of the CUDA graph, before each replay, and capture apply_staged alone")
        words = self._ring.next()
        used = self._host.stage_at(matchers, words.data_ptr(), len(words))
        self._staged[:used].copy_(words[:used], non_blocking=True)
        self._ring.copied()
        self.staged_bytes = 4 * used

    def apply_staged(self, logits: Any) -> Any:
        """Applies the masks that were staged last, in place, and returns the logits. This can be captured in a CUDA graph."""
        self._check(logits)
        self._kernel(logits, self._staged, self._bases, self._host.rows, self._host.row_words)
        return logits

    def _check(self, logits: Any) -> None:
        if logits.dim() != 2 or (logits.stride(1) != 1 and logits.shape[1] > 1) or not logits.is_floating_point():
            raise ValueError("logits are floating-point numbers in two dimensions, and each row is contiguous")
        if logits.shape[0] > self._host.rows:
            raise ValueError(f"there are {logits.shape[0]} rows of logits, and room for {self._host.rows}; give rows=")
        if (logits.shape[1] + 31) // 32 < self._host.row_words:
            raise ValueError(f"there are {logits.shape[1]} logits in a row, and the masks have {self._host.row_words} words of 32")
        if logits.device != self.device:
            raise ValueError(f"the logits are on {logits.device}, and the masks on {self.device}")


class _Ring:
    """Arrays of the host, in pinned memory if the device is one of CUDA. One is written while others may still be copied."""

    def __init__(self, words: int, device: Any) -> None:
        self._cuda = device.type == "cuda"
        count = RING if self._cuda else 1
        self._arrays = [torch.zeros(words, dtype=torch.int32, pin_memory=self._cuda) for _ in range(count)]
        self._events = [torch.cuda.Event() for _ in range(count)] if self._cuda else []
        self._place = 0

    def next(self) -> Any:
        """The array that was used longest ago."""
        self._place = (self._place + 1) % len(self._arrays)
        if self._cuda and not self._events[self._place].query():
            self._events[self._place].synchronize()
        return self._arrays[self._place]

    def copied(self) -> None:
        """Notes that the copy of the array was issued."""
        if self._cuda:
            self._events[self._place].record()


def _kernel(name: Optional[str], device: Any) -> Any:
    if name not in (None, "triton", "torch"):
        raise ValueError(f"there is no kernel {name!r}: it is 'triton' or 'torch'")
    if name == "triton" or (name is None and device.type == "cuda"):
        try:
            from . import _triton

            return _triton.apply
        except ImportError:
            if name == "triton":
                raise
    return apply_by_operations


def apply_by_operations(logits: Any, staged: Any, bases: Any, rows: int, row_words: int) -> None:
    """Applies staged masks with operations of PyTorch, which may wait for the device."""
    headers = staged[: rows * HEADER_WORDS].view(rows, HEADER_WORDS)[: logits.shape[0]]
    constrained = (headers[:, 0] != FREE).nonzero().flatten()
    if len(constrained) == 0:
        return
    words = _rows(headers[constrained].long(), staged[rows * HEADER_WORDS :], bases, row_words)
    part = logits[constrained]
    apply_rows(part, words)
    logits[constrained] = part


def _rows(headers: Any, pool: Any, bases: Any, row_words: int) -> Any:
    """The masks of these rows as bitmaps."""
    kind, begin, count = headers[:, 0], headers[:, 1], headers[:, 2]
    words = torch.zeros((len(headers), row_words), dtype=torch.int32, device=pool.device)
    for place in range(MAX_BASES):
        having = (kind > place).nonzero().flatten()
        words[having] |= bases[headers[having, 3 + place]]
    words ^= _flips(begin, torch.where(kind == WHOLE, 0, count), pool, row_words)
    for row in (kind == WHOLE).nonzero().flatten().tolist():
        words[row] = pool[begin[row] : begin[row] + row_words]
    return words


def _flips(begin: Any, count: Any, pool: Any, row_words: int) -> Any:
    """The flips of these rows as bitmaps. The flips of a row differ from each other, so a sum of their bits is their union."""
    row = torch.repeat_interleave(torch.arange(len(count), device=pool.device), count)
    first = torch.repeat_interleave(begin - (count.cumsum(0) - count), count)
    tokens = pool[first + torch.arange(len(row), device=pool.device)]
    bits = torch.zeros(len(count) * row_words, dtype=torch.int32, device=pool.device)
    one = torch.ones_like(tokens)
    bits.index_add_(0, row * row_words + (tokens >> 5), one << (tokens & 31))
    return bits.view(len(count), row_words)
