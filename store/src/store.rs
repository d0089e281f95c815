//! [`Store`]: a folder, a cache in front of one or of remote objects, or a pack.

use crate::folder::{Folder, Gotten, Origin, Stored, checked};
use crate::objects::Objects;
use crate::place::{self, Place};
use crate::url::Address;
use gcc_grammar::diagnostic::{Code, Diagnostic};
#[cfg(feature = "stores")]
use gcc_grammar::vocabulary::default_folder as vocabulary_folder;
use gcc_grammar::{Artifact, Error, ErrorKind, Key, Pack, Seal, Session, Vocabulary};
use gcc_grammar_artifact::Fingerprint;
use std::path::{Path, PathBuf};

/// The most bytes that a cache keeps unless the user says otherwise.
pub const CACHE_BYTES: u64 = 10_000_000_000;

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
pub struct Store(Kind);

#[derive(Debug)]
enum Kind {
    /// Artifacts are mapped from the folder itself.
    Folder(Folder),
    /// They are copied to a folder first.
    Cached { near: Folder, far: Objects },
    /// They are in one file, and there will be no others.
    Pack(Pack),
}

/// Opening and reading.
impl Store {
    /// Opens the store at an address: `file:///folder`, or the path of a folder, which is made if it is not there. Without a cache,
    /// artifacts are mapped from the folder itself. With the feature `stores`, also `s3://bucket/path`, `gs://bucket/path`,
    /// `az://container/path`, and `https://server/path`; without a cache, these have one in the user's data folder. A path can also be that of a [`Pack`]; it needs no cache.
    ///
    /// # Errors
    /// The address is of no known kind, a folder cannot be made, or the pack is damaged.
    pub fn open(url: &str, cache: Option<&CacheOptions>) -> Result<Self, Error> {
        Self::open_sealed(url, cache, Seal::default())
    }

