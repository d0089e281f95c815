//! The header is the one that the source says, and a C program that uses it does what it should.

#[path = "../../ffi/testing.rs"]
mod testing;

use std::process::Command;
use testing::{Package, SANITIZED, run};

const PACKAGE: Package = Package {
    name: "gcc-grammar-llg",
    root: env!("CARGO_MANIFEST_DIR"),
    library: "gcc_grammar_llg",
    header: "gcc_grammar_llg",
};

#[test]
fn the_header_is_written_from_the_source() {
    PACKAGE.check_header(&["layout", "tokenizer", "matcher", "constraint", "stop"]);
}

/// Under AddressSanitizer and UndefinedBehaviorSanitizer, which also find what is not freed.
#[test]
fn every_function_can_be_called_from_c() {
    let store = tempfile::tempdir().expect("a folder");
    run(Command::new(PACKAGE.compile("tests/c/test.c", &SANITIZED)).arg(store.path()));
    assert_eq!(store.path().read_dir().expect("the folder").count(), 1, "the grammar was stored");
}
