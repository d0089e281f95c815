//! Compares masks with the oracle on any number of random samples.
//!
//! ```text
//! compare-masks [--seed FIRST] [--samples COUNT] [--failures MOST] [--units | --limits | --limits-in-contexts | --counters] [--on-demand]
//! ```
//! Each seed gives one sample, and decides how the runtime is used; with `--on-demand`, masks are always made on demand. With `--units` tokens are made
//! of whole letters, with `--limits` lexemes have limits on tokens under any split, with `--limits-in-contexts` also under longest match and with
//! context rules. A failure is made small and printed as a case for `cases/`.

use gcc_grammar_tests::campaign::{
    Report, Wrong, try_counters, try_limits, try_limits_in_contexts, try_seed, try_units,
};
use gcc_grammar_tests::compare::Subject;
use gcc_grammar_tests::subject::Way;
use std::process::ExitCode;

/// Compares the sample of a seed.
type Try = fn(u64, &dyn Subject) -> Result<Report, Box<Wrong>>;

/// The arguments.
struct Arguments {
    seed: u64,
    samples: u64,
    /// The number of failures after which the program stops.
    failures: usize,
    try_sample: Try,
    /// Masks are made on demand.
    on_demand: bool,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments =
            Self { seed: 0, samples: 100_000, failures: 1, try_sample: try_seed, on_demand: false };
        while let Some(word) = words.next() {
            if let Some(other) = other_samples(&word) {
                arguments.try_sample = other;
                continue;
            }
            if word == "--on-demand" {
                arguments.on_demand = true;
                continue;
            }
            let value = words.next().and_then(|value| value.parse().ok());
            let value: u64 = value.ok_or_else(|| format!("{word} wants a number"))?;
            match word.as_str() {
                "--seed" => arguments.seed = value,
                "--samples" => arguments.samples = value,
                "--failures" => arguments.failures = usize::try_from(value).unwrap_or(usize::MAX),
                _ => return Err(format!("unknown argument: {word}")),
            }
        }
        Ok(arguments)
    }
}

fn other_samples(word: &str) -> Option<Try> {
    match word {
        "--units" => Some(try_units),
        "--limits" => Some(try_limits),
        "--counters" => Some(try_counters),
        "--limits-in-contexts" => Some(try_limits_in_contexts),
        _ => None,
    }
}

fn main() -> ExitCode {
    let Arguments { seed, samples, failures, try_sample, on_demand } =
        match Arguments::read(std::env::args().skip(1)) {
            Ok(arguments) => arguments,
            Err(message) => {
                eprintln!("{message}");
                return ExitCode::from(2);
            }
        };
    let mut report = Report::default();
    let mut failed = 0;
    for (done, seed) in (seed..seed.saturating_add(samples)).enumerate() {
        let way = if on_demand { Way::OnDemand } else { Way::of_seed(seed) };
        match try_sample(seed, &way) {
            Ok(sample) => report += sample,
            Err(wrong) => {
                println!("{wrong}");
                failed += 1;
            }
        }
        if failed == failures {
            break;
        }
        if (done + 1) % 10_000 == 0 {
            println!("up to seed {seed}: {report}");
        }
    }
    println!("from seed {seed}: {report}; {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
