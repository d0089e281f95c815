//! The command line tool `gcc-grammar`: it compiles schemas and grammars to exact next-token masks, and shows what is in the artifacts.
//!
//! The library `gcc_grammar` does the work. This program parses arguments, calls the library, and shows the results.
//!
//! | module | job |
//! |---|---|
//! | [`arguments`] | groups of arguments that several commands share |
//! | [`commands`] | the commands, each in a file of its own |
//! | [`render`] | the results as text and as JSON |
//! | [`shell`] | writes results, warnings and errors |
//! | [`progress`], [`memory`] | show and measure the stages of the compiler |
//! | [`failure`] | errors and exit codes |
//! | [`signals`] | removes temporary files when a signal ends the program |
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
mod signals;

use clap::{CommandFactory, FromArgMatches, Parser};
use commands::Command;
use failure::Failure;
use shell::{Color, Shell};
use std::process::ExitCode;

/// Compiles JSON Schemas and grammars for a tokenizer vocabulary into exact next-token masks.
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
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
    /// Do not show progress, warnings and the summary
    #[arg(long, short, global = true)]
    quiet: bool,
}

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    signals::remove_temporaries_on_signals();
    let command = Arguments::command().color(Color::of_command_line().into());
    let parsed = command.try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
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
