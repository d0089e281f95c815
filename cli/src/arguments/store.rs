//! The options `--store`, `--cache` and `--cache-bytes`, `--trust` and `--sign`: a store of artifacts, the folder in front of it, and signatures.

use crate::failure::Failure;
use clap::Args;
use gcc_grammar::Seal;
use gcc_grammar_store::{CACHE_BYTES, CacheOptions, Store};
use std::path::PathBuf;

/// A store of artifacts.
#[derive(Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct StoreArguments {
    /// The store of artifacts: file:///FOLDER, or the path of a folder or of a pack; s3://, gs://, az:// and http(s):// in builds with the feature `stores`
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Use only artifacts that are signed with one of these public keys of minisign
    #[arg(long, value_name = "KEYFILE")]
    trust: Vec<PathBuf>,
    #[command(flatten)]
    cache: CacheArguments,
}

#[derive(Args)]
struct CacheArguments {
    /// A folder that keeps copies of the artifacts that are used here; processes may share it
    #[arg(long = "cache", value_name = "DIR", requires = "store")]
    cache_folder: Option<PathBuf>,
    /// The most bytes of copies; those that were used least recently are removed
    #[arg(long, value_name = "N", requires = "cache_folder", default_value_t = CACHE_BYTES)]
    cache_bytes: u64,
}

/// A key to sign with.
#[derive(Args)]
#[command(next_help_heading = "Store")]
pub(crate) struct SignArguments {
    /// Sign what is compiled, and trust only what was signed with this secret key of minisign, which has no password; in builds with the feature `sign`
    #[arg(long, value_name = "KEYFILE")]
    sign: Option<PathBuf>,
}

impl CacheArguments {
    fn options(&self) -> Option<CacheOptions> {
        let most_bytes = self.cache_bytes;
        self.cache_folder.clone().map(|folder| CacheOptions { folder, most_bytes })
    }
}

impl StoreArguments {
    /// Opens the store, if one is named.
    pub(crate) fn open(&self) -> Result<Option<Store>, Failure> {
        self.open_sealed(&self.seal()?)
    }

    /// Opens the store, if one is named, with this seal.
    pub(crate) fn open_sealed(&self, seal: &Seal) -> Result<Option<Store>, Failure> {
        let open = |url: &String| Store::open_sealed(url, self.cache.options().as_ref(), seal.clone());
        Ok(self.store.as_ref().map(open).transpose()?)
    }

    /// Opens the store, which must be named, with this seal.
    pub(crate) fn expect_sealed(&self, seal: &Seal) -> Result<Store, Failure> {
        let missing = || Failure::usage("--store", "no store is given", "add --store with file:///FOLDER");
        self.open_sealed(seal)?.ok_or_else(missing)
    }

    /// Refuses keys to trust where nothing is read but from a store, and there is none.
    pub(crate) fn expect_store_to_trust(&self) -> Result<(), Failure> {
        match (&self.store, &self.trust[..]) {
            (None, [_, ..]) => {
                Err(Failure::usage("--trust", "there is no store to read from", "add --store"))
            }
            _ => Ok(()),
        }
    }

    /// What is trusted.
    pub(crate) fn seal(&self) -> Result<Seal, Failure> {
        Ok(Seal::default().trusting(&self.trust)?)
    }

    /// What is trusted and signed.
    pub(crate) fn seal_with(&self, sign: &SignArguments) -> Result<Seal, Failure> {
        let seal = self.seal()?;
        Ok(match &sign.sign {
            Some(file) => seal.signing(file)?,
            None => seal,
        })
    }
}
