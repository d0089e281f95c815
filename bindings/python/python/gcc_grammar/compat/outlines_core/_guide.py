"""``Guide``: a place in an index."""

from __future__ import annotations

from collections import deque
from typing import Deque, List, Optional

from ._index import Index


class Guide:
    """The state of one output. The last ``max_rollback`` states can be gone back to."""

    def __init__(self, index: Index, max_rollback: int = 32) -> None:
        self._index = index
        self._state = index.get_initial_state()
        self._before: Deque[int] = deque(maxlen=max_rollback)

    def get_state(self) -> int:
        """The number of the state."""
        return self._state

    def get_tokens(self) -> List[int]:
        """The tokens that may come, ascending."""
        tokens = self._index.get_allowed_tokens(self._state)
        assert tokens is not None, "the index knows the states of its guides"
        return tokens

    def get_allowed_rollback(self) -> int:
        """The number of states that can be gone back."""
        return len(self._before)

    def advance(self, token_id: int, return_tokens: Optional[bool] = None) -> Optional[List[int]]:
        """Commits a token, and returns the tokens that may come behind it, unless ``return_tokens`` is false."""
        after = self._index.get_next_state(self._state, token_id)
        if after is None:
            raise ValueError(f"No next state found for the current state: {self._state} with token ID: {token_id}")
        self._before.append(self._state)
        self._state = after
        return None if return_tokens is False else self.get_tokens()

    def rollback_state(self, n: int) -> None:
        """Goes back ``n`` states."""
        if n < 0:
            raise OverflowError("can't convert negative int to unsigned")
        available = self.get_allowed_rollback()
        if n > available:
            raise ValueError(
                f"Cannot roll back {n} step(s): only {available} states stored (max_rollback = {self._before.maxlen}). "
                f"You must advance through at least {n} state(s) before rolling back {n} step(s)."
            )
        for _ in range(n):
            self._state = self._before.pop()

    def accepts_tokens(self, sequence: List[int]) -> bool:
        """Whether these tokens may come one after the other."""
        state: Optional[int] = self._state
        for token in sequence:
            state = None if state is None else self._index.get_next_state(state, token)
        return state is not None

    def is_finished(self) -> bool:
        """Whether the text may end here."""
        return self._index.is_final_state(self._state)

    def write_mask_into(self, data_ptr: int, numel: int, element_size: int) -> None:
        """Writes the mask into ``numel`` words of 32 bits at an address. The caller vouches for the memory."""
        expected = (len(self._index._vocabulary) + 31) // 32
        if element_size != 4:
            raise ValueError(
                f"Invalid element size: got {element_size} bytes per element, expected 4 bytes (32-bit integer)."
            )
        if data_ptr == 0:
            raise ValueError("Invalid data pointer: received a null pointer.")
        if data_ptr % 4 != 0:
            raise ValueError(f"Invalid data pointer alignment: pointer address {data_ptr} is not a multiple of 4.")
        if numel < expected:
            raise ValueError(
                f"Invalid buffer size: got {numel} elements ({4 * numel} bytes), expected {expected} elements "
                f"({4 * expected} bytes). Ensure that the mask tensor has shape (1, (vocab_size + 31) // 32) and uses 32-bit integers."
            )
        self._index._fill(self._state, data_ptr, numel)

    def reset(self) -> None:
        """Goes to the first state. What can be gone back to stays."""
        self._state = self._index.get_initial_state()

    def __copy__(self) -> Guide:
        copy = Guide.__new__(Guide)
        copy._index, copy._state, copy._before = self._index, self._state, self._before.copy()
        return copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Guide):
            return NotImplemented
        return self._index == other._index and self._state == other._state and list(self._before) == list(other._before)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Guide object with the state={self._state} and {self._index!r}"
