//! The options `--store`, `--cache` and `--cache-bytes`: a store of artifacts, and the folder in front of it.

use crate::failure::Failure;
use clap::Args;
use gcc_grammar::{CacheOptions, Store};
use std::path::PathBuf;

/// A store of artifacts.
#[derive(Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct StoreArguments {
    /// The store of artifacts: file:///FOLDER, or the path of a folder
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    #[command(flatten)]
    cache: CacheArguments,
}

#[derive(Args)]
struct CacheArguments {
    /// A folder that keeps copies of the artifacts that are used here; processes may share it
    #[arg(long = "cache", value_name = "DIR", requires = "store")]
    cache_folder: Option<PathBuf>,
    /// The most bytes of copies; those that were used least recently are removed
    #[arg(long, value_name = "N", requires = "cache_folder", default_value_t = 10_000_000_000)]
    cache_bytes: u64,
}

impl CacheArguments {
    fn open(&self, url: &str) -> Result<Store, Failure> {
        let most_bytes = self.cache_bytes;
        let cache = self.cache_folder.clone().map(|folder| CacheOptions { folder, most_bytes });
        Ok(Store::open(url, cache.as_ref())?)
    }
}

impl StoreArguments {
    /// Opens the store, if one is named.
    pub(crate) fn open(&self) -> Result<Option<Store>, Failure> {
        self.store.as_deref().map(|url| self.cache.open(url)).transpose()
    }

    /// Opens the store. One must be named.
    pub(crate) fn expect(&self) -> Result<Store, Failure> {
        let missing = || Failure::usage("--store", "no store is given", "add --store with file:///FOLDER");
        self.open()?.ok_or_else(missing)
    }
}
