#!/usr/bin/env bash
# Calls of tools with the marks as special tokens, in a real llama.cpp. Called by ../run.sh. README.md says what is real.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common/environment.sh"
packages() {
    llama_packages
    "$VENV/bin/pip" install -q gguf pydantic orjson partial-json-parser openai-harmony==0.0.8
    # The parsers of calls; their other dependencies, PyTorch above all, are not needed for texts.
    "$VENV/bin/pip" install -q --no-deps sglang==0.5.23
}
environment tools packages
gguf
export TIKTOKEN_ENCODINGS_BASE="${ENCODINGS:-$ROOT/../shared/data/vocab/openai}"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
sampler "$build"
"$VENV/bin/python" "$ROOT/tests/integration/tools/run.py" "$SAMPLER" "$GGUF" "$build"
