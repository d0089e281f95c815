#!/bin/sh
# Installs the C library into a temporary folder, builds the example against it, and runs it: with pkg-config and with CMake,
# once with the shared and once with the static library. PROFILE is that of install.sh. What is not installed on this machine is skipped with a message. The last line is the verdict.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
example=$here/examples/cmake
output='[0-9][0-9 ]*[0-9] '

check() { # NAME COMMAND...
    name=$1
    shift
    "$@" > "$work/output"
    grep -q "^$output\$" "$work/output" || { echo "FAILED: $name printed $(cat "$work/output")"; exit 1; }
    echo "$name: $(cat "$work/output")"
}

"$here/install.sh" "$work/prefix"
for file in lib/libgcc_grammar.a include/gcc_grammar.h lib/pkgconfig/gcc_grammar.pc lib/cmake/gcc_grammar/gcc_grammarConfig.cmake share/licenses/gcc_grammar/NOTICE; do
    [ -s "$work/prefix/$file" ] || { echo "FAILED: $file is not installed"; exit 1; }
done
skipped=0
if command -v pkg-config > /dev/null; then
    export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
    # shellcheck disable=SC2046
    cc "$example/choose.c" $(pkg-config --cflags --libs gcc_grammar) -o "$work/shared"
    if command -v readelf > /dev/null; then
        readelf -d "$work/shared" | grep -q 'NEEDED.*libgcc_grammar\.so\.[0-9]' || { echo "FAILED: the program does not name the version of the interface"; exit 1; }
    fi
    check pkg-config env LD_LIBRARY_PATH="$work/prefix/lib" "$work/shared"
    mkdir "$work/static-library"
    cp "$work/prefix/lib/libgcc_grammar.a" "$work/static-library"
    # shellcheck disable=SC2046
    cc "$example/choose.c" -L "$work/static-library" $(pkg-config --static --define-variable=libdir="$work/static-library" --cflags --libs gcc_grammar) -o "$work/static"
    check "pkg-config --static" "$work/static"
else
    echo "skipped: pkg-config is not installed"
    skipped=1
fi
if command -v cmake > /dev/null; then
    cmake -S "$example" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" > "$work/cmake.log" 2>&1 &&
        cmake --build "$work/build" >> "$work/cmake.log" 2>&1 || { cat "$work/cmake.log"; echo "FAILED: CMake"; exit 1; }
    check CMake "$work/build/choose"
    check "CMake, static" "$work/build/choose_static"
else
    echo "skipped: CMake is not installed"
    skipped=1
fi
[ "$skipped" = 0 ] && echo PASSED || echo "PASSED, but not all was tried"
