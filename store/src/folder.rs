//! A folder of artifacts that processes share: a store by itself, or, with a bound, the cache in front of one.
//!
//! - A file is written under a temporary name and renamed, so whoever opens it finds all of it, also if a writer is killed.
//! - Who makes an artifact holds a lock meanwhile, one of 256 for each vocabulary. Others wait, and find the file. The system
//!   releases the lock of a process that ends in whatever way. Who has waited for a minute gives up. Where a file system has no locks, two processes may
//!   compile the same.
//! - No link below the folder is followed, and nothing but regular files is opened: others may write there.
//! - A bounded folder forgets what was used least recently. Who has a file mapped keeps its content.

use crate::place::{LAYOUT, Place};
use crate::sealed::Sealed;
use gcc_grammar::artifact::{Artifact, embedded_vocabulary};
use gcc_grammar::seal::{self, Seal};
use gcc_grammar::{Error, ErrorKind, Key};
use gcc_grammar_artifact::grammar::{COSTS, METADATA};
use gcc_grammar_artifact::{ArtifactError, Fingerprint};
use gcc_grammar_files::SharedFolder;
use gcc_grammar_ir::{Code, Diagnostic};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// A process looks at the size of the folder whenever it has written this fraction of the bound.
const UNSEEN: u64 = 16;
/// The use of a file is noted in its time, unless that was done so short ago.
const NOTED: Duration = Duration::from_secs(10);
/// A lock is waited for so long. By default limits, no compilation takes a third of it.
const LOCK_TIME: Duration = Duration::from_secs(60);
/// A temporary file that is older was left by a process that was killed.
const LEFT: Duration = Duration::from_secs(3600);

/// Where an artifact comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It was in the store.
    Found,
    /// It was made now.
    Made,
}

/// An artifact that is in the store.
#[derive(Debug)]
#[non_exhaustive]
pub struct Stored {
    /// The artifact.
    pub artifact: Artifact,
    /// Where it comes from.
    pub origin: Origin,
    /// Why what was in its place before was of no use.
    pub damage: Option<Error>,
}

/// An artifact that was removed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Removed {
    /// Where it was.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
}

/// What keeps the artifacts of a store: a folder, a remote store, or a pack.
pub(crate) trait Objects: fmt::Debug + Send + Sync {
    /// The artifact of a place, compared with its key, its checksums and its signature; none if it is not there.
    fn get(&self, place: &Place) -> Result<Option<Sealed>, Error>;

    /// The same, compared with its key and its signature only, if that saves time.
    fn get_trusted(&self, place: &Place) -> Result<Option<Sealed>, Error> {
        self.get(place)
    }

    /// Whether there is an artifact, and a signature if it matters, whatever is in them.
    fn has(&self, place: &Place) -> Result<bool, Error>;

    /// Puts an artifact there, after its signature. One that is there is replaced as a whole.
    fn put(&self, place: &Place, sealed: &Sealed) -> Result<(), Error>;

    /// The vocabularies of which there are artifacts.
    fn vocabularies(&self) -> Result<Vec<Fingerprint>, Error>;

    /// The keys of the artifacts for a vocabulary, in order.
    fn keys(&self, vocabulary: Fingerprint) -> Result<Vec<Key>, Error>;

    /// The path or the URL, for messages.
    fn name(&self) -> String;

    /// The folder, if this is one: artifacts are locked and removed there only.
    fn folder(&self) -> Option<&Folder> {
        None
    }

    /// The error that nothing can be put there, if that is so.
    fn unchanging(&self) -> Option<Error> {
        None
    }
}

/// What a folder has of a place now.
pub(crate) struct Gotten {
    pub(crate) sealed: Sealed,
    pub(crate) origin: Origin,
    pub(crate) damage: Option<Error>,
    /// Why what was made could not be written.
    pub(crate) unsaved: Option<Error>,
}

impl Gotten {
    fn found(sealed: Sealed) -> Self {
        Self { sealed, origin: Origin::Found, damage: None, unsaved: None }
    }
}

impl From<Gotten> for Stored {
    fn from(Gotten { sealed, origin, damage, .. }: Gotten) -> Self {
        Self { artifact: sealed.artifact, origin, damage }
    }
}

/// A folder of artifacts.
#[derive(Debug)]
pub(crate) struct Folder {
    files: SharedFolder,
    most_bytes: Option<u64>,
    seal: Seal,
    /// Bytes that were written since the size of the folder was looked at.
    unseen: AtomicU64,
}

