//! `gcc-grammar`: compiles schemas and grammars to exact next-token masks, and looks inside what it compiled.
//!
//! | module | job |
//! |---|---|
//! | [`commands`] | one file per subcommand |
//! | [`grammar`] | arguments and files of the front ends, to a grammar |
//! | [`vocabulary`] | `--vocab`, to a vocabulary and its tokenizer |
//! | [`artifact`] | an artifact mapped or read, with the vocabulary it needs |
//! | [`files`] | files mapped |
//! | [`session`] | a matcher with its memory |
//! | [`draw`] | random tokens |
//! | [`finish`], [`distance`] | the short way to the end |
//! | [`progress`] | what is shown while compiling |
//! | [`memory`] | how much memory was in use |
//! | [`summary`] | what there is to tell about a compilation |
//! | [`stages`] | the stages that need no vocabulary |
//! | [`findings`] | what is found out about a grammar as a whole |
//! | [`tracer`] | lexemes and stacks of a text |
//! | [`show`] | tokens, ranges, sizes and times for people |
//! | [`failure`] | what can go wrong, and exit codes |
//! | [`shell`] | where output goes, and how |
//!
//! Exit codes: 0 done, 1 refused, 2 usage, 3 over budget, 4 another vocabulary.

mod artifact;
mod commands;
mod distance;
mod draw;
mod failure;
mod files;
mod findings;
mod finish;
mod grammar;
mod memory;
mod progress;
mod session;
mod shell;
mod show;
mod stages;
mod summary;
mod tracer;
mod vocabulary;

use clap::Parser;
use commands::Command;
use failure::Failure;
use shell::{Color, Shell};
use std::process::ExitCode;

/// Compiles a JSON Schema or grammar for a tokenizer vocabulary, so that decoding has exact next-token masks.
///
/// Exit codes: 0 done, 1 refused, 2 usage, 3 over budget, 4 another vocabulary.
#[derive(Parser)]
#[command(name = "gcc-grammar", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Write results and errors as JSON to the standard output
    #[arg(long, global = true)]
    json: bool,
    /// When to use colours; NO_COLOR is honoured
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
    /// Neither progress nor summary
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && std::env::args_os().any(|argument| argument == "--json") => {
            return Shell::new(true, true, Color::Never).fail(&Failure::arguments(&error)).into();
        }
        Err(error) => error.exit(),
    };
    let shell = Shell::new(arguments.json, arguments.quiet, arguments.color);
    match arguments.command.run(&shell) {
        Ok(exit) => exit.into(),
        Err(failure) => shell.fail(&failure).into(),
    }
}
