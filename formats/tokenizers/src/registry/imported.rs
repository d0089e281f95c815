//! Imported vocabularies: copies of tokenizers that a user has given a name.
//!
//! ```text
//! <folder>/<name>/     the tokenizer file and settings.json
//! ```
//!
//! An import is written to a folder beside its place and then renamed, so that an interrupted import leaves nothing under
//! the name.

use crate::builtin::Builtin;
use crate::source::Source;
use gcc_grammar_files::TemporaryFolder;
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};
use std::io;
use std::path::{Path, PathBuf};

/// Limit of the length of a name in bytes.
const NAME_BYTES: usize = 64;

/// The folder of the imported vocabularies. It need not exist; without a folder, nothing can be imported.
#[derive(Clone, Debug)]
pub(super) struct ImportedVocabularies {
    folder: Option<PathBuf>,
}

impl ImportedVocabularies {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    /// The names of the imported vocabularies, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = self.folder.iter().flat_map(std::fs::read_dir).flatten();
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| check_name(name).is_ok()).collect();
        names.sort_unstable();
        names
    }

    /// The folder of the vocabulary with this name, if there is one.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let path = self.folder.as_ref()?.join(name);
        (check_name(name).is_ok() && path.is_dir()).then_some(path)
    }

    /// Checks that a new vocabulary can have this name.
    ///
    /// # Errors
    /// The name is not usable, or it is taken and `replace` is not set; there is no folder.
    pub(super) fn check_new_name(&self, name: &str, replace: bool) -> Result<(), VocabularyError> {
        check_name(name)?;
        if self.folder()?.join(name).exists() && !replace {
            let help = "choose another name, or replace the vocabulary (option --force)";
            return unusable(format!("a vocabulary with the name {name} is already imported"), help);
        }
        Ok(())
    }

    /// Writes a source under a name that [`check_new_name`](Self::check_new_name) has accepted.
    pub(super) fn write(&self, source: &Source, name: &str) -> Result<(), VocabularyError> {
        let folder = self.folder()?;
        let target = folder.join(name);
        replace(source, folder, &target)
            .map_err(|error| VocabularyError::io(error, "the vocabulary cannot be imported").in_file(&target))
    }

    fn folder(&self) -> Result<&Path, VocabularyError> {
        self.folder.as_deref().ok_or_else(|| {
            VocabularyError::new(ErrorKind::NotFound, "there is no folder for imported vocabularies")
                .help("set HOME or XDG_DATA_HOME, or name a folder with --vocab-dir")
        })
    }
}

/// Fills a new folder and puts it in the place of the old one.
fn replace(source: &Source, folder: &Path, target: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let fresh = TemporaryFolder::new_in(folder)?;
    source.write(fresh.path())?;
    if target.exists() {
        std::fs::remove_dir_all(target)?;
    }
    fresh.rename(target)
}

/// Checks that a name can be the name of a folder, and that no built-in vocabulary has it.
pub(super) fn check_name(name: &str) -> Result<(), VocabularyError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let usable = !name.is_empty()
        && name.len() <= NAME_BYTES
        && !name.starts_with(['.', '-'])
        && name.chars().all(plain);
    if !usable {
        let help = "use up to 64 letters, digits, '.', '_' and '-', and begin with a letter, a digit or '_'";
        return unusable(format!("{name:?} cannot be the name of a vocabulary"), help);
    }
    if Builtin::find(name).is_some() {
        return unusable(format!("{name} is the name of a built-in vocabulary"), "choose another name");
    }
    Ok(())
}

fn unusable(message: String, help: &str) -> Result<(), VocabularyError> {
    Err(VocabularyError::new(ErrorKind::UnusableName, message).help(help))
}
