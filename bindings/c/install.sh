#!/bin/sh
# Builds the C library and installs it: install.sh PREFIX. Afterwards PREFIX has include/gcc_grammar.h, the shared library (libgcc_grammar.so
# or .dylib, with the version in its name) and the static one (libgcc_grammar.a) in lib, files for pkg-config and CMake beside them, and the
# licences in share/licenses/gcc_grammar. PROFILE is the profile of cargo, by default release.
set -eu

prefix=${1:?usage: install.sh PREFIX}
profile=${PROFILE:-release}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$prefix/lib/pkgconfig" "$prefix/lib/cmake/gcc_grammar" "$prefix/include" "$prefix/share/licenses/gcc_grammar"
prefix=$(cd "$prefix" && pwd)

cd "$here"
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' ../../Cargo.toml)
# Programs find the library under this name. Before 1.0 the interface may change with the second number.
case $version in
    0.*) interface=${version%.*} ;;
    *) interface=${version%%.*} ;;
esac
case $(uname -s) in
    Darwin)
        built=dylib
        shared=libgcc_grammar.$version.dylib
        soname=libgcc_grammar.$interface.dylib
        link=libgcc_grammar.dylib
        argument=-Wl,-install_name,$prefix/lib/$soname
        ;;
    *)
        built=so
        shared=libgcc_grammar.so.$version
        soname=libgcc_grammar.so.$interface
        link=libgcc_grammar.so
        argument=-Wl,-soname,$soname
        ;;
esac

cargo rustc --profile "$profile" --locked --package gcc-grammar-c --lib --crate-type cdylib,staticlib -- -C "link-arg=$argument"
target=$(cargo metadata --format-version 1 --no-deps --offline | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
folder=$profile
[ "$profile" = dev ] && folder=debug

install -m 755 "$target/$folder/libgcc_grammar_c.$built" "$prefix/lib/$shared"
ln -sf "$shared" "$prefix/lib/$soname"
ln -sf "$soname" "$prefix/lib/$link"
install -m 644 "$target/$folder/libgcc_grammar_c.a" "$prefix/lib/libgcc_grammar.a"
install -m 644 include/gcc_grammar.h "$prefix/include/gcc_grammar.h"

fill() { # TEMPLATE FILE
    sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" -e "s|@INTERFACE@|$interface|" -e "s|@SHARED@|$shared|" \
        -e "s|@SONAME@|$soname|" "$1" > "$2"
}
fill gcc_grammar.pc.in "$prefix/lib/pkgconfig/gcc_grammar.pc"
fill gcc_grammarConfig.cmake.in "$prefix/lib/cmake/gcc_grammar/gcc_grammarConfig.cmake"
fill gcc_grammarConfigVersion.cmake.in "$prefix/lib/cmake/gcc_grammar/gcc_grammarConfigVersion.cmake"
for file in LICENSE-MIT LICENSE-APACHE NOTICE; do
    install -m 644 "$file" "$prefix/share/licenses/gcc_grammar/$file"
done
echo "installed gcc_grammar $version in $prefix"
