"""The kernel that applies masks by number to logits. This module needs triton; ``TRITON_INTERPRET=1`` runs it on the processor.

Each program has one row and :data:`BLOCK_WORDS` words of its mask. It reads the header of the row, unites the words of its bases, or takes
those of a whole row, flips the tokens that fall into these words, and writes minus infinity where a bit is zero. The shape of the launch
depends on that of the logits alone, so it can be captured in a CUDA graph: what changes from step to step is read from memory.
"""

from __future__ import annotations

from typing import Any

import triton
import triton.language as tl

from .numbered import FREE as _FREE
from .numbered import HEADER_WORDS as _HEADER_WORDS
from .numbered import MAX_BASES as _MAX_BASES
from .numbered import WHOLE as _WHOLE

FREE = tl.constexpr(_FREE)
WHOLE = tl.constexpr(_WHOLE)
HEADER_WORDS = tl.constexpr(_HEADER_WORDS)
MAX_BASES = tl.constexpr(_MAX_BASES)

#: The words of a program: 32 tokens each.
BLOCK_WORDS = 128
#: The flips that are compared with these words at once.
BLOCK_FLIPS = 64


@triton.jit  # type: ignore[untyped-decorator]
def kernel(  # type: ignore[no-untyped-def]
    logits,
    row_stride,
    width,
    staged,
    pool_start,
    bases,
    row_words,
    BLOCK_WORDS: tl.constexpr,
    BLOCK_FLIPS: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    header = staged + row * HEADER_WORDS
    kind = tl.load(header)
    if kind == FREE:
        return
    begin = tl.load(header + 1)
    count = tl.load(header + 2)
    pool = staged + pool_start + begin.to(tl.int64)
    indices = tl.program_id(1) * BLOCK_WORDS + tl.arange(0, BLOCK_WORDS)
    inside = indices < row_words
    words = tl.load(pool + indices, mask=inside & (kind == WHOLE), other=0)
    for place in tl.static_range(MAX_BASES):
        slot = tl.load(header + 3 + place).to(tl.int64)
        words |= tl.load(bases + slot * row_words + indices, mask=inside & (place < kind), other=0)
    flips = tl.where(kind == WHOLE, 0, count)
    for first in range(0, flips, BLOCK_FLIPS):
        places = first + tl.arange(0, BLOCK_FLIPS)
        tokens = tl.load(pool + places, mask=places < flips, other=-1)
        # No word has the index -1. The flips of a row differ from each other, so the sum of their bits is their union.
        here = (tokens >> 5)[None, :] == indices[:, None]
        bits = tl.where(here, (1 << (tokens & 31))[None, :], 0)
        words ^= tl.sum(bits, axis=1)
    bit = tl.arange(0, 32)
    forbidden = ((words[:, None] >> bit[None, :]) & 1) == 0
    tokens = indices[:, None] * 32 + bit[None, :]
    place = logits + row * row_stride + tokens
    tl.store(place, float("-inf"), mask=forbidden & (tokens < width))


def apply(logits: Any, staged: Any, bases: Any, rows: int, row_words: int) -> None:
    """Sets the logits that the staged masks do not allow to minus infinity, in place. Tokens beyond the masks are not allowed."""
    count, width = logits.shape
    if count == 0 or width == 0:
        return
    grid = (count, triton.cdiv(width, 32 * BLOCK_WORDS))
    kernel[grid](
        logits,
        logits.stride(0),
        width,
        staged,
        rows * _HEADER_WORDS,
        bases,
        row_words,
        BLOCK_WORDS=BLOCK_WORDS,
        BLOCK_FLIPS=BLOCK_FLIPS,
        num_warps=4,
    )
