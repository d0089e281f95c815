//! Checking a grammar and compiling it give the same counts and the same findings, for the bundled grammars.

use gcc_grammar::{Options, Packing, Source, Vocabulary, bundled, check, compile_parsed, parse};
use gcc_grammar_tests::golden::SLOW;
use std::path::PathBuf;

/// All single bytes and an end token.
fn bytes() -> Vocabulary {
    let bytes = (0..=255u8).map(|byte| (u32::from(byte), vec![byte])).collect();
    let tokens = gcc_grammar_vocabulary::Vocabulary::from_tokens(bytes, Vec::new(), vec![256], 257);
    let artifact = tokens.expect("a valid vocabulary").to_artifact();
    Vocabulary::from_artifact("bytes", &artifact, PathBuf::new()).expect("a valid vocabulary")
}

fn compare(names: impl Iterator<Item = &'static str>) {
    let (options, vocabulary) = (Options::default(), bytes());
    for name in names {
        let parsed = parse(&Source::bundled(name).expect("bundled"), &options).expect(name);
        let checked = check(&parsed, &options, 0).expect(name);
        let compiled =
            compile_parsed(&parsed, &vocabulary, &options, Packing::Referenced, &mut ()).expect(name);
        let stats = compiled.stats;
        assert_eq!(checked.lr_states, stats.lr_states, "{name}: LR states");
        assert_eq!(checked.conflict_count, stats.conflicts, "{name}: conflicts");
        // The end of text is no terminal of the grammar; copies of terminals come after it.
        assert!(checked.terminals < stats.terminals, "{name}: terminals");
        assert_eq!(checked.liveness, compiled.liveness, "{name}: liveness");
        assert_eq!(checked.rules, compiled.metadata.rules.len(), "{name}: rules");
        let (all, some) = (&checked.findings, &compiled.findings);
        assert_eq!(all.heads.is_some(), some.heads.is_some(), "{name}: heads");
        // A compilation measures within a share of its work, so it may find less.
        let warns = |code| all.warnings.iter().any(|warning| warning.code == code);
        assert!(some.warnings.iter().all(|warning| warns(warning.code)), "{name}: warnings");
        let grows = |rule: &str| all.growth.iter().any(|growth| growth.rule == rule);
        assert!(some.growth.iter().all(|growth| grows(&growth.rule)), "{name}: growth");
    }
}

/// Large grammars are compared in release builds only: the campaign `check-and-compile`.
#[test]
fn check_and_compile_agree_on_counts() {
    let names = bundled::ALL.iter().map(|grammar| grammar.name);
    compare(names.filter(|name| !cfg!(debug_assertions) || !SLOW.contains(name)));
}
