#!/bin/bash
# Compares our verdicts on the grammars and texts of other packages' own test suites with the verdicts of those packages.
#
#   tests/peers/run.sh SOURCES [suite ...]
#
# SOURCES has a folder of sources for each suite: xgrammar, llguidance, guidance, lark, lm-format-enforcer, outlines, outlines-core, regex and
# llama.cpp, each a checkout of the repository of that name. A suite without a folder is left out with a message. Nothing of theirs is kept:
# what their tests judge is recorded in WORK (default: a new folder) each time.
#   - Tests in Python run in an environment with the published packages (PYTHON makes it), under a plugin that records grammars, texts
#     and verdicts.
#   - llguidance's tests run with its crate `llg_test_utils` swapped; patterns of `regex` are judged by the crate; the tests of llama.cpp
#     and outlines-core are read as literals.
# Prints agreement per suite, every disagreement without a reason, and how often each reason of suites/reasons.toml applies. The exit code
# is 1 if there is a disagreement without a reason, or agreement falls below GRAMMARS or TEXTS percent (default 92 and 99).
set -euo pipefail
here=$(cd "$(dirname "$0")/suites" && pwd)
root=$(cd "$here/../../.." && pwd)
sources=$(cd "${1:?the folder with the sources is missing}" && pwd)
suites=("${@:2}")
[ ${#suites[@]} -gt 0 ] || suites=(guidance lark llama.cpp llguidance lm-format-enforcer outlines outlines-core regex xgrammar)
work=${WORK:-$(mktemp -d)}
target=${CARGO_TARGET_DIR:-$root/target}
export CARGO_TARGET_DIR=$target
mkdir -p "$work/cases" "$work/results"

environment() {
    python=$work/venv/bin/python
    [ -x "$python" ] && return
    "${PYTHON:-python3}" -m venv "$work/venv"
    "$python" -m pip install -q pytest numpy llguidance lark regex interegular lm-format-enforcer outlines-core pydantic psutil \
        jsonschema jinja2 genson iso3166 airportsdata cloudpickle diskcache pillow jsonpath_ng requests
    # Their other dependencies, PyTorch and transformers above all, are not needed for grammars and texts.
    "$python" -m pip install -q --no-deps xgrammar==0.2.9 apache-tvm-ffi guidance outlines
}

# record SUITE TESTS ...: runs tests of pytest in the folder of the suite. Tests that fail are of no interest here.
record() {
    environment
    (cd "$sources/$1" && PEER=$1 PEER_CASES=$work/cases/$1.jsonl PYTHONPATH=$here:$here/stand_ins PYTHONHASHSEED=0 PYTHONSAFEPATH=1 \
        HF_HUB_OFFLINE=1 "$python" -m pytest "${@:2}" -q --tb=line --import-mode=append -p record -p no:cacheprovider -o addopts= \
        --continue-on-collection-errors) >"$work/log-$1.txt" 2>&1 || true
}

# package NAME SOURCES: a package of Cargo made from the folder of that name.
package() {
    mkdir -p "$work/$1"
    sed "s#@HERE@#$here/$1#; s#@SOURCES@#$2#" "$here/$1/Cargo.toml.in" >"$work/$1/Cargo.toml"
}

cases_of() {
    case $1 in
        xgrammar) record xgrammar tests/python ;;
        guidance) record guidance tests/unit ;;
        lark) record lark tests/__main__.py tests/test_parser.py tests/test_grammar.py tests/test_lexer.py tests/test_python_grammar.py ;;
        lm-format-enforcer) record lm-format-enforcer tests/test_regexparser.py tests/test_jsonschemaparser.py tests/test_composite_parsers.py ;;
        outlines) record outlines tests/types ;;
        outlines-core)
            record outlines-core tests/test_json_schema.py tests/test_guide.py
            python3 "$here/extract.py" outlines-core "$sources/outlines-core" >>"$work/cases/outlines-core.jsonl"
            ;;
        llama.cpp) python3 "$here/extract.py" llama.cpp "$sources/llama.cpp" >"$work/cases/llama.cpp.jsonl" ;;
        regex)
            package regex "$sources/regex"
            cargo build -q --manifest-path "$work/regex/Cargo.toml"
            python3 "$here/extract.py" regex "$sources/regex" | "$target/debug/peer-regex" >"$work/cases/regex.jsonl"
            ;;
        llguidance)
            package llguidance "$sources/llguidance"
            for test in lark ll json_arrays json_enum_const json_objects json_primitives json_schema_combinations json_string_format json_x_guidance; do
                printf '\n[[test]]\nname = "%s"\npath = "%s"\n' "$test" "$sources/llguidance/parser/tests/test_$test.rs"
            done >>"$work/llguidance/Cargo.toml"
            PEER_CASES=$work/cases/llguidance.jsonl cargo test -q --no-fail-fast --manifest-path "$work/llguidance/Cargo.toml" \
                >"$work/log-llguidance.txt" 2>&1 || true
            ;;
        *) echo "there is no suite $1" >&2 && exit 2 ;;
    esac
}

cargo build -q -p gcc-grammar-tests --bin peer-cases --manifest-path "$root/Cargo.toml"
results=()
for suite in "${suites[@]}"; do
    if [ ! -d "$sources/$suite" ]; then
        echo "$suite: left out, there is no folder $sources/$suite"
        continue
    fi
    rm -f "$work/cases/$suite.jsonl"
    cases_of "$suite"
    "$target/debug/peer-cases" "$work/cases/$suite.jsonl" >"$work/results/$suite.jsonl"
    results+=("$work/results/$suite.jsonl")
done
python3 "$here/summary.py" "$here/reasons.toml" "${results[@]}" --grammars "${GRAMMARS:-92}" --texts "${TEXTS:-99}"
