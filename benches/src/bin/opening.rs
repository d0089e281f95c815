//! Measures how long it takes to open artifacts: for the first time in a process, again, and if they are trusted.
//!
//! ```text
//! opening [GRAMMAR.. | SCHEMA.json..] [--vocab llama3] [--runs 40]
//! ```
//! Each input is compiled and written to files in a temporary folder, one for each run. *First* maps a file that this process has not seen,
//! reads all of it for its checksums and tables, and makes a session with a vocabulary that is in memory. *Again* opens the same file again.
//! *Trusted* opens another file whose content is not read. *With a mask* is the same with a matcher and the first mask. The files are in the
//! page cache. Times are medians, with the longest in parentheses. The exit code is 1 if a mask differs.

use clap::Parser;
use gcc_grammar::{Artifact, Options, Session, Vocabulary, compile};
use gcc_grammar_benches::language::{find_source, load_vocabulary};
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::{Result, exit_code};
use std::path::Path;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Files that were changed a moment ago are not remembered.
const SETTLED: Duration = Duration::from_secs(4);

/// Measures how long it takes to open artifacts.
#[derive(Parser)]
struct Arguments {
    /// Names of bundled grammars, or files.
    #[arg(default_values = ["examples/person.schema.json", "json", "java", "sql"])]
    inputs: Vec<String>,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// How often each artifact is opened in each way.
    #[arg(long, default_value_t = 40)]
    runs: usize,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    println!(
        "| artifact | size | first | again | trusted | trusted, with a mask |\n|---|---|---|---|---|---|"
    );
    let mut is_right = true;
    for input in &arguments.inputs {
        let artifact = compile(&find_source(input)?, &vocabulary, &Options::default())?;
        let folder = tempfile::tempdir()?;
        let [mut first, mut again, mut trusted, mut masked] = [(); 4].map(|()| Times::default());
        let paths: Vec<_> = (0..arguments.runs).map(|run| folder.path().join(format!("{run}.gcg"))).collect();
        paths.iter().try_for_each(|path| artifact.save(path))?;
        sleep(SETTLED);
        for path in &paths {
            trusted.push(open(path, &vocabulary, Artifact::trusted)?.0);
            let (time, expected) = with_mask(path, &vocabulary, Artifact::trusted)?;
            masked.push(time);
            first.push(open(path, &vocabulary, |artifact| artifact)?.0);
            again.push(open(path, &vocabulary, |artifact| artifact)?.0);
            is_right &= with_mask(path, &vocabulary, |artifact| artifact)?.1 == expected;
        }
        let cells = [first, again, trusted, masked].map(|mut times| {
            let [median, longest] = times.percentiles([500, 1000]);
            format!("{median:.1?} ({longest:.1?})")
        });
        println!("| {input} | {} KB | {} |", artifact.bytes().len() / 1000, cells.join(" | "));
    }
    Ok(is_right)
}

/// The time to open a file, and the session.
fn open(
    path: &Path,
    vocabulary: &Vocabulary,
    prepare: fn(Artifact) -> Artifact,
) -> Result<(Duration, Session)> {
    let start = Instant::now();
    let session = Session::new(prepare(Artifact::open(path)?), vocabulary)?;
    Ok((start.elapsed(), session))
}

/// The time to open a file and to fill the first mask, and that mask.
fn with_mask(
    path: &Path,
    vocabulary: &Vocabulary,
    prepare: fn(Artifact) -> Artifact,
) -> Result<(Duration, Vec<u32>)> {
    let mut row = vec![0; vocabulary.tokens().width().div_ceil(32) as usize];
    let start = Instant::now();
    let (_, session) = open(path, vocabulary, prepare)?;
    session.matcher()?.fill_mask(&mut row)?;
    Ok((start.elapsed(), row))
}
