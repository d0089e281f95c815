//! Every bundled grammar accepts the texts in its folder `accept/`, and rejects the texts in its folder `reject/`.

use gcc_grammar_bundled::{ALL, Bundled, WithBundled};
use gcc_grammar_compiler::Options;
use gcc_grammar_ir::diagnostic::render_text;
use gcc_grammar_notations::lark::{self, BuiltIn};
use gcc_grammar_tests::files::{entries, repository};
use gcc_grammar_tests::law::Law;
use std::fs;
use std::path::PathBuf;

/// The files of `grammars/NAME/KIND`.
fn cases(name: &str, kind: &str) -> Vec<PathBuf> {
    let folder = repository().join("grammars").join(name).join(kind);
    let files = entries(&folder);
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

fn judge(bundled: &Bundled) {
    let sources = WithBundled(BuiltIn);
    let options = lark::Options { sources: &sources, ..lark::Options::default() };
    let parsed = lark::parse_with(bundled.text, &options).unwrap_or_else(|errors| {
        let errors = errors.iter().map(|error| render_text(error, bundled.name, bundled.text, false));
        panic!("{}", errors.collect::<String>())
    });
    let law = Law::new(&parsed.grammar, &Options::default());
    let law = law.unwrap_or_else(|error| panic!("{}: {error:?}", bundled.name));
    law.judge(|read| {
        for file in cases(bundled.name, "accept") {
            let text = fs::read(&file).expect("readable");
            let (taken, complete) = read(&text);
            let rest = String::from_utf8_lossy(&text[taken..]);
            assert!(taken == text.len() && complete, "{} is refused at {rest:?}", file.display());
        }
        for file in cases(bundled.name, "reject") {
            let text = fs::read(&file).expect("readable");
            assert_ne!(read(&text), (text.len(), true), "{}", file.display());
        }
    });
}

#[test]
fn bundled_grammars_accept_and_reject_their_cases() {
    ALL.iter().for_each(judge);
}
