#!/bin/sh
# Runs the tests of outlines-core 0.2.14 with gcc_grammar.compat.outlines_core in its place: outlines_core_tests.sh [FOLDER]. FOLDER is its folder
# `tests`; without it, the source package is fetched from the package index. Prints passed, failed and not applicable, and the reason of each.
# The last line is the verdict: 1 if fewer than 90 % of the applicable tests pass.
#
# PYTHON is an interpreter with gcc_grammar, pytest, numpy, scipy and pydantic; by default an environment is made. Tests whose packages are
# missing (torch, mlx), and tests that load models from the network where there is none, are left out with a message.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${PYTHON:-}" ]; then
    venv=${CARGO_TARGET_DIR:-$root/target}/venvs/outlines-core
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet maturin numpy pytest scipy pydantic
    (cd "$root/bindings/python" && VIRTUAL_ENV=$venv PATH=$venv/bin:$PATH maturin develop --release --quiet)
    PYTHON=$venv/bin/python
fi
if [ $# -ge 1 ]; then
    tests=$(cd "$1" && pwd)
else
    # Downloading a source package also asks its build system for metadata, which needs a Rust compiler.
    "$PYTHON" -m pip download --quiet --no-deps --no-binary :all: --dest "$work" outlines-core==0.2.14
    tar -xzf "$work"/outlines_core-0.2.14.tar.gz -C "$work"
    tests=$work/outlines_core-0.2.14/tests
fi
"$PYTHON" "$root/tests/peers/outlines_core_tests.py" "$tests"
