#!/usr/bin/env bash
# Follows the README as a new user does: from a clean clone of the last commit, in an empty home, with the commands and programs that the
# README shows and nothing else. The last line is the verdict. It is not part of .ci/run.
#
#   ground_truth.sh [command-line] [python] [rust] [c] [npm]     all of them without a name
#
# Needs cargo, python3 with venv, a C compiler, pkg-config, and the package indexes. PROFILE=dev builds faster than what users get; with
# CARGO_TARGET_DIR the builds of another clone are used.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
profile=${PROFILE:-release}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
parts=("$@")
[ $# = 0 ] && parts=(command-line python rust c npm)

# Where the tools are is the machine's; everything else starts empty.
export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$work/target}
mkdir -p "$work/home"
export HOME=$work/home PATH=$work/home/.local/bin:$PATH
unset XDG_DATA_HOME XDG_CACHE_HOME XDG_CONFIG_HOME PYTHONPATH

git clone --quiet "$source" "$work/clone"
cd "$work/clone"

fail() {
    echo "FAILED: $1"
    exit 1
}

# Prints the first block of a language in a document.
block() { # DOCUMENT LANGUAGE
    awk -v open="\`\`\`$2" '$0 == open { inside = 1; next } inside && /^```$/ { exit } inside' "$1"
}

# Says that the README has a command, so that this script and it do not drift apart.
readme_has() {
    grep -qF "$1" "${2:-README.md}" || fail "${2:-README.md} no longer says: $1"
}

# The commands of the console block; each must print the lines that the README shows, up to the first one with a duration or `...`.
command_line() {
    readme_has 'cargo install --path cli'
    cargo install --quiet --locked --path cli --root "$HOME/.local" --profile "$profile"
    local command='' shown printed
    while IFS= read -r line; do
        case $line in
            '$ '*)
                command=${line#'$ '}
                echo "\$ $command"
                # The next command sees what this one has written. Some commands end with an exit code that says what they found.
                printed=$(bash -c "$command" 2>&1) || true
                ;;
            '' | '...') ;;
            *' ms'*) ;;
            *)
                shown=$(tr -s ' ' <<<"$line")
                grep -qF -- "$shown" <<<"$(tr -s ' ' <<<"$printed")" || fail "$command does not print: $line"$'\n'"but: $printed"
                ;;
        esac
    done < <(block README.md console)
    [ -n "$command" ] || fail "README.md has no commands"
}

python() {
    readme_has 'pip install ./bindings/python'
    python3 -m venv "$HOME/venv"
    MATURIN_PEP517_ARGS="--profile $profile" "$HOME/venv/bin/pip" install --quiet --disable-pip-version-check ./bindings/python numpy
    block README.md python >"$work/example.py"
    (cd "$HOME" && venv/bin/python "$work/example.py") || fail "the example in Python"
    (cd "$HOME" && venv/bin/gcc-grammar --version) || fail "the command line of the Python package"
}

rust() {
    mkdir -p "$work/program/src"
    printf '[package]\nname = "program"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\ngcc-grammar = { path = "%s" }\n[workspace]\n' \
        "$work/clone/gcc-grammar" >"$work/program/Cargo.toml"
    block README.md rust >"$work/program/src/main.rs"
    cp Cargo.lock "$work/program"
    (cd "$work/program" && cargo run --quiet --profile "$profile" >"$work/rust.out") || fail "the example in Rust"
    python3 -c 'import json, sys; print(json.load(open(sys.argv[1])))' "$work/rust.out" || fail "the example in Rust prints no JSON"
}

c() {
    readme_has 'bindings/c/install.sh /usr/local'
    readme_has 'cc program.c $(pkg-config --cflags --libs gcc_grammar)' bindings/c/README.md
    PROFILE=$profile bindings/c/install.sh "$HOME/prefix"
    block bindings/c/README.md c >"$work/program.c"
    # shellcheck disable=SC2046
    (cd "$work" && PKG_CONFIG_PATH=$HOME/prefix/lib/pkgconfig cc program.c $(PKG_CONFIG_PATH=$HOME/prefix/lib/pkgconfig pkg-config --cflags --libs gcc_grammar) -o program.out)
    LD_LIBRARY_PATH=$HOME/prefix/lib DYLD_LIBRARY_PATH=$HOME/prefix/lib "$work/program.out" || fail "the example in C"
}

npm_package() {
    if [ ! -f bindings/wasm/test.sh ]; then
        echo "skipped: there is no npm package yet"
        return
    fi
    # Exit code 3: what it needs is not there, and it has said what.
    bindings/wasm/test.sh || [ $? = 3 ] || fail "the npm package"
}

for part in "${parts[@]}"; do
    echo "== $part"
    begin=$SECONDS
    case $part in
        command-line) command_line ;;
        python) python ;;
        rust) rust ;;
        c) c ;;
        npm) npm_package ;;
        *) fail "unknown part $part: see the head of this script" ;;
    esac
    echo "== $part: $((SECONDS - begin)) s with compiling"
done
# Nothing was written into the home but what was installed there and the folder of vocabularies.
left=$(find "$HOME" -mindepth 1 -maxdepth 3 -path '*gcc-grammar*' -prune -o -mindepth 1 -maxdepth 1 ! -name .local ! -name venv ! -name prefix ! -name .cache ! -name .npm -print)
[ -z "$left" ] || fail "files in the home: $left"
echo PASSED
