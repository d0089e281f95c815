"""``LLTokenizer``: a vocabulary with the names of llguidance."""

from __future__ import annotations

import os
import re
import tempfile
import unicodedata
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

from ..._vocabulary import Vocabulary
from ... import _lib

_MARKER = b"\xff"
_SPECIAL_OF_BYTES = ("<|tool|>", "<|/tool|>", "<|user|>", "<|system|>", "<|assistant|>", "<|end|>")
_ESCAPES = {"\0": "\\0", "\t": "\\t", "\r": "\\r", "\n": "\\n"}
_MARKED = re.compile(rb"\xff(?:\[(\d+)\]|(<[^>]{1,98}>))?")


class TokenizerWrapper:
    """A tokenizer of the package guidance, with the attributes that :class:`LLTokenizer` reads."""

    def __init__(self, gtokenizer: Any) -> None:
        self.eos_token_id: int = gtokenizer.eos_token_id
        self.bos_token_id: Optional[int] = gtokenizer.bos_token_id
        self.tokens: Sequence[bytes] = gtokenizer.tokens
        self.special_token_ids: Sequence[int] = getattr(gtokenizer, "special_token_ids", [])
        self.is_tokenizer_wrapper = True
        self._gtokenizer = gtokenizer
        self._accepts_bytes = True
        try:
            gtokenizer(b"test")
        except Exception:
            self._accepts_bytes = False

    def __call__(self, s: str) -> List[int]:
        """The tokens of a text."""
        return list(self._gtokenizer(s.encode() if self._accepts_bytes else s))


def _ids(eos_token: Union[int, Sequence[int], None]) -> List[int]:
    if eos_token is not None and not isinstance(eos_token, int) and not eos_token:
        raise ValueError("eos_token list must not be empty")
    return [] if eos_token is None else [eos_token] if isinstance(eos_token, int) else list(eos_token)


def _escape(char: str) -> str:
    return _ESCAPES.get(char) or f"\\u{{{ord(char):x}}}"


def _escaped(text: str) -> str:
    """A text with escapes in place of what cannot be seen."""
    # A mark that joins the letter before it cannot be seen alone.
    joined = text[:1] if unicodedata.category(text[:1] or "a") in ("Mn", "Me") else ""
    rest = "".join(char if char.isprintable() else _escape(char) for char in text[len(joined) :])
    return (_escape(joined) if joined else "") + rest


