#!/usr/bin/env bash
# Packs the binary of a target that was built in release mode, with its completions, manual pages and licences: archive.sh TARGET
# Writes dist/gcc-grammar-VERSION-TARGET.tar.gz (.zip for Windows) and a file with its checksum.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${1:?usage: archive.sh TARGET}
built=${CARGO_TARGET_DIR:-target}/$target/release
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
name=gcc-grammar-$version-$target
ending=
[[ $target == *windows* ]] && ending=.exe
program=$built/gcc-grammar$ending

rm -rf "dist/$name"
mkdir -p "dist/$name/completions" "dist/$name/man"
cp "$program" LICENSE-MIT LICENSE-APACHE NOTICE README.md CHANGELOG.md "dist/$name"
for shell in bash zsh fish powershell elvish; do
    "$program" completions "$shell" >"dist/$name/completions/gcc-grammar.$shell"
done
"$program" man "dist/$name/man"

cd dist
if [ -n "$ending" ]; then
    archive=$name.zip
    7z a -bso0 "$archive" "$name"
else
    archive=$name.tar.gz
    tar -czf "$archive" "$name"
fi
rm -r "$name"
if command -v sha256sum >/dev/null; then sha256sum "$archive"; else shasum -a 256 "$archive"; fi >"$archive.sha256"
cat "$archive.sha256"
