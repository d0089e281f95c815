#!/bin/sh
# Compares canonical masks with tiktoken and tokenizers: canonical.sh DATA [TEXTS]. See canonical.py. The last line is the verdict.
#
# PYTHON is an interpreter with gcc_grammar, tiktoken and tokenizers; by default an environment is made.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
if [ -z "${PYTHON:-}" ]; then
    venv=${CARGO_TARGET_DIR:-$root/target}/venvs/canonical
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet maturin tiktoken tokenizers
    (cd "$root/bindings/python" && VIRTUAL_ENV=$venv PATH=$venv/bin:$PATH maturin develop --release --quiet)
    PYTHON=$venv/bin/python
fi
"$PYTHON" "$root/tests/peers/canonical.py" "$@"
