//! Token budgets of random samples, beside the oracle.

use gcc_grammar_tests::budgets::{Tally, try_sample, try_small_scratch};

#[test]
fn outputs_are_complete_within_the_budget() {
    let mut tally = Tally::default();
    for seed in 0..60 {
        try_sample(seed, 1, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.outputs > 100 && tally.withheld > 5_000 && tally.bounded > 10, "{tally:?}");
}

/// What a budget asks for may fill the scratch, also while a token is committed. Then the matcher is as it was.
#[test]
fn a_full_scratch_changes_nothing() {
    let full: u64 =
        (0..200).flat_map(|seed| [150, 250, 400, 700].map(|words| try_small_scratch(seed, words))).sum();
    assert!(full > 20, "{full}");
}
