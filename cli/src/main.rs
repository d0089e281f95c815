//! `gcc-grammar`: compiles schemas and grammars to exact next-token masks, and looks inside what it compiled.
//!
//! The library does the work; this program parses arguments, calls it, and shows the results.
//!
//! | module | job |
//! |---|---|
//! | [`arguments`] | groups of arguments that several commands share |
//! | [`commands`] | one file per subcommand |
//! | [`render`] | results as text and as JSON |
//! | [`shell`] | where output goes |
//! | [`progress`], [`memory`] | what is shown and measured while compiling |
//! | [`failure`] | errors and exit codes |
//!
//! Exit codes: 0 done, 1 refused, 2 usage, 3 over budget, 4 another vocabulary.

#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod failure;
mod memory;
mod progress;
mod render;
mod shell;

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
