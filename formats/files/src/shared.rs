//! Folders into which others may write, such as a store that several users share.
//!
//! Whoever can write there can put a symbolic link or a named pipe at a name that somebody else is about to open. So below the root of such a folder
//! no link is followed, neither to a folder nor to a file, and nothing but regular files is opened:
//!
//! - Every folder below the root is looked at before it is used.
//! - A file is looked at, opened with `O_NOFOLLOW` and `O_NONBLOCK`, and looked at once more, so that it makes no difference if it is replaced in between.
//! - A file is written beside its place and renamed. Whatever is at the place is replaced: a link, and not what it leads to.
//! - A lock is waited for within a bound.
//!
//! The root itself may be a link: its user has named it.

use crate::read::{ReadError, RegularFile, expect_regular, read_opened};
use crate::write::put;
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time between two attempts to take a lock.
const PAUSE: Duration = Duration::from_millis(10);

/// A folder into which others may write. Paths of files and folders in it are relative to its root.
#[derive(Clone, Debug)]
pub struct SharedFolder {
    root: PathBuf,
}

impl SharedFolder {
    /// The folder at this path, which need not exist.
    #[must_use]
    pub fn new(root: PathBuf) -> Self {
        Self { root }
    }

    /// The path of the folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The path of something in the folder, for messages.
    #[must_use]
    pub fn path(&self, below: &str) -> PathBuf {
        self.root.join(below)
    }

    /// Whether there is a regular file.
    #[must_use]
    pub fn has(&self, below: &str) -> bool {
        self.place(below).and_then(fs::symlink_metadata).is_ok_and(|found| found.is_file())
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// The file cannot be opened, is no regular file, or a folder on the way to it is none.
    pub fn open(&self, below: &str) -> io::Result<RegularFile> {
        opened(&self.place(below)?, File::options().read(true))
    }

    /// Reads a regular file.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if the file has more than `limit` bytes.
    pub fn read_within(&self, below: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        read_opened(self.open(below)?, limit)
    }

    /// Writes a file as a whole or not at all, and makes the folders on the way to it. What is at its place is replaced, unless it is a folder.
    ///
    /// # Errors
    /// The file cannot be written; a folder on the way to it is none.
    pub fn write(&self, below: &str, bytes: &[u8]) -> io::Result<()> {
        put(&self.made_place(below)?, bytes)
    }

    /// Takes the lock of a file, which is made if it is not there, for as long as the result lives; none if the file cannot be made, or the file system has no locks.
    ///
    /// # Errors
    /// There is something else than a regular file, or a link in place of a folder ([`io::ErrorKind::InvalidInput`]); another process has the lock for all of the time `most`
    /// ([`io::ErrorKind::TimedOut`]).
    pub fn lock(&self, below: &str, most: Duration) -> io::Result<Option<File>> {
        let open = |place: PathBuf| opened(&place, File::options().create(true).append(true));
        let file = match self.made_place(below).and_then(open) {
            Ok(opened) => opened.file,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(error),
            Err(_) => return Ok(None),
        };
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(file)),
                Err(TryLockError::Error(_)) => return Ok(None),
                Err(TryLockError::WouldBlock) if start.elapsed() < most => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => {
                    let message = format!("another process has had the lock for {} s", most.as_secs());
                    return Err(io::Error::new(io::ErrorKind::TimedOut, message));
                }
            }
        }
    }

    /// The names in a folder, in order; none if there is no such folder.
    ///
    /// # Errors
    /// The folder cannot be read, or is none.
    pub fn names(&self, below: &str) -> io::Result<Vec<String>> {
        let place = self.place(below)?;
        let found = fs::symlink_metadata(&place).and_then(|found| expect_folder(&found, below));
        let entries = match found.and_then(|()| fs::read_dir(place)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        Ok(names)
    }

    /// The path of something whose folders are folders, as far as they exist.
    fn place(&self, below: &str) -> io::Result<PathBuf> {
        self.walk(below, |_| Ok(()))
    }

    /// The same, and the folders are made that do not exist.
    fn made_place(&self, below: &str) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.root)?;
        self.walk(below, |folder| match DirBuilder::new().create(folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Ok(()),
        })
    }

    fn walk(&self, below: &str, make: impl Fn(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
        let mut place = self.root.clone();
        let mut parts = below.split('/').peekable();
        while let Some(part) = parts.next() {
            place.push(part);
            if parts.peek().is_some() {
                make(&place)?;
                expect_folder(&fs::symlink_metadata(&place)?, part)?;
            }
        }
        Ok(place)
    }
}

fn expect_folder(found: &fs::Metadata, name: &str) -> io::Result<()> {
    if found.is_dir() {
        return Ok(());
    }
    let (kind, what) = match found.is_symlink() {
        true => (io::ErrorKind::InvalidInput, "a symbolic link"),
        false => (io::ErrorKind::NotADirectory, "something else"),
    };
    Err(io::Error::new(kind, format!("{name} is {what}, not a folder")))
}

