#!/bin/sh
# Compares masks with those of llguidance: masks_beside_llguidance.sh FOLDER TOKENIZER [--count N] [--seed N]. FOLDER has cases of MaskBench (JSON files
# with `schema` and `tests`), TOKENIZER is a tokenizer.json. Regular expressions and Lark grammars are in the script. JSON has compact separators.
#
# Prints how many masks were compared, the tokens that llguidance allows and gcc-grammar does not (wanted: none, but for those that are refused
# on purpose: dates that do not exist, characters that `.` and `\s` do not match in ECMA 262, keys in another order, dead ends), and
# those that only gcc-grammar allows, by class. The last line is the verdict: 1 if llguidance allows another token that gcc-grammar does not, or nothing
# was compared.
#
# PYTHON is an interpreter with gcc_grammar, llguidance and numpy; by default an environment is made.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
if [ -z "${PYTHON:-}" ]; then
    venv=${CARGO_TARGET_DIR:-$root/target}/venvs/masks-beside-llguidance
    [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet maturin numpy llguidance
    (cd "$root/bindings/python" && VIRTUAL_ENV=$venv PATH=$venv/bin:$PATH maturin develop --release --quiet)
    PYTHON=$venv/bin/python
fi
exec "$PYTHON" "$root/tests/peers/masks_beside_llguidance.py" "$@"
