//! Lists the files of a corpus, and chooses some of them at random.

use crate::Result;
use crate::tokenization::Random;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Lists all files in the folders and their subfolders, sorted. A file in place of a folder stands for itself.
///
/// # Errors
/// A folder cannot be read.
pub fn files<P: AsRef<Path>>(folders: &[P]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in folders {
        let folder = folder.as_ref();
        collect(folder, &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    files.sort();
    Ok(files)
}

/// Adds the files in a folder, or the file itself.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

/// Leaves at most `most` of the items, chosen at random, and sorts them. The choice does not depend on their order.
pub fn sample<T: Ord>(items: &mut Vec<T>, most: usize, seed: u64) {
    items.sort();
    let mut random = Random(seed);
    while items.len() > most {
        items.swap_remove(random.below(items.len()));
    }
    items.sort();
}
