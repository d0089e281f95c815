"""Vocabularies that the tests share."""

import pytest

import gcc_grammar as gg


@pytest.fixture(scope="session")
def letters() -> gg.Vocabulary:
    """All bytes, and some longer tokens."""
    tokens = [bytes([byte]) for byte in range(256)]
    return gg.Vocabulary(tokens + [b"true", b"false", b'"a"', b'{"', b'": ', b", "])


@pytest.fixture(scope="session")
def llama3() -> gg.Vocabulary:
    return gg.Vocabulary("llama3")
