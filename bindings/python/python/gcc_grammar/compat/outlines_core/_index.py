"""``Index``: a regular expression for a vocabulary, with states and transitions.

outlines-core finds all states when it makes an index. Here they are found when they are needed: a state is a matcher with its lexer states
and parser stacks as its identity, and its number is a digest of them, so that equal indexes have equal numbers.
"""

from __future__ import annotations

import ctypes
import hashlib
from typing import Any, Dict, List, Optional, Set, Tuple

from ..._api import Artifact, Matcher, compile
from ..._errors import RefusedError
from ..._sources import Regex
from ._vocabulary import Vocabulary

_Key = Tuple[Tuple[int, Tuple[int, ...]], ...]


def _incompatible(regex: str) -> ValueError:
    return ValueError(f"The vocabulary provided is incompatible with the regex '{regex}'. Found no transitions: no tokens spell any of its texts.")


class Index:
    """The states that a regular expression has for a vocabulary."""

    def __init__(self, regex: str, vocabulary: Vocabulary) -> None:
        try:
            artifact = compile(Regex(regex), vocabulary._native())
        except RefusedError as error:
            if not any(diagnostic.get("code") == "empty-language" for diagnostic in error.diagnostics):
                raise
            raise _incompatible(regex) from error
        self._open(regex, vocabulary.__deepcopy__(None), artifact)
        if not self._initial_matcher().count_allowed():
            raise _incompatible(regex)

    def _open(self, regex: str, vocabulary: Vocabulary, artifact: Artifact) -> None:
        self._regex, self._vocabulary, self._artifact = regex, vocabulary, artifact
        self._states: Dict[int, Matcher] = {}
        self._keys: Dict[int, _Key] = {}
        self._initial = self._add(artifact.matcher(max_rollback=0))

    def _initial_matcher(self) -> Matcher:
        return self._states[self._initial]

    def _add(self, matcher: Matcher) -> int:
        """The number of the state of a matcher."""
        key = tuple((lexer, tuple(stack)) for lexer, stack in matcher._native.heads())
        state = int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:6], "big")
        if self._keys.setdefault(state, key) != key:
            raise ValueError(f"two states have the number {state}")
        self._states.setdefault(state, matcher)
        return state

    def get_initial_state(self) -> int:
        """The number of the first state."""
        return self._initial

    def get_allowed_tokens(self, state: int) -> Optional[List[int]]:
        """The tokens that may come in a state, ascending; none if there is no such state."""
        matcher = self._states.get(state)
        return None if matcher is None else matcher.allowed()

    def get_next_state(self, state: int, token_id: int) -> Optional[int]:
        """The state behind a token; none if the token cannot come, or is the end token."""
        matcher = self._states.get(state)
        if matcher is None or token_id == self._vocabulary.get_eos_token_id():
            return None
        after = matcher.fork()
        return self._add(after) if after.try_commit(token_id) else None

    def is_final_state(self, state: int) -> bool:
        """Whether a text may end in a state."""
        matcher = self._states.get(state)
        return matcher is not None and matcher.is_accepting

    def get_final_states(self) -> Set[int]:
        """The states in which a text may end. This visits all states."""
        return {state for state in self.get_transitions() if self.is_final_state(state)}

    def get_transitions(self) -> Dict[int, Dict[int, int]]:
        """The states behind the tokens of each state, where the end token leaves a state as it is. This visits all states."""
        end = self._vocabulary.get_eos_token_id()
        found: Dict[int, Dict[int, int]] = {}
        waiting = [self._initial]
        while waiting:
            state = waiting.pop()
            if state in found:
                continue
            behind: Dict[int, int] = {}
            for token in self.get_allowed_tokens(state) or []:
                after = state if token == end else self.get_next_state(state, token)
                if after is not None:
                    behind[token] = after
            found[state] = behind
            waiting.extend(behind.values())
        return found

    def _fill(self, state: int, address: int, words: int) -> None:
        """Writes the mask of a state; words beyond the vocabulary become zero."""
        mask = self._states[state].mask()
        ctypes.memset(address, 0, 4 * words)
        ctypes.memmove(address, mask, min(len(mask), 4 * words))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Index) and self._regex == other._regex and self._vocabulary == other._vocabulary

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: Any) -> Index:
        copy = Index.__new__(Index)
        copy._open(self._regex, self._vocabulary.__deepcopy__(memo), self._artifact)
        copy._states.update((state, matcher.fork()) for state, matcher in self._states.items())
        copy._keys.update(self._keys)
        return copy

    def __getstate__(self) -> Dict[str, Any]:
        saved = [matcher.save() for matcher in self._states.values()]
        return {"regex": self._regex, "vocabulary": self._vocabulary, "artifact": self._artifact, "states": saved}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self._open(state["regex"], state["vocabulary"], state["artifact"])
        for saved in state["states"]:
            self._add(self._artifact.restore(saved))

    def __repr__(self) -> str:
        return f"Index object of the regex {self._regex!r} with {len(self._states)} states visited"
