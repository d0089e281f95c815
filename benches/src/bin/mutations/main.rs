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

use gcc_grammar_benches::language::{find_source, large_limits, parse_source};
use gcc_grammar_benches::oracle::Oracle;
use gcc_grammar_benches::tokenization::Random;
use gcc_grammar_benches::{Result, arguments, exit_code};
use gcc_grammar_tests::law::{Law, Read};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "mutations GRAMMAR FOLDER.. [--reference COMMAND] [--oracle [--own-layout] [--masks N]] [--each N] [--edits N] [--seed N] [--show N]";

struct Arguments {
    grammar: String,
    folders: Vec<PathBuf>,
    reference: Option<String>,
    oracle: bool,
    own_layout: bool,
    each: usize,
    edits: usize,
    masks: usize,
    seed: u64,
    show: usize,
}

impl Arguments {
    fn read() -> Result<Self> {
        let mut given = arguments::Arguments::from_env(USAGE);
        let mut arguments = Self {
            reference: given.value("--reference")?,
            oracle: given.flag("--oracle"),
            own_layout: given.flag("--own-layout"),
            each: given.value_or("--each", 20)?,
            edits: given.value_or("--edits", 0)?,
            masks: given.value_or("--masks", 3)?,
            seed: given.value_or("--seed", 0)?,
            show: given.value_or("--show", 20)?,
            grammar: String::new(),
            folders: Vec::new(),
        };
        let mut words = given.rest(2)?.into_iter();
        arguments.grammar = words.next().unwrap_or_default();
        arguments.folders = words.map(PathBuf::from).collect();
        if arguments.reference.is_none() && !arguments.oracle {
            return Err(format!("give --reference, --oracle or both; usage: {USAGE}").into());
        }
        Ok(arguments)
    }

    /// Random numbers for the program with this index.
    fn random(&self, index: usize) -> Random {
        Random(self.seed << 32 | index as u64)
    }
}

fn main() -> ExitCode {
    exit_code(Arguments::read().and_then(|arguments| run(&arguments)))
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
