//! `gcc-grammar store`: lists, verifies and removes the artifacts of a store.

use crate::failure::{Exit, Failure};
use crate::render::stored::{
    Found, list_json, list_text, removed_json, removed_text, verified_json, verified_text,
};
use crate::shell::Shell;
use clap::{Args, Subcommand};
use gcc_grammar::{Error, Key, Seal};
use gcc_grammar_store::{Place, Store};
use std::path::PathBuf;

// A text for the documentation would be the help of the command.
#[derive(Subcommand)]
pub(crate) enum Arguments {
    /// List the artifacts: key, size, notation, and the vocabulary that each is for
    List(StoreArgument),
    /// Read all artifacts, and compare each with its key and its checksums
    Verify(VerifyArguments),
    /// Remove the artifacts of keys
    Remove(RemoveArguments),
    /// Remove what was used least recently, until the rest fits into a number of bytes
    Prune(PruneArguments),
}

#[derive(Args)]
pub(crate) struct StoreArgument {
    /// The store, as for --store of other commands
    #[arg(value_name = "STORE")]
    url: String,
}

#[derive(Args)]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    store: StoreArgument,
    /// Accept only artifacts that are signed with one of these public keys of minisign
    #[arg(long, value_name = "KEYFILE")]
    trust: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct RemoveArguments {
    #[command(flatten)]
    store: StoreArgument,
    /// The keys, or at least their first six digits
    #[arg(value_name = "KEY", required = true)]
    keys: Vec<String>,
}

#[derive(Args)]
pub(crate) struct PruneArguments {
    #[command(flatten)]
    store: StoreArgument,
    /// The most bytes that remain
    #[arg(long, value_name = "N")]
    most_bytes: u64,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Arguments, shell: &Shell) -> Result<Exit, Failure> {
    match arguments {
        Arguments::List(store) => {
            let store = store.open(Seal::default())?;
            let found = found(&store, Store::get_trusted)?;
            shell.write(|| list_text(&found), || list_json(&found))
        }
        Arguments::Verify(verify) => {
            let store = verify.store.open(Seal::default().trusting(&verify.trust)?)?;
            let found = found(&store, Store::get)?;
            shell.write(|| verified_text(&found), || verified_json(&found))?;
            let is_intact = found.iter().all(|found| found.artifact.is_ok());
            Ok(if is_intact { Exit::Done } else { Exit::Refused })
        }
        Arguments::Remove(remove) => {
            let store = remove.store.open(Seal::default())?;
            let keys: Result<Vec<Key>, _> = remove.keys.iter().map(|key| store.key(key)).collect();
            let mut removed = Vec::new();
            for key in keys? {
                match store.remove(key)? {
                    none if none.is_empty() => return Err(store.missing(key).into()),
                    some => removed.extend(some),
                }
            }
            shell.write(|| removed_text(&removed), || removed_json(&removed))
        }
        Arguments::Prune(prune) => {
            let removed = prune.store.open(Seal::default())?.prune(prune.most_bytes)?;
            shell.write(|| removed_text(&removed), || removed_json(&removed))
        }
    }
}

impl StoreArgument {
    fn open(&self, seal: Seal) -> Result<Store, Failure> {
        let path = self.url.strip_prefix("file://").unwrap_or(&self.url);
        if !self.url.contains("://") || self.url.starts_with("file://") {
            // To open a store would make its folder.
            std::fs::metadata(path)
                .map_err(|error| Error::io(path.as_ref(), "there is no such store", error))?;
        }
        Ok(Store::open_sealed(&self.url, None, seal)?)
    }
}

/// The file at each place of a store. Files that were removed meanwhile are left out.
fn found(
    store: &Store,
    get: impl Fn(&Store, &Place) -> Result<Option<gcc_grammar::Artifact>, Error>,
) -> Result<Vec<Found>, Error> {
    let mut all = Vec::new();
    for place in store.places()? {
        match get(store, &place) {
            Ok(None) => {}
            Ok(Some(artifact)) => all.push(Found::new(place, Ok(&artifact))),
            Err(error) => all.push(Found::new(place, Err(error))),
        }
    }
    Ok(all)
}