impl Folder {
    /// The folder at this path, which is made if it is not there.
    pub(crate) fn new(root: PathBuf, most_bytes: Option<u64>, seal: Seal) -> Result<Self, Error> {
        fs::create_dir_all(&root).map_err(|error| Error::io(&root, "the folder cannot be made", error))?;
        Ok(Self { files: SharedFolder::new(root), most_bytes, seal, unseen: AtomicU64::new(u64::MAX) })
    }

    fn get_with(&self, place: &Place, trust: fn(Artifact) -> Artifact) -> Result<Option<Sealed>, Error> {
        let below = place.to_string();
        let path = self.files.path(&below);
        // This takes less time than an error with its message.
        let Ok(found) = fs::symlink_metadata(&path) else { return Ok(None) };
        if self.most_bytes.is_some() {
            self.note_use(&below, found.modified().ok());
        }
        let opened =
            Artifact::open_shared(&self.files, &below).and_then(|artifact| checked(trust(artifact), place));
        match opened.and_then(|artifact| Sealed::checked(&self.seal, artifact, || self.signature(place))) {
            Ok(sealed) => Ok(Some(sealed)),
            // It was removed just now.
            Err(error) if error.kind() == ErrorKind::NotFound && fs::symlink_metadata(&path).is_err() => {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// The artifact of a place, from its file, or made now, signed and written.
    pub(crate) fn get_or_make(
        &self,
        place: &Place,
        make: impl FnOnce() -> Result<Artifact, Error>,
    ) -> Result<Gotten, Error> {
        // A file is replaced as a whole, so one that is there needs no lock.
        if let Ok(Some(sealed)) = self.get(place) {
            return Ok(Gotten::found(sealed));
        }
        let _lock = self.lock(place)?;
        let damage = match self.get(place) {
            Ok(Some(sealed)) => return Ok(Gotten::found(sealed)),
            Ok(None) => None,
            Err(error) => Some(error),
        };
        let sealed = Sealed::made(&self.seal, make()?, place.key)?;
        let unsaved = self.put(place, &sealed).err();
        Ok(Gotten { sealed, origin: Origin::Made, damage, unsaved })
    }

    /// Keeps an artifact if there is room, and maps it from its file.
    pub(crate) fn keep(&self, place: &Place, sealed: Sealed) -> Artifact {
        let kept = self.put(place, &sealed);
        match kept.and_then(|()| Artifact::open_shared(&self.files, &place.to_string())) {
            // It was compared with its checksums before it was written.
            Ok(kept) => kept.trusted(),
            // A cache that cannot be written is no cache. The artifact is all right.
            Err(_) => sealed.artifact,
        }
    }

    fn write(&self, below: &str, bytes: &[u8]) -> Result<(), Error> {
        let failed = |error| Error::io(&self.files.path(below), "cannot be written", error);
        self.files.write(below, bytes).map_err(failed)
    }

    /// The signature of an artifact; none if there is no such file.
    fn signature(&self, place: &Place) -> Result<Option<Vec<u8>>, Error> {
        let below = signature_of(place);
        seal::signature(&self.files.path(&below), self.files.read_within(&below, seal::MAX_BYTES as u64))
    }

    /// Keeps other processes and threads from making the artifact, until the value is dropped; none where there are no locks.
    pub(crate) fn lock(&self, place: &Place) -> Result<Option<File>, Error> {
        let below = lock_of(place);
        self.files.lock(&below, LOCK_TIME).map_err(|error| {
            let what = "the lock of this part of the store cannot be taken";
            let help = match error.kind() {
                io::ErrorKind::TimedOut => "try again, or end the process that has it",
                _ => "remove it; stores have regular files and folders only",
            };
            Error::io(&self.files.path(&below), what, error).advising(help)
        })
    }

    /// Sets the time of a file to now. Only its owner may; for others the file was used when it was written.
    fn note_use(&self, below: &str, last: Option<SystemTime>) {
        let is_noted = last.is_some_and(|last| last.elapsed().is_ok_and(|age| age < NOTED));
        if !is_noted && let Ok(opened) = self.files.open(below) {
            let _ = opened.file.set_modified(SystemTime::now());
        }
    }

    fn names(&self, below: &str) -> Result<Vec<String>, Error> {
        let failed = |error| Error::io(&self.files.path(below), "the folder cannot be read", error);
        self.files.names(below).map_err(failed)
    }

    /// Removes the files that were used least recently, if another one of `length` bytes might exceed the bound. Files are left until
    /// together they have the bound less what this process may write before it looks again.
    fn make_room(&self, length: u64) {
        let Some(most) = self.most_bytes else { return };
        let unseen = self.unseen.load(Ordering::Relaxed).saturating_add(length);
        self.unseen.store(unseen, Ordering::Relaxed);
        if unseen <= most / UNSEEN {
            return;
        }
        self.unseen.store(length, Ordering::Relaxed);
        self.remove_oldest(most / UNSEEN * (UNSEEN - 1) - length);
    }

    /// Removes the files that were used least recently, until the rest has at most this number of bytes, and temporary files that were left.
    /// Returns the removed files, and an error if the rest has more, since files cannot be removed.
    pub(crate) fn remove_oldest(&self, most: u64) -> (Vec<Removed>, Option<Error>) {
        let mut files = Vec::new();
        collect(&self.files.path(LAYOUT), &mut files);
        files.sort_unstable();
        let (mut size, mut removed) = (files.iter().map(|file| file.length).sum::<u64>(), Vec::new());
        let mut failed = None;
        for Used { length, path, .. } in files {
            if size <= most {
                break;
            }
            match fs::remove_file(&path) {
                Ok(()) => {
                    let _ = fs::remove_file(seal::path_of(&path));
                    size -= length;
                    removed.push(Removed { path, bytes: length });
                }
                // Another process has removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => size -= length,
                Err(error) => failed = failed.or_else(|| Some(Error::io(&path, "cannot be removed", error))),
            }
        }
        (removed, failed.filter(|_| size > most))
    }

    /// Removes the artifact of a place with its signature; none if there is none.
    pub(crate) fn remove(&self, place: &Place) -> Result<Option<Removed>, Error> {
        let below = place.to_string();
        if !self.files.has(&below) {
            return Ok(None);
        }
        let path = self.files.path(&below);
        let failed = |error| Error::io(&path, "cannot be removed", error);
        let bytes = fs::symlink_metadata(&path).map_err(failed)?.len();
        fs::remove_file(&path).map_err(failed)?;
        let _ = fs::remove_file(seal::path_of(&path));
        Ok(Some(Removed { path, bytes }))
    }
}

impl Objects for Folder {
    fn get(&self, place: &Place) -> Result<Option<Sealed>, Error> {
        self.get_with(place, |artifact| artifact)
    }

    fn get_trusted(&self, place: &Place) -> Result<Option<Sealed>, Error> {
        self.get_with(place, Artifact::trusted)
    }

    fn has(&self, place: &Place) -> Result<bool, Error> {
        let is_signed = || self.files.has(&signature_of(place));
        Ok(self.files.has(&place.to_string()) && (!self.seal.is_checked() || is_signed()))
    }

    /// Also makes room for the artifact, if the folder is bounded.
    fn put(&self, place: &Place, sealed: &Sealed) -> Result<(), Error> {
        let length = sealed.artifact.bytes().len() as u64;
        if self.most_bytes.is_some_and(|most| length > most / UNSEEN * (UNSEEN - 1)) {
            return Ok(());
        }
        self.make_room(length);
        if let Some(signature) = &sealed.signature {
            self.write(&signature_of(place), signature)?;
        }
        self.write(&place.to_string(), &sealed.artifact.file_bytes()?)
    }

    fn vocabularies(&self) -> Result<Vec<Fingerprint>, Error> {
        let names = self.names(LAYOUT)?;
        Ok(names.iter().filter_map(|name| name.parse().ok().map(|Key(fingerprint)| fingerprint)).collect())
    }

    fn keys(&self, vocabulary: Fingerprint) -> Result<Vec<Key>, Error> {
        let folder = format!("{LAYOUT}/{}", Key(vocabulary));
        let mut keys = Vec::new();
        // A file that is no part has no keys, whoever has put it there.
        for part in self.names(&folder)?.into_iter().filter(|name| name.len() == 2) {
            let names = self.names(&format!("{folder}/{part}"))?;
            keys.extend(names.iter().filter_map(|name| name.strip_suffix(".gcg")?.parse::<Key>().ok()));
        }
        Ok(keys)
    }

    fn name(&self) -> String {
        self.files.root().display().to_string()
    }

    fn folder(&self) -> Option<&Folder> {
        Some(self)
    }
}

/// A file of an artifact, in the order of last uses.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Used {
    time: SystemTime,
    length: u64,
    path: PathBuf,
}

/// Collects the artifacts below a folder, and removes temporary files that were left.
fn collect(folder: &Path, files: &mut Vec<Used>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, Ok(found)) = (entry.path(), entry.metadata()) else { continue };
        let time = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if found.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "gcg") {
            files.push(Used { time, length: found.len(), path });
        } else if gcc_grammar_files::is_temporary(&path) && time.elapsed().is_ok_and(|age| age > LEFT) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The path of the signature of an artifact.
fn signature_of(place: &Place) -> String {
    format!("{place}{}", seal::EXTENSION)
}

/// The path of the lock of an artifact, and of all others in its folder.
fn lock_of(place: &Place) -> String {
    let place = place.to_string();
    let folder = place.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{folder}/.lock")
}

/// The artifact, if it is intact and the one that belongs at this place.
pub(crate) fn checked(artifact: Artifact, place: &Place) -> Result<Artifact, Error> {
    let grammar = artifact.grammar()?;
    let header = grammar.container().header();
    if header.vocabulary != place.vocabulary {
        let error = ArtifactError::WrongVocabulary { expected: place.vocabulary, found: header.vocabulary };
        return Err(artifact.error(error));
    }
    // Tables are compared with their checksums once per process, these sections whenever they are read.
    for section in [METADATA, COSTS] {
        match grammar.container().bytes(&section) {
            Err(ArtifactError::MissingSection { .. }) | Ok(_) => {}
            Err(error) => return Err(artifact.error(error)),
        }
    }
    embedded_vocabulary(&grammar).map_err(|error| artifact.error(error))?;
    if header.key != place.key.0 {
        let message = format!("this is the artifact with the key {}", Key(header.key));
        let diagnostic = Diagnostic::error(Code::DamagedArtifact, message)
            .help("remove the file; it has the name of another artifact");
        return Err(Error::new(ErrorKind::Refused, artifact.name(), diagnostic));
    }
    Ok(artifact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar::{Options, Packing, Source, Vocabulary, artifact_key, compile};
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;

    fn vocabulary() -> Vocabulary {
        Vocabulary::from_tokens("v", (0..=255_u8).map(|byte| [byte])).expect("a vocabulary")
    }

    /// The artifact of a text, and its place.
    fn made(text: &str) -> (Place, Artifact) {
        let (source, options, vocabulary) = (Source::regex(text), Options::default(), vocabulary());
        let key = artifact_key(&source, &vocabulary, &options, Packing::Referenced).expect("a key");
        (Place::new(key, &vocabulary), compile(&source, &vocabulary, &options).expect("compiled"))
    }

    fn put(
        folder: &Folder,
        place: &Place,
        artifact: &Artifact,
        signature: Option<&[u8]>,
    ) -> Result<(), Error> {
        let artifact = Artifact::from_bytes("a", artifact.bytes().to_vec())?;
        folder.put(place, &Sealed { artifact, signature: signature.map(<[u8]>::to_vec) })
    }

    fn path(folder: &Folder, place: &Place) -> PathBuf {
        folder.files.path(&place.to_string())
    }

    fn set_time(folder: &Folder, place: &Place, seconds: u64) {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        File::open(path(folder, place)).and_then(|file| file.set_modified(time)).expect("set");
    }

    fn has(folder: &Folder, place: &Place) -> bool {
        path(folder, place).exists()
    }

    #[test]
    fn what_was_used_least_recently_goes_first() {
        let root = tempfile::tempdir().expect("a folder");
        let all = ["a", "b", "c", "d"].map(made);
        let length = all[0].1.bytes().len() as u64;
        assert!(all.iter().all(|(_, artifact)| artifact.bytes().len() as u64 == length));
        let most = length * 7 / 2;
        let folder = Folder::new(root.path().to_owned(), Some(most), Seal::default()).expect("made");
        let left = path(&folder, &all[0].0).with_file_name(".gcc-grammar-left");
        for (number, (place, artifact)) in (1..).zip(&all[..3]) {
            put(&folder, place, artifact, None).expect("saved");
            set_time(&folder, place, number);
        }
        fs::write(&left, "x").expect("written");
        File::open(&left).and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH)).expect("set");
        // The first one is used, so the second one goes.
        assert!(folder.get(&all[0].0).expect("readable").is_some());
        put(&folder, &all[3].0, &all[3].1, None).expect("saved");
        assert_eq!(all.each_ref().map(|(place, _)| has(&folder, place)), [true, false, true, true]);
        assert!(!left.exists());
        let tiny = Folder::new(root.path().join("tiny"), Some(length), Seal::default()).expect("made");
        put(&tiny, &all[0].0, &all[0].1, None).expect("not kept");
        assert!(!has(&tiny, &all[0].0));
    }

