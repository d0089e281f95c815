#!/bin/sh
# Runs llguidance's own Python tests with gcc_grammar.compat.llguidance in its place: llguidance_tests.sh FOLDER, where FOLDER is python/torch_tests
# of a checkout of github.com/guidance-ai/llguidance. Prints passed, failed and not applicable, and the reason of each failure. The last line is
# the verdict: 1 if fewer than 90 % of the applicable tests pass.
#
# PYTHON is an interpreter with gcc_grammar, pytest and numpy; by default an environment is made. Files whose packages are missing (torch,
# transformers, tiktoken, llama_cpp with gguf) are left out with a message. TOKENIZERS is the folder data/vocab of the shared data, from which tokenizers
# are loaded that the tests would download; MODEL is a folder with the tokenizer of SmolLM.
set -eu

tests=$(cd "${1:?usage: llguidance_tests.sh FOLDER}" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ -z "${PYTHON:-}" ]; then
    venv=${CARGO_TARGET_DIR:-$root/target}/venvs/llguidance
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet maturin numpy pytest tiktoken
    (cd "$root/bindings/python" && VIRTUAL_ENV=$venv PATH=$venv/bin:$PATH maturin develop --release --quiet)
    PYTHON=$venv/bin/python
fi
exec "$PYTHON" "$root/tests/peers/llguidance_tests.py" "$tests"
