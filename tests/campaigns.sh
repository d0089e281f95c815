#!/usr/bin/env bash
# Long campaigns. Without a name this lists them: the name and arguments, the campaign, and the last line if all is right.
# `tests/campaigns.sh NAME [ARGUMENT…]` builds and runs one, and ends with its last line and its exit code: 0 if all is right, 1 if a result is
# wrong, 2 if arguments or inputs are unusable, 101 if a test fails. Further arguments are those of the program.
# With RECORD=yes, the row of the campaign in tests/campaigns.tsv is written anew: name, day, commit, exit code, last line.
set -euo pipefail
cd "$(dirname "$0")/.."
name=${1:-}
arguments=("${@:2}")

# DATA is the folder of the public data, otherwise that beside the repository.
data=${DATA:-../shared/data}
maskbench=$data/maskbench/dev

program() { cargo run --release -q -p "$@"; }
bench() { program gcc-grammar-benches --bin "$1" -- "${@:2}"; }
oracle() { cargo test --release -p gcc-grammar-json-schema --features oracle --test json_schema "$1" -- --ignored; }

# Runs a command, and keeps what became of it.
recorded() {
    local log exit
    log=$(mktemp)
    exit=0
    "$@" 2>&1 | tee "$log" || exit=$?
    local rows=tests/campaigns.tsv
    { tail -n +2 "$rows" | grep -v "^$name	" || true
      printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$(date -u +%F)" "$(git rev-parse --short=12 HEAD)" "$exit" "$(grep -v '^$' "$log" | tail -1 | tr '\t' ' ')"
    } | LC_ALL=C sort >"$log.rows"
    { head -1 "$rows"; cat "$log.rows"; } >"$log"
    cp "$log" "$rows"
    rm "$log" "$log.rows"
    return "$exit"
}

# Lists a campaign, or runs its command if its name was given: "NAME [ARGUMENT…]", contents, the last line if all is right, COMMAND…
found=
campaign() {
    if [ -z "$name" ]; then
        printf '%-34s %s\n%-34s   %s\n' "$1" "$2" "" "$3"
    elif [ "$name" = "${1%% *}" ]; then
        found=yes
        ${RECORD:+recorded} "${@:4}" "${arguments[@]}"
    fi
}

# Masks and artifacts.
campaign masks "masks of random grammars beside the oracle" "from seed 0: … samples, … masks, … bits, …; 0 failed" \
    program gcc-grammar-tests --bin compare-masks -- --samples 100000 --seed 0
campaign masks-on-demand "masks on demand of random grammars beside the oracle" "from seed 0: … samples, … masks, … bits, …; 0 failed" \
    program gcc-grammar-tests --bin compare-masks -- --on-demand --samples 30000 --seed 0
campaign lockstep "all operations of matchers on demand beside the artifact's" "from seed 0: Tally { … }; 0 failed" \
    program gcc-grammar-tests --bin lockstep -- --samples 10000 --seed 0
campaign first-masks "the first masks of everyday schemas, languages and MaskBench, on demand and compiled" "a table; wrong: none" \
    bench first_mask "$maskbench"
campaign limits "the same, where lexemes have limits on tokens" "from seed 0: … samples, … masks, … bits, …; 0 failed" \
    program gcc-grammar-tests --bin compare-masks -- --limits --samples 50000 --seed 0
campaign counters "the same, where the characters of strings are counted" "from seed 0: … samples, … masks, … bits, …; 0 failed" \
    program gcc-grammar-tests --bin compare-masks -- --counters --samples 50000 --seed 0
campaign limits-in-contexts "the same, also under longest match" "from seed 0: … samples, … masks, … bits, …; 0 failed" \
    program gcc-grammar-tests --bin compare-masks -- --limits-in-contexts --samples 50000 --seed 0
campaign budgets "token budgets of random grammars beside the oracle" "from seed 0: … decisions; 0 failed" \
    program gcc-grammar-tests --bin compare-budgets -- --samples 200
campaign remembered-budgets "token budgets where keys and items are remembered, beside all documents" "from seed 0: … decisions; 0 failed" \
    program gcc-grammar-tests --bin compare-budgets -- --remembered --samples 5000
campaign schema-budgets "token budgets of MaskBench schemas, and what they cost" "a table" \
    bench budgets schemas "$maskbench"
campaign language-budgets "token budgets of a language, and what they cost" "a table" \
    bench budgets language java "$data/corpora/java"
campaign golden "artifacts beside the golden list; --update writes it anew" "… equal, 0 different, … not checked" \
    program gcc-grammar-tests --bin golden --
campaign check-and-compile "counts and findings of all bundled grammars, checked and compiled" "test result: ok. …" \
    cargo test --release -p gcc-grammar-tests --test suite -- check_and_compile
campaign bundled-against-oracle "changed texts of bundled grammars beside the oracle" "test result: ok. …" \
    cargo test --release -p gcc-grammar-tests --test suite -- bundled_against_oracle
campaign look-around "random look-around at the ends of terminals beside its definition" "test result: ok. …" \
    cargo test --release -p gcc-grammar-tests --test suite -- look_around
campaign deep-stacks "masks on deep stacks beside plain reading, and beside commits" "test result: ok. …" \
    cargo test --release -p gcc-grammar-tests --test suite -- deep_stacks
campaign depth "inputs of a million parts or alternatives and 100,000 nestings on a stack of 256 KB" "test result: ok. …" \
    cargo test --release -p gcc-grammar --test facade -- depth
campaign comparison "the comparison with the oracle finds known flaws, and no others" "test result: ok. …" \
    cargo test --release -p gcc-grammar-tests --test suite -- comparison
