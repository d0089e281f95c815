//! Compiled vocabularies that are kept, so that a vocabulary is sorted and its trie built only once.
//!
//! ```text
//! <folder>/<label>-<stamp>.gcv
//! ```
//!
//! The name of a file consists of a readable label and a stamp: a hash of everything
//! that could change the vocabulary, which is the contents of its files and the version of this crate. Where its files lie does not
//! matter: equal contents are one vocabulary, under whatever label it was written first. A file is
//! written beside its place and then renamed, so several processes may share a folder. A file that is missing, damaged or
//! has another stamp is built again; if there is no folder, or it cannot be written, the vocabulary is built each time.
//! The folder has a bound: files that were used least recently are removed.
//!
//! The contents are hashed each time, because neither sizes nor times show every change. That takes 5 ms for 15 MB, where building
//! takes hundreds of milliseconds.
//!
//! Whoever can write into the folder decides what the vocabularies are. So it is never a folder that a user merely
//! visits, such as the current one.

use crate::files::read_file;
use gcc_grammar_artifact::container::{MAGIC, checksum};
use gcc_grammar_files::SharedFolder;
use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::walks::PrecomputedWalks;
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Part of the stamp. It must change whenever the same files give another vocabulary than before.
const RULES: &str = concat!(env!("CARGO_PKG_VERSION"), " 17");

/// How many files are kept, at most. Releases that are used side by side have a file each.
const MAX_FILES: usize = 32;
/// The most bytes of all files together, without the file that was written last.
const MAX_BYTES: u64 = 1 << 29;
/// How old the time of a file may be, at most, when it is used. To note each use would be a write each time.
const OLDEST: Duration = Duration::from_secs(3600);

/// The end of the names of files.
const EXTENSION: &str = ".gcv";

/// Maps or reads a file into memory, where it stays as long as the process runs.
pub type MapFile = fn(&Path) -> io::Result<&'static [u8]>;

/// Finds walks that later compilations need not make.
pub type FindWalks = fn(&Vocabulary) -> PrecomputedWalks;

/// How a vocabulary was obtained from the folder of compiled vocabularies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cache {
    /// It was read from this file.
    Read(PathBuf),
    /// It was built, and written to this file.
    Written(PathBuf),
    /// It was built, but there is no folder for it, or it could not be written.
    Unavailable(VocabularyError),
}

/// A file in the folder of compiled vocabularies.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CompiledFile {
    /// Where it lies.
    pub path: PathBuf,
    /// What it was called when it was written: the name of a file or a folder, or of a vocabulary.
    pub label: String,
    /// Its length.
    pub bytes: u64,
    /// A hash of the contents that it was compiled from.
    stamp: String,
    /// When it was used last, within an hour.
    used: Option<SystemTime>,
}

/// The folder of the compiled vocabularies. It need not exist; without a folder, nothing is kept.
#[derive(Clone, Debug)]
pub(super) struct CompiledVocabularies {
    folder: Option<PathBuf>,
    map: Option<MapFile>,
    walk: Option<FindWalks>,
}

