//! `gcc-grammar grammars`: lists the bundled grammars, and shows their texts.

use crate::arguments::bundled_names;
use crate::failure::{Exit, Failure};
use crate::shell::Shell;
use clap::Subcommand;
use gcc_grammar::bundled::{ALL, Bundled, find};
use serde_json::json;

// A text for the documentation would be the help of the command.
#[derive(Subcommand)]
pub(crate) enum Arguments {
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
    match arguments {
        Arguments::List => {
            let width = ALL.iter().map(|bundled| bundled.name.len()).max().unwrap_or(0);
            let line = |bundled: &Bundled| format!("{:width$}  {}\n", bundled.name, bundled.about);
            let object = |bundled: &Bundled| json!({"name": bundled.name, "about": bundled.about});
            shell.write(
                || ALL.iter().map(line).collect(),
                || json!({ "grammars": ALL.iter().map(object).collect::<Vec<_>>() }),
            )
        }
        Arguments::Show { name } => {
            let found = find(name);
            shell.write(
                || found.map_or_else(String::new, |bundled| bundled.text.to_owned()),
                || {
                    found
                        .map(|bundled| json!({"name": bundled.name, "text": bundled.text}))
                        .unwrap_or_default()
                },
            )
        }
    }
}
