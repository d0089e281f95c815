"""What a tokenizer of `transformers` says about its tokens."""

from __future__ import annotations

import json
import warnings
from typing import Any

from .tokenizer_info import VocabType


def arguments(tokenizer: Any) -> tuple[list[str], dict[str, Any]]:
    """The tokens by id, and the arguments of `TokenizerInfo`."""
    vocabulary = tokenizer.get_vocab()
    tokens = [""] * (max(vocabulary.values(), default=-1) + 1)
    for text, token in vocabulary.items():
        tokens[token] = text
    end = getattr(tokenizer, "eos_token_id", None)
    if end is None:
        warnings.warn("the tokenizer names no end token; stop tokens are found by their names", stacklevel=3)
    found: dict[str, Any] = {"stop_token_ids": None if end is None else [end]}
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None:
        found.update(metadata(backend.to_str()))
    elif "<0x0A>" in vocabulary:
        found.update(vocab_type=VocabType.BYTE_FALLBACK, add_prefix_space=True)
    else:
        found.update(vocab_type=VocabType.RAW, add_prefix_space=hasattr(tokenizer, "sp_model"))
    return tokens, found


def metadata(text: str) -> dict[str, Any]:
    """How the tokens of a `tokenizer.json` spell their bytes, and whether a space goes before the text."""
    tokenizer = json.loads(text)
    kinds = [part.get("type") for part in _parts(tokenizer.get("decoder"), "decoders")]
    named = {"ByteLevel": VocabType.BYTE_LEVEL, "ByteFallback": VocabType.BYTE_FALLBACK}
    vocab_type = next((named[kind] for kind in kinds if kind in named), VocabType.RAW)
    prepends = any(
        part.get("type") == "Prepend" and part.get("prepend") == "\u2581"
        for part in _parts(tokenizer.get("normalizer"), "normalizers")
    )
    before = tokenizer.get("pre_tokenizer") or {}
    metaspace = before.get("type") == "Metaspace" and before.get("prepend_scheme") in ("always", "first")
    return {"vocab_type": vocab_type, "add_prefix_space": prepends or metaspace}


def _parts(value: Any, inner: str) -> list[dict[str, Any]]:
    """The parts of a component, which may be a sequence of components."""
    if not isinstance(value, dict):
        return []
    return list(value.get(inner, [])) if value.get("type") == "Sequence" else [value]
