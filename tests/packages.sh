#!/usr/bin/env bash
# Packs every crate that is published, and checks that each archive has the licences and the notice. Nothing is built.
# The last line is the verdict.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
rm -rf "$target/package"
private=(--exclude gcc-grammar-benches --exclude gcc-grammar-fuzz --exclude gcc-grammar-python)
cargo package --workspace "${private[@]}" --no-verify --allow-dirty --offline --quiet
count=0
for archive in "$target"/package/*.crate; do
    files=$(tar -tzf "$archive")
    for file in LICENSE-MIT LICENSE-APACHE NOTICE; do
        grep -q "^[^/]*/$file\$" <<<"$files" || { echo "FAILED: $archive lacks $file"; exit 1; }
    done
    count=$((count + 1))
done
echo "$count archives have their licences: PASSED"
