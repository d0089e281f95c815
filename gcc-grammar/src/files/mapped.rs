//! The bytes of an artifact or compiled vocabulary: a map of the file, or a copy in memory.
//!
//! In goes the path of a regular file. Before it is mapped, its length is compared with a limit and with its header.
//! What follows the header is not read.

use crate::files::verified::FileVersion;
use gcc_grammar_artifact::container::check_header;
use gcc_grammar_artifact::{ArtifactError, FileKind, Header};
use gcc_grammar_files::{ReadError, RegularFile, open};
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Longer files are refused, in bytes. The artifact of SQL, the largest bundled grammar, has 11 MB.
pub const MAX_BYTES: u64 = 1 << 29;

/// The reason why a file was not mapped.
pub(crate) enum MapError {
    /// It cannot be read, or is too long.
    Read(ReadError),
    /// Its header is not that of an intact file of this kind and length.
    Header(ArtifactError),
}

impl From<io::Error> for MapError {
    fn from(error: io::Error) -> Self {
        Self::Read(error.into())
    }
}

/// What is expected at the start of a file: the header of an artifact, or something else that is allowed there.
pub(crate) struct Expected {
    /// The kind of the artifact.
    pub(crate) kind: FileKind,
    /// Whether a file that starts like this is mapped although it has no header.
    pub(crate) or: fn(&[u8]) -> bool,
}

/// A file in memory.
#[derive(Debug)]
pub(crate) struct Mapped {
    /// A read-only map of the file.
    pub(crate) map: Mmap,
    /// The version of the file, if the system tells it.
    pub(crate) version: Option<FileVersion>,
}

/// Maps a pack. Its header is not read.
pub(crate) fn map_pack(path: &Path) -> io::Result<Mmap> {
    map_file(&open(path)?.file)
}

/// Maps a file.
pub(crate) fn map(path: &Path, expected: &Expected) -> Result<Mapped, MapError> {
    map_opened(open(path)?, expected)
}

/// Maps an open file.
pub(crate) fn map_opened(opened: RegularFile, expected: &Expected) -> Result<Mapped, MapError> {
    let RegularFile { mut file, length } = opened;
    let mut start = Vec::with_capacity(Header::SIZE);
    (&mut file).take(Header::SIZE as u64).read_to_end(&mut start)?;
    if !(expected.or)(&start) {
        check_header(&start, length, expected.kind).map_err(MapError::Header)?;
    }
    if length > MAX_BYTES {
        return Err(MapError::Read(ReadError::TooLarge { limit: MAX_BYTES }));
    }
    Ok(Mapped { map: map_file(&file)?, version: FileVersion::of(&file) })
}

/// Maps a compiled vocabulary for the rest of the process: the map is never released.
#[cfg(feature = "tokenizers")]
pub(crate) fn map_vocabulary(path: &Path) -> io::Result<&'static [u8]> {
    let mapped = map(path, &Expected { kind: FileKind::Vocabulary, or: |_| false });
    mapped.map(|mapped| &**Box::leak(Box::new(mapped.map))).map_err(|error| match error {
        MapError::Read(ReadError::Io(error)) => error,
        MapError::Read(error) => io::Error::new(io::ErrorKind::FileTooLarge, error),
        MapError::Header(error) => io::Error::new(io::ErrorKind::InvalidData, error),
    })
}

/// The one function with unsafe code in this workspace.
///
/// `Mmap::map` asks for a promise that the file does not change while it is mapped: a shared byte that changes under a
/// `&[u8]` is undefined behaviour, and a file that is truncated ends the process with SIGBUS. No program can prove that about a
/// file system; this is why it holds for artifacts and compiled vocabularies:
/// 1. The map is read-only and private to this process, so nothing here writes to it.
/// 2. These files are never written in place: this crate and the registry of vocabularies write a temporary file and rename it over
///    the old one, which leaves a mapped file as it was. Other writers of artifacts have to do the same, as docs/command-line.md says.
/// 3. Should a byte change all the same, it is read only through views whose every access is a checked slice access,
///    so a wrong mask is what a changed byte can lead to in practice.
#[expect(unsafe_code, reason = "mapping a file; see above")]
pub(crate) fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: as explained above, the file is replaced and not changed.
    unsafe { Mmap::map(file) }
}
