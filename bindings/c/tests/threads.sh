#!/bin/sh
# Runs tests/c/threads.c with the whole library under ThreadSanitizer: the compiler must be a nightly one with the component rust-src, because
# the standard library is built with it, too. The last line is the verdict.
set -eu
cd "$(dirname "$0")/.."

toolchain=${TOOLCHAIN:-nightly}
host=$(rustc -vV | sed -n 's/^host: //p')
target=${CARGO_TARGET_DIR:-$(cd ../.. && pwd)/target}/threads
RUSTFLAGS="-Zsanitizer=thread" cargo "+$toolchain" build --release --locked -Zbuild-std --target "$host" --target-dir "$target" \
    --package gcc-grammar-c
# The run-time library must be that of the Rust compiler, so the C compiler only adds the calls.
runtime=$(rustc "+$toolchain" --print sysroot)/lib/rustlib/$host/lib/librustc-nightly_rt.tsan.a
cc -std=c11 -g -O1 -fsanitize=thread -I include -c tests/c/threads.c -o "$target/threads.o"
cc "$target/threads.o" "$target/$host/release/libgcc_grammar_c.a" -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive \
    -rdynamic -pthread -ldl -lm -lrt -o "$target/threads"
if "$target/threads"; then
    echo PASSED
else
    echo FAILED
    exit 1
fi
