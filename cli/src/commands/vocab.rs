//! `gcc-grammar vocab`: lists, imports, removes and inspects vocabularies.

use crate::arguments::{OverrideArguments, RegistryArguments};
use crate::failure::{Exit, Failure};
use crate::render::vocabulary::{names_json, names_text, vocabulary_json, vocabulary_text};
use crate::shell::Shell;
use clap::{Args, Subcommand};
use gcc_grammar::Error;
use gcc_grammar::vocabulary::Resolved;
use std::io::Write;
use std::path::PathBuf;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the built-in and the imported vocabularies
    List(RegistryArguments),
    /// Import a tokenizer under a name
    Import(ImportArguments),
    /// Remove an imported vocabulary
    Remove(RemoveArguments),
    /// Show the size, the fingerprint, the special tokens and the added text tokens of a vocabulary
    Inspect(InspectArguments),
}

#[derive(Args)]
struct ImportArguments {
    /// A tokenizer file or a model directory
    #[arg(value_name = "FILE|DIR")]
    path: PathBuf,
    /// The name of the imported vocabulary
    #[arg(long)]
    name: String,
    /// Replace the imported vocabulary of this name, if there is one
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    overrides: OverrideArguments,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Args)]
struct RemoveArguments {
    /// The name of the vocabulary
    name: String,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Args)]
struct InspectArguments {
    /// A built-in or imported vocabulary, a tokenizer file, or a model directory
    #[arg(value_name = "NAME|FILE|DIR")]
    name: String,
    #[command(flatten)]
    overrides: OverrideArguments,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::List(registry) => list(registry, shell),
        Command::Import(import) => {
            let registry = import.registry.registry();
            let overrides = import.overrides.overrides();
            let imported =
                registry.import(&import.path, &import.name, &overrides, import.force).map_err(Error::from)?;
            show(&imported, shell)
        }
        Command::Remove(remove) => {
            remove.registry.registry().remove(&remove.name).map_err(Error::from)?;
            Ok(Exit::Done)
        }
        Command::Inspect(inspect) => {
            let registry = inspect.registry.registry();
            let overrides = inspect.overrides.overrides();
            show(&registry.resolve(&inspect.name, &overrides).map_err(Error::from)?, shell)
        }
    }
}

fn list(registry: &RegistryArguments, shell: &Shell) -> Result<Exit, Failure> {
    let imported = registry.registry().imported();
    if shell.json {
        shell.write_json(&names_json(&imported))?;
        return Ok(Exit::Done);
    }
    write(&names_text(&imported), shell)
}

fn show(resolved: &Resolved, shell: &Shell) -> Result<Exit, Failure> {
    let added = resolved.added_text_tokens().map_err(Error::from)?;
    if shell.json {
        shell.write_json(&vocabulary_json(resolved, &added))?;
        return Ok(Exit::Done);
    }
    write(&vocabulary_text(resolved, &added), shell)
}

fn write(text: &str, shell: &Shell) -> Result<Exit, Failure> {
    let mut out = shell.out();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(Exit::Done)
}
