#!/usr/bin/env bash
# Runs fuzz targets for a given time each. Failing inputs are written to out/fuzz.
#
#     fuzz/run.sh TARGET SECONDS [ARGUMENTS]    a target, or `all`; `fuzz run --help` lists the arguments
#     fuzz/run.sh --coverage TARGET SECONDS     guided by coverage, with libFuzzer; needs a C++ compiler
#
# Memory is limited to 4 GB, so that an input that takes more ends the process that executes it, and not another one.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

coverage() {
    local target=$1 seconds=$2 corpus=out/fuzz/coverage/$1
    # Coverage of edges and comparisons, as cargo-fuzz has it; all of these are stable options of the compiler.
    local flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
    flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
    flags+=" -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing"
    local folder=${CARGO_TARGET_DIR:-target}/coverage
    # With a target triple, build scripts and macros are built without coverage.
    local host
    host=$(rustc -vV | sed -n 's/^host: //p')
    RUSTFLAGS="$flags" cargo build --release --manifest-path fuzz/coverage/Cargo.toml --target-dir "$folder" --target "$host"
    mkdir -p "$corpus"
    TARGET=$target "$folder/$host/release/coverage" "$corpus" "fuzz/corpus/$target" \
        -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 -artifact_prefix="out/fuzz/$target-"
}

if [ "${1:-}" = --coverage ]; then
    [ $# = 3 ] || usage
    mkdir -p "fuzz/corpus/$2"
    coverage "$2" "$3"
else
    [ $# -ge 2 ] || usage
    cargo build --profile fuzz -p gcc-grammar-fuzz
    ulimit -v 4000000
    target=$1 seconds=$2
    shift 2
    exec "${CARGO_TARGET_DIR:-target}/fuzz/fuzz" run "$target" --seconds "$seconds" "$@"
fi
