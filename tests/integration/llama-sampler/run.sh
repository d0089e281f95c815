#!/usr/bin/env bash
# The sampler of bindings/c/llama in a real llama.cpp. Called by ../run.sh.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common/environment.sh"
environment llama-sampler llama_packages
gguf
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
sampler "$build"
"$VENV/bin/python" "$ROOT/tests/integration/llama-sampler/run.py" "$SAMPLER" "$GGUF"
