#!/usr/bin/env bash
# Builds the wheel, installs it with the packages of its tests into a new virtual environment, and runs the type checker and the tests.
# The environment lies in the target folder. The last line is pytest's summary, or says what is missing.
#
#   test.sh              the wheel of a development build, which shares what `cargo test` has built
#   test.sh --release    the wheel that is published, and its size
#
# PYTHON names the interpreter, from version 3.9 on. The exit status is 0 if all tests pass, 1 if one fails, 3 if there is no
# interpreter, no module venv, or no package index.
set -euo pipefail
cd "$(dirname "$0")"
python="${PYTHON:-python3}"
profile=(--profile dev)
[ "${1:-}" = --release ] && profile=(--release)
work="${CARGO_TARGET_DIR:-$(cd ../.. && pwd)/target}/python"

skip() {
    echo "Python tests are left out: $1" >&2
    exit 3
}

rm -rf "$work"
mkdir -p "$work"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' || skip "$python is not Python 3.9 or later"
"$python" -m venv "$work/venv" || skip "$python has no module venv"
export VIRTUAL_ENV="$work/venv" PATH="$work/venv/bin:$PATH" PIP_DISABLE_PIP_VERSION_CHECK=1
pip install -q -r requirements-test.txt || skip "the packages in requirements-test.txt cannot be installed"

maturin build "${profile[@]}" --locked --out "$work/wheels" --interpreter "$VIRTUAL_ENV/bin/python"
wheel=("$work"/wheels/*.whl)
pip install -q --no-index "${wheel[0]}"

size=$(wc -c <"${wheel[0]}")
echo "$(basename "${wheel[0]}"): $size bytes"
if [ "${profile[0]}" = --release ] && [ "$size" -gt 12000000 ]; then
    echo "the wheel is larger than 12 MB" >&2
    exit 1
fi
files=$(python -m zipfile -l "${wheel[0]}")
for file in LICENSE-MIT LICENSE-APACHE NOTICE; do
    grep -q "licenses/$file " <<<"$files" || { echo "the wheel lacks $file" >&2; exit 1; }
done
mypy
# The tests use the installed package: the folder with its sources is not on the path.
exec pytest -q -rs tests
