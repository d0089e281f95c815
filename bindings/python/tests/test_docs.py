"""The examples in the documentation of the package run."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
REFERENCE = DOCS / "python-reference.md"
COMPLAINTS = DOCS / "complaints.md"


@pytest.mark.parametrize("name", ["__init__", "_api", "_events", "_types", "_vocabulary", "compat.outlines_core", "proposals.tensors", "proposals.gcd"])
def test_examples(name):
    module = importlib.import_module("gcc_grammar" if name == "__init__" else f"gcc_grammar.{name}")
    results = doctest.testmod(module)
    assert results.attempted > 0 and results.failed == 0


#: The pages with sessions, and how many examples each has at least.
SESSIONS = {
    "python": 15,
    "python-reference": 40,
    "python-recipes": 25,
    "tutorial": 20,
    "cookbook": 30,
    "migration/xgrammar": 5,
    "migration/llguidance": 3,
    "migration/outlines-core": 4,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_pages(name):
    """The blocks of a page are one session."""
    page = DOCS / f"{name}.md"
    blocks = re.findall(r"^```pycon\n(.*?)^```$", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {"__name__": "__main__"}, page.name, str(page), 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted >= SESSIONS[name] and results.failed == 0


def test_all_pages_with_sessions_are_run():
    pages = [page.relative_to(DOCS).with_suffix("").as_posix() for page in DOCS.rglob("*.md") if "```pycon" in page.read_text(encoding="utf-8")]
    assert sorted(pages) == sorted(SESSIONS)


def test_the_page_names_every_complaint():
    """Every test of a complaint has its line, and every line its test."""
    tests = Path(__file__).with_name("test_complaints.py").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)` \|$", COMPLAINTS.read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert named == set(re.findall(r"^def (test_\w+)", tests, flags=re.MULTILINE))


def test_the_page_names_every_option():
    """What `compile` takes is on the page."""
    import inspect

    import gcc_grammar as gg

    names = list(inspect.signature(gg.compile).parameters)[2:] + list(inspect.signature(gg.Artifact.matcher).parameters)[1:]
    text = REFERENCE.read_text(encoding="utf-8")
    missing = [name for name in names if f"`{name}`" not in text and f"{name}=" not in text]
    assert missing == []


def test_the_example_of_the_readme(capsys):
    """The program prints what the README shows."""
    readme = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    block = lambda language: re.search(rf"^```{language}\n(.*?)^```", readme, re.DOTALL | re.MULTILINE).group(1)
    exec(compile(block("python"), "README.md", "exec"), {})
    assert capsys.readouterr().out == block("json")
