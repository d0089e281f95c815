//! Token budgets of random samples, beside the oracle.

use gcc_grammar_tests::budgets::{Tally, try_sample};

#[test]
fn outputs_are_complete_within_the_budget() {
    let mut tally = Tally::default();
    for seed in 0..200 {
        try_sample(seed, 1, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.outputs > 300 && tally.withheld > 5_000 && tally.bounded > 20, "{tally:?}");
}
