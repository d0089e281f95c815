//! Takes matchers on demand in lockstep with those of the artifact, on any number of random sources.
//!
//! ```text
//! lockstep [--seed FIRST] [--samples COUNT]
//! ```
//! Every eighth sample is walked by four threads. A difference ends the program with its seed.

use gcc_grammar_tests::lockstep::{Tally, try_seed, try_threads};
use std::process::ExitCode;

/// The first seed, and the number of samples.
fn arguments(mut words: impl Iterator<Item = String>) -> Result<(u64, u64), String> {
    let (mut seed, mut samples) = (0, 10_000);
    while let Some(word) = words.next() {
        let value = words.next().and_then(|value| value.parse().ok());
        let value: u64 = value.ok_or_else(|| format!("{word} wants a number"))?;
        match word.as_str() {
            "--seed" => seed = value,
            "--samples" => samples = value,
            _ => return Err(format!("unknown argument: {word}")),
        }
    }
    Ok((seed, samples))
}

fn main() -> ExitCode {
    let (first, samples) = match arguments(std::env::args().skip(1)) {
        Ok(arguments) => arguments,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut tally = Tally::default();
    for (done, seed) in (first..first.saturating_add(samples)).enumerate() {
        tally += if seed % 8 == 7 { try_threads(seed, 4) } else { try_seed(seed) };
        if (done + 1) % 1_000 == 0 {
            println!("up to seed {seed}: {tally:?}");
        }
    }
    println!("from seed {first}: {tally:?}; 0 failed");
    ExitCode::SUCCESS
}
