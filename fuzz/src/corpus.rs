//! The corpus: a folder per target in `fuzz/corpus`.
//!
//! A file `seed-…` is an input to start from. A file `found-…` is an input that once broke a property, made small; the README of the
//! corpus says where it comes from. Both are checked as they are in every test run, and both are mutated.

use crate::Target;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the corpus of a target.
#[must_use]
pub fn folder(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// The files of a target, by name, with their contents.
///
/// # Panics
/// A file cannot be read.
#[must_use]
pub fn files(target: &Target) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = fs::read_dir(folder(target)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let content = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (name, content)
    };
    paths.into_iter().map(read).collect()
}

/// All inputs that a target starts from.
///
/// # Panics
/// There is none.
#[must_use]
pub fn pool(target: &Target) -> Vec<Vec<u8>> {
    let files = files(target).into_iter().map(|(_, content)| content);
    let pool: Vec<Vec<u8>> = files.chain((target.seeds)()).collect();
    assert!(!pool.is_empty(), "the target {} has no seeds", target.name);
    pool
}
