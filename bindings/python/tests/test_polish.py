"""What a user meets first: messages in the words of Python, types of options, what notebooks show."""

import doctest
import inspect
import subprocess
import sys

import pytest

import gcc_grammar as gg
from gcc_grammar import _options, _wording

BYTES = [bytes([byte]) for byte in range(256)]


def test_messages_name_the_options_of_python():
    assert doctest.testmod(_wording).failed == 0
    with pytest.raises(gg.RefusedError) as error:
        gg.compile({"type": "string", "pattern": "(a+)\\1"}, BYTES)
    assert 'unenforced="allow"' in str(error.value) and "--unenforced" not in str(error.value)
    with pytest.raises(gg.RefusedError) as error:
        gg.compile({"type": "integer"}, BYTES, strict=True)
    assert 'allow_narrowed=["' in error.value.diagnostics[0]["help"]
    with pytest.raises(gg.OverBudgetError) as error:
        gg.compile({"type": "string"}, BYTES, limits={"work": 10})
    assert 'limits={"work": ...}' in str(error.value)


def test_the_known_values_are_those_of_the_library():
    """Each value that type checkers know is accepted, and each option has a type."""
    import typing

    typed = typing.get_type_hints(_options.CompileOptions)
    parameters = inspect.signature(gg.compile).parameters
    assert set(typed) == set(parameters) - {"input", "vocabulary", "embed_vocabulary", "on_demand"}
    for name in ("whitespace", "strings", "integer_spelling", "property_order", "repeated_keys", "formats", "unenforced", "draft", "special_tokens", "budgets", "profile"):
        (values,) = [typing.get_args(kind) for kind in typing.get_args(typed[name]) if typing.get_args(kind)]
        assert values
        for value in values:
            gg.check({"type": "object", "properties": {}, "required": [], "additionalProperties": False}, **{name: value})
        with pytest.raises(gg.RefusedError):
            gg.check({"type": "integer"}, **{name: "compct"})
    gg.check({"type": "object"}, strict=True, allow_narrowed=list(typing.get_args(_options.Narrowing)))


def test_a_misspelt_value_is_a_type_error(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(
        "import gcc_grammar as gg\n"
        'gg.compile({}, "llama3", whitespace="compact", limits={"work": 1})\n'
        'gg.compile({}, "llama3", whitespace="compct")\n'
        'gg.check({}, unenforced="alow")\n'
    )
    ran = subprocess.run([sys.executable, "-m", "mypy", "--no-incremental", str(program)], capture_output=True, text=True, cwd=tmp_path)
    lines = [line for line in ran.stdout.splitlines() if ": error:" in line]
    assert [line.split(":")[1] for line in lines] == ["3", "4"], ran.stdout


def test_notebooks_show_artifacts_and_matchers():
    artifact = gg.compile({"type": "object", "properties": {"<b>": {"enum": ["<i>", 1]}}, "required": ["<b>"]}, BYTES)
    shown = artifact._repr_html_()
    assert artifact.key in shown and "narrowed" in shown and "enforced" in shown
    matcher = artifact.matcher()
    matcher.commit_text('{"')
    shown = matcher._repr_html_()
    assert "&lt;b&gt;" in shown and "<b>" not in shown and "may end" in shown
    matcher.commit_text('<b>":1}')
    assert "yes" in matcher._repr_html_()


def test_the_help_of_compile_explains_all_options():
    text = inspect.getdoc(gg.compile)
    missing = [name for name in inspect.signature(gg.compile).parameters if name != "vocabulary" and f"``{name}``" not in text]
    assert missing == []
