//! Opens input files. An input must be a regular file, because other things have no length that could be checked before
//! they are read: a named pipe may block for ever, and a device such as `/dev/zero` never ends.

use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// The reason why a file was not read.
#[derive(Debug)]
pub enum ReadError {
    /// It cannot be opened or read, or is no regular file.
    Io(io::Error),
    /// It has more bytes than the limit.
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::TooLarge { limit } => write!(f, "it has more than the limit of {limit} bytes"),
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::TooLarge { .. } => None,
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// An open regular file.
#[derive(Debug)]
pub struct RegularFile {
    /// The file, open for reading.
    pub file: File,
    /// The length that the file had when it was opened, in bytes.
    pub length: u64,
}

/// Opens a regular file for reading. Links are followed.
///
/// # Errors
/// The file cannot be opened, or is no regular file.
pub fn open(path: &Path) -> io::Result<RegularFile> {
    // Opening a named pipe would wait for a writer, so the kind is looked up before. The file may be replaced in between,
    // so it is looked up once more.
    expect_regular(fs::metadata(path)?.file_type())?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    expect_regular(metadata.file_type())?;
    Ok(RegularFile { file, length: metadata.len() })
}

/// Reads a regular file. A file that is longer than `limit` bytes is refused before it is read.
///
/// # Errors
/// The file cannot be read, is no regular file, or has more than `limit` bytes.
pub fn read_within(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_opened(open(path)?, limit)
}

/// Reads an open file.
pub(crate) fn read_opened(opened: RegularFile, limit: u64) -> Result<Vec<u8>, ReadError> {
    let RegularFile { file, length } = opened;
    if length > limit {
        return Err(ReadError::TooLarge { limit });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    // The file may have grown, and some files have another length than they say.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes) }
}

pub(crate) fn expect_regular(kind: FileType) -> io::Result<()> {
    if kind.is_file() {
        return Ok(());
    }
    let error = if kind.is_dir() { io::ErrorKind::IsADirectory } else { io::ErrorKind::InvalidInput };
    Err(io::Error::new(error, format!("it is {}, not a regular file", name(kind))))
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_dir() => "a directory",
        _ if kind.is_symlink() => "a symbolic link",
        _ if kind.is_fifo() => "a named pipe",
        _ if kind.is_socket() => "a socket",
        _ if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "something else",
    }
}

#[cfg(not(unix))]
fn name(kind: FileType) -> &'static str {
    match kind {
        _ if kind.is_dir() => "a directory",
        _ if kind.is_symlink() => "a symbolic link",
        _ => "something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read_within(&path, 5).unwrap(), b"12345");
        assert!(matches!(read_within(&path, 4), Err(ReadError::TooLarge { limit: 4 })));
        assert!(matches!(read_within(&folder.path().join("b"), 4), Err(ReadError::Io(_))));
    }

    /// The length decides before anything is read: reading 1 TiB of zeros would take minutes.
    #[test]
    fn sparse_files_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sparse");
        if File::create(&path).unwrap().set_len(1 << 40).is_ok() {
            assert!(matches!(read_within(&path, 1 << 30), Err(ReadError::TooLarge { .. })));
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for (path, kind) in [
            (folder.path(), "a directory"),
            (&socket, "a socket"),
            (&pipe, "a named pipe"),
            (&link, "a named pipe"),
            (Path::new("/dev/zero"), "a device"),
            (Path::new("/dev/null"), "a device"),
        ] {
            let error = read_within(path, 10).unwrap_err().to_string();
            assert_eq!(error, format!("it is {kind}, not a regular file"));
        }
        let target = folder.path().join("file");
        fs::write(&target, "x").unwrap();
        fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert_eq!(read_within(&link, 10).unwrap(), b"x");
    }
}
