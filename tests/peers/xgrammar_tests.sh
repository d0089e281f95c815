#!/bin/bash
# Runs the tests of XGrammar (github.com/mlc-ai/xgrammar) on XGrammar and on gcc_grammar.compat.xgrammar, and compares the results.
#
#   tests/peers/xgrammar_tests.sh SOURCES [PERCENT] [tests of pytest ...]
#
# SOURCES is a checkout of XGrammar, of which only tests/python is read. PYTHON is the interpreter for the virtual environment, which is
# made in WORK (default: a new folder); it may see the packages of the system (PyTorch is 6 GB from the package index, and small from a
# distribution). The last line has the numbers; the exit code is 1 if fewer than PERCENT (default 90) of the applicable tests pass.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
sources=$(cd "${1:?the folder of XGrammar is missing}" && pwd)
least=${2:-90}
tests=("${@:3}")
[ ${#tests[@]} -gt 0 ] || tests=(tests/python)
work=${WORK:-$(mktemp -d)}
python=$work/venv/bin/python
if [ ! -x "$python" ]; then
    "${PYTHON:-python3}" -m venv --system-site-packages "$work/venv"
    "$python" -m pip install -q --upgrade xgrammar==0.2.9 pytest pydantic transformers sentencepiece tiktoken protobuf maturin
    (cd "$root/bindings/python" && VIRTUAL_ENV=$work/venv PATH=$work/venv/bin:$PATH maturin develop --profile dev -q)
fi
# Some tests have sets as parameters: their names depend on the order.
export PYTHONPATH=$root/tests/peers/xgrammar HF_HUB_OFFLINE=1 PYTHONHASHSEED=0
cd "$sources"
for swap in 0 1; do
    rm -f "$work/results-$swap.jsonl"
    PEER_SWAP=$swap PEER_RESULTS=$work/results-$swap.jsonl "$python" -m pytest "${tests[@]}" -q --tb=line -p peer_plugin \
        -p no:cacheprovider -o addopts= --continue-on-collection-errors >"$work/log-$swap.txt" 2>&1 || true
    tail -n 1 "$work/log-$swap.txt"
done
"$python" "$root/tests/peers/xgrammar/summary.py" "$work/results-0.jsonl" "$work/results-1.jsonl" --least "$least"
