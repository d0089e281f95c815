"""Vocabularies of llama.cpp, by the package llama-cpp-python."""

from __future__ import annotations

import ctypes
from typing import Any, List, Optional, Union

from ._tokenizer import LLTokenizer


def lltokenizer_from_vocab(
    vocab: Any,
    n_vocab: Optional[int] = None,
    eos_token: Union[int, List[int], None] = None,
    slices: Optional[List[str]] = None,
) -> LLTokenizer:
    """The tokenizer of a vocabulary of llama.cpp, which must live as long."""
    import llama_cpp

    size = 16 * 1024
    buffer = ctypes.create_string_buffer(size)
    special = llama_cpp.LLAMA_TOKEN_ATTR_CONTROL
    named = llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED
    attributes_of = getattr(llama_cpp, "llama_vocab_get_attr", None) or llama_cpp.llama_token_get_attr
    tokens = []
    for token in range(llama_cpp.llama_vocab_n_tokens(vocab)):
        length = llama_cpp.llama_token_to_piece(vocab, token, buffer, size, 0, True)
        if length < 0:
            raise ValueError(f"token {token} has more than {size} bytes")
        text = bytes(buffer.raw[:length])
        attributes = attributes_of(vocab, token)
        bracketed = text.startswith(b"<") and text.endswith(b">")
        is_special = attributes & special or (attributes & named and bracketed)
        tokens.append(b"\xff" + text if is_special else text)

    def encode(text: str) -> List[int]:
        data = text.encode()
        ids = (ctypes.c_int32 * (len(data) + 8))()
        count = llama_cpp.llama_tokenize(vocab, data, len(data), ids, len(ids), False, False)
        if count < 0:
            raise ValueError("llama.cpp does not tokenize the text")
        return list(ids[:count])

    eos_token = llama_cpp.llama_vocab_eos(vocab) if eos_token is None else eos_token
    return LLTokenizer.from_tokens(tokens, eos_token, encode, n_vocab)
