#!/bin/sh
# Runs gcc-grammar inside a real engine: run.sh ENGINE, where ENGINE is a folder beside this file with a script `run.sh`. Each makes a virtual
# environment of its own with the engine's packages. The last line is the verdict; the exit status is 0 if everything is right.
#
# DATA is the folder with the cases of MaskBench; VENVS is the folder for the environments, by default .venvs in the target folder.
set -eu

engine=${1:?usage: run.sh ENGINE}
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$here/$engine/run.sh" ] || { echo "there is no engine $engine" >&2; exit 2; }
export ROOT=$(cd "$here/../.." && pwd)
export DATA=${DATA:-$ROOT/../shared/data/maskbench/dev}
export VENVS=${VENVS:-${CARGO_TARGET_DIR:-$ROOT/target}/venvs}
mkdir -p "$VENVS"
shift
exec sh "$here/$engine/run.sh" "$@"
