"""Counts the lines of product Rust by folder: those that are neither blank nor comments, outside of tests, benches, examples and fuzzing.

    python3 tests/lines.py [DEPTH]

DEPTH is the number of folders of a path that are told apart (default: 2). Items behind `#[cfg(test)]` do not count.
"""

import collections
import subprocess
import sys

NO_PRODUCT = {"tests", "benches", "examples", "fuzz"}


def is_product(path):
    parts = path.split("/")
    name = parts[-1]
    return not NO_PRODUCT & set(parts) and name != "tests.rs" and name != "build.rs" and not name.endswith("_test.rs")


def without_test_items(lines):
    """The lines without the items behind `#[cfg(test)]`, which end where their braces do."""
    depth, skips = 0, False
    for line in lines:
        if not skips and line.strip().startswith("#[cfg(test)]"):
            depth, skips = 0, True
            continue
        if skips:
            depth += line.count("{") - line.count("}")
            skips = depth > 0 or not ("{" in line or "}" in line or ";" in line)
            continue
        yield line


def count(path):
    with open(path, encoding="utf-8") as file:
        lines = (line.strip() for line in without_test_items(file))
        return sum(1 for line in lines if line and not line.startswith("//"))


def main():
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    paths = subprocess.check_output(["git", "ls-files", "*.rs"], text=True).split()
    lines, files = collections.Counter(), collections.Counter()
    for path in filter(is_product, paths):
        folder = "/".join(path.split("/")[:-1][:depth])
        lines[folder] += count(path)
        files[folder] += 1
    for folder, number in lines.most_common():
        print(f"{number:7} {files[folder]:5} {folder}")
    print(f"{sum(lines.values()):7} {sum(files.values()):5} in all")


if __name__ == "__main__":
    main()
