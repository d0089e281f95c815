//! `gcc-grammar vocab`: lists, imports, removes, inspects and compiles vocabularies.

use crate::arguments::{OverrideArguments, RegistryArguments};
use crate::failure::{Exit, Failure};
use crate::render::show::{number, size};
use crate::render::vocabulary::{
    compiled_json, compiled_text, names_json, names_text, vocabulary_json, vocabulary_text,
};
use crate::shell::Shell;
use clap::{Args, Subcommand};
use gcc_grammar::vocabulary::Resolved;
use gcc_grammar::{Error, is_stdin, output};
use serde_json::json;
use std::path::PathBuf;

// A text for the documentation would be the help of the command.
#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// List the built-in and the imported vocabularies
    List(RegistryArguments),
    /// Remove the compiled vocabularies that are kept; they are compiled again when they are used
    Clean(RegistryArguments),
    /// Write a compiled vocabulary as a file, for programs that bring their own vocabulary with an artifact
    Compile(CompileArguments),
    /// Import a tokenizer under a name
    Import(ImportArguments),
    /// Remove an imported vocabulary
    Remove(RemoveArguments),
    /// Show the size, the fingerprint, the special tokens and the added text tokens of a vocabulary
    Inspect(InspectArguments),
}

#[derive(Args)]
pub(crate) struct ImportArguments {
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
pub(crate) struct RemoveArguments {
    /// The name of the vocabulary
    name: String,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Args)]
pub(crate) struct InspectArguments {
    /// A built-in or imported vocabulary, a tokenizer file, or a model directory
    #[arg(value_name = "NAME|FILE|DIR")]
    name: String,
    #[command(flatten)]
    overrides: OverrideArguments,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Args)]
pub(crate) struct CompileArguments {
    /// A built-in or imported vocabulary, a tokenizer file, or a model directory
    #[arg(value_name = "NAME|FILE|DIR")]
    name: String,
    /// The file to write, usually with the extension .gcv; `-` is the standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    overrides: OverrideArguments,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    match arguments {
        Arguments::List(registry) => list(registry, shell),
        Arguments::Clean(registry) => clean(registry, shell),
        Arguments::Compile(arguments) => compile(arguments, shell),
        Arguments::Import(import) => {
            let registry = import.registry.registry();
            let overrides = import.overrides.overrides();
            let imported =
                registry.import(&import.path, &import.name, &overrides, import.force).map_err(Error::from)?;
            show(&imported, shell)
        }
        Arguments::Remove(remove) => {
            remove.registry.registry().remove(&remove.name).map_err(Error::from)?;
            shell.write(String::new, || json!({ "removed": remove.name }))
        }
        Arguments::Inspect(inspect) => {
            let registry = inspect.registry.registry();
            let overrides = inspect.overrides.overrides();
            show(&registry.resolve(&inspect.name, &overrides).map_err(Error::from)?, shell)
        }
    }
}

fn list(registry: &RegistryArguments, shell: &Shell) -> Result<Exit, Failure> {
    let registry = registry.registry();
    let (imported, compiled) = (registry.imported(), registry.compiled());
    shell.write(|| names_text(&imported, &compiled), || names_json(&imported, &compiled))
}

fn clean(registry: &RegistryArguments, shell: &Shell) -> Result<Exit, Failure> {
    let removed = registry.registry().clean();
    let text = || format!("removed {}\n", compiled_text(&removed));
    shell.write(text, || json!({ "removed": compiled_json(&removed) }))
}

/// Writes the compiled vocabulary, which is never one of the files that it is made from.
fn compile(arguments: &CompileArguments, shell: &Shell) -> Result<Exit, Failure> {
    let registry = arguments.registry.registry();
    let overrides = arguments.overrides.overrides();
    let resolved = registry.resolve(&arguments.name, &overrides).map_err(Error::from)?;
    let bytes = resolved.vocabulary.to_artifact();
    if is_stdin(&arguments.output) {
        shell.expect_binary_output("--output")?;
        shell.write_binary(&bytes)?;
        return Ok(Exit::Done);
    }
    let files = resolved.files();
    output::check_distinct(&arguments.output, files.iter().map(PathBuf::as_path))?;
    output::write(&arguments.output, &bytes)?;
    let name = arguments.output.display().to_string();
    let (bytes, width) = (bytes.len(), resolved.vocabulary.width());
    shell.write(
        || format!("{name}  {}, {} ({} tokens)\n", size(bytes), resolved.name, number(width.into())),
        || json!({ "output": name, "bytes": bytes, "width": width }),
    )
}

fn show(resolved: &Resolved, shell: &Shell) -> Result<Exit, Failure> {
    let added = resolved.added_text_tokens().map_err(Error::from)?;
    shell.write(|| vocabulary_text(resolved, &added), || vocabulary_json(resolved, &added))
}
