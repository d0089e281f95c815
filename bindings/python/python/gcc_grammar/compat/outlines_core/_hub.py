"""Tokenizers of models of the Hugging Face Hub."""

from __future__ import annotations

from typing import Any, Optional


def load(model: str, revision: Optional[str], token: Optional[str]) -> Any:
    """A tokenizer of ``transformers`` or ``tokenizers``, whichever is installed. Raises ``ValueError`` if it cannot be loaded."""
    try:
        return _load(model, revision, token)
    except ImportError as error:
        raise ValueError(f"request error: {model}: transformers or tokenizers must be installed") from error
    except Exception as error:
        raise ValueError(f"request error: {model}: {error}") from error


def _load(model: str, revision: Optional[str], token: Optional[str]) -> Any:
    try:
        from transformers import AutoTokenizer
    except ImportError:
        from tokenizers import Tokenizer

        return Tokenizer.from_pretrained(model, revision=revision or "main", token=token)
    return AutoTokenizer.from_pretrained(model, revision=revision or "main", token=token)
