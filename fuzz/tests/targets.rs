//! Every target as an ordinary test: all files of its corpus, and a fixed number of executions.

use gcc_grammar_fuzz::corpus::files;
use gcc_grammar_fuzz::execution::{Inputs, execute};
use gcc_grammar_fuzz::{find, targets};

/// Checks the corpus of a target and some executions.
fn check(name: &str) {
    let target = find(name).expect("the name of a target");
    for (file, input) in files(target) {
        if let Err(message) = execute(target, &input) {
            panic!("{name}/{file}: {message}");
        }
    }
    let inputs = Inputs::new(target, 0);
    for number in 0..target.executions {
        let input = inputs.input(number);
        if let Err(message) = execute(target, &input) {
            let repeat = format!("fuzz input {name} {number} FILE --seed 0");
            panic!("{message}\ninput {number} (`{repeat}` writes it to a file):\n{}", input.escape_ascii());
        }
    }
}

/// Makes a test of each target.
macro_rules! targets {
    ($($test:ident = $name:literal),+ $(,)?) => {
        $(#[test] fn $test() { check($name); })+

        #[test]
        fn every_target_is_a_test() {
            let tested = [$($name),+];
            let all: Vec<&str> = targets().iter().map(|target| target.name).collect();
            assert_eq!(all, tested);
        }
    };
}

targets! {
    lark = "lark",
    lark_llguidance = "lark-llguidance",
    gbnf = "gbnf",
    ebnf = "ebnf",
    w3c = "w3c",
    abnf = "abnf",
    antlr = "antlr",
    tree_sitter = "tree-sitter",
    regex = "regex",
    choices = "choices",
    structural_tag = "structural-tag",
    json_schema = "json-schema",
    compile = "compile",
    oracle = "oracle",
    schemas = "schemas",
    session = "session",
    artifact = "artifact",
    vocabulary = "vocabulary",
    saved_state = "saved-state",
    tokenizer_huggingface = "tokenizer-huggingface",
    tokenizer_tekken = "tokenizer-tekken",
    tokenizer_sentencepiece = "tokenizer-sentencepiece",
    tokenizer_tiktoken = "tokenizer-tiktoken",
    metadata = "metadata",
    options = "options",
}

/// Every folder of the corpus belongs to a target.
#[test]
fn the_corpus_has_no_other_folders() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for entry in std::fs::read_dir(corpus).expect("the corpus") {
        let entry = entry.expect("a readable entry");
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(!entry.path().is_dir() || find(&name).is_some(), "{name} is not the name of a target");
    }
}
