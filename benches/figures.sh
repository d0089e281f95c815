#!/usr/bin/env bash
# Measures the figures of docs/performance.md anew, question by question, all on one day:
#   benches/figures.sh [FOLDER]         writes a file for each question, by default to target/figures, and the plots to docs/plots
#   benches/figures.sh --build          builds what it takes, and measures nothing
#
# Nothing else should run on the machine. Each part says how long it took. VENV is an environment with numpy, torch, xgrammar and llguidance, and a release build of
# gcc_grammar (`maturin develop --release`); without it, what is measured from Python is left out, which is said. CASES is the number of cases
# beside other engines, DATA the folder with the cases of MaskBench.
set -euo pipefail
cd "$(dirname "$0")/.."
cases=${CASES:-150}
data=${DATA:-../shared/data/maskbench/dev}
target=${CARGO_TARGET_DIR:-$PWD/target}

cargo build --release --quiet -p gcc-grammar-cli
cargo build --release --quiet -p gcc-grammar-benches --bin maskbench --bin tool_sets
PATH=$target/release:$PATH
[ "${1:-}" != --build ] || { benches/peers/run.sh --count 1 --jobs-limit 1 >/dev/null; exit; }

folder=${1:-$target/figures}
mkdir -p "$folder"

# part NAME COMMAND...: writes what a command prints to a file, and says how long it took.
part() {
    local name=$1 begun=$SECONDS verdict=done
    shift
    echo "\$ $*" >"$folder/$name.txt"
    "$@" >>"$folder/$name.txt" 2>&1 || verdict="exit status $?"
    echo "$name: $verdict, $((SECONDS - begun)) s, $folder/$name.txt"
}
everyday() {
    for input in examples/person.schema.json examples/order.schema.json examples/tree.schema.json grammars/json/json.lark; do
        gcc-grammar bench "$input" --vocab llama3 --runs 15
    done
}
# "How long do masks take, beside other engines?", "How long does compiling take?", "Are the answers right?", "And beside XGrammar?", both plots, README.
part peers env XGRAMMAR="${VENV:-}" benches/peers/run.sh --count "$cases" --jobs-limit 60 --plots docs/plots
# The sentence behind "Are the answers right?".
part maskbench maskbench "$data"
# "How many rows a second?"
if [ -n "${VENV:-}" ]; then
    part batches benches/python/batches.sh --cases 24 --longest 1200
else
    echo "batches: left out, VENV names no environment"
fi
# "How long do tools take?"
part tool-sets tool_sets
# "What do everyday inputs cost?"
part everyday everyday
# "SQL" in "Limits" of README and in "What makes compilation slow".
part sql gcc-grammar bench grammars/sql/sql.lark --vocab llama3 --runs 1
