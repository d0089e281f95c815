//! The options of commands that compile items into a store, and the [`Maker`] that they name.

use super::{LimitArguments, SignArguments, StoreArguments, VocabularyArguments, packing, warn_if_not_kept};
use crate::failure::Failure;
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::store::items::Defaults;
use gcc_grammar::store::make::Maker;
use gcc_grammar::{CompileSession, Store};
use serde_json::{Map, Value};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// How items are compiled, and into which store.
#[derive(Args)]
pub(crate) struct ItemArguments {
    /// The options of all items, as a JSON object; names are those of the command line, with underscores
    #[arg(long, value_name = "JSON", value_parser = parse_options, default_value = "{}")]
    options: Map<String, Value>,
    /// Put the tokens of the vocabulary into the artifacts
    #[arg(long)]
    self_contained: bool,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    sign: SignArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    limits: LimitArguments,
}

impl ItemArguments {
    /// Opens the store.
    pub(crate) fn store(&self) -> Result<Store, Failure> {
        self.store.expect_sealed(&self.store.seal_with(&self.sign)?)
    }

    /// Loads the vocabulary. Artifacts go into the store.
    pub(crate) fn maker(&self, store: Store, shell: &Shell) -> Result<Maker, Failure> {
        let vocabulary = self.vocabulary.load()?;
        warn_if_not_kept(&vocabulary, shell);
        let defaults = Defaults { options: self.options.clone(), limits: self.limits.options() };
        let session = CompileSession::new(&vocabulary);
        Ok(Maker { store, session, packing: packing(self.self_contained), defaults })
    }
}

/// The number of items that are compiled at once: by default the number of processors.
pub(crate) fn jobs_or_processors(jobs: Option<NonZeroUsize>) -> NonZeroUsize {
    jobs.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

fn parse_options(text: &str) -> Result<Map<String, Value>, String> {
    let options: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    gcc_grammar::Options::from_json(text).map_err(|error| error.to_string())?;
    Ok(options)
}
