"""What the modules ``numpy`` and ``torch`` share: the shape of rows, and the executor's functions by pointer."""

from __future__ import annotations

from typing import List, Tuple

from ._executor import LLExecutor
from ._matcher import LLMatcher


def get_bitmask_shape(batch_size: int, vocab_size: int) -> Tuple[int, int]:
    """The shape of the masks of a batch."""
    return batch_size, (vocab_size + 31) // 32


def consume_token_par(executor: LLExecutor, matchers: List[Tuple[LLMatcher, int]]) -> List[bool]:
    """Commits a token to each matcher, and returns which were allowed."""
    return executor.consume_token_par(matchers)
