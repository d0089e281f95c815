//! `gcc-grammar grammars`.

use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use gcc_grammar_bundled::{ALL, find};
use serde_json::json;
use std::io::Write;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Which grammars are bundled
    List,
    /// The text of one
    Show {
        /// Its name
        #[arg(value_parser = names())]
        name: String,
    },
}

/// Takes the name of a bundled grammar.
pub(crate) fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(ALL.iter().map(|bundled| bundled.name))
}

/// Does what the subcommand says.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let text = match &arguments.command {
        Command::List if shell.json => {
            let list = ALL.iter().map(|bundled| json!({"name": bundled.name, "about": bundled.about}));
            shell.write_json(&list.collect())?;
            return Ok(Exit::Done);
        }
        Command::List => {
            let width = ALL.iter().map(|bundled| bundled.name.len()).max().unwrap_or(0);
            ALL.iter().map(|bundled| format!("{:width$}  {}\n", bundled.name, bundled.about)).collect()
        }
        Command::Show { name } if shell.json => {
            let found = find(name).map(|bundled| json!({"name": bundled.name, "text": bundled.text}));
            shell.write_json(&found.unwrap_or_default())?;
            return Ok(Exit::Done);
        }
        Command::Show { name } => find(name).map_or_else(String::new, |bundled| bundled.text.to_owned()),
    };
    let mut out = shell.out();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}
