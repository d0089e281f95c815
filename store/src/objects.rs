//! The objects of a store behind a cache, which are copied and not mapped.

use crate::folder::Folder;
use crate::place::Place;
#[cfg(feature = "stores")]
use crate::remote::Remote;
use crate::sealed::Sealed;
use gcc_grammar::{Error, Key};
use gcc_grammar_artifact::Fingerprint;

/// The objects of a store.
#[derive(Debug)]
pub(crate) enum Objects {
    /// A folder, such as one that machines share.
    Folder(Folder),
    /// A remote store.
    #[cfg(feature = "stores")]
    Remote(Remote),
}

impl Objects {
    /// The artifact of a place, compared with its checksums and its signature; none if there is no such object.
    pub(crate) fn get(&self, place: &Place) -> Result<Option<Sealed>, Error> {
        match self {
            Self::Folder(folder) => folder.get(place),
            #[cfg(feature = "stores")]
            Self::Remote(remote) => remote.get(place),
        }
    }

    /// Whether there is an object, and a signature if it matters, whatever is in them.
    pub(crate) fn has(&self, place: &Place) -> Result<bool, Error> {
        match self {
            Self::Folder(folder) => Ok(folder.has(place)),
            #[cfg(feature = "stores")]
            Self::Remote(remote) => remote.has(place),
        }
    }

    /// Puts an artifact there, after its signature. An object of the same name is replaced as a whole.
    pub(crate) fn put(&self, place: &Place, sealed: &Sealed) -> Result<(), Error> {
        match self {
            Self::Folder(folder) => folder.save(place, &sealed.artifact, sealed.signature.as_deref()),
            #[cfg(feature = "stores")]
            Self::Remote(remote) => remote.put(place, sealed),
        }
    }

    /// The vocabularies of which there are artifacts.
    pub(crate) fn vocabularies(&self) -> Result<Vec<Fingerprint>, Error> {
        match self {
            Self::Folder(folder) => folder.vocabularies(),
            #[cfg(feature = "stores")]
            Self::Remote(remote) => remote.vocabularies(),
        }
    }

    /// The keys of the artifacts for a vocabulary, in order.
    pub(crate) fn keys(&self, vocabulary: Fingerprint) -> Result<Vec<Key>, Error> {
        match self {
            Self::Folder(folder) => folder.keys(vocabulary),
            #[cfg(feature = "stores")]
            Self::Remote(remote) => remote.keys(vocabulary),
        }
    }

    /// The name of the store.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Folder(folder) => folder.name(),
            #[cfg(feature = "stores")]
            Self::Remote(remote) => remote.name(),
        }
    }
}
