#!/usr/bin/env bash
# Runs a real inference engine with gcc-grammar: run.sh transformers|vllm|sglang|llama [ARGUMENTS]
# Each engine has a folder with its own run.sh, which makes an environment, and ends with a verdict.
set -euo pipefail
folder="$(cd "$(dirname "$0")" && pwd)"
if [ $# -lt 1 ] || [ ! -x "$folder/$1/run.sh" ]; then
    echo "usage: run.sh ENGINE [ARGUMENTS], where ENGINE is one of:" "$(cd "$folder" && ls -d -- */run.sh 2>/dev/null | xargs -n1 dirname | tr '\n' ' ')" >&2
    exit 2
fi
engine="$1"
shift
exec "$folder/$engine/run.sh" "$@"
