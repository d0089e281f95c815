#!/usr/bin/env bash
# Runs a real inference engine with gcc-grammar: run.sh transformers|vllm|sglang|torch|llama|llama-sampler [ARGUMENTS]
# The last line is the verdict; the exit status is 0 if everything is right. Each engine has a folder with its own run.sh. The variables that
# these scripts read are those of common/environment.sh.
set -euo pipefail
folder="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
if [ $# -lt 1 ] || [ ! -f "$folder/$1/run.sh" ]; then
    echo "usage: run.sh ENGINE [ARGUMENTS], where ENGINE is one of: $(cd "$folder" && for file in */run.sh; do printf '%s ' "${file%/run.sh}"; done)" >&2
    exit 2
fi
engine="$1"
shift
exec bash "$folder/$engine/run.sh" "$@"
