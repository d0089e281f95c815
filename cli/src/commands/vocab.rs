//! `gcc-grammar vocab`.

use crate::arguments::{OverrideArguments, RegistryArguments};
use crate::failure::{Exit, Failure};
use crate::render::show::{hex, number, printable, size};
use crate::shell::Shell;
use clap::{Args, Subcommand};
use gcc_grammar::Error;
use gcc_grammar::vocabulary::{BUILTINS, Builtin, Cache, Origin, Resolved};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Special tokens shown to people.
const SHOWN_SPECIALS: usize = 24;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Which vocabularies have a name
    List(RegistryArguments),
    /// Keep a tokenizer under a name
    Import(ImportArguments),
    /// Forget an imported vocabulary
    Remove(RemoveArguments),
    /// What a vocabulary is
    Inspect(InspectArguments),
}

#[derive(Args)]
struct ImportArguments {
    /// A tokenizer file or a model directory
    #[arg(value_name = "FILE|DIR")]
    path: PathBuf,
    /// Its name from now on
    #[arg(long)]
    name: String,
    /// Replace an imported vocabulary of this name
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    overrides: OverrideArguments,
    #[command(flatten)]
    registry: RegistryArguments,
}

#[derive(Args)]
struct RemoveArguments {
    /// Its name
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

/// Does what the subcommand says.
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
        let builtin = |builtin: &Builtin| json!({"name": builtin.name, "aliases": builtin.aliases, "about": builtin.about});
        let builtin: Vec<Value> = BUILTINS.iter().map(builtin).collect();
        shell.write_json(&json!({"builtin": builtin, "imported": imported}))?;
        return Ok(Exit::Done);
    }
    let mut out = shell.out();
    for builtin in &BUILTINS {
        writeln!(out, "{:<12} {} (also {})", builtin.name, builtin.about, builtin.aliases.join(", "))?;
    }
    for name in imported {
        writeln!(out, "{name:<12} imported")?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

fn show(resolved: &Resolved, shell: &Shell) -> Result<Exit, Failure> {
    if shell.json {
        shell.write_json(&to_json(resolved))?;
        return Ok(Exit::Done);
    }
    let vocabulary = &resolved.vocabulary;
    let mut out = shell.out();
    writeln!(out, "{}: {}", resolved.name, origin_text(resolved))?;
    let text = vocabulary.text_tokens().count() as u64;
    let bytes = vocabulary.text_tokens().map(|(_, bytes)| bytes.len()).sum();
    writeln!(
        out,
        "tokens       {} text ({}), {} special, {} ids",
        number(text),
        size(bytes),
        number(vocabulary.specials().len() as u64),
        number(u64::from(vocabulary.ids()))
    )?;
    writeln!(
        out,
        "mask         {} bits, {} words a row",
        vocabulary.width(),
        vocabulary.width().div_ceil(32)
    )?;
    writeln!(out, "longest      {} bytes", vocabulary.max_token_len())?;
    writeln!(out, "fingerprint  {}", hex(&vocabulary.fingerprint()))?;
    writeln!(out, "tokens hash  {}", hex(&vocabulary.canonical_hash()))?;
    match &resolved.cache {
        Cache::Read(path) => writeln!(out, "compiled     {}", path.display())?,
        Cache::Written(path) => writeln!(out, "compiled     {} (just now)", path.display())?,
        Cache::Unavailable(error) => {
            writeln!(out, "compiled     not kept: {}", printable(&error.to_string()))?
        }
    }
    for &end in vocabulary.end_tokens() {
        writeln!(out, "end token    {end:>7}  {}", printable(vocabulary.special_text(end).unwrap_or("")))?;
    }
    for special in vocabulary.specials().iter().take(SHOWN_SPECIALS) {
        writeln!(out, "special      {:>7}  {}", special.id, printable(&special.text))?;
    }
    let more = vocabulary.specials().len().saturating_sub(SHOWN_SPECIALS);
    if more > 0 {
        writeln!(out, "             and {more} more special tokens")?;
    }
    out.flush()?;
    Ok(Exit::Done)
}

fn origin_text(resolved: &Resolved) -> String {
    match &resolved.origin {
        Origin::Builtin(builtin) => format!("built in, {}", builtin.about),
        Origin::Imported(path) => format!("imported, in {}", path.display()),
        Origin::Source(path) => format!("from {}", path.display()),
        Origin::Compiled(path) => format!("compiled, {}", path.display()),
    }
}

fn to_json(resolved: &Resolved) -> Value {
    let vocabulary = &resolved.vocabulary;
    let specials: Vec<Value> =
        vocabulary.specials().iter().map(|special| json!({"id": special.id, "text": special.text})).collect();
    json!({
        "name": resolved.name,
        "origin": origin_text(resolved),
        "text_tokens": vocabulary.text_tokens().count(),
        "ids": vocabulary.ids(),
        "width": vocabulary.width(),
        "longest": vocabulary.max_token_len(),
        "fingerprint": hex(&vocabulary.fingerprint()),
        "tokens_hash": hex(&vocabulary.canonical_hash()),
        "end_tokens": vocabulary.end_tokens(),
        "specials": specials,
    })
}
