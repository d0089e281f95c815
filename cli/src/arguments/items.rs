//! The options of commands that compile items into a store, and the [`Maker`] that they name.

use super::{FamilyArguments, LimitArguments, SignArguments, StoreArguments, warn_if_not_kept};
use crate::failure::Failure;
use crate::shell::Shell;
use clap::Args;
use gcc_grammar::{CompileSession, Packing, Vocabulary};
use gcc_grammar_store::Store;
use gcc_grammar_store::items::Defaults;
use gcc_grammar_store::make::Maker;
use serde_json::{Map, Value};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

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
    families: FamilyArguments,
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    sign: SignArguments,
    /// Give an item up after this time; other limits refuse the same items on every machine
    #[arg(long = "limit-time", value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    #[command(flatten)]
    limits: LimitArguments,
}

impl ItemArguments {
    /// Opens the store.
    pub(crate) fn store(&self) -> Result<Arc<Store>, Failure> {
        Ok(Arc::new(self.store.expect_sealed(&self.store.seal_with(&self.sign)?)?))
    }

    /// The options of all items.
    pub(crate) fn defaults(&self) -> Result<Defaults, Failure> {
        let families = self.families.read()?;
        Ok(Defaults { options: self.options.clone(), families, limits: self.limits.options() })
    }

    /// Makes items for a vocabulary, with these options of all items. Artifacts go into the store.
    pub(crate) fn maker(
        &self,
        store: Arc<Store>,
        vocabulary: Vocabulary,
        defaults: Defaults,
        shell: &Shell,
    ) -> Maker {
        warn_if_not_kept(&vocabulary, shell);
        let session = CompileSession::new(&vocabulary);
        Maker { store, session, packing: Packing::of(self.self_contained), defaults, time: self.time }
    }
}

/// The number of items that are compiled at once: by default the number of processors.
pub(crate) fn jobs_or_processors(jobs: Option<NonZeroUsize>) -> NonZeroUsize {
    jobs.or_else(|| available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero())
        .ok_or_else(|| "expected a number of seconds greater than 0".to_owned())
}

fn parse_options(text: &str) -> Result<Map<String, Value>, String> {
    // This refuses repeated keys, too.
    gcc_grammar::Options::from_json(text).map_err(|error| error.to_string())?;
    serde_json::from_str(text).map_err(|error| error.to_string())
}
