//! Mutates real programs, and compares the verdicts on them with those of a reference parser and of the oracle.
//!
//! ```text
//! mutations GRAMMAR FOLDER.. [--reference COMMAND] [--oracle [--own-layout] [--masks 3]]
//!     [--each 20] [--edits 0] [--seed 0] [--show 20]
//! ```
//! `GRAMMAR` is the name of a bundled grammar or a grammar file. Each program is judged as it is, with `--each` random mutations of one
//! lexeme, and with `--edits` random changes of one character.
//!
//! With `--reference`, `sh` runs `COMMAND` once; it reads names of files, one per line, and prints `ok` or `error` for each (see
//! `benches/references`). The first `--show` disagreements are shown. The exit code is 1 if an unchanged program is refused that the
//! reference accepts.
//!
//! With `--oracle`, an independent parser of the same grammar judges the same texts. It must read as many bytes of each text, and agree on
//! whether the text may end there. At `--masks` places of each program, for `llama3`, it must also agree on every token of the mask; half
//! of the places are where a text is refused. All differences are shown, and the exit code is 1 if there are any. The oracle takes over the
//! compiler's productions, which decide the lexical contexts; with `--own-layout` it makes its own.

mod by_oracle;
mod by_reference;
mod case;

use clap::Parser;
use gcc_grammar_benches::language::{find_source, large_limits, parse_source};
use gcc_grammar_benches::oracle::Oracle;
use gcc_grammar_benches::tokenization::Random;
use gcc_grammar_benches::{Result, exit_code};
use gcc_grammar_tests::law::{Law, Read};
use std::path::PathBuf;
use std::process::ExitCode;

/// Mutates real programs, and compares the verdicts on them with those of a reference parser and of the oracle.
#[derive(Parser)]
struct Arguments {
    /// The name of a bundled grammar, or a grammar file.
    grammar: String,
    /// The folders with the programs.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// A shell command that reads names of files and prints `ok` or `error` for each.
    #[arg(long, value_name = "COMMAND", required_unless_present = "oracle")]
    reference: Option<String>,
    /// Compare with the oracle, an independent parser of the same grammar.
    #[arg(long)]
    oracle: bool,
    /// Let the oracle make its own productions.
    #[arg(long, requires = "oracle")]
    own_layout: bool,
    /// The mutations of one lexeme for each program.
    #[arg(long, default_value_t = 20)]
    each: usize,
    /// The changes of one character for each program.
    #[arg(long, default_value_t = 0)]
    edits: usize,
    /// The masks to compare for each program.
    #[arg(long, default_value_t = 3)]
    masks: usize,
    /// The seed of the random choices.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The disagreements with the reference that are shown.
    #[arg(long, default_value_t = 20)]
    show: usize,
}

impl Arguments {
    /// Random numbers for the program with this index.
    fn random(&self, index: usize) -> Random {
        Random(self.seed << 32 | index as u64)
    }
}

fn main() -> ExitCode {
    exit_code(run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<bool> {
    let cases = case::cases(arguments)?;
    let grammar = parse_source(&find_source(&arguments.grammar)?)?.grammar;
    let law = Law::new(&grammar, &large_limits().into())?;
    let mut is_right = true;
    if let Some(command) = &arguments.reference {
        is_right &= by_reference::compare(arguments, &law, &cases, command)?;
    }
    if arguments.oracle {
        let mut oracle = Oracle::new(&arguments.grammar, arguments.own_layout)?;
        is_right &= by_oracle::compare_verdicts(&law, &cases, &mut oracle);
        if arguments.masks > 0 {
            is_right &= by_oracle::compare_masks(arguments, &cases, &mut oracle)?;
        }
    }
    Ok(is_right)
}

/// The length of the longest viable prefix of a text, and whether the text is accepted.
fn verdict(read: &mut Read<'_>, text: &[u8]) -> (usize, bool) {
    let (readable, is_accepting) = read(text);
    (readable, is_accepting && readable == text.len())
}
