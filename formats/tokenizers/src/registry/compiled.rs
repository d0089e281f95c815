//! Compiled vocabularies that are kept, so that a vocabulary is sorted and its trie built only once.
//!
//! ```text
//! <folder>/<label>-<source>-<stamp>.gcv
//! ```
//!
//! The name of a file consists of a readable label, a hash of the path of the source, and a stamp: a hash of everything
//! that could change the vocabulary, which is the contents of its files and the version of this crate. A file is
//! written beside its place and then renamed, so several processes may share a folder. A file that is missing, damaged or
//! has another stamp is built again; if there is no folder, or it cannot be written, the vocabulary is built each time.
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
use gcc_grammar_vocabulary::walks::KnownWalks;
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};
use sha2::{Digest, Sha256};
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Part of the stamp. It must change whenever the same files give another vocabulary than before.
const RULES: &str = concat!(env!("CARGO_PKG_VERSION"), " 11");

/// How many files of one source are kept. Releases that are used side by side have a file each.
const MAX_FILES: usize = 3;

/// Maps or reads a file into memory, where it stays as long as the process runs.
pub type MapFile = fn(&Path) -> io::Result<&'static [u8]>;

/// Finds walks that later compilations need not make.
pub type FindWalks = fn(&Vocabulary) -> KnownWalks;

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

    /// Sets the function that finds known walks.
    pub(super) fn set_walk(&mut self, walk: FindWalks) {
        self.walk = Some(walk);
    }

    /// Reads the vocabulary of these sources with this prefix, or builds and writes it. Writing removes the oldest files with the
    /// same prefix.
    pub(super) fn get_or_build(
        &self,
        prefix: &str,
        sources: &[PathBuf],
        build: impl FnOnce() -> Result<Vocabulary, VocabularyError>,
    ) -> Result<(Vocabulary, Cache), VocabularyError> {
        let Some(folder) = &self.folder else {
            return Ok((build()?, Cache::Unavailable(no_folder())));
        };
        let stamped = stamp(sources)?;
        let name = format!("{prefix}{stamped}.gcv");
        let path = folder.join(&name);
        if let Ok(vocabulary) = self.read(&path) {
            return Ok((vocabulary, Cache::Read(path)));
        }
        let vocabulary = build()?;
        // The sources are read again to build the vocabulary. If they have changed in between, it is not that of the stamp.
        if stamp(sources)? != stamped {
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
        let cache = self.written(prefix, path, written);
        Ok((vocabulary, cache))
    }

    fn written(&self, prefix: &str, path: PathBuf, written: io::Result<()>) -> Cache {
        match written {
            Ok(()) => {
                self.remove_oldest(prefix, &path);
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

    /// Removes all files with this prefix. A file that cannot be removed remains and is never read again.
    pub(super) fn remove(&self, prefix: &str) {
        self.files(prefix).for_each(remove_file);
    }

    /// Removes the oldest files with this prefix, so that there are at most [`MAX_FILES`], among them `written`.
    fn remove_oldest(&self, prefix: &str, written: &Path) {
        let mut others: Vec<PathBuf> = self.files(prefix).filter(|path| path != written).collect();
        others.sort_by_cached_key(|path| Reverse(path.metadata().and_then(|data| data.modified()).ok()));
        others.into_iter().skip(MAX_FILES - 1).for_each(remove_file);
    }

    fn files(&self, prefix: &str) -> impl Iterator<Item = PathBuf> {
        let entries = self.folder.iter().flat_map(std::fs::read_dir).flatten().flatten();
        entries.map(|entry| entry.path()).filter(move |path| {
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            name.starts_with(prefix) && name.ends_with(".gcv")
        })
    }

    #[cfg(test)]
    pub(super) fn folder(&self) -> &Path {
        self.folder.as_deref().expect("a folder")
    }
}

fn remove_file(path: PathBuf) {
    let _ = std::fs::remove_file(path);
}

/// The prefix of the compiled files of a source: a readable label, and a hash of its path.
pub(super) fn prefix(label: &str, path: &Path) -> String {
    let readable: String =
        label.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).take(32).collect();
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    format!("{readable}-{}-", short_hash(&[path.as_os_str().as_encoded_bytes()]))
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
fn stamp(files: &[PathBuf]) -> Result<String, VocabularyError> {
    let contents: Vec<String> = files.iter().map(|path| content(path)).collect::<Result<_, _>>()?;
    let parts = [RULES].into_iter().chain(contents.iter().map(String::as_str));
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
