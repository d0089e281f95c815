"""Encodings of tiktoken."""

from __future__ import annotations

from typing import Any, List, Optional, Union

from ._tokenizer import LLTokenizer


def lltokenizer_from_encoding(
    encoding: Any,
    *,
    n_vocab: Optional[int] = None,
    eos_token: Union[int, List[int], None] = None,
    slices: Optional[List[str]] = None,
) -> LLTokenizer:
    """The tokenizer of an encoding of tiktoken."""
    tokens = [b""] * encoding.n_vocab
    for text, token in encoding._mergeable_ranks.items():
        tokens[token] = text
    for name, token in encoding._special_tokens.items():
        tokens[token] = b"\xff" + name.encode()
    eos_token = encoding.eot_token if eos_token is None else eos_token
    return LLTokenizer.from_tokens(tokens, eos_token, encoding.encode_ordinary, n_vocab)
