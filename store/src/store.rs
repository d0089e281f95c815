//! [`Store`]: a folder, a cache in front of one or of remote objects, or a pack.

use crate::folder::{Folder, Gotten, Objects, Origin, Stored, checked};
use crate::place::{self, Place};
use crate::sealed::Sealed;
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
pub struct Store {
    /// The cache. Without one, artifacts are mapped from the folder or the pack itself.
    near: Option<Folder>,
    pub(crate) objects: Box<dyn Objects>,
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
        let folder = Folder::new(options.folder.clone(), Some(options.most_bytes), Seal::default())?;
        Ok(Self { near: None, objects: Box::new(folder) })
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
        let objects = Box::new(Folder::new(path, None, seal.clone())?);
        let near = cache.map(|cache| Folder::new(cache.folder.clone(), Some(cache.most_bytes), seal));
        Ok(Self { near: near.transpose()?, objects })
    }

    fn open_pack(path: &Path, seal: &Seal) -> Result<Self, Error> {
        let pack = Pack::open(path)?;
        seal.check_file(pack.name(), pack.bytes(), path)?;
        Ok(Self { near: None, objects: Box::new(pack) })
    }

    /// Opens a remote store. Without a cache, it is the one in the user's data folder.
    #[cfg(feature = "stores")]
    fn open_remote(url: &str, cache: Option<&CacheOptions>, seal: Seal) -> Result<Self, Error> {
        let objects = Box::new(crate::remote::Remote::open(url, seal.clone())?);
        let default = || Some((vocabulary_folder()?.join("artifacts"), CACHE_BYTES));
        let given = cache.map(|cache| (cache.folder.clone(), cache.most_bytes));
        let Some((folder, most_bytes)) = given.or_else(default) else { return Err(place::no_cache(url)) };
        Ok(Self { near: Some(Folder::new(folder, Some(most_bytes), seal)?), objects })
    }

    /// The artifact of a place; none if the store does not have it.
    ///
    /// # Errors
    /// The file there is damaged, or another artifact; the store cannot be read.
    pub fn get(&self, place: &Place) -> Result<Option<Artifact>, Error> {
        let Some(near) = &self.near else {
            return Ok(self.objects.get(place)?.map(|sealed| sealed.artifact));
        };
        match near.get(place) {
            Ok(Some(sealed)) => Ok(Some(sealed.artifact)),
            _ => self.fetch(near, place),
        }
    }

    /// The same, without reading the content if it is in the cache, the folder itself, or a pack: somebody vouches for it. Key and
    /// vocabulary are compared.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn get_trusted(&self, place: &Place) -> Result<Option<Artifact>, Error> {
        let nearest: &dyn Objects = match &self.near {
            Some(near) => near,
            None => &*self.objects,
        };
        match nearest.get_trusted(place) {
            Ok(Some(sealed)) => Ok(Some(sealed.artifact)),
            _ => self.get(place),
        }
    }

    /// Fetches an artifact into the cache.
    fn fetch(&self, near: &Folder, place: &Place) -> Result<Option<Artifact>, Error> {
        let _lock = near.lock(place)?;
        if let Ok(Some(sealed)) = near.get(place) {
            return Ok(Some(sealed.artifact));
        }
        let Some(sealed) = self.objects.get(place)? else { return Ok(None) };
        Ok(Some(near.keep(place, sealed)))
    }

    /// The keys of the artifacts for a vocabulary, in order.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn keys(&self, vocabulary: &Vocabulary) -> Result<Vec<Key>, Error> {
        self.objects.keys(vocabulary.tokens().fingerprint())
    }

    /// The folder, if the store is nothing else.
    pub(crate) fn folder(&self) -> Option<&Folder> {
        self.objects.folder().filter(|_| self.near.is_none())
    }

    /// The artifact of a key, whichever vocabulary it is for; none if the store does not have it.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn find(&self, key: Key) -> Result<Option<Artifact>, Error> {
        for place in self.objects.vocabularies()?.into_iter().map(|vocabulary| Place { vocabulary, key }) {
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
        place::missing(&self.objects.name(), key)
    }

    /// The name of an artifact's object, for messages.
    #[must_use]
    pub fn name_of(&self, place: &Place) -> String {
        format!("{}/{place}", self.objects.name())
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
        if let Some(unchanging) = self.objects.unchanging() {
            let artifact = self.get(place)?.ok_or(unchanging)?;
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
        if let Some(folder) = self.folder() {
            let mut gotten = folder.get_or_make(place, make)?;
            let unsaved = gotten.unsaved.take();
            return Ok((gotten.into(), unsaved));
        }
        let damage = match self.get(place) {
            Ok(Some(artifact)) => {
                let unsaved = self.put_again(place).err();
                return Ok((Stored { artifact, origin: Origin::Found, damage: None }, unsaved));
            }
            Ok(None) => None,
            Err(error) => Some(error),
        };
        let Some(near) = &self.near else {
            let stored = Stored { artifact: make()?, origin: Origin::Made, damage };
            return Ok((stored, self.objects.unchanging()));
        };
        // A cache that cannot be written is no cache. The artifact is all right.
        let Gotten { sealed, origin, damage: damage_near, .. } = near.get_or_make(place, make)?;
        let unsaved = self.objects.put(place, &sealed).err();
        let stored = Stored { artifact: sealed.artifact, origin, damage: damage_near.or(damage) };
        Ok((stored, unsaved))
    }

    /// Puts an artifact that is in the cache into the store, unless it is there.
    fn put_again(&self, place: &Place) -> Result<(), Error> {
        let Some(near) = &self.near else { return Ok(()) };
        match self.objects.has(place)? {
            true => Ok(()),
            false => near.get(place)?.map_or(Ok(()), |sealed| self.objects.put(place, &sealed)),
        }
    }
}

/// A file with its artifacts, to which nothing is added.
impl Objects for Pack {
    fn get(&self, place: &Place) -> Result<Option<Sealed>, Error> {
        packed(self, place, |artifact| artifact)
    }

    fn get_trusted(&self, place: &Place) -> Result<Option<Sealed>, Error> {
        packed(self, place, Artifact::trusted)
    }

    fn has(&self, place: &Place) -> Result<bool, Error> {
        Ok(self.get(place)?.is_some())
    }

    fn put(&self, _: &Place, _: &Sealed) -> Result<(), Error> {
        self.unchanging().map_or(Ok(()), Err)
    }

    fn vocabularies(&self) -> Result<Vec<Fingerprint>, Error> {
        Ok(vec![self.vocabulary()])
    }

    fn keys(&self, vocabulary: Fingerprint) -> Result<Vec<Key>, Error> {
        Ok(self.keys().filter(|_| self.vocabulary() == vocabulary).collect())
    }

    fn name(&self) -> String {
        self.name().to_owned()
    }

    fn unchanging(&self) -> Option<Error> {
        let diagnostic = Diagnostic::error(Code::Usage, "a pack does not change")
            .help("compile into a folder, and make a new pack of it with `gcc-grammar pack`");
        Some(Error::new(ErrorKind::NotFound, self.name(), diagnostic))
    }
}

/// The artifact of a place; none if the pack does not have it. Its signature is that of the pack.
fn packed(pack: &Pack, place: &Place, trust: fn(Artifact) -> Artifact) -> Result<Option<Sealed>, Error> {
    let found = pack.artifact(place.key).filter(|_| pack.vocabulary() == place.vocabulary);
    let checked = found.map(|artifact| checked(trust(artifact), place)).transpose()?;
    Ok(checked.map(|artifact| Sealed { artifact, signature: None }))
}
