//! [`Source`]: a tokenizer file or a model directory, read into memory.
//!
//! Opening a source finds the tokenizer file, expands it, detects its format and reads the configuration files beside it.
//! A source then gives the [`Contents`], the [`Vocabulary`] and the [`Tokenizer`] of the model. Every error names the file.

use crate::contents::Contents;
use crate::files::read_file;
use crate::loaders::{Format, expand};
use crate::settings::Settings;
use crate::tokenizer::{Tokenizer, TokenizerOptions};
use gcc_grammar_vocabulary::Vocabulary;
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Names of tokenizer files in a model directory, in order of preference.
const TOKENIZER_FILES: [&str; 4] = ["tokenizer.json", "tokenizer.json.gz", "tekken.json", "tokenizer.model"];

/// A tokenizer file in memory, and the settings from the configuration files of its model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    path: PathBuf,
    format: Format,
    data: Vec<u8>,
    settings: Settings,
}

impl Source {
    /// Reads a tokenizer file, which may be compressed with gzip, or a model directory.
    ///
    /// In a directory, `tokenizer.json` (or `tekken.json`, `tokenizer.model`, a single rank file) is the tokenizer file.
    /// `generation_config.json`, `config.json` and `tokenizer_config.json` give end tokens, width and special tokens.
    ///
    /// # Errors
    /// The file cannot be read, has no known format, or is too large; the directory holds no tokenizer file or several.
    pub fn open(path: &Path) -> Result<Self, VocabularyError> {
        if !path.is_dir() {
            return Self::read(path.to_owned(), Settings::default());
        }
        Self::read(tokenizer_file(path)?, Settings::read(path)?)
    }

    /// Reads the directory of an imported vocabulary, which [`write`](Self::write) has written.
    pub(crate) fn open_imported(directory: &Path) -> Result<Self, VocabularyError> {
        Self::read(tokenizer_file(directory)?, Settings::read_own(directory)?)
    }

    /// Writes the tokenizer file, under a name that [`tokenizer_file`] finds, and the settings.
    pub(crate) fn write(&self, directory: &Path) -> io::Result<()> {
        let name = match self.format {
            Format::HuggingFace => "tokenizer.json",
            Format::Tekken => "tekken.json",
            Format::SentencePiece | Format::Tiktoken => "tokenizer.model",
        };
        std::fs::write(directory.join(name), &self.data)?;
        self.settings.write_own(directory)
    }

    /// Sets width and end tokens to these, whatever the configuration files say.
    pub(crate) fn set(&mut self, width: u32, end_tokens: &[u32]) {
        self.settings.set(width, end_tokens);
    }

    /// The files that the source at `path` is read from, whether they exist or not.
    pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, VocabularyError> {
        if !path.is_dir() {
            return Ok(vec![path.to_owned()]);
        }
        Ok([tokenizer_file(path)?].into_iter().chain(Settings::files(path)).collect())
    }

    fn read(path: PathBuf, settings: Settings) -> Result<Self, VocabularyError> {
        let read = || {
            let data = expand(Cow::Owned(read_file(&path)?))?.into_owned();
            Ok((Format::detect(&data)?, data))
        };
        let (format, data) = read().map_err(|error: VocabularyError| error.in_file(&path))?;
        Ok(Self { path, format, data, settings })
    }

    /// The format of the tokenizer file.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The tokens, special tokens, end tokens and width from the tokenizer file and the configuration files.
    pub(crate) fn contents(&self) -> Result<Contents, VocabularyError> {
        let mut contents = self.format.read(&self.data).map_err(|error| error.in_file(&self.path))?;
        self.settings.apply(&mut contents);
        Ok(contents)
    }

    /// The vocabulary of the model.
    ///
    /// # Errors
    /// The file violates its format, or uses a feature of it that is not supported; the tokens contradict each other.
    pub fn vocabulary(&self) -> Result<Vocabulary, VocabularyError> {
        self.contents()?.into_vocabulary().map_err(|error| error.in_file(&self.path))
    }

    /// The tokenizer of the model. `vocabulary` must be the vocabulary of this source.
    ///
    /// # Errors
    /// The file violates its format, or cannot be used to tokenize text.
    pub fn tokenizer(
        &self,
        vocabulary: &Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Tokenizer, VocabularyError> {
        Tokenizer::read(self.format, &self.data, vocabulary, options)
            .map_err(|error| error.in_file(&self.path))
    }
}

/// Finds the tokenizer file of a model directory.
fn tokenizer_file(directory: &Path) -> Result<PathBuf, VocabularyError> {
    if let Some(path) = TOKENIZER_FILES.iter().map(|name| directory.join(name)).find(|path| path.is_file()) {
        return Ok(path);
    }
    let entries = std::fs::read_dir(directory)
        .map_err(|error| VocabularyError::io(error, "the directory cannot be read").in_file(directory))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut candidates: Vec<String> = names.filter(|name| is_candidate(name)).collect();
    candidates.sort_unstable();
    let not_found = |message: &str, help: &str| {
        Err(VocabularyError::new(ErrorKind::NotFound, message).help(help).in_file(directory))
    };
    match candidates.as_slice() {
        [name] => Ok(directory.join(name)),
        [] => not_found(
            "the directory holds no tokenizer file",
            "give a directory with tokenizer.json, tekken.json, tokenizer.model or one .tiktoken file",
        ),
        several => {
            let message = format!("the directory holds several tokenizer files: {}", several.join(", "));
            not_found(&message, "give one of these files instead of the directory")
        }
    }
}

/// Whether a file with this name may be a tokenizer file.
fn is_candidate(name: &str) -> bool {
    let tekken = name.starts_with("tekken") && name.ends_with(".json");
    tekken || [".tiktoken", ".model"].iter().any(|extension| name.ends_with(extension))
}
