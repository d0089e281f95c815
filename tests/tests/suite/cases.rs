//! The oracle, and every way to use the runtime, give the masks of every case in `cases/`.

use gcc_grammar_tests::cases::{Expected, all_cases, follow, read_cases, write_case};
use gcc_grammar_tests::compare::Subject;
use gcc_grammar_tests::oracle::Decoder;
use gcc_grammar_tests::subject::Way;

#[test]
fn the_oracle_follows_all_cases() {
    for (name, case) in all_cases() {
        let Expected::Steps(steps) = &case.expected else { continue };
        let mut oracle = Decoder::new(&case.sample.grammar, &case.sample.vocabulary, None);
        follow(&mut oracle, steps).unwrap_or_else(|message| panic!("{name}: {message}"));
    }
}

#[test]
fn every_way_follows_all_cases() {
    // Cramped scratch may overflow, which is no answer.
    for way in Way::ALL.into_iter().filter(|&way| way != Way::Cramped) {
        for (name, case) in all_cases() {
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
fn written_cases_are_read_back() {
    for (name, case) in all_cases() {
        let text = write_case(&case);
        let again = read_cases(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        assert_eq!(format!("{:?}", again[0]), format!("{case:?}"), "{text}");
    }
}
