#!/usr/bin/env bash
# The sampler of bindings/c/llama in a real llama.cpp. Called by ../run.sh.
#
# llama.cpp is that of the package xllamacpp, which exports its functions. The package llama-cpp-py-sync of the build before has their
# declarations, which become the llama.h that the sampler and the requests are compiled with.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common/environment.sh"

packages() {
    "$VENV/bin/pip" install -q xllamacpp==2026.10.11549 jsonschema
    "$VENV/bin/pip" install -q --no-deps llama-cpp-py-sync==0.11548
}
environment llama-sampler packages
gguf
cd "$ROOT"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
bindings/c/install.sh "$build/prefix"
"$VENV/bin/python" tests/integration/llama-sampler/run.py header "$build/llama.h"
cc -std=c11 -O2 -Wall -Wextra -Werror -shared -fPIC -isystem "$build" -I bindings/c/llama -I "$build/prefix/include" \
    tests/integration/llama-sampler/sampler.c bindings/c/llama/gcc_grammar_llama.c -o "$build/sampler.so" \
    -L "$build/prefix/lib" -lgcc_grammar -Wl,-rpath,"$build/prefix/lib" -lm
"$VENV/bin/python" tests/integration/llama-sampler/run.py run "$build/sampler.so" "$GGUF"
