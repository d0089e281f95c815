#!/bin/sh
# Builds the two modules of the npm package, and says how large they are. Needs the target wasm32-unknown-unknown.
set -eu
cd "$(dirname "$0")"
package=package
target=${CARGO_TARGET_DIR:-../../target}

# module NAME FEATURES OPT_LEVEL: builds one module.
module() {
    CARGO_PROFILE_WASM_OPT_LEVEL=$3 cargo build -q -p gcc-grammar-wasm --target wasm32-unknown-unknown --profile wasm --no-default-features --features "$2"
    cp "$target/wasm32-unknown-unknown/wasm/gcc_grammar_wasm.wasm" "$package/$1.wasm"
    echo "$1.wasm: $(gzip -9 -c "$package/$1.wasm" | wc -c) bytes with gzip"
}

module runtime "" s
module compiler compiler 3
cp -L LICENSE-MIT LICENSE-APACHE NOTICE README.md "$package"
