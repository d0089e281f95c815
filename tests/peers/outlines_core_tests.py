"""Runs the tests of outlines-core with the import swapped. Called by outlines_core_tests.sh."""

import importlib
import importlib.util
import sys
import types
from pathlib import Path

import pytest

# What a test asserts of outlines-core's own automaton, or needs from elsewhere.
NOT_APPLICABLE = {
    "test_interface": "the numbers 12 and 20 are states of its own automaton",
    "test_basic_interface": "the numbers 12 and 20 are states of its own automaton",
    "test_interface_mlx": "there is no module for MLX",
    "test_mlx_correctness": "there is no module for MLX",
}
#: Packages that tests import.
PACKAGES = {"test_write_mask_into": "torch", "test_write_mask_into_interface": "torch", "test_kernels.py": "torch"}
#: What the error says if a model cannot be loaded.
NO_NETWORK = "request error"


def swap():
    """Makes ``outlines_core`` mean our package. ``outlines_core.outlines_core`` is its native module."""
    package = importlib.import_module("gcc_grammar.compat.outlines_core")
    native = types.ModuleType("outlines_core.outlines_core")
    vars(native).update({name: getattr(package, name) for name in ("Guide", "Index", "Vocabulary", "json_schema")})
    package.outlines_core = native
    sys.modules["outlines_core"] = package
    sys.modules["outlines_core.outlines_core"] = native
    for name in ("json_schema", "kernels", "kernels.numpy", "kernels.torch"):
        try:
            sys.modules[f"outlines_core.{name}"] = importlib.import_module(f"gcc_grammar.compat.outlines_core.{name}")
        except ImportError:
            pass


class Results:
    """Counts outcomes."""

    def __init__(self):
        self.passed, self.failed, self.left_out = [], [], []

    def pytest_collection_modifyitems(self, items):
        kept = []
        for item in items:
            reason = NOT_APPLICABLE.get(item.originalname)
            package = PACKAGES.get(item.originalname)
            if package and importlib.util.find_spec(package) is None:
                reason = f"{package} is not installed"
            if reason:
                self.left_out.append((item.name, reason))
            else:
                kept.append(item)
        items[:] = kept

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.split("::")[-1]
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            lines = str(getattr(crash, "message", None) or report.longrepr).splitlines()
            if any(NO_NETWORK in line for line in lines):
                self.left_out.append((name, "the model cannot be loaded: there is no network"))
            else:
                self.failed.append((name, lines[0] if lines else ""))
        elif report.skipped:
            self.left_out.append((name, "skipped by itself"))
        elif report.when == "call":
            self.passed.append(name)


def main(folder):
    swap()
    files, results = [], Results()
    for path in sorted(Path(folder).glob("test_*.py")):
        package = PACKAGES.get(path.name)
        if package and importlib.util.find_spec(package) is None:
            count = path.read_text().count("\ndef test_")
            results.left_out += [(f"{path.name} ({place} of {count})", f"{package} is not installed") for place in range(1, count + 1)]
        else:
            files.append(str(path))
    options = ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--import-mode=importlib"]
    pytest.main([*options, "-o", "addopts=", "-W", "ignore::pytest.PytestUnknownMarkWarning", *files], plugins=[results])
    for name, reason in results.failed:
        print(f"failed: {name}: {reason}")
    for name, reason in results.left_out:
        print(f"not applicable: {name}: {reason}")
    passed, failed = len(results.passed), len(results.failed)
    print(f"{passed} passed, {failed} failed, {len(results.left_out)} not applicable")
    good = passed > 0 and passed >= 9 * failed
    print("PASSED" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
