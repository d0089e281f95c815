#!/usr/bin/env bash
# Builds this engine's worker and the driver, and compares this engine with the other workers that are there:
#   benches/peers/run.sh [--count N] [--plots FOLDER] [...]     the options of `compare`
# PEERS is the folder with the packages of the other workers (glr, llg), by default ../shared/peers.
# XGRAMMAR is a virtual environment with xgrammar, torch and gcc_grammar (a release build), for the workers in Python.
# DATA is the folder with the cases of MaskBench. CARGO_TARGET_DIR is by default target/peers.
set -euo pipefail
cd "$(dirname "$0")/../.."
peers=${PEERS:-../shared/peers}
data=${DATA:-../shared/data/maskbench/dev}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/peers}

build() { cargo build --release --quiet --manifest-path "$1/Cargo.toml" --bin "$2"; }

# Copies the package of a peer, because its folder may be read-only. The copy lies within this workspace, and cargo would take it for a
# member that is not listed, so every package in it becomes a workspace of its own.
copy_package() {
    local copy=$CARGO_TARGET_DIR/source package
    mkdir -p "$copy"
    for package in "$1" common; do
        rm -rf "${copy:?}/$package"
        cp -R "$peers/$package" "$copy"
        chmod -R u+w "$copy/$package"
        grep -q '^\[workspace\]' "$copy/$package/Cargo.toml" || printf '\n[workspace]\n' >>"$copy/$package/Cargo.toml"
    done
}

workers=()
build benches/peers worker
build benches/peers compare
workers+=(--worker "gcc-grammar:fixed,one-thread=$CARGO_TARGET_DIR/release/worker")
workers+=(--worker "gcc-grammar, rows updated:fixed,one-thread,update=$CARGO_TARGET_DIR/release/worker")
workers+=(--worker "gcc-grammar, on demand:fixed,on-demand=$CARGO_TARGET_DIR/release/worker")
workers+=(--worker "gcc-grammar, any layout:one-thread=$CARGO_TARGET_DIR/release/worker")
for peer in glr:glrmask:auto llg:llguidance:fixed; do
    IFS=: read -r folder name mode <<<"$peer"
    binary=$CARGO_TARGET_DIR/release/peer-$folder
    if [ ! -x "$binary" ] && [ -d "$peers/$folder" ]; then
        copy_package "$folder"
        build "$CARGO_TARGET_DIR/source/$folder" "peer-$folder"
    fi
    if [ -x "$binary" ]; then
        workers+=(--worker "$name:$mode=$binary")
    else
        echo "$name is left out: there is no package $peers/$folder" >&2
    fi
done
# XGrammar is a Python package; so is this engine, called in the same way.
if [ -n "${XGRAMMAR:-}" ] && [ -x "$XGRAMMAR/bin/python3" ]; then
    export PATH=$XGRAMMAR/bin:$PATH
    peer=benches/peers/python/worker.py
    workers+=(--worker "XGrammar:one-thread,fixed,open=$peer" --worker "XGrammar, its defaults:=$peer")
    workers+=(--worker "gcc-grammar, from Python:compat,fixed,open=$peer")
else
    echo "XGrammar is left out: XGRAMMAR does not name a virtual environment" >&2
fi
jobs=()
if [ -d "$peers/lark" ]; then jobs=(--jobs benches/peers/grammars.jsonl); fi

echo "$(date -u +%F), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(git describe --always --dirty)"
echo
exec "$CARGO_TARGET_DIR/release/compare" "${workers[@]}" --data "$data" "${jobs[@]}" "$@"
