//! Replaces files as a whole.
//!
//! The content is written to a temporary file in the same folder, which is then renamed. Whoever opens the path finds the
//! old content or the new one, also if several processes write to it at once, and a process that has mapped the old file
//! keeps it. What belongs to the file itself and not to its name stays behind:
//!
//! | property of the old file | the new file |
//! |---|---|
//! | permissions | has the same |
//! | owner and group | has the same if this process may set them |
//! | further hard links | is not linked: they keep the old content |
//! | access control lists, extended attributes | has none |

use crate::temporary::TemporaryFile;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Permissions of a new file, of which the process's file mode creation mask takes away.
const NEW: u32 = 0o666;
/// Permissions of a temporary file until it gets those of the file that it replaces: for its owner only.
const PRIVATE: u32 = 0o600;

/// Writes a file. A regular file is replaced as a whole or stays as it was, with its permissions. A symbolic link stays,
/// and the file that it leads to is written. Devices and pipes are written to directly.
///
/// # Errors
/// The file cannot be written; `path` is a directory, or a symbolic link that leads to no file.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Writes a file as [`replace`] does, by a function that gets the open file. If the function fails, an existing regular file stays as it
/// was.
///
/// # Errors
/// As [`replace`]; and the errors of the function.
pub fn replace_with<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let place = followed(path)?;
    match fs::metadata(&place) {
        Ok(found) if found.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory").into())
        }
        Ok(found) if found.is_file() => replace_regular(&place, write, Some(&found)),
        Ok(found) => {
            // As long as this is open, the pipe is not at its end for the reader.
            let _held = held_if_read(&place, &found)?;
            write(&mut File::create(&place)?)
        }
        Err(_) => replace_regular(&place, write, None),
    }
}

/// A named pipe, opened, which somebody must read: to open it otherwise would wait for a reader, perhaps for ever. None for what is no pipe.
#[cfg(unix)]
fn held_if_read(path: &Path, found: &Metadata) -> io::Result<Option<File>> {
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    if !found.file_type().is_fifo() {
        return Ok(None);
    }
    let opened = File::options().write(true).custom_flags(libc::O_NONBLOCK).open(path);
    match opened {
        Err(error) if error.raw_os_error() == Some(libc::ENXIO) => {
            let message = "it is a pipe that nobody reads: start its reader first";
            Err(io::Error::new(io::ErrorKind::NotFound, message))
        }
        opened => opened.map(Some),
    }
}

#[cfg(not(unix))]
fn held_if_read(_: &Path, _: &Metadata) -> io::Result<Option<File>> {
    Ok(None)
}

/// Writes a file at a path itself: a symbolic link, a pipe or a device there is replaced, and not written to.
///
/// # Errors
/// The file cannot be written; `path` is a directory.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let old = fs::symlink_metadata(path).ok().filter(Metadata::is_file);
    replace_regular(path, |file| file.write_all(bytes), old.as_ref())
}

/// The path with its symbolic links followed.
fn followed(path: &Path) -> io::Result<PathBuf> {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        return Ok(path.to_owned());
    }
    fs::canonicalize(path).map_err(|error| {
        let message = format!("it is a symbolic link that leads to no file ({error})");
        io::Error::new(error.kind(), message)
    })
}

fn replace_regular<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, E>,
    old: Option<&Metadata>,
) -> Result<T, E> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    let mut temporary = TemporaryFile::new_in(folder, if old.is_some() { PRIVATE } else { NEW })?;
    if let Some(old) = old {
        keep_owner_and_permissions(temporary.file(), old)?;
    }
    let written = write(temporary.file())?;
    temporary.rename(path)?;
    Ok(written)
}

#[cfg(unix)]
fn keep_owner_and_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let new = file.metadata()?;
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
        // Only the superuser may give files away. Then the new file belongs to whoever writes it.
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
    file.set_permissions(PermissionsExt::from_mode(old.mode() & 0o777))
}

#[cfg(not(unix))]
fn keep_owner_and_permissions(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

/// Whether two paths lead to one file, also through symbolic and hard links. A path that leads to no file is not the
/// same as any other.
#[must_use]
pub fn same_file(a: &Path, b: &Path) -> bool {
    match (fs::metadata(a), fs::metadata(b)) {
        (Ok(of_a), Ok(of_b)) => is_same(a, b, &of_a, &of_b),
        _ => false,
    }
}

#[cfg(unix)]
fn is_same(_: &Path, _: &Path, of_a: &Metadata, of_b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (of_a.dev(), of_a.ino()) == (of_b.dev(), of_b.ino())
}

#[cfg(not(unix))]
fn is_same(a: &Path, b: &Path, _: &Metadata, _: &Metadata) -> bool {
    fs::canonicalize(a).is_ok_and(|a| fs::canonicalize(b).is_ok_and(|b| a == b))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn permissions_of_an_existing_file_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for bits in [0o600, 0o444, 0o640, 0o777, 0o666, 0o400] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(bits)).unwrap();
            replace(&path, b"new").unwrap();
            assert_eq!((mode(&path), fs::read(&path).unwrap()), (bits, b"new".to_vec()), "{bits:o}");
            fs::remove_file(&path).unwrap();
        }
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn links_are_followed_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("sub")).unwrap();
        fs::write(path("sub/target"), "old").unwrap();
        fs::set_permissions(path("sub/target"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("sub/target", path("first")).unwrap();
        symlink("first", path("second")).unwrap();
        replace(&path("second"), b"new").unwrap();
        assert_eq!(fs::read(path("sub/target")).unwrap(), b"new");
        assert_eq!((mode(&path("sub/target")), names(&path("sub"))), (0o600, vec!["target".to_owned()]));
        assert!(path("first").is_symlink() && path("second").is_symlink());
        symlink("nowhere", path("dangling")).unwrap();
        symlink("loop", path("loop")).unwrap();
        for name in ["dangling", "loop"] {
            let error = replace(&path(name), b"new").unwrap_err().to_string();
            assert!(error.contains("a symbolic link that leads to no file"), "{error}");
            assert!(path(name).is_symlink());
        }
        assert_eq!(names(folder.path()), ["dangling", "first", "loop", "second", "sub"]);
    }

    #[test]
    fn one_file_is_found_through_links() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "").unwrap();
        fs::write(path("b"), "").unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        symlink("a", path("soft")).unwrap();
        for name in ["a", "hard", "soft"] {
            assert!(same_file(&path("a"), &path(name)), "{name}");
        }
        assert!(!same_file(&path("a"), &path("b")) && !same_file(&path("x"), &path("x")));
    }

    #[test]
    fn errors_name_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let errors = [
            replace(&folder.path().join("no/such"), b"x"),
            replace(folder.path(), b"x"),
            replace(Path::new("/proc/x"), b"x"),
        ];
        for error in errors {
            let message = error.unwrap_err().to_string();
            assert!(!message.contains("gcc-grammar"), "{message}");
        }
    }
}
