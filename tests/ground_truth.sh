#!/usr/bin/env bash
# Follows the README as a new user does: from a clean clone of the last commit, in an empty home, with the commands and programs that the
# README and the pages docs/rust.md, docs/wasm.md and bindings/c/README.md show and nothing else. The last line is the verdict. It is not part of .ci/run.
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
    (cd "$HOME" && venv/bin/python "$work/example.py" >"$work/python.out") || fail "the example in Python"
    block README.md json | diff - "$work/python.out" || fail "the example in Python prints something else"
    (cd "$HOME" && venv/bin/gcc-grammar --version) || fail "the command line of the Python package"
}

rust() {
    mkdir -p "$work/program/src"
    printf '[package]\nname = "program"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\ngcc-grammar = { path = "%s" }\n[workspace]\n' \
        "$work/clone/gcc-grammar" >"$work/program/Cargo.toml"
    readme_has '(docs/rust.md)'
    block docs/rust.md rust >"$work/program/src/main.rs"
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

# Builds the package by its script, packs it, installs the archive in an empty project, and runs the example of its README with a model that likes some
# tokens better than others.
npm_package() {
    if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 18 ? 1 : 0)' 2>/dev/null; then
        echo "skipped: there is no Node 18 or later"
        return
    fi
    if [ ! -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ]; then
        echo "skipped: the target is missing: rustup target add wasm32-unknown-unknown"
        return
    fi
    readme_has 'bindings/wasm/build.sh' docs/wasm.md
    bindings/wasm/build.sh
    mkdir -p "$work/project"
    (cd bindings/wasm/package && npm pack --silent --pack-destination "$work/project") >"$work/archive"
    local names
    names=$(tar -tzf "$work/project/$(cat "$work/archive")")
    for file in index.js index.d.ts compiler.wasm runtime.wasm README.md LICENSE-MIT LICENSE-APACHE NOTICE; do
        grep -qx "package/$file" <<<"$names" || fail "the npm package lacks $file"
    done
    cd "$work/project"
    npm init --yes --silent >/dev/null
    npm install --silent --no-audit --no-fund "./$(cat "$work/archive")"
    byte_tokenizer >tokenizer.json
    {
        model_of_the_example
        block "$work/clone/bindings/wasm/README.md" js
        echo 'console.log(JSON.parse(vocabulary.decode(ids)).age);'
    } >example.mjs
    node example.mjs >"$work/npm.out" || fail "the example of the npm package"
    grep -qE '^-?[0-9]+$' "$work/npm.out" || fail "the example of the npm package writes no object with an age: $(cat "$work/npm.out")"
    cd "$work/clone"
}

# A tokenizer.json whose tokens are all bytes, and a token that ends outputs.
byte_tokenizer() {
    python3 - <<'PYTHON'
import json

plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
others = [byte for byte in range(256) if byte not in plain]
letters = {**{byte: chr(byte) for byte in plain}, **{byte: chr(256 + place) for place, byte in enumerate(others)}}
end = {"id": 256, "content": "<|im_end|>", "special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
model = {"type": "BPE", "vocab": {letters[byte]: byte for byte in range(256)}, "merges": []}
print(json.dumps({"version": "1.0", "added_tokens": [end], "pre_tokenizer": byte_level, "decoder": byte_level, "model": model}))
PYTHON
}

# What the example takes from elsewhere: a file by `fetch`, a model, and the choice of a token.
model_of_the_example() {
    cat <<'JAVASCRIPT'
import { readFileSync } from 'node:fs';
globalThis.fetch = async (path) => ({ text: () => readFileSync(path, 'utf8') });
const ids = [];
const liking = (id) => (id === 256 ? 4 : id === 0x7d ? 3 : id >= 0x30 && id <= 0x39 ? 2 : id === 0x22 ? 1 : 0);
const model = async () => Float32Array.from({ length: 257 }, (_, id) => liking(id));
const sample = (logits) => {
  ids.push(logits.indexOf(Math.max(...logits)));
  return ids.at(-1);
};
JAVASCRIPT
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
