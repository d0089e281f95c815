#!/usr/bin/env bash
# llama.cpp: a stock server of the package xllamacpp, with and without libgcc_grammar_llg preloaded. Called by ../run.sh.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../common/environment.sh"

packages() { "$VENV/bin/pip" install -q xllamacpp==2026.10.11549 jsonschema; }
environment llama packages
gguf
cd "$ROOT"
cargo build --release --locked --package gcc-grammar-llg
target=$(cargo metadata --format-version 1 --no-deps --offline | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
records=$(mktemp -d)
trap 'rm -rf "$records"' EXIT
cc -std=c11 -O2 -Wall -Wextra -Werror -shared -fPIC -I bindings/llg/include tests/integration/llama/record.c -o "$records/record.so" -ldl
"$VENV/bin/python" tests/integration/llama/compare.py \
    --model "$GGUF" --data "$DATA" --library "$target/release/libgcc_grammar_llg.so" --record "$records/record.so" --work "$records" "$@"