class LLTokenizer:
    """The tokens of a model, from ``"byte"``, a ``tokenizer.json`` as text or path, or a :class:`TokenizerWrapper`."""

    vocabulary: Vocabulary
    is_canonical: bool

    def __init__(
        self,
        tokenizer: Any,
        n_vocab: Optional[int] = None,
        eos_token: Union[int, Sequence[int], None] = None,
        slices: Optional[List[str]] = None,
    ) -> None:
        self._encode: Optional[Callable[[str], List[int]]] = None
        self.is_canonical = True
        ends = _ids(eos_token)
        if tokenizer == "byte":
            tokens = [bytes([byte]) for byte in range(256)]
            specials = [_MARKER + name.encode() for name in _SPECIAL_OF_BYTES]
            self._set_tokens(tokens + specials, ends or [261], n_vocab)
        elif isinstance(tokenizer, str):
            self._set_json(tokenizer, ends, n_vocab)
        elif getattr(tokenizer, "is_tokenizer_wrapper", False):
            special = set(tokenizer.special_token_ids)
            tokens = [_MARKER + data if token in special else data for token, data in enumerate(tokenizer.tokens)]
            self._encode = tokenizer
            self._set_tokens(tokens, ends or [tokenizer.eos_token_id], n_vocab)
        else:
            raise ValueError("a tokenizer is a text or a TokenizerWrapper")

    @classmethod
    def from_tokens(
        cls,
        tokens: Sequence[bytes],
        eos_token: Union[int, Sequence[int]],
        encode: Optional[Callable[[str], List[int]]] = None,
        n_vocab: Optional[int] = None,
    ) -> LLTokenizer:
        """A tokenizer of token bytes; those of special tokens begin with 0xff. ``encode`` cuts texts as the model's own tokenizer does."""
        made = cls.__new__(cls)
        made._encode, made.is_canonical = encode, encode is not None
        made._set_tokens(list(tokens), _ids(eos_token), n_vocab)
        return made

    #: Whether the tokenizer was made of tokens: the vocabulary alone does not know how texts are cut.
    _has_tokens = False

    def _set_tokens(self, tokens: List[bytes], ends: List[int], n_vocab: Optional[int]) -> None:
        texts, specials = [], []
        for token, data in enumerate(tokens):
            if data[:1] == _MARKER and len(data) > 1:
                specials.append((token, data[1:].decode("utf-8", "replace")))
            elif data:
                texts.append((token, bytes(data)))
        width = max(n_vocab or 0, len(tokens))
        self._has_tokens = True
        self._set(Vocabulary(_lib.Vocabulary.from_parts("llguidance", texts, specials, ends, width)), ends)

    def _set_json(self, text: str, ends: List[int], n_vocab: Optional[int]) -> None:
        if not text.lstrip().startswith("{"):
            self._set(Vocabulary(text, width=n_vocab, end_tokens=ends or None), ends)
            return
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tokenizer.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            vocabulary = Vocabulary(path, width=n_vocab, end_tokens=ends or None)
            # The tokenizer is read when it is first used, and the file is gone by then.
            vocabulary.tokenize(b"a")
        self._set(vocabulary, ends)

    def _set(self, vocabulary: Vocabulary, ends: List[int]) -> None:
        self.vocabulary = vocabulary
        self.eos_tokens: List[int] = ends or vocabulary.end_tokens
        self.eos_token: int = self.eos_tokens[0]
        self.vocab_size: int = vocabulary.width
        self._specials = vocabulary.special_tokens
        self._names = {token: name for name, token in self._specials.items()}

    def with_slices(self, slices: List[str]) -> LLTokenizer:
        """The same tokenizer: slices have no effect."""
        return self

    @staticmethod
    def general_slices() -> List[str]:
        """llguidance's partitions of tokens, which have no effect."""
        return [r'[^"\\\x00-\x1F\x7F]{1,10}', r'[^"\\\x00-\x1F\x7F]{1,30}', r'[^"\\\x00-\x1F\x7F]+']

    @staticmethod
    def json_slices() -> List[str]:
        """llguidance's partitions of tokens, which have no effect."""
        return LLTokenizer.general_slices()

    def _longest(self, data: bytes) -> List[int]:
        """The longest tokens, from left to right."""
        if not hasattr(self, "_by_bytes"):
            self._by_bytes = {}
            for token in reversed(range(self.vocab_size)):
                text = self.vocabulary.token_bytes(token)
                if text:
                    self._by_bytes[text] = token
            self._most = max(map(len, self._by_bytes), default=0)
        tokens, at = [], 0
        while at < len(data):
            for length in range(min(self._most, len(data) - at), 0, -1):
                found = self._by_bytes.get(data[at : at + length])
                if found is not None:
                    tokens.append(found)
                    at += length
                    break
            else:
                at += 1
        return tokens

    def greedy_tokenize(self, text: str) -> List[int]:
        """The longest tokens, from left to right."""
        return self._longest(text.encode())

    def _plain(self, data: bytes) -> List[int]:
        """The tokens of bytes without markers. What is no UTF-8 is cut into the longest tokens."""
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            cut = error.start + max(1, error.end - error.start)
            return self._plain(data[: error.start]) + self._longest(data[error.start : cut]) + self._plain(data[cut:])
        if not text:
            return []
        if self._encode is not None:
            return list(self._encode(text))
        try:
            return self.vocabulary.tokenize(text)
        except Exception:
            return self._longest(data)

    def tokenize_bytes(self, utf8bytes: bytes, *, parse_special: bool = False) -> List[int]:
        """The tokens of bytes. With ``parse_special``, names of special tokens stand for them."""
        if not parse_special or not self._specials:
            return self._plain(utf8bytes)
        names = sorted(self._specials, key=len, reverse=True)
        tokens: List[int] = []
        for part in re.split(b"(" + b"|".join(re.escape(name.encode()) for name in names) + b")", utf8bytes):
            special = self._specials.get(part.decode("utf-8", "replace"))
            tokens += self._plain(part) if special is None else [special]
        return tokens

    def tokenize_str(self, text: str, *, parse_special: bool = False) -> List[int]:
        """The tokens of a text."""
        return self.tokenize_bytes(text.encode(), parse_special=parse_special)

    def tokenize_marked(self, data: bytes) -> Tuple[List[int], int]:
        """The tokens of bytes in which 0xff marks special tokens, and how many of them nothing behind them can change."""
        tokens: List[int] = []
        at = fixed = 0
        for match in _MARKED.finditer(data):
            number, name = match.groups()
            name = name.decode("utf-8", "replace") if name else ""
            token: Optional[int] = int(number) if number else self._specials.get(name)
            tokens += self._plain(data[at : match.start()])
            at = match.start() + 1
            if token is not None and token < self.vocab_size:
                tokens.append(token)
                at, fixed = match.end(), len(tokens)
        return tokens + self._plain(data[at:]), fixed

    def tokenize_partial(self, new_bytes: bytes, recent_tokens: Optional[List[int]] = None) -> Tuple[List[int], bytes]:
        """The tokens of the beginning of a text that nothing behind it can change, and the rest of the text."""
        tokens, fixed = self.tokenize_marked(new_bytes)
        data = [self.vocabulary.token_bytes(token) or b"" for token in tokens]
        self._longest(b"")
        tail = b"".join(data[max(fixed, len(tokens) - 4) :])[-self._most :]
        for start in range(len(tail)):
            suffix = tail[start:]
            if any(len(text) > len(suffix) and text.startswith(suffix) for text in self._by_bytes):
                kept, open_bytes = len(tokens), len(suffix)
                while kept > fixed and open_bytes > 0:
                    kept -= 1
                    open_bytes -= len(data[kept])
                rest = b"".join(data[kept:])
                return tokens[:kept], rest
        return tokens, b""

    def certain(self, matcher: Any, before: List[int]) -> List[int]:
        """The tokens of the text that is certain to come behind the tokens ``before``."""
        if not self._has_tokens:
            tokens: List[int] = matcher.forced_tokens(before)
            return tokens
        tokens, _ = self.tokenize_partial(matcher.forced_bytes())
        return tokens[: matcher.validate(tokens)]

    def is_special_token(self, token: int) -> bool:
        """Whether a token is special."""
        return 0 <= token < self.vocab_size and self.vocabulary.token_bytes(token) is None

    def _shown(self, token: int) -> str:
        data = self.vocabulary.token_bytes(token)
        return self._names.get(token, f"<[{token}]>") if data is None else data.decode("utf-8", "replace")

    def _debugged(self, token: int) -> str:
        if token == self.eos_token:
            return "≺EOS≻"
        if not 0 <= token < self.vocab_size:
            return f"≺OOB[{token}]≻"
        data = self.vocabulary.token_bytes(token)
        if data is None:
            return self._shown(token)
        text = data.decode("utf-8", "replace")
        return f"≺HEX[{data.hex()}]≻" if "\ufffd" in text else _escaped(text)

    def dbg_tokens(self, tokens: List[int]) -> str:
        """Tokens for people to read."""
        return "⟦" + "‧".join(map(self._debugged, tokens)) + "⟧"

    def test_trace_tokens(self, tokens: List[int]) -> str:
        """Tokens as llguidance's traces show them, with ends of lines as they are."""
        return "‧".join(self._debugged(token).replace("\\n", "\n") for token in tokens)

    def decode_bytes(self, tokens: List[int]) -> bytes:
        """The bytes of tokens; special tokens by their names."""
        texts = (self.vocabulary.token_bytes(token) for token in tokens)
        return b"".join(self._shown(token).encode() if data is None else data for token, data in zip(tokens, texts))

    def decode_str(self, tokens: List[int]) -> str:
        """The text of tokens."""
        return self.decode_bytes(tokens).decode("utf-8", "replace")