/// Opens what is at a path itself, if it is a regular file, or makes it if the options say so.
fn opened(place: &Path, options: &mut OpenOptions) -> io::Result<RegularFile> {
    match fs::symlink_metadata(place) {
        Ok(found) => expect_regular(found.file_type())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let file = unfollowed(options).open(place)?;
    let metadata = file.metadata()?;
    expect_regular(metadata.file_type())?;
    Ok(RegularFile { file, length: metadata.len() })
}

/// The options, with which neither a link is followed nor a named pipe waited for.
#[cfg(unix)]
fn unfollowed(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
}

/// Other systems have no links that anybody may make.
#[cfg(not(unix))]
fn unfollowed(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    const NO_TIME: Duration = Duration::ZERO;

    /// A shared folder with a file outside it that is not to be touched.
    fn folder() -> (tempfile::TempDir, SharedFolder, PathBuf) {
        let outside = tempfile::tempdir().unwrap();
        let target = outside.path().join("target");
        fs::write(&target, "untouched").unwrap();
        let folder = SharedFolder::new(outside.path().join("shared"));
        fs::create_dir_all(folder.path("a/b")).unwrap();
        (outside, folder, target)
    }

    fn make_pipe(path: &Path) {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn files_are_written_read_and_listed() {
        let (_outside, folder, _) = folder();
        assert!(!folder.has("x/y/file") && folder.open("x/y/file").is_err());
        folder.write("x/y/file", b"12345").unwrap();
        assert!(folder.has("x/y/file") && !folder.has("x/y"));
        assert_eq!(folder.read_within("x/y/file", 5).unwrap(), b"12345");
        assert!(matches!(folder.read_within("x/y/file", 4), Err(ReadError::TooLarge { limit: 4 })));
        assert_eq!(
            (folder.names("x").unwrap(), folder.names("none").unwrap().len()),
            (vec!["y".to_owned()], 0)
        );
        folder.write("x/y/file", b"6").unwrap();
        assert_eq!(folder.read_within("x/y/file", 5).unwrap(), b"6");
    }

    /// What others have put at a name is not followed or waited for, and is replaced.
    #[test]
    fn links_and_pipes_are_neither_read_nor_written_through() {
        let (_outside, folder, target) = folder();
        symlink(&target, folder.path("a/link")).unwrap();
        symlink(target.with_file_name("nowhere"), folder.path("a/dangling")).unwrap();
        make_pipe(&folder.path("a/pipe"));
        for (name, kind) in
            [("a/link", "a symbolic link"), ("a/dangling", "a symbolic link"), ("a/pipe", "a named pipe")]
        {
            assert!(!folder.has(name));
            let message = format!("it is {kind}, not a regular file");
            assert_eq!(folder.open(name).unwrap_err().to_string(), message);
            assert_eq!(folder.lock(name, NO_TIME).unwrap_err().to_string(), message);
            folder.write(name, b"new").unwrap();
            assert_eq!(folder.read_within(name, 9).unwrap(), b"new");
        }
        assert_eq!(fs::read(&target).unwrap(), b"untouched");
        assert!(!target.with_file_name("nowhere").exists());
        assert!(folder.write("a/b", b"new").is_err());
    }

    #[test]
    fn links_to_folders_are_not_followed() {
        let (outside, folder, target) = folder();
        symlink(outside.path(), folder.path("link")).unwrap();
        let message = "link is a symbolic link, not a folder";
        assert_eq!(folder.open("link/target").unwrap_err().to_string(), message);
        assert_eq!(folder.write("link/target", b"new").unwrap_err().to_string(), message);
        assert_eq!(folder.lock("link/target", NO_TIME).unwrap_err().to_string(), message);
        assert_eq!(folder.names("link").unwrap_err().to_string(), message);
        assert!(!folder.has("link/target"));
        assert_eq!(fs::read(target).unwrap(), b"untouched");
    }

    #[test]
    fn a_lock_is_waited_for_within_a_bound() {
        let (_outside, folder, _) = folder();
        let held = folder.lock("a/.lock", NO_TIME).unwrap();
        assert!(held.is_some());
        let error = folder.lock("a/.lock", PAUSE).unwrap_err();
        assert_eq!(
            (error.kind(), &*error.to_string()),
            (io::ErrorKind::TimedOut, "another process has had the lock for 0 s")
        );
        drop(held);
        // A process that another thread has just begun may still have a copy of the file.
        assert!(folder.lock("a/.lock", Duration::from_secs(60)).unwrap().is_some());
    }

    #[test]
    fn there_is_no_lock_where_no_folder_can_be() {
        let (_outside, folder, _) = folder();
        fs::write(folder.path("file"), b"").unwrap();
        assert!(folder.lock("file/.lock", NO_TIME).unwrap().is_none());
    }
}
