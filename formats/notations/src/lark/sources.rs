//! The sources of imported files: the built-in file, and directories.
//!
//! A program that embeds this crate can supply its own files by implementing [`Sources`].

use super::ast::Name;
use gcc_grammar_files::read_within;
use gcc_grammar_ir::diagnostic::line_and_column;
use gcc_grammar_ir::{Diagnostic, Location};
use std::fmt::Display;
use std::path::{Component, Path, PathBuf};

/// Longer files are refused, in bytes.
const MAX_BYTES: u64 = 1 << 26;

/// A file of definitions.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name that identifies the file: all imports of one file return the same name.
    pub name: String,
    /// Its contents.
    pub text: String,
}

impl Source {
    /// An error within the file, whose message says where. It gets the location of what names the file.
    pub(crate) fn error(&self, mut error: Diagnostic) -> Diagnostic {
        let place = match error.location.take() {
            Some(Location::Span(span)) => {
                let (line, column) = line_and_column(&self.text, span.start);
                format!("{}:{line}:{column}", self.name)
            }
            _ => self.name.clone(),
        };
        error.message = format!("{place}: {}", error.message);
        error
    }
}

/// Finds files for `%import`.
pub trait Sources {
    /// Finds the file `path`, whose parts are the names between the dots, without extension. `importer` is the name of the importing
    /// file, or empty for the given file, and `relative` says whether the path is relative to it. The error is a message that names
    /// the missing file.
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<Source, String>;
}

/// The sources for a grammar that is read as the given file, but is written in another one.
pub(crate) struct Within<'s> {
    pub(crate) sources: &'s dyn Sources,
    /// The file that the grammar is written in.
    pub(crate) file: &'s str,
}

impl Sources for Within<'_> {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<Source, String> {
        self.sources.find(if importer.is_empty() { self.file } else { importer }, relative, path)
    }
}

/// The built-in file `common` only.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

impl Sources for BuiltIn {
    fn find(&self, _importer: &str, relative: bool, path: &[&str]) -> Result<Source, String> {
        match path {
            ["common"] if !relative => {
                Ok(Source { name: "common.lark".to_string(), text: include_str!("common.lark").to_string() })
            }
            _ => Err(format!("there is no built-in file `{}`", path.join("."))),
        }
    }
}

/// The built-in file and directories. An import is looked up next to the importing file, then, if it is not relative, in the directory of the given
/// file, and then in further directories.
#[derive(Clone, Debug)]
pub struct Directories {
    /// The directory of the given file.
    pub base: PathBuf,
    /// Further directories for imports.
    pub search: Vec<PathBuf>,
}

impl Sources for Directories {
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<Source, String> {
        if let Ok(source) = BuiltIn.find(importer, relative, path) {
            return Ok(source);
        }
        let near = if importer.is_empty() {
            self.base.as_path()
        } else {
            Path::new(importer).parent().unwrap_or(&self.base)
        };
        let mut directories = vec![near];
        if !relative {
            directories.push(&self.base);
        }
        directories.extend(self.search.iter().map(PathBuf::as_path));
        let file: PathBuf = path.iter().collect::<PathBuf>().with_extension("lark");
        let candidates = directories.iter().map(|directory| tidy(&directory.join(&file)));
        let found = candidates.clone().find(|candidate| candidate.is_file());
        // What is no regular file is refused with its kind.
        let found = found.or_else(|| candidates.clone().find(|candidate| candidate.exists()));
        let found = found.ok_or_else(|| format!("there is no file {} to import", file.display()))?;
        let cannot = |reason: &dyn Display| format!("cannot read {}: {reason}", found.display());
        let bytes = read_within(&found, MAX_BYTES).map_err(|error| cannot(&error))?;
        let text = String::from_utf8(bytes).map_err(|error| cannot(&error.utf8_error()))?;
        Ok(Source { name: found.display().to_string(), text })
    }
}

/// The path without `.` components, so that one file has one name.
fn tidy(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// The files, by the name of their import.
const LIBRARIES: [(&str, &str); 3] = [
    ("python", include_str!("libraries/python.lark")),
    ("unicode", include_str!("libraries/unicode.lark")),
    ("lark", include_str!("libraries/lark.lark")),
];

/// The library of an import, if it has all these names.
pub(super) fn library(path: &[&str], names: &[Name]) -> Option<Source> {
    let [path] = path else { return None };
    let (name, text) = LIBRARIES.into_iter().find(|(name, _)| name == path)?;
    let has_all = names.iter().all(|name| defines(text, &name.text));
    has_all.then(|| Source { name: format!("library:{name}.lark"), text: text.to_owned() })
}

/// Whether a line of the text begins with the definition of a name.
fn defines(text: &str, name: &str) -> bool {
    let mut rests = text.lines().filter_map(|line| line.strip_prefix(name));
    rests.any(|rest| rest.starts_with([':', '.']))
}
