//! `gcc-grammar pack`: puts artifacts of a store into one file.

use crate::arguments::{SignArguments, StoreArguments, VocabularyArguments};
use crate::failure::{Exit, Failure};
use crate::render::show::size;
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::Key;
use gcc_grammar_store::pack;
use serde_json::json;
use std::path::PathBuf;

/// Arguments.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The keys of the artifacts, or at least their first six digits [default: all artifacts of the store for the vocabulary]
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    /// The file of the pack
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    sign: SignArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
}

/// Writes the pack.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    let seal = arguments.store.seal_with(&arguments.sign)?;
    let store = arguments.store.expect_sealed(&seal)?;
    let vocabulary = arguments.vocabulary.load()?;
    let keys = match &arguments.keys[..] {
        [] => store.keys(&vocabulary)?,
        keys => keys.iter().map(|key| store.key(key)).collect::<Result<Vec<Key>, _>>()?,
    };
    let bytes = pack(&store, &vocabulary, &keys, &seal, &arguments.output)?;
    let (output, artifacts) = (arguments.output.display().to_string(), keys.len());
    shell.tell(
        || format!("{output}  {}, {artifacts} artifacts\n", size(bytes as usize)),
        || json!({ "output": output, "artifacts": artifacts, "bytes": bytes }),
    )
}
