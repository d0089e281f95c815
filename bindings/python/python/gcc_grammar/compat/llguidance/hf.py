"""Tokenizers of transformers."""

from __future__ import annotations

from typing import Any, List, Optional, Union

from ._tokenizer import LLTokenizer


def from_tokenizer(
    hf_tokenizer: Any,
    n_vocab: Optional[int] = None,
    eos_token: Union[int, List[int], None] = None,
    slices: Optional[List[str]] = None,
) -> LLTokenizer:
    """The tokenizer of a fast tokenizer of transformers."""
    if not hasattr(hf_tokenizer, "backend_tokenizer"):
        raise ValueError("Only fast tokenizers are supported")
    eos_token = hf_tokenizer.eos_token_id if eos_token is None else eos_token
    return LLTokenizer(hf_tokenizer.backend_tokenizer.to_str(), n_vocab=n_vocab, eos_token=eos_token)
