//! `gcc-grammar schema`: shows the JSON Schema of what a command writes with `--json`.

use crate::failure::{Exit, Failure};
use crate::render::schema::{RESULTS, schema_of};
use crate::shell::Shell;
use clap::Args;
use std::io::{self, Write};

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The command, such as `mask` or `store list`
    #[arg(value_name = "COMMAND", required = true, num_args = 1..=2)]
    command: Vec<String>,
}

/// Shows the schema.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let command = arguments.command.join(" ");
    let schema = schema_of(&command).ok_or_else(|| unknown(&command))?;
    let mut out = shell.out();
    serde_json::to_writer_pretty(&mut out, &schema).map_err(io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(Exit::Done)
}

fn unknown(command: &str) -> Failure {
    let names: Vec<&str> = RESULTS.iter().map(|&(name, _)| name).collect();
    let help = format!("the commands that do are: {}", names.join(", "));
    Failure::usage("COMMAND", format!("no command `{command}` writes JSON"), &help)
}
