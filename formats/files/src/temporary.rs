//! Temporary files and folders of this process.
//!
//! They are removed when they are dropped. A signal that ends the process drops nothing, so the process also keeps a list
//! of them: a program that handles signals calls [`remove_temporaries`] before it ends.

use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, NamedTempFile, TempDir};

/// The beginning of the names of temporary files and folders.
const PREFIX: &str = ".gcc-grammar-";

/// Attempts to remove a folder, into which another thread may be writing.
const ATTEMPTS: usize = 10;

/// The paths of all temporary files and folders that exist. The lock is held while one is made.
static EXISTING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn existing() -> MutexGuard<'static, Vec<PathBuf>> {
    EXISTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An entry in the list of temporary files and folders, for as long as it lives.
#[derive(Debug)]
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        existing().retain(|path| *path != self.0);
    }
}

/// Makes something with a path, and lists the path, without a moment in between.
fn listed<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<(T, Listed)> {
    let mut existing = existing();
    // The error names the kind only: the user did not choose the name of the temporary file.
    let made = make().map_err(|error| without_path(&error))?;
    let path = path(&made).to_owned();
    existing.push(path.clone());
    drop(existing);
    Ok((made, Listed(path)))
}

/// The error without the path that `tempfile` adds to it.
fn without_path(error: &io::Error) -> io::Error {
    let inner = error.get_ref().and_then(|inner| inner.source()?.downcast_ref::<io::Error>());
    match inner.unwrap_or(error).raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::from(error.kind()),
    }
}

/// A temporary file.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    // Fields are dropped in this order: the file is removed before it is taken from the list.
    file: NamedTempFile,
    _listed: Listed,
}

impl TemporaryFile {
    /// Makes a file in this folder, with these permissions on Unix.
    pub(crate) fn new_in(folder: &Path, mode: u32) -> io::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        let (file, listed) = listed(|| builder.tempfile_in(folder), NamedTempFile::path)?;
        Ok(Self { file, _listed: listed })
    }

    /// The file. Its errors do not name the path.
    pub(crate) fn file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Renames the file, which replaces a file at `path`.
    pub(crate) fn rename(self, path: &Path) -> io::Result<()> {
        let Self { file, _listed } = self;
        file.persist(path).map(drop).map_err(|error| error.error)
    }
}

/// A temporary folder.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: TempDir,
    _listed: Listed,
}

impl TemporaryFolder {
    /// Makes a folder in this one.
    ///
    /// # Errors
    /// The folder cannot be made.
    pub fn new_in(folder: &Path) -> io::Result<Self> {
        let make = || Builder::new().prefix(PREFIX).tempdir_in(folder);
        let (folder, listed) = listed(make, TempDir::path)?;
        Ok(Self { folder, _listed: listed })
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Renames the folder. Nothing may be at `path`.
    ///
    /// # Errors
    /// The folder cannot be renamed.
    pub fn rename(self, path: &Path) -> io::Result<()> {
        fs::rename(self.folder.path(), path)?;
        // It is not at its old place any more, so there is nothing to remove.
        let _ = self.folder.keep();
        Ok(())
    }
}

/// Whether a path has the name of a temporary file or folder. A process that was killed may have left it.
#[must_use]
pub fn is_temporary(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()))
}

/// Removes all temporary files and folders of this process, and prevents further ones: threads that want to make one wait
/// for ever. To be called when a signal is about to end the process.
pub fn remove_temporaries() {
    let existing = existing();
    for path in existing.iter() {
        let is_gone = || fs::remove_file(path).is_ok() || fs::remove_dir_all(path).is_ok() || !path.exists();
        (0..ATTEMPTS).any(|_| is_gone());
    }
    // The lock is never released.
    mem::forget(existing);
}