campaign equal-keys "equal keys, equal bytes: 500 schemas compiled twice" "test result: ok. …" \
    cargo test -p gcc-grammar-cli --test cli -- equal_keys --include-ignored
campaign remembered "masks of lists and objects that remember beside all documents of their schemas" "from seed 0: … samples, … masks, … skipped; 0 failed" \
    program gcc-grammar-tests --bin compare-memory -- --masks 1000000
campaign memory "compilations of random inputs take no more memory than they charge" "test result: ok. …" \
    cargo test --release -p gcc-grammar-tests --test memory
campaign no-std "the runtime links with neither std nor alloc" "PASSED" \
    runtime/tests/no_std.sh

# JSON Schema.
campaign random-schemas "random JSON Schemas beside jsonschema; where they differ, ask Ajv (second_judge.mjs)" "test result: ok. …" \
    oracle oracle
campaign second-judge "the script second_judge.mjs on two fixed verdicts; needs npm" "test result: ok. …" \
    oracle second_judge
campaign spellings "other spellings of random valid values" "test result: ok. …" \
    oracle respelled
campaign schema-front-end "MaskBench, front end only" "percentiles; invalid accepted must count 0 cases" \
    program gcc-grammar-json-schema --example maskbench -- "$maskbench"
campaign maskbench "MaskBench, whole pipeline" "artifact  p50 …" \
    bench maskbench "$maskbench" --threads 2

# Languages and inputs.
campaign "languages LANGUAGE FOLDER" "programs of a language" "row       | … | N of N | …" \
    bench languages
campaign "mutations LANGUAGE FOLDER --oracle" "mutated programs beside the oracle" "different 0, oracle gave up 0; …" \
    bench mutations
campaign "references LANGUAGE FOLDER --reference COMMAND" "mutated programs beside a reference parser (benches/references)" "agreement  … %" \
    bench mutations
campaign formats "small inputs of each kind" "copying a row of this vocabulary takes …" \
    bench formats
campaign "fuzz [TARGET SECONDS]" "random and forged inputs: all 60, or a target of fuzz" "… executions, 0 findings" \
    fuzz/run.sh

# Fleets and services.
campaign "fleet STORE" "many artifacts in one process, of a store or pack that batch filled" "kept      … 0 errors" \
    bench fleet
campaign ray-and-make "batches with Ray and make (PYTHON with ray[data], kubernetes-validate)" "PASSED" \
    examples/fleet/test.sh
campaign service "the service through sockets, signing, and tables" "test result: ok. …" \
    cargo test --workspace --test cli --features gcc-grammar-cli/serve,gcc-grammar-cli/sign,gcc-grammar-cli/parquet -- serv sign table
campaign "load PROGRAM" "the service (a gcc-grammar with serve) under twice its load" "end       … 0 of … accepted schemas are not in the store" \
    bench load
campaign remotes "remote stores; needs moto_server and azurite-blob" "test result: ok. …" \
    cargo test -p gcc-grammar-cli --features stores,sign --test cli remotes -- --include-ignored

# Costs.
campaign growth "growth with the depth of the stack; --plots docs/plots draws it" "a row of the last table" \
    bench scaling
campaign instructions "instruction counts beside benches/instructions.tsv; needs Valgrind" "a row of the table" \
    bench instructions
campaign work-units "instructions per unit of work; needs Valgrind" "the five greatest ratios" \
    bench work_units
campaign readers "instructions of readers for inputs of twice the parts; needs Valgrind" "… inputs, 0 out of proportion" \
    bench readers
campaign batches "masks of batches beside XGrammar and llguidance" "a table" \
    benches/python/batches.sh
campaign engines "speed beside other engines" "the last table of ratios" \
    benches/peers/run.sh --count 60

# Interfaces, and other packages' own tests.
campaign c-threads "the C library under ThreadSanitizer; needs nightly with rust-src" "PASSED" \
    bindings/c/tests/threads.sh
campaign c-install "the installed C library with pkg-config and CMake" "PASSED" \
    bindings/c/test_install.sh
campaign llama-server "a real llama.cpp server with our masks, beside its own" "PASSED" \
    tests/integration/run.sh llama
campaign "llguidance FOLDER" "llguidance's own Python tests with our package" "PASSED" \
    tests/peers/llguidance_tests.sh
campaign canonical "canonical masks beside tiktoken and tokenizers" "… texts that tokenizers cut, … texts of allowed tokens, 0 wrong" \
    tests/peers/canonical.sh "$data"
campaign outlines-core "outlines-core's own Python tests with our package" "PASSED" \
    tests/peers/outlines_core_tests.sh
campaign "xgrammar FOLDER" "XGrammar's own Python tests with our package" "… % of the applicable tests pass" \
    tests/peers/xgrammar_tests.sh
campaign llguidance-engine "a sample engine with llguidance, and with gcc-grammar in its place" "… lines are equal: PASSED" \
    bindings/llguidance/test_engine.sh
campaign "llguidance-masks FOLDER TOKENIZER" "masks beside llguidance's" "… masks compared, 0 tokens missing: PASSED" \
    tests/peers/masks_beside_llguidance.sh
campaign "suites SOURCES" "grammars and texts of nine other packages' own tests, beside their verdicts" "PASSED" \
    tests/peers/run.sh
campaign tools "calls of tools of 23 model families, beside XGrammar and their own parsers; needs npm" "PASSED" \
    tests/peers/tools.sh
campaign tool-texts "texts of calls of every family, beside its parsers in vLLM and SGLang" "PASSED" \
    tests/peers/tool_texts.sh

[ -z "$name" ] || [ -n "$found" ] || { echo "no campaign \"$name\"; without a name, this lists them" >&2; exit 2; }
