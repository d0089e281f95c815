//! The interpreter of every stage of the compiler gives the masks of all cases in `cases/`, and the masks of the oracle on
//! random samples. The modules `cases` and `random_samples` test the artifact and the runtime in the same way.

use gcc_grammar_tests::campaign::{Report, try_seed};
use gcc_grammar_tests::cases::{Expected, all_cases, follow};
use gcc_grammar_tests::compare::Subject;
use gcc_grammar_tests::oracle::has_limits;
use gcc_grammar_tests::stage::Stage;

#[test]
fn every_stage_follows_all_cases() {
    for stage in Stage::ALL {
        for (name, case) in all_cases() {
            let Expected::Steps(steps) = &case.expected else { continue };
            // The stages count no tokens.
            if has_limits(&case.sample.grammar) {
                continue;
            }
            let mut followed = Err("the engine was not lent".to_owned());
            let built = stage.build(&case.sample.grammar, &case.sample.vocabulary, &mut |built| {
                followed = follow(built.engine, steps);
            });
            if stage == Stage::Productions && built.as_ref().is_err_and(|refusal| refusal.over_limit) {
                // The productions do not know which lexemes may follow each other.
                continue;
            }
            assert_eq!(built, Ok(()), "{name}, {}", stage.name());
            followed.unwrap_or_else(|message| panic!("{name}, {}: {message}", stage.name()));
        }
    }
}

/// Compares a stage with the oracle on 200 random samples.
fn compare_with_oracle(stage: Stage, first_seed: u64) {
    let mut report = Report::default();
    for seed in first_seed..first_seed + 200 {
        report += try_seed(seed, &stage).unwrap_or_else(|wrong| panic!("{wrong}"));
    }
    println!("{}: {report}", stage.name());
    assert!(report.tally.masks > 7_000, "{}: {report}", stage.name());
    assert!(report.tally.overflows * 100 < report.tally.masks, "{}: {report}", stage.name());
}

#[test]
fn productions_give_the_masks_of_the_oracle() {
    compare_with_oracle(Stage::Productions, 0);
}

#[test]
fn lr_automata_give_the_masks_of_the_oracle() {
    compare_with_oracle(Stage::LrAutomaton, 200);
}

#[test]
fn terminal_dwas_give_the_masks_of_the_oracle() {
    compare_with_oracle(Stage::TerminalDwa, 400);
}

#[test]
fn parser_dwas_give_the_masks_of_the_oracle() {
    compare_with_oracle(Stage::ParserDwa, 600);
}

#[test]
fn mask_stores_give_the_masks_of_the_oracle() {
    compare_with_oracle(Stage::MaskStore, 800);
}
