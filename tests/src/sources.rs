//! Inputs of the compiler that lie in folders: the corpora of fuzz targets, and reports.

use crate::files::entries;
use gcc_grammar::{Notation, Source};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder and of the folders in it that are inputs of the compiler, sorted.
///
/// # Panics
/// If a folder cannot be read.
#[must_use]
pub fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) =
        entries(folder).into_iter().partition(|path| path.is_dir());
    let inputs = files.into_iter().filter(|path| of_file(path).is_some());
    inputs.chain(folders.iter().flat_map(|folder| in_folder(folder))).collect()
}

/// The source of a file: its notation follows from the extension and, for JSON, from what it says; none for other files.
#[must_use]
pub fn of_file(path: &Path) -> Option<Source> {
    let text = fs::read_to_string(path).ok()?;
    let notation = match path.extension().and_then(OsStr::to_str)? {
        "json" if text.contains("structural_tag") => Notation::StructuralTag,
        "json" => Notation::JsonSchema,
        "lark" => Notation::Lark,
        "gbnf" => Notation::Gbnf,
        "ebnf" => Notation::Ebnf,
        "txt" => Notation::Regex,
        _ => return None,
    };
    Some(Source::new(notation, text))
}
