//! What is behind a cache: the objects of a store, which are copied and not mapped.

use super::folder::Folder;
use super::place::Place;
use crate::artifact::Artifact;
use crate::error::Error;
use gcc_grammar_artifact::Fingerprint;

/// The objects of a store.
#[derive(Debug)]
pub(super) enum Objects {
    /// A folder, such as one that machines share.
    Folder(Folder),
}

impl Objects {
    /// The artifact of a place, compared with its checksums; none if there is no such object.
    pub(super) fn get(&self, place: &Place) -> Result<Option<Artifact>, Error> {
        match self {
            Self::Folder(folder) => folder.get(place),
        }
    }

    /// Whether there is an object, whatever is in it.
    pub(super) fn has(&self, place: &Place) -> Result<bool, Error> {
        match self {
            Self::Folder(folder) => Ok(folder.path(place).exists()),
        }
    }

    /// Puts an artifact there. An object of the same name is replaced as a whole.
    pub(super) fn put(&self, place: &Place, artifact: &Artifact) -> Result<(), Error> {
        match self {
            Self::Folder(folder) => folder.save(place, artifact),
        }
    }

    /// The vocabularies of which there are artifacts.
    pub(super) fn vocabularies(&self) -> Result<Vec<Fingerprint>, Error> {
        match self {
            Self::Folder(folder) => folder.vocabularies(),
        }
    }

    /// The name of the store.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Folder(folder) => folder.name(),
        }
    }
}