    /// A folder by itself that keeps what was used here, within a bound.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn bounded(options: &CacheOptions) -> Result<Self, Error> {
        Ok(Self(Kind::Folder(Folder::new(
            options.folder.clone(),
            Some(options.most_bytes),
            Seal::default(),
        )?)))
    }

    /// Opens the store at an address. What is read from it, or from the cache, has a signature that the seal trusts; what is put there is
    /// signed. Of a pack, the signature beside it is checked now.
    ///
    /// # Errors
    /// As [`open`](Self::open); a pack has no valid signature.
    pub fn open_sealed(url: &str, cache: Option<&CacheOptions>, seal: Seal) -> Result<Self, Error> {
        let path = match Address::parse(url)? {
            Address::Folder(path) if path.is_file() => return Self::open_pack(&path, &seal),
            Address::Folder(path) => path,
            #[cfg(feature = "stores")]
            Address::Remote(url) => return Self::open_remote(&url, cache, seal),
        };
        let folder = Folder::new(path, None, seal.clone())?;
        let Some(cache) = cache else { return Ok(Self(Kind::Folder(folder))) };
        let near = Folder::new(cache.folder.clone(), Some(cache.most_bytes), seal)?;
        Ok(Self(Kind::Cached { near, far: Objects::Folder(folder) }))
    }

    fn open_pack(path: &Path, seal: &Seal) -> Result<Self, Error> {
        let pack = Pack::open(path)?;
        seal.check_file(pack.name(), pack.bytes(), path)?;
        Ok(Self(Kind::Pack(pack)))
    }

    /// Opens a remote store. Without a cache, it is the one in the user's data folder.
    #[cfg(feature = "stores")]
    fn open_remote(url: &str, cache: Option<&CacheOptions>, seal: Seal) -> Result<Self, Error> {
        let far = Objects::Remote(crate::remote::Remote::open(url, seal.clone())?);
        let default = || Some((vocabulary_folder()?.join("artifacts"), CACHE_BYTES));
        let given = cache.map(|cache| (cache.folder.clone(), cache.most_bytes));
        let Some((folder, most_bytes)) = given.or_else(default) else { return Err(place::no_cache(url)) };
        Ok(Self(Kind::Cached { near: Folder::new(folder, Some(most_bytes), seal)?, far }))
    }

    /// The artifact of a place; none if the store does not have it.
    ///
    /// # Errors
    /// The file there is damaged, or another artifact; the store cannot be read.
    pub fn get(&self, place: &Place) -> Result<Option<Artifact>, Error> {
        match &self.0 {
            Kind::Folder(folder) => Ok(folder.get(place)?.map(|sealed| sealed.artifact)),
            Kind::Pack(pack) => packed(pack, place, |artifact| artifact),
            Kind::Cached { near, far } => match near.get(place) {
                Ok(Some(sealed)) => Ok(Some(sealed.artifact)),
                _ => fetch(near, far, place),
            },
        }
    }

    /// The same, without reading the content if it is in the cache, the folder itself, or a pack: somebody vouches for it. Key and
    /// vocabulary are compared.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn get_trusted(&self, place: &Place) -> Result<Option<Artifact>, Error> {
        let found = match &self.0 {
            Kind::Folder(folder) | Kind::Cached { near: folder, .. } => {
                folder.get_trusted(place).map(|found| found.map(|sealed| sealed.artifact))
            }
            Kind::Pack(pack) => packed(pack, place, Artifact::trusted),
        };
        match found {
            Ok(Some(artifact)) => Ok(Some(artifact)),
            _ => self.get(place),
        }
    }

    /// The keys of the artifacts for a vocabulary, in order.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn keys(&self, vocabulary: &Vocabulary) -> Result<Vec<Key>, Error> {
        self.keys_of(vocabulary.tokens().fingerprint())
    }

    /// The keys of the artifacts for the vocabulary with this fingerprint.
    pub(crate) fn keys_of(&self, vocabulary: Fingerprint) -> Result<Vec<Key>, Error> {
        match &self.0 {
            Kind::Folder(folder) => folder.keys(vocabulary),
            Kind::Cached { far, .. } => far.keys(vocabulary),
            Kind::Pack(pack) if pack.vocabulary() == vocabulary => Ok(pack.keys().collect()),
            Kind::Pack(_) => Ok(Vec::new()),
        }
    }

    /// The vocabularies of which there are artifacts.
    pub(crate) fn vocabularies(&self) -> Result<Vec<Fingerprint>, Error> {
        match &self.0 {
            Kind::Folder(folder) => folder.vocabularies(),
            Kind::Cached { far, .. } => far.vocabularies(),
            Kind::Pack(pack) => Ok(vec![pack.vocabulary()]),
        }
    }

    /// The folder, if the store is nothing else.
    pub(crate) fn folder(&self) -> Option<&Folder> {
        match &self.0 {
            Kind::Folder(folder) => Some(folder),
            Kind::Cached { .. } | Kind::Pack(_) => None,
        }
    }

    /// The artifact of a key, whichever vocabulary it is for; none if the store does not have it.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn find(&self, key: Key) -> Result<Option<Artifact>, Error> {
        for place in self.vocabularies()?.into_iter().map(|vocabulary| Place { vocabulary, key }) {
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
    pub fn session(&self, key: Key, vocabulary: &Vocabulary) -> Result<Session, Error> {
        let place = Place::new(key, vocabulary);
        let artifact = self.get(&place)?.ok_or_else(|| self.missing(key))?;
        Session::new(artifact, vocabulary)
    }

    /// The error that the store does not have a key.
    #[must_use]
    pub fn missing(&self, key: Key) -> Error {
        place::missing(&self.name(), key)
    }

    /// The name of an artifact's object, for messages.
    #[must_use]
    pub fn name_of(&self, place: &Place) -> String {
        format!("{}/{place}", self.name())
    }

    pub(crate) fn name(&self) -> String {
        match &self.0 {
            Kind::Folder(folder) => folder.name(),
            Kind::Cached { far, .. } => far.name(),
            Kind::Pack(pack) => pack.name().to_owned(),
        }
    }
}

