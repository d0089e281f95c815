#!/usr/bin/env bash
# Drives the backend `gcc` with the classes of SGLang on the processor, as its scheduler does. Its server needs a GPU and is not run.
# Called by ../run.sh. Uses the environment of vLLM, which has what SGLang imports; set VENV to use another.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common/environment.sh"
packages() { echo "run tests/integration/run.sh vllm first: its environment is used" >&2; exit 2; }
environment vllm packages
"$VENV/bin/python" -c "import sglang" 2>/dev/null || {
    "$VENV/bin/pip" install -q --no-deps sglang==0.5.23
    "$VENV/bin/pip" install -q orjson ipython traitlets
}
package
model
GCC_GRAMMAR_CACHE= exec "$VENV/bin/python" "$ROOT/tests/integration/sglang/run.py" "$@"
