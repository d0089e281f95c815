//! Every bundled grammar on its own cases: what is in `accept/` is accepted, and what is in `reject/` is not.

use gcc_grammar_frontends::lark;
use gcc_grammar_grammars::ALL;
use gcc_grammar_tests::compare::{Built, Engine, Subject};
use gcc_grammar_tests::subject::Way;
use gcc_grammar_tests::{Token, Vocabulary};
use std::fs;
use std::path::{Path, PathBuf};

/// Single bytes and one end token: what a text is refused or accepted by does not depend on how it is cut.
fn bytes_only() -> Vocabulary {
    let tokens = (0..=255).map(|byte| Token::Text(vec![byte])).chain([Token::Special("<end>".to_owned())]);
    Vocabulary { tokens: tokens.collect(), end: vec![256], padding: 0 }
}

/// The files of `grammars/NAME/KIND`.
fn cases(name: &str, kind: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
    let folder = root.join("grammars").join(name).join(kind);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
}

/// How much of the text is taken, and whether it may end there.
fn read(engine: &mut dyn Engine, text: &[u8]) -> (usize, bool) {
    engine.reset();
    let taken = text.iter().take_while(|&&byte| engine.commit(byte.into()).expect("room")).count();
    (taken, engine.is_accepting().expect("room"))
}

#[test]
fn bundled_grammars_accept_and_reject_their_cases() {
    for bundled in ALL {
        let parsed =
            lark::parse(bundled.text).unwrap_or_else(|errors| panic!("{}: {errors:?}", bundled.name));
        let mut judge = |Built { engine, .. }: Built<'_>| {
            for file in cases(bundled.name, "accept") {
                let text = fs::read(&file).expect("readable");
                let (taken, complete) = read(engine, &text);
                let rest = String::from_utf8_lossy(&text[taken..]);
                assert!(taken == text.len() && complete, "{} at {rest}", file.display());
            }
            for file in cases(bundled.name, "reject") {
                let text = fs::read(&file).expect("readable");
                assert_ne!(read(engine, &text), (text.len(), true), "{}", file.display());
            }
        };
        let built = Way::Rows.build(&parsed.grammar, &bytes_only(), &mut judge);
        built.unwrap_or_else(|refusal| panic!("{}: {refusal:?}", bundled.name));
    }
}
