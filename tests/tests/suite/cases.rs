//! Every case of `cases/` on the oracle and on every way to use the runtime.

use gcc_grammar_tests::cases::{Case, Expected, follow, read_cases, write_case};
use gcc_grammar_tests::compare::Subject;
use gcc_grammar_tests::oracle::Decoder;
use gcc_grammar_tests::subject::Way;
use std::path::Path;

/// All cases, each with its file's name.
fn cases() -> Vec<(String, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let files = std::fs::read_dir(folder).expect("the folder of cases");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let mut all = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let cases = read_cases(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        all.extend(cases.into_iter().map(|case| (format!("{}: {}", path.display(), case.name), case)));
    }
    assert!(!all.is_empty(), "no cases");
    all
}

#[test]
fn the_oracle_follows_all_cases() {
    for (name, case) in cases() {
        let Expected::Steps(steps) = &case.expected else { continue };
        let mut oracle = Decoder::new(&case.sample.grammar, &case.sample.vocabulary, None);
        follow(&mut oracle, steps).unwrap_or_else(|message| panic!("{name}: {message}"));
    }
}

#[test]
fn every_way_follows_all_cases() {
    // Cramped scratch may overflow, which is no answer.
    for way in Way::ALL.into_iter().filter(|&way| way != Way::Cramped) {
        for (name, case) in cases() {
            let mut followed = Ok(());
            let built = way.build(&case.sample.grammar, &case.sample.vocabulary, &mut |built| {
                if let Expected::Steps(steps) = &case.expected {
                    followed = follow(built.engine, steps);
                }
            });
            match (built, &case.expected) {
                (Err(refusal), Expected::Error(code)) => assert_eq!(&refusal.code, code, "{name}"),
                (Err(refusal), Expected::Steps(_)) => panic!("{name}: refused: {refusal:?}"),
                (Ok(()), Expected::Error(_)) => panic!("{name}: not refused"),
                (Ok(()), Expected::Steps(_)) => {
                    followed.unwrap_or_else(|message| panic!("{name}, {}: {message}", way.name()));
                }
            }
        }
    }
}

#[test]
fn what_is_written_reads_the_same() {
    for (name, case) in cases() {
        let text = write_case(&case);
        let again = read_cases(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(format!("{:?}", again[0]), format!("{case:?}"), "{text}");
    }
}