impl CompiledVocabularies {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, map: None, walk: None }
    }

    /// Sets the function that brings files into memory.
    pub(super) fn set_map(&mut self, map: MapFile) {
        self.map = Some(map);
    }

    /// Sets the function that finds precomputed walks.
    pub(super) fn set_walk(&mut self, walk: FindWalks) {
        self.walk = Some(walk);
    }

    /// Reads the vocabulary of these sources, or builds and writes it under a label. `kind` tells apart sources with equal contents that are
    /// read in another way. Writing removes what was used least recently, if there is too much.
    pub(super) fn get_or_build(
        &self,
        label: &str,
        kind: &str,
        sources: &[PathBuf],
        build: impl FnOnce() -> Result<Vocabulary, VocabularyError>,
    ) -> Result<(Vocabulary, Cache), VocabularyError> {
        let Some(folder) = &self.folder else {
            return Ok((build()?, Cache::Unavailable(no_folder())));
        };
        let stamped = stamp(kind, sources)?;
        let name = format!("{}-{stamped}{EXTENSION}", readable(label));
        let path = folder.join(&name);
        if let Some((vocabulary, path)) = self.find(&path, &stamped) {
            note_use(&path);
            return Ok((vocabulary, Cache::Read(path)));
        }
        let vocabulary = build()?;
        // The sources are read again to build the vocabulary. If they have changed in between, it is not that of the stamp.
        if stamp(kind, sources)? != stamped {
            return Ok((vocabulary, Cache::Unavailable(changed().in_file(path))));
        }
        let vocabulary = match self.walk {
            Some(walk) => {
                let walks = walk(&vocabulary);
                vocabulary.with_walks(walks)
            }
            None => vocabulary,
        };
        // Writing makes the base bitmaps, which the vocabulary keeps.
        // Others may be able to write into the folder: no link there is followed.
        let written = SharedFolder::new(folder.clone()).write(&name, &vocabulary.to_artifact());
        let cache = self.written(path, written);
        Ok((vocabulary, cache))
    }

    /// The vocabulary with a stamp, at this path or under another label.
    fn find(&self, path: &Path, stamp: &str) -> Option<(Vocabulary, PathBuf)> {
        if let Ok(vocabulary) = self.read(path) {
            return Some((vocabulary, path.to_owned()));
        }
        let mut others = self.files().filter(|file| file.path != path && file.stamp == stamp);
        others.find_map(|file| Some((self.read(&file.path).ok()?, file.path)))
    }

    fn written(&self, path: PathBuf, written: io::Result<()>) -> Cache {
        match written {
            Ok(()) => {
                self.remove_oldest(&path);
                Cache::Written(path)
            }
            Err(error) => {
                let error = VocabularyError::io(error, "the compiled vocabulary cannot be written");
                Cache::Unavailable(error.in_file(path))
            }
        }
    }

    /// Reads a compiled vocabulary.
    pub(super) fn read(&self, path: &Path) -> Result<Vocabulary, VocabularyError> {
        let read = || match self.map {
            Some(map) => {
                let cannot_read = |error| VocabularyError::io(error, "the file cannot be read");
                Vocabulary::from_static_artifact(map(path).map_err(cannot_read)?)
            }
            None => Vocabulary::from_artifact(&read_file(path)?),
        };
        read().map_err(|error| error.in_file(path))
    }

    /// Removes the files with this label. A file that cannot be removed remains and is never read again.
    pub(super) fn remove(&self, label: &str) {
        let label = readable(label);
        self.files().filter(|file| file.label == label).for_each(|file| remove_file(&file.path));
    }

    /// Removes all files. Returns the paths of the removed ones.
    pub(super) fn clean(&self) -> Vec<CompiledFile> {
        let mut gone: Vec<_> = self.files().filter(|file| std::fs::remove_file(&file.path).is_ok()).collect();
        gone.sort_by(|a, b| a.path.cmp(&b.path));
        gone
    }

    /// Removes the files that were used least recently, so that there are at most [`MAX_FILES`] and [`MAX_BYTES`], among them `written`.
    fn remove_oldest(&self, written: &Path) {
        let mut others: Vec<CompiledFile> = self.files().filter(|file| file.path != written).collect();
        others.sort_by_key(|file| Reverse(file.used));
        let mut bytes = 0;
        for (index, file) in others.into_iter().enumerate() {
            bytes += file.bytes;
            if index + 1 >= MAX_FILES || bytes > MAX_BYTES {
                remove_file(&file.path);
            }
        }
    }

    /// The files in the folder, in no order. Links are passed over.
    pub(super) fn files(&self) -> impl Iterator<Item = CompiledFile> {
        let entries = self.folder.iter().flat_map(std::fs::read_dir).flatten().flatten();
        entries.filter_map(|entry| {
            let (path, data) = (entry.path(), entry.metadata().ok().filter(std::fs::Metadata::is_file)?);
            let name = path.file_name()?.to_str()?.strip_suffix(EXTENSION)?;
            let (label, stamp) = name.rsplit_once('-')?;
            let (label, stamp) = (label.to_owned(), stamp.to_owned());
            Some(CompiledFile { path, label, stamp, bytes: data.len(), used: data.modified().ok() })
        })
    }

    #[cfg(test)]
    pub(super) fn folder(&self) -> &Path {
        self.folder.as_deref().expect("a folder")
    }
}

fn remove_file(path: &Path) {
    let _ = std::fs::remove_file(path);
}

/// Notes that a file is used, in its time. If that is not allowed, it may be removed earlier than others.
fn note_use(path: &Path) {
    let (now, data) = (SystemTime::now(), path.metadata());
    let modified = data.and_then(|data| data.modified());
    if modified.is_ok_and(|modified| now.duration_since(modified).is_ok_and(|age| age > OLDEST)) {
        let file = std::fs::File::options().append(true).open(path);
        let _ = file.and_then(|file| file.set_modified(now));
    }
}

/// A label as it is in the names of files.
fn readable(label: &str) -> String {
    label.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).take(32).collect()
}

/// The error that compiled vocabularies are not kept, because no folder is known.
fn no_folder() -> VocabularyError {
    VocabularyError::new(ErrorKind::NotFound, "there is no folder for compiled vocabularies")
        .help("set HOME or XDG_DATA_HOME, or name a folder with --vocab-dir")
}

fn changed() -> VocabularyError {
    VocabularyError::new(ErrorKind::Inconsistent, "the tokenizer changed while it was read")
}

/// The stamp of a vocabulary that is built from these files, of which some may not exist.
fn stamp(kind: &str, files: &[PathBuf]) -> Result<String, VocabularyError> {
    let contents: Vec<String> = files.iter().map(|path| content(path)).collect::<Result<_, _>>()?;
    let parts = [RULES, kind].into_iter().chain(contents.iter().map(String::as_str));
    Ok(short_hash(&parts.map(str::as_bytes).collect::<Vec<_>>()))
}

/// Length and checksum of a file. The checksum is not a cryptographic one, which would take ten times as long: whoever
/// can exchange the file for another one with the same checksum decides anyway what the vocabulary is.
fn content(path: &Path) -> Result<String, VocabularyError> {
    if !path.exists() {
        return Ok("none".to_owned());
    }
    let bytes = read_file(path).map_err(|error| error.in_file(path))?;
    Ok(format!("{} {:016x}", bytes.len(), checksum(&bytes)))
}

/// The first 16 bytes of the SHA-256 of these parts, in hexadecimal.
fn short_hash(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(16).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Whether a file starts with the magic number of compiled files.
pub(super) fn is_compiled(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    let read = gcc_grammar_files::open(path).and_then(|mut opened| opened.file.read_exact(&mut start));
    read.is_ok() && start == MAGIC
}
