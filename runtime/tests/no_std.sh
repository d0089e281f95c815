#!/bin/sh
# Links the runtime with neither `std` nor `alloc`. The last line is the verdict.
set -eu
cd "$(dirname "$0")/no_std"

cp ../../../Cargo.lock Cargo.lock
target=${CARGO_TARGET_DIR:-$(cd ../../.. && pwd)/target}/no_std
if env -u RUSTFLAGS cargo build --quiet --offline --target-dir "$target"; then
    echo PASSED
else
    echo FAILED
    exit 1
fi
