//! `gcc-grammar man`: writes a manual page for the program and one for each command.

use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use clap::{Command, CommandFactory};
use gcc_grammar::output;
use std::path::{Path, PathBuf};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder, which must be there
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

/// Writes the pages.
pub(crate) fn run(arguments: &Arguments, _shell: &Shell) -> Result<Exit, Failure> {
    let mut program = crate::Arguments::command().disable_help_subcommand(true);
    program.build();
    write(&program, &arguments.folder)?;
    Ok(Exit::Done)
}

/// Writes the page of a command and those of its own commands.
fn write(command: &Command, folder: &Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    output::write(&folder.join(format!("{name}.1")), &page)?;
    command
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
        .try_for_each(|command| write(command, folder))
}
