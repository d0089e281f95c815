#!/bin/sh
# Builds the two modules of the npm package, and says how large they are. Needs the target wasm32-unknown-unknown.
#
#   build.sh               both modules
#   build.sh --explorer    the runtime alone, and replaces the one that the pages of `gcc-grammar explore` have inside
#   build.sh --check       the runtime alone, and compares it with that one; fails if they differ
#
# Equal sources give equal modules with the same version of rustc, which stands beside the module of the pages. With another version,
# the check says so and compares nothing.
set -eu
cd "$(dirname "$0")"
package=package
target=${CARGO_TARGET_DIR:-../../target}
explorer=../../cli/explore/runtime.wasm
version=$(rustc --version)

# module NAME FEATURES OPT_LEVEL: builds one module. No path of this machine is in it.
module() {
    RUSTFLAGS="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo" CARGO_PROFILE_WASM_OPT_LEVEL=$3 \
        cargo build -q -p gcc-grammar-wasm --target wasm32-unknown-unknown --profile wasm --no-default-features --features "$2"
    cp "$target/wasm32-unknown-unknown/wasm/gcc_grammar_wasm.wasm" "$package/$1.wasm"
    echo "$1.wasm: $(gzip -9 -c "$package/$1.wasm" | wc -c) bytes with gzip"
}

module runtime "" z
case "${1:-}" in
--explorer)
    gzip -9 -n -c "$package/runtime.wasm" >"$explorer.gz"
    echo "$version" >"$explorer.version"
    exit
    ;;
--check)
    if [ "$version" != "$(cat "$explorer.version")" ]; then
        echo "skipped: the module of the explorer was built by $(cat "$explorer.version"), and this is $version"
    elif gzip -d -c "$explorer.gz" | cmp - "$package/runtime.wasm"; then
        echo "the module of the explorer is that of the sources"
    else
        echo "the module of the explorer is not that of the sources: run bindings/wasm/build.sh --explorer" >&2
        exit 1
    fi
    exit
    ;;
esac
module compiler compiler 3
cp -L LICENSE-MIT LICENSE-APACHE NOTICE README.md "$package"
