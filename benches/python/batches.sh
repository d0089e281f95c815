#!/usr/bin/env bash
# Measures masks of batches beside XGrammar and llguidance, and prints a table: batches.sh [OPTIONS OF batches.py]
#
# DATA is the folder with the cases of MaskBench. VENV is an environment with torch, xgrammar, llguidance and gcc_grammar; by default one is made
# (6 GB: the package index has PyTorch with CUDA only). PYTHON is the interpreter that makes it. Exits with 1 if a mask does not allow the token
# that follows, and with 2 if there is no case.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
data=${DATA:-$root/../shared/data/maskbench/dev}
if [ -z "${VENV:-}" ]; then
    VENV=${CARGO_TARGET_DIR:-$root/target}/venvs/batches
    if [ ! -e "$VENV/complete" ]; then
        "${PYTHON:-python3}" -m venv "$VENV"
        "$VENV/bin/pip" install -q maturin numpy torch xgrammar==0.2.8 llguidance==1.7.6
        touch "$VENV/complete"
    fi
    (cd "$root/bindings/python" && VIRTUAL_ENV=$VENV PATH=$VENV/bin:$PATH maturin develop --release -q)
fi
exec "$VENV/bin/python" "$root/benches/python/batches.py" "$data" "$@"
