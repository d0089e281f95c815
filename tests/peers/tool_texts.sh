#!/bin/sh
# Prints what we say of texts of calls beside what the families' own parsers in vLLM and SGLang find: tool_texts.sh [--all] [FAMILY ...].
#
# The texts are those of tests/tools, and other spellings of them. The parsers are run from the packages, without the engines: vLLM's wheel has 340 MB, of which a few
# modules are used. Exits with 1 if a parser finds the calls of a text that we refuse without a reason.
#
# WORK is the folder of the environment (default: target/venvs/tool-texts). PYTHON is an interpreter with the packages of this script; by default an
# environment is made. DATA is the folder data/vocab of the shared data, which has the ranks that openai-harmony would download.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=${WORK:-${CARGO_TARGET_DIR:-$root/target}/venvs/tool-texts}
if [ -z "${PYTHON:-}" ]; then
    PYTHON=$work/bin/python
    if [ ! -x "$PYTHON" ]; then
        python3 -m venv "$work"
        "$PYTHON" -m pip install --quiet maturin numpy jsonschema pydantic orjson msgspec partial-json-parser regex openai ijson mistral-common==1.13.1 openai-harmony==0.0.8
        # Their other dependencies, PyTorch above all, are not needed for texts.
        "$PYTHON" -m pip install --quiet --no-deps xgrammar==0.2.9 apache-tvm-ffi sglang==0.5.23 vllm==0.33.0
        (cd "$root/bindings/python" && VIRTUAL_ENV=$work PATH=$work/bin:$PATH maturin develop --release --quiet)
    fi
fi
export TIKTOKEN_ENCODINGS_BASE=${DATA:-$root/../shared/data/vocab}/openai
exec "$PYTHON" -W ignore "$root/tests/peers/tool_texts.py" "$@"
