#!/usr/bin/env bash
# Builds the npm package and runs its tests: in Node, and in a headless Chromium.
#
#   test.sh                 tests
#   test.sh --pictures      also replaces the screenshots in docs/pictures
#
# What is missing is said, and its tests are left out: the target wasm32-unknown-unknown, Node 18 or later, Chromium (CHROMIUM names it), the packages
# `playwright-core` and `typescript` of npm. MASKBENCH is the folder of MaskBench's schemas; without it, shared/data beside the repository. The last line is
# PASSED, with what was left out. The exit status is 0 if nothing failed, 3 if nothing could be tested.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
target="${CARGO_TARGET_DIR:-$root/target}"
work="$target/wasm"
left_out=()

leave_out() {
    echo "left out: $1" >&2
    left_out+=("$1")
}
nothing() {
    echo "WebAssembly is not tested: $1" >&2
    exit 3
}

[ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] || nothing "the target is missing: rustup target add wasm32-unknown-unknown"
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 18 ? 1 : 0)' 2>/dev/null || nothing "there is no Node 18 or later"

./build.sh
./build.sh --check
# The bounds of docs/wasm.md.
for bound in compiler:3000000 runtime:150000; do
    size=$(gzip -9 -c "package/${bound%%:*}.wasm" | wc -c)
    [ "$size" -le "${bound##*:}" ] || { echo "${bound%%:*}.wasm has $size bytes with gzip, more than ${bound##*:}" >&2; exit 1; }
done

maskbench="${MASKBENCH:-$root/../shared/data/maskbench/dev}"
[ -d "$maskbench" ] || { leave_out "MaskBench's schemas ($maskbench)"; maskbench=; }
mkdir -p "$work/cases" "$work/pages" "$work/pictures"
cargo run -q -p gcc-grammar-tests --bin wasm-cases -- "$work/cases" ${maskbench:+"$maskbench"}
node tests/node.js "$work/cases"

[ -d "$work/node_modules/playwright-core" ] && [ -d "$work/node_modules/typescript" ] ||
    npm install --silent --no-audit --no-fund --prefix "$work" playwright-core@1 typescript@5 >/dev/null 2>&1 || true
if [ -d "$work/node_modules/typescript" ]; then
    node "$work/node_modules/typescript/bin/tsc" --noEmit --strict --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom tests/types.ts
    echo "types"
else
    leave_out "types (npm has no package typescript)"
fi

export CHROMIUM="${CHROMIUM:-$(command -v chromium || command -v chromium-browser || true)}"
if [ -z "$CHROMIUM" ]; then
    leave_out "Chromium"
elif [ ! -d "$work/node_modules/playwright-core" ]; then
    leave_out "Chromium (npm has no package playwright-core)"
else
    cargo run -q -p gcc-grammar-cli -- explore --vocab llama3 "$root/examples/person.schema.json" -o "$work/pages/runtime.html"
    explorer=(cargo run -q -p gcc-grammar-cli -- explore --vocab llama3 --module package/compiler.wasm)
    "${explorer[@]}" "$root/examples/person.schema.json" -o "$work/pages/person.html"
    cargo run -q -p gcc-grammar-cli -- compile "$root/examples/sums.gbnf" --vocab llama3 -o "$work/pages/sums.gcg" --quiet
    "${explorer[@]}" "$work/pages/sums.gcg" -o "$work/pages/sums.html"
    point='{"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": false}'
    echo "{\"type\": \"object\", \"properties\": {\"c\": $point, \"d\": $point}, \"additionalProperties\": false}" > "$work/pages/twins.json"
    "${explorer[@]}" "$work/pages/twins.json" -o "$work/pages/twins.html"
    PLAYWRIGHT="$work/node_modules/playwright-core/index.mjs" node tests/browser.js "$work/cases" "$work/pages" "$work/pictures"
    [ "${1:-}" != --pictures ] || { mkdir -p "$root/docs/pictures" && cp "$work"/pictures/*.png "$root/docs/pictures"; }
fi
echo "PASSED${left_out:+, left out: $(IFS=';'; echo "${left_out[*]}")}"
