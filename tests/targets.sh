#!/usr/bin/env bash
# Checks that the command line, the C library and the Python module compile for the systems that releases are made for: targets.sh [TARGET…]
# Nothing is linked, so no compiler or library of these systems is needed: C code of dependencies is taken as compiled. The last line is the verdict.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=("$@")
[ $# = 0 ] && targets=(x86_64-pc-windows-msvc aarch64-apple-darwin x86_64-apple-darwin aarch64-unknown-linux-gnu x86_64-unknown-linux-musl)
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/targets
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
# Stands for every C compiler and archiver: writes the file that was asked for, with nothing in it.
cat >"$tools/cc" <<'SCRIPT'
#!/bin/sh
while [ $# -gt 0 ]; do
    case $1 in
        -o) : >"$2"; shift ;;
        -Fo*) : >"${1#-Fo}" ;;
        -out:* | /out:* | /OUT:*) : >"${1#*:}" ;;
        *.a) : >"$1" ;;
    esac
    shift
done
SCRIPT
chmod +x "$tools/cc"
for name in ar lib.exe cl.exe ml64.exe; do ln -s cc "$tools/$name"; done

for target in "${targets[@]}"; do
    rustup target add "$target" >/dev/null 2>&1 || { echo "skipped: rustup has no $target"; continue; }
    name=${target//-/_}
    env "CC_$name=$tools/cc" "CXX_$name=$tools/cc" "AR_$name=$tools/ar" PYO3_CROSS_PYTHON_VERSION=3.9 PYO3_NO_PYTHON=1 \
        cargo check --quiet --locked --target "$target" -p gcc-grammar-cli -p gcc-grammar-c -p gcc-grammar-python --features gcc-grammar-cli/sign ||
        { echo "FAILED: $target"; exit 1; }
    echo "$target compiles"
done
echo PASSED
