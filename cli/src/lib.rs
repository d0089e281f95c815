//! The command line tool `gcc-grammar`, as a library for the program and for the Python package.
//! It compiles schemas and grammars to exact next-token masks, and shows the contents of artifacts.
//!
//! The library `gcc_grammar` does the work. This crate parses arguments, calls the library, and shows the results.
//!
//! | module | job |
//! |---|---|
//! | [`arguments`] | groups of arguments that several commands share |
//! | [`commands`] | the commands, each in a file of its own |
//! | [`render`] | the results as text and as JSON |
//! | [`shell`] | writes results, warnings and errors |
//! | [`progress`], [`memory`] | show and measure the stages of the compiler |
//! | [`failure`] | errors and exit codes |
//! | `serve` | the service, with the feature `serve` |
//! | [`svg`] | line plots, also for the benches |
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
#[cfg(feature = "serve")]
mod serve;
mod shell;
mod signals;
pub mod svg;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};
use commands::Command;
use failure::Failure;
use shell::{Color, Shell};
use std::ffi::OsString;

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

/// Runs the command line, whose first argument is the name of the program. Returns the exit code.
pub fn run(arguments: &[OsString]) -> u8 {
    signals::remove_temporaries_on_signals();
    let command = Arguments::command().color(Color::of(arguments).into());
    let parsed = command.try_get_matches_from(arguments);
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    let is_missing = cfg!(not(feature = "serve")) && arguments.get(1).is_some_and(|verb| verb == "serve");
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(error) if is_missing && error.kind() == ErrorKind::InvalidSubcommand => {
            let json = arguments.iter().any(|argument| argument == "--json");
            let help = "install it with the feature: cargo install gcc-grammar-cli --features serve";
            let failure = Failure::usage("serve", "the service is not in this build", help);
            return Shell::new(json, true, Color::of(arguments)).fail(&failure) as u8;
        }
        Err(error) if error.use_stderr() && arguments.iter().any(|argument| argument == "--json") => {
            return Shell::new(true, true, Color::Never).fail(&Failure::arguments(&error)) as u8;
        }
        Err(mut error) => {
            if arguments.get(1).is_some_and(|verb| verb == "compile") && is_second_input(&error) {
                let tip = "`gcc-grammar batch` compiles several inputs".into();
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
            }
            // The help, the version, or what is wrong with the arguments. Nothing is left to do if it cannot be written.
            drop(error.print());
            return error.exit_code() as u8;
        }
    };
    let shell = Shell::new(parsed.json, parsed.quiet, parsed.color);
    let exit = parsed.command.run(&shell).unwrap_or_else(|failure| shell.fail(&failure));
    exit as u8
}

/// Whether an error is about one more input.
fn is_second_input(error: &clap::Error) -> bool {
    let argument = error.get(ContextKind::InvalidArg);
    error.kind() == ErrorKind::UnknownArgument
        && matches!(argument, Some(ContextValue::String(argument)) if !argument.starts_with('-'))
}
