//! The bytes of a file in memory: mapped where that is possible, read otherwise.

use memmap2::{Mmap, MmapOptions};
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// The contents of a file.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// A read-only map of the file.
    Mapped(Mmap),
    /// A copy in memory.
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

/// Maps a file. An empty file, and a file that cannot be mapped (a pipe), are read.
pub(crate) fn map(path: &Path) -> io::Result<Bytes> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() && metadata.len() > 0 {
        return map_file(&file).map(Bytes::Mapped);
    }
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut &file, &mut bytes)?;
    Ok(Bytes::Owned(bytes))
}

/// Maps a file for the rest of the process: the map is never released.
pub(crate) fn map_for_good(path: &Path) -> io::Result<&'static [u8]> {
    map(path).map(|bytes| &**Box::leak(Box::new(bytes)))
}

/// The one function with unsafe code in this workspace.
///
/// `Mmap::map` asks for a promise that the file does not change while it is mapped: a shared byte that changes under a
/// `&[u8]` is undefined behaviour, and a file that is truncated ends the process with SIGBUS. No program can prove that about a
/// file system; this is why it holds for artifacts and compiled vocabularies:
/// 1. The map is read-only and private to this process, so nothing here writes to it.
/// 2. These files are never written in place: this crate and the registry of vocabularies write a temporary file and rename it over
///    the old one, which leaves a mapped file as it was. Other writers of artifacts have to do the same, as the README says.
/// 3. Should a byte change all the same, it is read only through views whose every access is a checked slice access,
///    so a wrong mask or a panic is what a changed byte can lead to in practice.
#[expect(unsafe_code, reason = "mapping a file; see above")]
fn map_file(file: &File) -> io::Result<Mmap> {
    // All of the file will be read, if only for its checksums: one call instead of many page faults.
    let mut options = MmapOptions::new();
    options.populate();
    // SAFETY: as explained above, the file is replaced and not changed.
    unsafe { options.map(file) }
}
