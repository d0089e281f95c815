#!/usr/bin/env bash
# Drives the backend `gcc` with the classes of SGLang on the processor, as its scheduler does. Its server needs a GPU and is not run.
# Uses the environment of vLLM, which has what SGLang imports; set VENV to use another.
set -euo pipefail
. "$(dirname "$0")/../common/environment.sh"
if [ -z "${VENV:-}" ]; then
    VENV="$work/venv-vllm"
    [ -e "$VENV/complete" ] || { echo "run tests/integration/run.sh vllm first: its environment is used" >&2; exit 2; }
fi
"$VENV/bin/python" -c "import sglang" 2>/dev/null || {
    "$VENV/bin/pip" install -q --no-deps sglang==0.5.23
    "$VENV/bin/pip" install -q orjson ipython traitlets
}
environment sglang true
model
exec python "$repository/tests/integration/sglang/run.py"
