//! Stores of artifacts, which processes and machines share, and the batches that fill them.
//!
//! ```text
//! Store ── the cache or the folder itself (a Folder: mapped, locked, bounded)
//!   └──── behind a cache: the objects of the store
//! ```
//! | module | content |
//! |---|---|
//! | [`place`] | the name of an artifact in a store: vocabulary and key |
//! | [`folder`] | a folder that processes share: whole files, one compilation per key, least recently used goes first |
//! | [`objects`] | what is behind a cache: another folder |
//! | [`url`] | the address of a store |
//! | [`items`], [`batch`] | many sources are read, and compiled into a store |
//!
//! An artifact has one place, which follows from its vocabulary and its [key](crate::Key), and artifacts with equal keys are equal byte for
//! byte. So nothing in a store ever changes, writers need not agree on anything, and a file can be removed at any time: it is
//! made again. What is read is compared with its key, its vocabulary and all its checksums before it is used.

pub mod batch;
mod folder;
pub mod items;
mod objects;
mod place;
mod url;

use crate::artifact::Artifact;
use crate::error::Error;
use crate::session::Session;
use crate::vocabulary::Vocabulary;
use folder::Folder;
use objects::Objects;
use std::path::PathBuf;
use url::Address;

pub use folder::{Origin, Stored};
pub use place::Place;

/// The folder in front of a store, in which artifacts are kept that were used here.
#[derive(Clone, Debug)]
pub struct CacheOptions {
    /// The folder. Any number of processes may share it.
    pub folder: PathBuf,
    /// The most bytes of artifacts that are kept. Each process may exceed it by a sixteenth before it looks again.
    pub most_bytes: u64,
}

/// A store of artifacts. Any number of threads, processes and machines may use one at once.
#[derive(Debug)]
pub struct Store {
    /// Where artifacts are mapped from.
    near: Folder,
    /// The store itself, if `near` is a cache.
    far: Option<Objects>,
}

impl Store {
    /// Opens the store at an address: `file:///folder`, or the path of a folder, which is made if it is not there. Without a cache,
    /// artifacts are mapped from the folder itself.
    ///
    /// # Errors
    /// The address is of no known kind, or a folder cannot be made.
    pub fn open(url: &str, cache: Option<&CacheOptions>) -> Result<Self, Error> {
        let Address::Folder(path) = Address::parse(url)?;
        let folder = Folder::new(path, None)?;
        let Some(cache) = cache else { return Ok(Self { near: folder, far: None }) };
        let near = Folder::new(cache.folder.clone(), Some(cache.most_bytes))?;
        Ok(Self { near, far: Some(Objects::Folder(folder)) })
    }

    /// The artifact of a place; none if the store does not have it.
    ///
    /// # Errors
    /// What is there is damaged, or another artifact; the store cannot be read.
    pub fn get(&self, place: &Place) -> Result<Option<Artifact>, Error> {
        match (self.near.get(place), &self.far) {
            (Ok(None) | Err(_), Some(far)) => self.fetch(far, place),
            (found, _) => found,
        }
    }

    /// Fetches an artifact into the cache.
    fn fetch(&self, far: &Objects, place: &Place) -> Result<Option<Artifact>, Error> {
        let _lock = self.near.lock(place);
        if let Ok(Some(artifact)) = self.near.get(place) {
            return Ok(Some(artifact));
        }
        let Some(artifact) = far.get(place)? else { return Ok(None) };
        Ok(Some(self.near.keep(place, artifact)))
    }

    /// The artifact of a place: from the store, or made now and put there. Of several processes that want it at once, one makes it.
    /// What is damaged is replaced.
    ///
    /// # Errors
    /// The artifact cannot be made, or not be put into the store.
    pub fn get_or_make(
        &self,
        place: &Place,
        make: impl FnOnce() -> Result<Artifact, Error>,
    ) -> Result<Stored, Error> {
        let Some(far) = &self.far else { return self.near.get_or_make(place, make) };
        let (found, damage) = match self.get(place) {
            Ok(found) => (found, None),
            Err(error) => (None, Some(error)),
        };
        if let Some(artifact) = found {
            if !far.has(place)? {
                far.put(place, &artifact)?;
            }
            return Ok(Stored { artifact, origin: Origin::Found, damage: None });
        }
        let made = self.near.get_or_make(place, make)?;
        far.put(place, &made.artifact)?;
        Ok(Stored { damage: made.damage.or(damage), ..made })
    }

    /// The artifact of a key, whichever vocabulary it is for; none if the store does not have it.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn find(&self, key: crate::Key) -> Result<Option<Artifact>, Error> {
        let vocabularies = match &self.far {
            Some(far) => far.vocabularies()?,
            None => self.near.vocabularies()?,
        };
        let places = vocabularies.into_iter().map(|vocabulary| Place { vocabulary, key });
        for place in places {
            if let Some(artifact) = self.get(&place)? {
                return Ok(Some(artifact));
            }
        }
        Ok(None)
    }

    /// Opens the artifact of a key with its vocabulary.
    ///
    /// # Errors
    /// As [`get`](Self::get), and if the store does not have it.
    pub fn session(&self, key: crate::Key, vocabulary: &Vocabulary) -> Result<Session, Error> {
        let place = Place::new(key, vocabulary);
        let artifact = self.get(&place)?.ok_or_else(|| self.missing(key))?;
        Session::new(artifact, vocabulary)
    }

    /// The error that the store does not have a key.
    #[must_use]
    pub fn missing(&self, key: crate::Key) -> Error {
        place::missing(&self.name(), key)
    }

    /// The name of an artifact's object, for messages.
    #[must_use]
    pub fn name_of(&self, place: &Place) -> String {
        format!("{}/{place}", self.name())
    }

    fn name(&self) -> String {
        match &self.far {
            Some(far) => far.name(),
            None => self.near.name(),
        }
    }
}
