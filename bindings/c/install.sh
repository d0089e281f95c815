#!/bin/sh
# Builds the C library and installs it: install.sh PREFIX. Afterwards PREFIX has lib/libgcc_grammar.so and .a, include/gcc_grammar.h and
# lib/pkgconfig/gcc_grammar.pc, and the licences in share/licenses/gcc_grammar.
set -eu

prefix=${1:?usage: install.sh PREFIX}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" "$prefix/share/licenses/gcc_grammar"
prefix=$(cd "$prefix" && pwd)

cd "$here"
cargo build --release --locked --package gcc-grammar-c
target=$(cargo metadata --format-version 1 --no-deps --offline | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' ../../Cargo.toml)

for ending in so a; do
    install -m 644 "$target/release/libgcc_grammar_c.$ending" "$prefix/lib/libgcc_grammar.$ending"
done
install -m 644 include/gcc_grammar.h "$prefix/include/gcc_grammar.h"
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" gcc_grammar.pc.in > "$prefix/lib/pkgconfig/gcc_grammar.pc"
for file in LICENSE-MIT LICENSE-APACHE NOTICE; do
    install -m 644 "$file" "$prefix/share/licenses/gcc_grammar/$file"
done
echo "installed gcc_grammar $version in $prefix"
