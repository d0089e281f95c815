"""The examples in the documentation of the package run."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["__init__", "_api", "_types", "_vocabulary"])
def test_examples(name):
    module = importlib.import_module("gcc_grammar" if name == "__init__" else f"gcc_grammar.{name}")
    results = doctest.testmod(module)
    assert results.attempted > 0 and results.failed == 0
