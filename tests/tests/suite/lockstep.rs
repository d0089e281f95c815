//! Matchers on demand in lockstep with those of the artifact. `tests/campaigns.sh lockstep` does the same for more seeds.

use gcc_grammar_tests::lockstep::{Tally, try_seed, try_threads};

#[test]
fn every_answer_is_that_of_the_artifact() {
    let mut tally = Tally::default();
    (0..120).for_each(|seed| tally += try_seed(seed));
    println!("{tally:?}");
    assert!(tally.samples > 90 && tally.masks > 3_500 && tally.after_the_artifact > 500, "{tally:?}");
    assert!(tally.within_budgets > 300 && tally.drafts > 300 && tally.restored > 300, "{tally:?}");
}

#[test]
fn threads_that_share_a_session_get_the_same_answers() {
    let mut tally = Tally::default();
    (0..12).for_each(|seed| tally += try_threads(seed, 4));
    println!("{tally:?}");
    assert!(tally.samples > 8 && tally.masks > 1_200, "{tally:?}");
}
