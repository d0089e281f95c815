//! Measures small inputs of each kind, and prints the project's goals beside the results.
//!
//! ```text
//! formats [--grammars FOLDER] [--vocab llama3] [--runs 20]
//! ```
//! The inputs are those of Koo, Liu and He (Automata-based constraints for language model decoding, 2024, appendix C.4): a multiple choice,
//! a date and time in ISO 8601, an IP address, quoted text, and a JSON object. `FOLDER` adds the Lark grammars `json_ws`, `sql`, `ambig` and
//! `c89`, with texts to accept and to reject (`NAME.ok.txt`, `NAME.bad.txt`).
//!
//! The compile time is the median of all runs. It covers the front end, the compiler and writing, with a loaded vocabulary. Masks are those
//! of the accepted texts, each of which is read once per run. The exit code is 1 if a verdict is wrong.

mod inputs;

use clap::Parser;
use gcc_grammar::{Session, Vocabulary};
use gcc_grammar_benches::language::{load_vocabulary, parse_source};
use gcc_grammar_benches::replay::{Costs, Verdict, replay};
use gcc_grammar_benches::times::Times;
use gcc_grammar_benches::tokenization::tokenizer;
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_compiler::compile;
use gcc_grammar_runtime::Matcher;
use gcc_grammar_tokenizers::Tokenizer;
use inputs::{Goals, Input};
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Measures small inputs of each kind, and prints the project's goals beside the results.
#[derive(Parser)]
struct Arguments {
    /// The folder with the Lark grammars `json_ws`, `sql`, `ambig` and `c89`.
    #[arg(long, value_name = "FOLDER")]
    grammars: Option<PathBuf>,
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3")]
    vocabulary: String,
    /// How often each input is compiled, and each text is read.
    #[arg(long, default_value_t = 20)]
    runs: usize,
}

/// The cost of one input.
struct Measured {
    compile: Duration,
    bytes: usize,
    mask_p50: Duration,
    mask_p99: Duration,
    commit_p50: Duration,
    /// Whether all verdicts are right.
    is_right: bool,
}

/// The tools for measuring.
struct Bench<'v> {
    vocabulary: &'v Vocabulary,
    tokenizer: Tokenizer,
    runs: usize,
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

/// Whether every verdict is right.
fn run(arguments: &Arguments) -> Result<bool> {
    let mut inputs = inputs::koo();
    if let Some(folder) = &arguments.grammars {
        inputs.extend(inputs::grammars(folder)?);
    }
    let vocabulary = load_vocabulary(&arguments.vocabulary)?;
    let bench =
        Bench { vocabulary: &vocabulary, tokenizer: tokenizer(&vocabulary)?, runs: arguments.runs.max(1) };
    println!("| | compile p50 | artifact | mask p50 | mask p99 | commit p50 | verdicts |");
    println!("|---|---|---|---|---|---|---|");
    let mut is_right = true;
    for input in &inputs {
        let measured = bench.measure(input).map_err(|error| format!("{}: {error}", input.name))?;
        measured.print(input.name, &input.goals);
        is_right &= measured.is_right;
    }
    let copy = copy_time(vocabulary.tokens().width() as usize);
    println!("\ncopying a row of this vocabulary takes {copy:.2?}");
    Ok(is_right)
}

impl Bench<'_> {
    fn measure(&self, input: &Input) -> Result<Measured> {
        let mut compile_times = Times::default();
        let mut artifact = Vec::new();
        for _ in 0..self.runs {
            let start = Instant::now();
            artifact = self.compile(input)?;
            compile_times.push(start.elapsed());
        }
        let bytes = artifact.len();
        let session = Session::from_bytes(input.name, artifact, self.vocabulary)?;
        let (mut costs, is_right) = self.read(input, &session)?;
        Ok(Measured {
            compile: compile_times.per_mille(500),
            bytes,
            mask_p50: costs.mask.per_mille(500),
            mask_p99: costs.mask.per_mille(990),
            commit_p50: costs.commit.per_mille(500),
            is_right,
        })
    }

    fn compile(&self, input: &Input) -> Result<Vec<u8>> {
        let parsed = parse_source(&input.source)?;
        let tokens = self.vocabulary.tokens();
        Ok(compile(&parsed.grammar, tokens, &parsed.default_limits().into(), &mut ())?.to_artifact(tokens))
    }

    /// Reads all texts. Returns the costs of the texts to accept, and whether all verdicts are right.
    fn read(&self, input: &Input, session: &Session) -> Result<(Costs, bool)> {
        let engine = session.engine();
        let mut scratch = vec![0; engine.scratch_words()];
        let mut matcher = Matcher::new(engine, &mut scratch, 1)?;
        let (mut costs, mut is_right) = (Costs::default(), true);
        for (texts, is_valid) in [(&input.accept, true), (&input.reject, false)] {
            for text in texts {
                let tokens = self.tokenizer.tokenize(text.as_bytes())?.ids;
                for _ in 0..self.runs {
                    let mut others = Costs::default();
                    let costs = if is_valid { &mut costs } else { &mut others };
                    is_right &= (replay(&mut matcher, &tokens, costs) == Verdict::Accepted) == is_valid;
                }
            }
        }
        Ok((costs, is_right))
    }
}

impl Measured {
    fn print(&self, name: &str, goals: &Goals) {
        let Self { bytes, commit_p50, .. } = self;
        println!(
            "| {name} | {} | {:.1} KB | {} | {} | {commit_p50:.2?} | {} |",
            with_goal(self.compile, goals.compile),
            *bytes as f64 / 1e3,
            with_goal(self.mask_p50, Some(goals.mask_p50)),
            with_goal(self.mask_p99, goals.mask_p99),
            if self.is_right { "right" } else { "WRONG" },
        );
    }
}

fn with_goal(time: Duration, goal: Option<Duration>) -> String {
    match goal {
        Some(goal) if time <= goal => format!("{time:.2?} (≤ {goal:.0?})"),
        Some(goal) => format!("{time:.2?} (≤ {goal:.0?}: not met)"),
        None => format!("{time:.2?}"),
    }
}

/// The median time of copying a row with this number of tokens within the cache: a lower bound on the time of a mask.
fn copy_time(tokens: usize) -> Duration {
    let source = vec![1u32; tokens.div_ceil(32)];
    let mut target = vec![0u32; source.len()];
    let mut times = Times::default();
    for _ in 0..10_000 {
        let start = Instant::now();
        black_box(&mut target).copy_from_slice(black_box(&source));
        times.push(start.elapsed());
    }
    times.per_mille(500)
}
