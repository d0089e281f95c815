//! `gcc-grammar grammars`: lists the bundled grammars, and shows their texts.

use crate::arguments::bundled_names;
use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use clap::{Args, Subcommand};
use gcc_grammar::bundled::{ALL, find};
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
    /// List the bundled grammars
    List,
    /// Show the text of a bundled grammar
    Show {
        /// The name of the grammar
        #[arg(value_parser = bundled_names())]
        name: String,
    },
}

/// Lists the bundled grammars, or shows the text of a grammar.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let text = match &arguments.command {
        Command::List if shell.json => {
            let list = ALL.iter().map(|bundled| json!({"name": bundled.name, "about": bundled.about}));
            shell.write_json(&json!({ "grammars": list.collect::<Vec<_>>() }))?;
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
