//! Where imported files come from.

use std::path::{Component, Path, PathBuf};

/// A file of definitions.
#[derive(Clone, Debug)]
pub struct Source {
    /// What identifies the file; two imports of one file give it the same name.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// Finds the files that `%import` names.
pub trait Sources {
    /// The file `path` (parts between the dots, without extension), imported by the file `importer` (empty for the one
    /// that was given), relative to it or not. The error says what was looked for.
    fn find(&self, importer: &str, relative: bool, path: &[&str]) -> Result<Source, String>;
}

/// Only what is built in.
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

/// What is built in, and files: relative imports next to the importing file, others in the directory of the given
/// file and in further directories.
#[derive(Clone, Debug)]
pub struct Directories {
    /// The directory of the given file.
    pub base: PathBuf,
    /// Where else absolute imports are looked for.
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
            directories.extend(self.search.iter().map(PathBuf::as_path));
        }
        let file: PathBuf = path.iter().collect::<PathBuf>().with_extension("lark");
        let candidates = directories.iter().map(|directory| tidy(&directory.join(&file)));
        let found = candidates.clone().find(|candidate| candidate.is_file());
        let found = found.ok_or_else(|| format!("there is no file {} to import", file.display()))?;
        match std::fs::read_to_string(&found) {
            Ok(text) => Ok(Source { name: found.display().to_string(), text }),
            Err(error) => Err(format!("cannot read {}: {error}", found.display())),
        }
    }
}

/// Without `.` components, so that one file has one name.
fn tidy(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}
