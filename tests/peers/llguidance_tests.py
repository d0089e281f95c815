"""Runs llguidance's tests with the import swapped. Called by llguidance_tests.sh."""

import importlib
import sys
from pathlib import Path

import pytest

# What gcc-grammar does not have, or what a test asserts of llguidance's own messages and limits.
NOT_APPLICABLE = {
    "test_get_capture": "there are no captures",
    "test_parser_limits": "the limits of llguidance's parser do not exist",
    "test_mask_data_mlx": "there is no module for MLX",
    "test_mask_data_perf": "a measurement of CUDA",
    "test_grammar_warnings": "the texts of llguidance's own warnings; `not` and unknown formats are enforced or reported otherwise",
    "test_regex_syntax": "the text of llguidance's own error",
}
PACKAGES = {"test_bitmask.py": "torch", "test_hf.py": "transformers", "test_tiktoken.py": "tiktoken", "test_llamacpp.py": "llama_cpp"}


def swap():
    """Makes ``llguidance`` mean our package."""
    sys.modules["llguidance"] = importlib.import_module("gcc_grammar.compat.llguidance")
    for name in ("numpy", "torch", "hf", "tiktoken", "llamacpp"):
        try:
            sys.modules[f"llguidance.{name}"] = importlib.import_module(f"gcc_grammar.compat.llguidance.{name}")
        except ImportError:
            pass


class Results:
    """Counts outcomes."""

    def __init__(self):
        self.passed, self.failed, self.left_out = [], [], []

    def pytest_collection_modifyitems(self, items):
        self.left_out += [item.name for item in items if item.originalname in NOT_APPLICABLE]
        items[:] = [item for item in items if item.originalname not in NOT_APPLICABLE]

    def pytest_runtest_logreport(self, report):
        if report.failed:
            reason = str(getattr(report.longrepr, "reprcrash", report.longrepr)).splitlines()
            self.failed.append((report.nodeid.split("::")[-1], reason[0] if reason else ""))
        elif report.when == "call" and report.passed:
            self.passed.append(report.nodeid)


def main(folder):
    swap()
    files = []
    for path in sorted(Path(folder).glob("test_*.py")):
        package = PACKAGES.get(path.name)
        if package and importlib.util.find_spec(package) is None:
            print(f"{path.name}: left out, {package} is not installed")
        else:
            files.append(str(path))
    results = Results()
    pytest.main(["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--import-mode=importlib", *files], plugins=[results])
    for name, reason in results.failed:
        print(f"failed: {name}: {reason}")
    for name in results.left_out:
        print(f"not applicable: {name}: {NOT_APPLICABLE[name.split('[')[0]]}")
    passed, failed = len(results.passed), len(results.failed)
    print(f"{passed} passed, {failed} failed, {len(results.left_out)} not applicable")
    good = passed > 0 and passed >= 9 * failed
    print("PASSED" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
