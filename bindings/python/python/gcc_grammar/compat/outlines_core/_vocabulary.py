"""``Vocabulary``: tokens with their ids, and one end token."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Union

from ..._vocabulary import Vocabulary as Native
from ._hub import load

_EXPECTED = "Expected a dict with keys of type str or bytes and values of type list[int]"


def _bytes(token: Any) -> bytes:
    if isinstance(token, str):
        return token.encode()
    if isinstance(token, (bytes, bytearray)):
        return bytes(token)
    raise TypeError(f"Expected a token of type str or bytes, got {type(token).__name__!r}")


class Vocabulary:
    """Tokens with their ids, of which several may have the same text, and the id of the end token."""

    def __init__(self, eos_token_id: int, map: Mapping[Union[str, bytes], List[int]]) -> None:
        if not isinstance(map, dict):
            raise TypeError(f"{_EXPECTED}, got {type(map).__name__}")
        if not all(_is_entry(token, ids) for token, ids in map.items()):
            raise TypeError(f"Dict keys or/and values of the wrong types. {_EXPECTED}")
        self._eos = eos_token_id
        self._tokens: Dict[bytes, List[int]] = {}
        for token, ids in map.items():
            for id in ids:
                self.insert(token, id)

    @staticmethod
    def from_pretrained(model: str, revision: Optional[str] = None, token: Optional[str] = None) -> Vocabulary:
        """The vocabulary of a model of the Hugging Face Hub, from its cache or from the network.

        Raises ``ValueError`` if its files cannot be loaded, or are those of a tokenizer that is not supported.
        """
        native = Native(load(model, revision, token))
        if not native.end_tokens:
            raise ValueError(f"Tokenizer is not supported by {model}: EOS token id")
        vocabulary = Vocabulary(native.end_tokens[0], {})
        for id in range(native.width):
            data = native.token_bytes(id)
            if data is not None and id != vocabulary._eos:
                vocabulary.insert(data, id)
        return vocabulary

    def insert(self, token: Union[str, bytes], token_id: int) -> None:
        """Adds an id to a token."""
        data = _bytes(token)
        if token_id == self._eos:
            raise ValueError("EOS token should not be inserted into Vocabulary")
        self._tokens.setdefault(data, []).append(token_id)

    def remove(self, token: Union[str, bytes]) -> None:
        """Takes a token out, if it is there."""
        self._tokens.pop(_bytes(token), None)

    def get(self, token: Union[str, bytes]) -> Optional[List[int]]:
        """The ids of a token; none if there is no such token."""
        ids = self._tokens.get(_bytes(token))
        return None if ids is None else list(ids)

    def get_eos_token_id(self) -> int:
        """The id of the end token."""
        return self._eos

    def _native(self) -> Native:
        texts = {id: data for data, ids in self._tokens.items() for id in ids if data}
        return Native(texts, end_tokens=self._eos, name="outlines_core")

    def __len__(self) -> int:
        return sum(len(ids) for ids in self._tokens.values()) + 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and self._eos == other._eos and self._tokens == other._tokens

    __hash__ = None  # type: ignore[assignment]

    def __deepcopy__(self, memo: Any) -> Vocabulary:
        copy = Vocabulary(self._eos, {})
        copy._tokens = {data: list(ids) for data, ids in self._tokens.items()}
        return copy

    def __repr__(self) -> str:
        return f"Vocabulary(eos_token_id={self._eos}, tokens={self._tokens!r})"


def _is_entry(token: Any, ids: Any) -> bool:
    return isinstance(token, (str, bytes)) and isinstance(ids, list) and all(isinstance(id, int) and id >= 0 for id in ids)
