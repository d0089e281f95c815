//! Token budgets on real grammars and a real vocabulary: whether outputs are complete, and what budgets cost.
//!
//! ```text
//! budgets schemas FOLDER [--vocab llama3] [--count 50] [--outputs 20] [--seed 0] [--write FILE]
//! budgets language NAME [FOLDER] [--vocab llama3] [--outputs 100] [--max-tokens 60] [--files 10] [--cuts 20] [--seed 0]
//! ```
//! `schemas` draws random outputs of cases of MaskBench within several budgets, and as many without one, which are cut off at the same
//! length. `--write` writes the outputs for `benches/python/validate_outputs.py`, a validator that knows nothing of this engine.
//! `language` draws outputs of a bundled grammar or a grammar file, and completes programs that are cut at random places, or the beginning if there is
//! no folder; a new matcher reads them. Both print the times of masks with at most 32 tokens left (`near`), and how many of these lack tokens.
//! The exit code is 1 if an output within a budget is longer, incomplete, or refused.

mod language;
mod masks;
mod schemas;

use clap::{Args, Parser, Subcommand};
use gcc_grammar_benches::exit_code;
use gcc_grammar_benches::language::load_vocabulary;
use std::path::PathBuf;
use std::process::ExitCode;

/// Token budgets on real grammars and a real vocabulary: whether outputs are complete, and what budgets cost.
#[derive(Parser)]
struct Arguments {
    /// The vocabulary: a built-in name, or a tokenizer file.
    #[arg(long = "vocab", default_value = "llama3", global = true)]
    vocabulary: String,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 0, global = true)]
    seed: u64,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Cases of MaskBench.
    Schemas(Schemas),
    /// A bundled grammar or a grammar file, and programs.
    Language(Language),
}

#[derive(Args)]
struct Schemas {
    /// The folders with the cases.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// The number of schemas.
    #[arg(long, default_value_t = 50)]
    count: usize,
    /// Outputs for each schema and budget.
    #[arg(long, default_value_t = 20)]
    outputs: u64,
    /// Where to write the outputs, one JSON object a line.
    #[arg(long)]
    write: Option<PathBuf>,
}

#[derive(Args)]
struct Language {
    /// The name of the grammar, or its file.
    name: String,
    /// The folder with the programs.
    folder: Option<PathBuf>,
    /// Random outputs.
    #[arg(long, default_value_t = 100)]
    outputs: u64,
    /// The budget of each output.
    #[arg(long, default_value_t = 60)]
    max_tokens: u32,
    /// The number of programs.
    #[arg(long, default_value_t = 10)]
    files: usize,
    /// Places at which each program is cut.
    #[arg(long, default_value_t = 20)]
    cuts: usize,
}

fn main() -> ExitCode {
    let Arguments { vocabulary, seed, what } = Arguments::parse();
    exit_code(load_vocabulary(&vocabulary).and_then(|vocabulary| match what {
        What::Schemas(arguments) => schemas::run(&arguments, &vocabulary, seed),
        What::Language(arguments) => language::run(&arguments, &vocabulary, seed),
    }))
}
