//! Finds the files that tests read: those of this repository, and the shared data beside it.
//!
//! The shared data are public corpora, tokenizer files and grammars of other engines, in the folder `shared` next to
//! the repository. They are not a part of the repository. A test that needs them is marked
//! `#[ignore = "needs ../shared: …"]`, so that it is counted as skipped, and fails if it is run without them.

use std::fs;
use std::path::{Path, PathBuf};

/// The root folder of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package has a parent folder").to_owned()
}

/// A file or folder of the shared data; none if it is not there.
#[must_use]
pub fn find_shared(path: &str) -> Option<PathBuf> {
    Some(repository().join("../shared").join(path)).filter(|path| path.exists())
}

/// A file or folder of the shared data.
///
/// # Panics
/// If it is not there.
#[must_use]
pub fn shared(path: &str) -> PathBuf {
    find_shared(path).unwrap_or_else(|| {
        let folder = repository().join("../shared");
        panic!("this test needs the shared data: {} is not there", folder.join(path).display())
    })
}

/// The paths of all entries of a folder, sorted.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    paths
}

/// The text of a file.
///
/// # Panics
/// If the file cannot be read.
#[must_use]
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
