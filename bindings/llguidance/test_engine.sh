#!/usr/bin/env bash
# Builds the sample engine with llguidance as it is published, and with gcc-grammar in its place by [patch.crates-io]; both must print the
# same masks and outputs. Needs the package index. The last line is the verdict.
set -euo pipefail
cd "$(dirname "$0")/engine"
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../../../target}/llguidance-engine
work=$CARGO_TARGET_DIR
mkdir -p "$work"
# Each build has its own list of versions: in one of them llguidance is a folder.
run() {
    rm -f Cargo.lock
    cargo run --quiet "${@:2}" >"$work/$1"
    rm -f Cargo.lock
}
run published
run patched --config 'patch.crates-io.llguidance.path="../patch"'
diff "$work/published" "$work/patched" | head -20
cmp "$work/published" "$work/patched"
echo "$(wc -l <"$work/patched") lines are equal: PASSED"
