//! Token budgets of random samples, beside the oracle.

use gcc_grammar_compiler::Budgets;
use gcc_grammar_tests::budgets::{Tally, try_degraded, try_sample, try_small_scratch};

#[test]
fn outputs_are_complete_within_the_budget() {
    let mut tally = Tally::default();
    for seed in 0..60 {
        try_sample(seed, 1, Budgets::Bounded, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.outputs > 100 && tally.withheld > 5_000 && tally.bounded > 10, "{tally:?}");
}

/// With exact costs, an exhaustive search never finds fewer tokens.
#[test]
fn exact_costs_are_the_fewest_tokens() {
    let mut tally = Tally::default();
    for seed in 0..60 {
        try_sample(seed, 1, Budgets::Exact, &mut tally);
    }
    println!("{tally:?}");
    let decided = tally.above_fewest.values().sum::<u64>();
    assert!(tally.exact > 40 && decided > 500, "{tally:?}");
    assert_eq!(tally.exact, tally.samples, "{tally:?}");
}

/// What a budget asks for may fill the scratch, also while a token is committed. Then the matcher is as it was.
#[test]
fn a_full_scratch_changes_nothing() {
    let full: u64 =
        (0..200).flat_map(|seed| [150, 250, 400, 700].map(|words| try_small_scratch(seed, words))).sum();
    assert!(full > 20, "{full}");
}

/// With next to no work for the search, masks are sound subsets of the exact ones, and never empty.
#[test]
fn degraded_masks_are_sound() {
    let degraded: u64 = (0..60).flat_map(|seed| [0, 40].map(|most| try_degraded(seed, most))).sum();
    println!("{degraded} degraded masks");
    assert!(degraded > 500, "{degraded}");
}
