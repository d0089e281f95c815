#!/usr/bin/env bash
# Runs a real inference engine with gcc-grammar: run.sh transformers|vllm|sglang|llama|llama-sampler [ARGUMENTS]
# Each engine has a folder with its own run.sh, which makes an environment with the engine's packages. The last line is the verdict; the
# exit status is 0 if everything is right.
#
# DATA is the folder with the cases of MaskBench; VENVS is the folder for the environments, by default venvs in the target folder.
set -euo pipefail
folder="$(cd "$(dirname "$0")" && pwd)"
if [ $# -lt 1 ] || [ ! -f "$folder/$1/run.sh" ]; then
    echo "usage: run.sh ENGINE [ARGUMENTS], where ENGINE is one of:" "$(cd "$folder" && ls -d -- */run.sh | xargs -n1 dirname | tr '\n' ' ')" >&2
    exit 2
fi
export ROOT="$(cd "$folder/../.." && pwd)"
export DATA="${DATA:-$ROOT/../shared/data/maskbench/dev}"
export VENVS="${VENVS:-${CARGO_TARGET_DIR:-$ROOT/target}/venvs}"
mkdir -p "$VENVS"
engine="$1"
shift
exec bash "$folder/$engine/run.sh" "$@"
