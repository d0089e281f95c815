"""The examples in the documentation of the package run."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


@pytest.mark.parametrize("name", ["__init__", "_api", "_events", "_types", "_vocabulary", "compat.outlines_core", "proposals.tensors", "proposals.gcd"])
def test_examples(name):
    module = importlib.import_module("gcc_grammar" if name == "__init__" else f"gcc_grammar.{name}")
    results = doctest.testmod(module)
    assert results.attempted > 0 and results.failed == 0


def test_the_page():
    """The blocks of the page are one session."""
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```pycon\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) > 10
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {"__name__": "__main__"}, "python.md", str(PAGE), 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted > 40 and results.failed == 0


def test_the_page_names_every_complaint():
    """Every test of a complaint has its line, and every line its test."""
    tests = Path(__file__).with_name("test_complaints.py").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)` \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert named == set(re.findall(r"^def (test_\w+)", tests, flags=re.MULTILINE))


def test_the_page_names_every_option():
    """What `compile` takes is on the page."""
    import inspect

    import gcc_grammar as gg

    names = list(inspect.signature(gg.compile).parameters)[2:] + list(inspect.signature(gg.Artifact.matcher).parameters)[1:]
    text = PAGE.read_text(encoding="utf-8")
    missing = [name for name in names if f"`{name}`" not in text and f"{name}=" not in text]
    assert missing == []


def test_the_example_of_the_readme():
    readme = Path(__file__).parents[3] / "README.md"
    blocks = re.findall(r"^```python\n(.*?)^```", readme.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        exec(compile(block, str(readme), "exec"), {})
