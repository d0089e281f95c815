//! The cases of the folder `cases` of this package.

use super::case::Case;
use super::read::read_cases;
use crate::files::{entries, read, repository};

/// All cases of the folder `cases`, each with its file and name.
///
/// # Panics
/// If a file cannot be read, or there is no case.
#[must_use]
pub fn all_cases() -> Vec<(String, Case)> {
    let mut all = Vec::new();
    let files = entries(&repository().join("tests/cases"));
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        let cases = read_cases(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        all.extend(cases.into_iter().map(|case| (format!("{}: {}", path.display(), case.name), case)));
    }
    assert!(!all.is_empty(), "no cases");
    all
}
