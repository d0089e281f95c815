"""Stands for transformers, so that tests can be imported. Tokenizers are not loaded from the network: the tests that want one fail."""

from typing import Any


class PreTrainedTokenizerBase:
    """Only its name is used, in annotations."""


class PreTrainedTokenizer(PreTrainedTokenizerBase):
    """Likewise."""


class PreTrainedTokenizerFast(PreTrainedTokenizerBase):
    """Likewise."""


class AutoTokenizer:
    @staticmethod
    def from_pretrained(*arguments: Any, **options: Any) -> Any:
        raise OSError("no tokenizer is loaded here")


class AutoConfig(AutoTokenizer):
    """Likewise."""


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return type(name, (), {})
