#!/usr/bin/env bash
# Builds this engine's worker and the driver, and runs them with the other workers that are there:
#   benches/peers/run.sh [--count N] [--plots FOLDER] [...]     what `compare` takes
# PEERS names the folder with the other workers' packages (glr, llg); default ../shared/peers. DATA: MaskBench cases.
set -euo pipefail
cd "$(dirname "$0")/../.."
peers=${PEERS:-../shared/peers}
data=${DATA:-../shared/data/maskbench/dev}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/peers}

build() { cargo build --release --quiet --manifest-path "$1/Cargo.toml" --bin "$2"; }

workers=()
build benches/peers worker
build benches/peers compare
workers+=(--worker "gcc-grammar:fixed,one-thread=$CARGO_TARGET_DIR/release/worker")
workers+=(--worker "gcc-grammar, rows updated:fixed,one-thread,update=$CARGO_TARGET_DIR/release/worker")
workers+=(--worker "gcc-grammar, any layout:one-thread=$CARGO_TARGET_DIR/release/worker")
for peer in glr:glrmask:auto llg:llguidance:fixed; do
    IFS=: read -r folder name mode <<<"$peer"
    binary=$CARGO_TARGET_DIR/release/peer-$folder
    # The packages may lie where nothing can be written.
    if [ ! -x "$binary" ] && [ -d "$peers/$folder" ]; then
        copy=$CARGO_TARGET_DIR/source
        mkdir -p "$copy" && cp -R "$peers/$folder" "$peers/common" "$copy"
        chmod -R u+w "$copy"
        build "$copy/$folder" "peer-$folder"
    fi
    if [ -x "$binary" ]; then
        workers+=(--worker "$name:$mode=$binary")
    else
        echo "$name is left out: no package $peers/$folder" >&2
    fi
done
jobs=()
if [ -d "$peers/lark" ]; then jobs=(--jobs benches/peers/grammars.jsonl); fi

echo "$(date -u +%F), $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, $(git describe --always --dirty)"
echo
exec "$CARGO_TARGET_DIR/release/compare" "${workers[@]}" --data "$data" "${jobs[@]}" "$@"
