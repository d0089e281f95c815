"""The examples in the documentation of the package run."""

import doctest
import importlib
import pathlib
import re

import pytest


@pytest.mark.parametrize("name", ["__init__", "_api", "_types", "_vocabulary"])
def test_examples(name):
    module = importlib.import_module("gcc_grammar" if name == "__init__" else f"gcc_grammar.{name}")
    results = doctest.testmod(module)
    assert results.attempted > 0 and results.failed == 0


def test_the_example_of_the_readme():
    readme = pathlib.Path(__file__).parents[3] / "README.md"
    blocks = re.findall(r"^```python\n(.*?)^```", readme.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        exec(compile(block, str(readme), "exec"), {})
