#!/usr/bin/env bash
# Shows what docs/budgets.md says of token budgets, at full size: budgets.sh FOLDER
#
# FOLDER gets a log per part: outputs of schemas within budgets and beside those that are cut off, and what an independent validator says of them;
# outputs of languages, and completions of programs; the oracle, in both modes. DATA is the folder with the cases and programs. PYTHON is an
# interpreter with jsonschema. It takes hours. Exits with 1 if something is wrong, after all parts.
set -uo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
data=${DATA:-$root/../shared/data}
bin=${CARGO_TARGET_DIR:-$root/target}/release
out=${1:?the folder for the logs}
mkdir -p "$out"
(cd "$root" && cargo build --release -p gcc-grammar-benches --bin budgets -p gcc-grammar-tests --bin compare-budgets) || exit 1
wrong=0
part() {
    local log=$out/$1.log
    shift
    "$@" >"$log" 2>&1 || { wrong=1 && echo "wrong: $log"; }
}
part schemas "$bin/budgets" schemas "$data/maskbench/dev" --count 50 --outputs 20 --write "$out/outputs.jsonl"
part validator "${PYTHON:-python3}" "$root/benches/python/validate_outputs.py" "$out/outputs.jsonl"
for language in java go python sql; do
    part "$language" "$bin/budgets" language "$language" "$data/corpora/$language" --outputs 100 --max-tokens 60
done
part oracle-bounded "$bin/compare-budgets" --samples 500
part oracle-exact "$bin/compare-budgets" --samples 500 --budgets exact
exit "$wrong"