/// Writing.
impl Store {
    /// The artifact of a place: from the store, or made now and put there. Of several processes that want it at once, one makes it.
    /// A damaged artifact is replaced.
    ///
    /// # Errors
    /// The artifact cannot be made, or not be put into the store; the store is a pack that does not have it.
    pub fn get_or_make(
        &self,
        place: &Place,
        make: impl FnOnce() -> Result<Artifact, Error>,
    ) -> Result<Stored, Error> {
        if let Kind::Pack(pack) = &self.0 {
            let artifact = self.get(place)?.ok_or_else(|| unchanging(pack))?;
            return Ok(Stored { artifact, origin: Origin::Found, damage: None });
        }
        match self.get_or_use(place, make)? {
            (stored, None) => Ok(stored),
            (_, Some(unsaved)) => Err(unsaved),
        }
    }

    /// The artifact of a place, for whoever wants to use it now: as [`get_or_make`](Self::get_or_make), but an artifact that cannot be put
    /// into the store is returned all the same, with the reason.
    ///
    /// # Errors
    /// The artifact cannot be made.
    pub fn get_or_use(
        &self,
        place: &Place,
        make: impl FnOnce() -> Result<Artifact, Error>,
    ) -> Result<(Stored, Option<Error>), Error> {
        match &self.0 {
            Kind::Folder(folder) => {
                let mut gotten = folder.get_or_make(place, make)?;
                let unsaved = gotten.unsaved.take();
                Ok((gotten.into(), unsaved))
            }
            Kind::Cached { near, far } => self.get_or_use_through(near, far, place, make),
            Kind::Pack(pack) => match packed(pack, place, |artifact| artifact) {
                Ok(Some(artifact)) => Ok((Stored { artifact, origin: Origin::Found, damage: None }, None)),
                missing => {
                    let stored = Stored { artifact: make()?, origin: Origin::Made, damage: missing.err() };
                    Ok((stored, Some(unchanging(pack))))
                }
            },
        }
    }

    fn get_or_use_through(
        &self,
        near: &Folder,
        far: &Objects,
        place: &Place,
        make: impl FnOnce() -> Result<Artifact, Error>,
    ) -> Result<(Stored, Option<Error>), Error> {
        let damage = match self.get(place) {
            Ok(Some(artifact)) => {
                let unsaved = put_again(near, far, place).err();
                return Ok((Stored { artifact, origin: Origin::Found, damage: None }, unsaved));
            }
            Ok(None) => None,
            Err(error) => Some(error),
        };
        // A cache that cannot be written is no cache. The artifact is all right.
        let Gotten { sealed, origin, damage: damage_near, .. } = near.get_or_make(place, make)?;
        let unsaved = far.put(place, &sealed).err();
        let stored = Stored { artifact: sealed.artifact, origin, damage: damage_near.or(damage) };
        Ok((stored, unsaved))
    }
}

/// Puts an artifact that is in the cache into the store, unless it is there.
fn put_again(near: &Folder, far: &Objects, place: &Place) -> Result<(), Error> {
    match far.has(place)? {
        true => Ok(()),
        false => near.get(place)?.map_or(Ok(()), |sealed| far.put(place, &sealed)),
    }
}

/// Fetches an artifact into the cache.
fn fetch(near: &Folder, far: &Objects, place: &Place) -> Result<Option<Artifact>, Error> {
    let _lock = near.lock(place)?;
    if let Ok(Some(sealed)) = near.get(place) {
        return Ok(Some(sealed.artifact));
    }
    let Some(sealed) = far.get(place)? else { return Ok(None) };
    Ok(Some(near.keep(place, sealed)))
}

/// The artifact of a place; none if the pack does not have it.
fn packed(pack: &Pack, place: &Place, trust: fn(Artifact) -> Artifact) -> Result<Option<Artifact>, Error> {
    let found = pack.artifact(place.key).filter(|_| pack.vocabulary() == place.vocabulary);
    found.map(|artifact| checked(trust(artifact), place)).transpose()
}

/// The error that nothing can be put into a pack.
fn unchanging(pack: &Pack) -> Error {
    let diagnostic = Diagnostic::error(Code::Usage, "a pack does not change")
        .help("compile into a folder, and make a new pack of it with `gcc-grammar pack`");
    Error::new(ErrorKind::NotFound, pack.name(), diagnostic)
}
