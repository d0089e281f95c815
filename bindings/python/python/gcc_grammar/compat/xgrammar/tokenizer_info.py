"""`TokenizerInfo`: the tokens of a model, decoded as XGrammar decodes them."""

from __future__ import annotations

import enum
import json
import warnings
from bisect import bisect_right
from functools import cached_property
from typing import Any, Iterable, Optional, Sequence, Union

from ... import _lib
from .config import SERIALIZATION_VERSION
from .exception import DeserializeFormatError
from .grammar import _opened

#: Tokens that end an output if no stop tokens are given.
_STOPS = {
    b"</s>",
    b"<|end_of_text|>",
    b"<|eot_id|>",
    b"<|endoftext|>",
    b"<eos>",
    b"<|eos|>",
    b"<end_of_turn>",
    "<｜end▁of▁sentence｜>".encode(),
}


class VocabType(enum.Enum):
    """How the tokens of a vocabulary spell their bytes."""

    RAW = 0
    BYTE_FALLBACK = 1
    BYTE_LEVEL = 2


def _byte_of_character() -> dict[str, int]:
    """The bytes that the characters of byte-level vocabularies stand for."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{chr(byte): byte for byte in plain}, **{chr(256 + index): byte for index, byte in enumerate(others)}}


_BYTE_LEVEL = _byte_of_character()
_BYTE_LEVEL_CHARSET = frozenset(_BYTE_LEVEL)


def _decoded(token: Union[str, bytes], vocab_type: VocabType) -> bytes:
    data = token.encode("utf-8", "surrogatepass") if isinstance(token, str) else bytes(token)
    if vocab_type is VocabType.BYTE_FALLBACK:
        if len(data) == 6 and data.startswith(b"<0x") and data.endswith(b">"):
            return bytes([int(data[3:5], 16)])
        return data.replace("\u2581".encode(), b" ")
    if vocab_type is VocabType.BYTE_LEVEL:
        try:
            return bytes(_BYTE_LEVEL[character] for character in data.decode())
        except (KeyError, UnicodeDecodeError):
            return data
    return data


class TokenizerInfo:
    """The tokens of a model and the tokens that end its outputs."""

    def __init__(
        self,
        encoded_vocab: Sequence[Union[bytes, str]],
        vocab_type: VocabType = VocabType.RAW,
        *,
        vocab_size: Optional[int] = None,
        stop_token_ids: Union[Sequence[int], int, None] = None,
        add_prefix_space: bool = False,
    ) -> None:
        self.vocab_type = VocabType(vocab_type)
        self.add_prefix_space = bool(add_prefix_space)
        self._decoded = [_decoded(token, self.vocab_type) for token in encoded_vocab]
        self.vocab_size = len(self._decoded) if vocab_size is None else int(vocab_size)
        stops = [stop_token_ids] if isinstance(stop_token_ids, int) else stop_token_ids
        self._stops = [
            token for token, data in enumerate(self._decoded) if (data in _STOPS if stops is None else token in stops)
        ]
        self._natives: dict[tuple[tuple[int, ...], tuple[int, ...]], _lib.Vocabulary] = {}

    @cached_property
    def _ordinary(self) -> tuple[dict[bytes, int], list[bytes], int]:
        """The tokens that are texts, of equal ones the first; these texts in the order of their bytes; and the length of the longest."""
        found: dict[bytes, int] = {}
        for token, data in enumerate(self._decoded[: self.vocab_size]):
            if data and token not in self._stops:
                found.setdefault(data, token)
        return found, sorted(found), max(map(len, found), default=0)

    def _greedy(self, text: bytes) -> list[int]:
        """The beginning of a text as tokens, each the longest that fits, without a last one that a longer token begins with."""
        if not text:
            return []
        texts, words, most = self._ordinary
        found: list[bytes] = []
        while text:
            fits = (text[:length] for length in range(min(most, len(text)), 0, -1) if text[:length] in texts)
            word = next(fits, None)
            if word is None:
                break
            found.append(word)
            text = text[len(word) :]
        if found:
            behind = bisect_right(words, found[-1])
            if behind < len(words) and words[behind].startswith(found[-1]):
                found.pop()
        return [texts[word] for word in found]

    @property
    def decoded_vocab(self) -> list[bytes]:
        """The bytes of every token."""
        return list(self._decoded)

    @property
    def stop_token_ids(self) -> list[int]:
        """The tokens that end an output."""
        return list(self._stops)

    @property
    def special_token_ids(self) -> list[int]:
        """The tokens that are never allowed: empty ones, and the padding behind the vocabulary."""
        stops = set(self._stops)
        empty = [token for token, data in enumerate(self._decoded) if not data and token not in stops]
        return empty + list(range(len(self._decoded), self.vocab_size))

    @property
    def prepend_space_in_tokenization(self) -> bool:
        """The older name of `add_prefix_space`."""
        warnings.warn("prepend_space_in_tokenization is deprecated. Use add_prefix_space instead.", stacklevel=2)
        return self.add_prefix_space

    def dump_metadata(self) -> str:
        """What :meth:`from_vocab_and_metadata` needs besides the tokens, as JSON."""
        return json.dumps(self._metadata(), separators=(",", ":"))

    def _metadata(self) -> dict[str, Any]:
        return {
            "vocab_type": self.vocab_type.value,
            "vocab_size": self.vocab_size,
            "add_prefix_space": self.add_prefix_space,
            "stop_token_ids": self._stops,
        }

    @staticmethod
    def from_vocab_and_metadata(encoded_vocab: Sequence[Union[bytes, str]], metadata: str) -> "TokenizerInfo":
        """The information that :meth:`dump_metadata` was called on."""
        return TokenizerInfo(encoded_vocab, **_arguments(json.loads(metadata)))

    @staticmethod
    def from_huggingface(
        tokenizer: Any, *, vocab_size: Optional[int] = None, stop_token_ids: Union[Sequence[int], int, None] = None
    ) -> "TokenizerInfo":
        """The tokens of a tokenizer of `transformers`. `vocab_size` is the width of the model's logits."""
        from ._huggingface import arguments

        tokens, found = arguments(tokenizer)
        size = vocab_size if vocab_size is not None else len(tokens)
        if stop_token_ids is None:
            stop_token_ids = found.pop("stop_token_ids")
        found.pop("stop_token_ids", None)
        return TokenizerInfo(tokens[:size], vocab_size=size, stop_token_ids=stop_token_ids, **found)

    @staticmethod
    def _detect_metadata_from_hf(backend_str: str) -> dict[str, Any]:
        from ._huggingface import metadata

        return metadata(backend_str)

    def serialize_json(self) -> str:
        """The information as JSON, which only this package reads."""
        tokens = [data.decode("latin-1") for data in self._decoded]
        return json.dumps({"tokenizer_info": {**self._metadata(), "tokens": tokens}, "__VERSION__": SERIALIZATION_VERSION})

    @staticmethod
    def deserialize_json(json_string: str) -> "TokenizerInfo":
        """The information that was serialized."""
        value = _opened(json_string, "tokenizer_info")
        try:
            kind = VocabType(value["vocab_type"])
            made = TokenizerInfo([token.encode("latin-1") for token in value["tokens"]], **{**_arguments(value), "vocab_type": VocabType.RAW})
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise DeserializeFormatError(f"this is no serialized tokenizer information: {error}") from error
        made.vocab_type = kind
        return made

    def _native(self, tokens: Iterable[int] = ()) -> _lib.Vocabulary:
        """The vocabulary of this package, in which these tokens, which a grammar names by id, are special tokens."""
        named = tuple(sorted(set(tokens) - set(self._stops)))
        key = (named, tuple(self._stops))
        if key not in self._natives:
            self._natives[key] = self._made(named)
        return self._natives[key]

    def _made(self, named: tuple[int, ...]) -> _lib.Vocabulary:
        special = {*named, *self._stops}
        texts = [(token, data) for token, data in enumerate(self._decoded[: self.vocab_size]) if data and token not in special]
        names: set[str] = set()
        specials = []
        for token in sorted(special):
            name = self._decoded[token].decode("utf-8", "replace") if token < len(self._decoded) else ""
            name = name if name and name not in names else f"<token {token}>"
            names.add(name)
            specials.append((token, name))
        ends = list(self._stops)
        # Every vocabulary of this package has an end token. The rows of XGrammar have no place for this one.
        if not ends:
            ends, specials = [self.vocab_size], [*specials, (self.vocab_size, "<end>")]
        return _lib.Vocabulary.from_parts("tokenizer_info", texts, specials, ends, max(self.vocab_size, max(ends) + 1))


def _arguments(metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "vocab_type": VocabType(metadata["vocab_type"]),
        "vocab_size": metadata["vocab_size"],
        "stop_token_ids": metadata["stop_token_ids"],
        "add_prefix_space": metadata["add_prefix_space"],
    }