    /// The bound holds after each step of a long series, also if each file is a small part of it.
    #[test]
    fn the_bound_holds() {
        let root = tempfile::tempdir().expect("a folder");
        let (place, artifact) = made("a");
        let length = artifact.bytes().len() as u64;
        let most = 40 * length;
        let folder = Folder::new(root.path().to_owned(), Some(most), Seal::default()).expect("made");
        for number in 0..200_u8 {
            let mut key = place.key;
            key.0[0] = number;
            put(&folder, &Place { key: Key(key.0), ..place }, &artifact, None).expect("saved");
            let mut files = Vec::new();
            collect(root.path(), &mut files);
            let size: u64 = files.iter().map(|file| file.length).sum();
            assert!(size <= most && (number < 40 || size > most / 2), "{number}: {size} of {most}");
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_serves_nevertheless() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = Folder::new(root.path().to_owned(), None, Seal::default()).expect("made");
        let _ = fs::remove_dir_all(root.path().join(LAYOUT));
        fs::write(root.path().join(LAYOUT), "not a folder").expect("written");
        let (place, artifact) = made("a");
        let gotten = folder.get_or_make(&place, || Ok(made("a").1)).expect("made");
        assert_eq!((gotten.sealed.artifact.bytes(), gotten.unsaved.is_some()), (artifact.bytes(), true));
    }

    /// What others have put at the place of an artifact, its signature or its lock leads nowhere.
    #[cfg(unix)]
    #[test]
    fn planted_links_and_pipes_are_of_no_use() {
        use std::os::unix::fs::symlink;
        let (root, outside) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let target = outside.path().join("target");
        let folder = Folder::new(root.path().to_owned(), Some(1 << 30), Seal::default()).expect("made");
        let (place, artifact) = made("a");
        let file = path(&folder, &place);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        let pipe = |path: &Path| {
            assert!(std::process::Command::new("mkfifo").arg(path).status().expect("it runs").success());
        };
        // A valid artifact behind a link is not used, either.
        artifact.save(&target).expect("saved");
        for plant in [&|file: &Path| symlink(&target, file).expect("linked"), &pipe as &dyn Fn(&Path)] {
            plant(&file);
            assert!(!folder.has(&place).expect("known"));
            let error = folder.get(&place).expect_err("no file").to_string();
            assert!(error.contains("not a regular file"), "{error}");
            let gotten = folder.get_or_make(&place, || Ok(made("a").1)).expect("made");
            assert!(gotten.origin == Origin::Made && gotten.damage.is_some() && gotten.unsaved.is_none());
            assert!(fs::symlink_metadata(&file).expect("there").is_file());
            fs::remove_file(&file).expect("removed");
            let lock = file.with_file_name(".lock");
            fs::remove_file(&lock).expect("removed");
            plant(&lock);
            let error = folder.get_or_make(&place, || Ok(made("a").1)).err().expect("no lock").to_string();
            assert!(error.contains("not a regular file") && error.contains(".lock"), "{error}");
            fs::remove_file(&lock).expect("removed");
        }
        assert_eq!(fs::read(&target).expect("there"), artifact.bytes());
        fs::remove_dir_all(file.parent().expect("a folder")).expect("removed");
        symlink(outside.path(), file.parent().expect("a folder")).expect("linked");
        let error = put(&folder, &place, &artifact, Some(b"signature")).expect_err("a link").to_string();
        assert!(error.contains("is a symbolic link, not a folder"), "{error}");
        assert_eq!(fs::read_dir(outside.path()).expect("there").count(), 1);
    }

    #[test]
    fn threads_make_an_artifact_once() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = Folder::new(root.path().to_owned(), None, Seal::default()).expect("made");
        let (place, _) = made("a");
        let (calls, barrier) = (AtomicUsize::new(0), Barrier::new(8));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    barrier.wait();
                    let make = || {
                        calls.fetch_add(1, Ordering::Relaxed);
                        std::thread::sleep(Duration::from_millis(50));
                        Ok(made("a").1)
                    };
                    folder.get_or_make(&place, make).expect("made");
                });
            }
        });
        assert_eq!(calls.into_inner(), 1);
    }

    #[test]
    fn an_artifact_at_the_place_of_another_is_refused() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = Folder::new(root.path().to_owned(), None, Seal::default()).expect("made");
        let ((a, _), (_, b)) = (made("a"), made("b"));
        put(&folder, &a, &b, None).expect("saved");
        let error = folder.get(&a).expect_err("another artifact").to_string();
        assert!(error.contains("this is the artifact with the key"), "{error}");
        assert_eq!(folder.vocabularies().expect("read"), [a.vocabulary]);
    }
}
