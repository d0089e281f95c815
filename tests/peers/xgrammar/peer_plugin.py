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


if os.environ.get("PEER_SWAP") == "1":
    sys.meta_path.insert(0, _Alias())


class Overtime(Exception):
    """The test took too long."""


def _raise(*_: Any) -> None:
    raise Overtime("the test took too long")


def pytest_runtest_setup(item: Any) -> None:
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
        _write(report.nodeid, report.outcome, message[:600])


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        _write(report.nodeid, "not collected", str(report.longrepr)[-600:])
