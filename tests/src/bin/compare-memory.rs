//! Compares the masks of lists and objects that remember with the documents of their schemas, on any number of random samples.
//!
//! ```text
//! compare-memory [--seed FIRST] [--masks COUNT] [--failures MOST] [--only keys|lists|open-lists|any-items|nested]
//! ```
//! Each seed gives one sample, and decides how the runtime is used. The program stops when so many masks were compared.

use gcc_grammar_tests::distinct::Outcome;
use gcc_grammar_tests::memory::{Kind, kind_of};
use std::process::ExitCode;

/// The arguments.
struct Arguments {
    seed: u64,
    masks: usize,
    /// The number of failures after which the program stops.
    failures: usize,
    only: Option<Kind>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self { seed: 0, masks: 1_000_000, failures: 1, only: None };
        while let Some(word) = words.next() {
            let value = words.next().unwrap_or_default();
            let number = || value.parse::<u64>().map_err(|_| format!("{word} wants a number"));
            match word.as_str() {
                "--seed" => arguments.seed = number()?,
                "--masks" => arguments.masks = number()? as usize,
                "--failures" => arguments.failures = number()? as usize,
                "--only" => {
                    let kind = Kind::ALL.into_iter().find(|kind| kind.name() == value);
                    arguments.only = Some(kind.ok_or_else(|| format!("unknown kind: {value}"))?);
                }
                _ => return Err(format!("unknown argument: {word}")),
            }
        }
        Ok(arguments)
    }
}

fn main() -> ExitCode {
    let Arguments { seed: first, masks: most, failures, only } =
        match Arguments::read(std::env::args().skip(1)) {
            Ok(arguments) => arguments,
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::from(2);
            }
        };
    let (mut samples, mut masks, mut skipped, mut failed) = (0, 0, 0, 0);
    let mut seed = first;
    while masks < most && failed < failures {
        let kind = only.unwrap_or_else(|| kind_of(seed));
        match kind.try_sample(seed) {
            Outcome::Compared(compared) => (samples, masks) = (samples + 1, masks + compared),
            Outcome::Skipped => skipped += 1,
            Outcome::Wrong(wrong) => {
                println!("seed {seed}, {}: {wrong}", kind.name());
                failed += 1;
            }
        }
        seed += 1;
        if (seed - first) % 2_000 == 0 {
            println!(
                "up to seed {seed}: {samples} samples, {masks} masks, {skipped} skipped; {failed} failed"
            );
        }
    }
    println!("from seed {first}: {samples} samples, {masks} masks, {skipped} skipped; {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
