//! Compares token budgets with the oracle on any number of random samples.
//!
//! ```text
//! compare-budgets [--seed FIRST] [--samples COUNT] [--outputs COUNT] [--budgets bounded|exact]
//! compare-budgets --remembered [--seed FIRST] [--samples COUNT]
//! ```
//! Each seed gives one sample, of which so many outputs are drawn for each budget from the least one on. The exit code is 1 if something is
//! wrong. With `--remembered`, samples are schemas whose keys and items are remembered, beside lists of their documents.

use gcc_grammar_compiler::TokenBudgets;
use gcc_grammar_tests::budgets::{Tally, try_sample};
use gcc_grammar_tests::remembered_budgets;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

fn main() -> ExitCode {
    let [mut seed, mut samples, mut outputs] = [0_u64, 10_000, 1];
    let (mut budgets, mut remembered) = (TokenBudgets::Bounded, false);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--budgets" {
            let Some(value) = words.next().and_then(|value| value.parse().ok()) else {
                eprintln!("{word} wants `bounded` or `exact`");
                return ExitCode::from(2);
            };
            budgets = value;
            continue;
        }
        if word == "--remembered" {
            remembered = true;
            continue;
        }
        let argument = match word.as_str() {
            "--seed" => &mut seed,
            "--samples" => &mut samples,
            "--outputs" => &mut outputs,
            _ => {
                eprintln!("unknown argument: {word}");
                return ExitCode::from(2);
            }
        };
        let Some(value) = words.next().and_then(|value| value.parse().ok()) else {
            eprintln!("{word} wants a number");
            return ExitCode::from(2);
        };
        *argument = value;
    }
    let (mut tally, mut of_remembered) = (Tally::default(), remembered_budgets::Tally::default());
    let mut failed = 0;
    for seed in seed..seed.saturating_add(samples) {
        let tried = catch_unwind(AssertUnwindSafe(|| match remembered {
            true => remembered_budgets::try_sample(seed, &mut of_remembered),
            false => try_sample(seed, outputs, budgets, &mut tally),
        }));
        failed += u32::from(tried.is_err());
    }
    let decisions = match remembered {
        true => {
            println!("{of_remembered:#?}");
            of_remembered.decisions as u64
        }
        false => {
            println!("{tally:#?}");
            tally.decisions
        }
    };
    println!("from seed {seed}: {decisions} decisions; {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
