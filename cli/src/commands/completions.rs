//! `gcc-grammar completions`: writes a script with which a shell completes the commands and options of the program.

use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use clap::CommandFactory;
use std::io::Write;

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

/// Writes the completion script to the standard output.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Arguments::command(), "gcc-grammar", &mut script);
    let mut out = shell.out();
    out.write_all(&script)?;
    out.flush()?;
    Ok(Exit::Done)
}
