//! Where a vocabulary comes from on disk: a tokenizer file, or a model directory with configurations beside it.

use crate::loaders::{MAX_FILE_BYTES, expand};
use crate::settings::Settings;
use crate::{Contents, ErrorKind, Format, Tokenizer, TokenizerOptions, Vocabulary, VocabularyError};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Files of a model directory that hold the whole tokenizer, best first.
const TOKENIZER_FILES: [&str; 4] = ["tokenizer.json", "tokenizer.json.gz", "tekken.json", "tokenizer.model"];

/// A tokenizer file in memory, with what the model's configurations say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    path: PathBuf,
    format: Format,
    data: Vec<u8>,
    settings: Settings,
}

impl Source {
    /// Reads a tokenizer file, maybe compressed with gzip, or a model directory.
    ///
    /// Of a directory, `tokenizer.json` (or `tekken.json`, `tokenizer.model`, a single rank file) is read, and
    /// `generation_config.json`, `config.json` and `tokenizer_config.json` for end tokens, width and special tokens.
    ///
    /// # Errors
    /// The file cannot be read, is of no known format, or too large; the directory holds no tokenizer, or several.
    pub fn open(path: &Path) -> Result<Self, VocabularyError> {
        if !path.is_dir() {
            return Self::read(path.to_owned(), Settings::default());
        }
        Self::read(find(path)?, Settings::read(path)?)
    }

    /// Reads what [`write`](Self::write) wrote.
    pub(crate) fn open_imported(directory: &Path) -> Result<Self, VocabularyError> {
        Self::read(find(directory)?, Settings::read_own(directory)?)
    }

    /// Writes the tokenizer file, under a name that [`find`] finds, and the settings.
    pub(crate) fn write(&self, directory: &Path) -> io::Result<()> {
        let name = match self.format {
            Format::HuggingFace => "tokenizer.json",
            Format::Tekken => "tekken.json",
            Format::SentencePiece | Format::Tiktoken => "tokenizer.model",
        };
        std::fs::write(directory.join(name), &self.data)?;
        self.settings.write_own(directory)
    }

    /// Takes width and end tokens as settled, whatever the configurations say.
    pub(crate) fn fix(&mut self, width: u32, end_tokens: &[u32]) {
        self.settings.fix(width, end_tokens);
    }

    /// The files that a source is read from.
    pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>, VocabularyError> {
        if !path.is_dir() {
            return Ok(vec![path.to_owned()]);
        }
        Ok([find(path)?].into_iter().chain(Settings::files(path)).collect())
    }

    fn read(path: PathBuf, settings: Settings) -> Result<Self, VocabularyError> {
        let read = || {
            let data = expand(Cow::Owned(read_file(&path)?))?.into_owned();
            Ok((Format::detect(&data)?, data))
        };
        let (format, data) = read().map_err(|error: VocabularyError| error.in_file(&path))?;
        Ok(Self { path, format, data, settings })
    }

    /// The tokenizer file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The format of the tokenizer file.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The tokenizer file, expanded.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Tokens, special tokens, end tokens and width, as the tokenizer file and the configurations say.
    ///
    /// # Errors
    /// The file does not keep to its format, or uses a feature of it that is not supported.
    pub fn contents(&self) -> Result<Contents, VocabularyError> {
        let mut contents = self.format.read(&self.data).map_err(|error| error.in_file(&self.path))?;
        self.settings.apply(&mut contents);
        Ok(contents)
    }

    /// The vocabulary.
    ///
    /// # Errors
    /// As [`contents`](Self::contents), or what it says is not consistent.
    pub fn vocabulary(&self) -> Result<Vocabulary, VocabularyError> {
        self.contents()?.into_vocabulary().map_err(|error| error.in_file(&self.path))
    }

    /// What cuts text into tokens of `vocabulary`, which must be of this source.
    ///
    /// # Errors
    /// The file does not keep to its format.
    pub fn tokenizer<'v>(
        &self,
        vocabulary: &'v Vocabulary,
        options: TokenizerOptions,
    ) -> Result<Tokenizer<'v>, VocabularyError> {
        Tokenizer::read(self.format, &self.data, vocabulary, options)
            .map_err(|error| error.in_file(&self.path))
    }
}

/// Reads a whole file, unless it is too large.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, VocabularyError> {
    let mut data = Vec::new();
    let file = File::open(path).map_err(|error| io_error(error, "cannot be read"))?;
    let limit = MAX_FILE_BYTES as u64 + 1;
    file.take(limit).read_to_end(&mut data).map_err(|error| io_error(error, "cannot be read"))?;
    if data.len() > MAX_FILE_BYTES {
        let message = format!("the file is larger than {MAX_FILE_BYTES} bytes");
        return Err(VocabularyError::new(ErrorKind::TooLarge, message).help("is this a tokenizer file?"));
    }
    Ok(data)
}

/// An error of the file system.
pub(crate) fn io_error(error: io::Error, what: &str) -> VocabularyError {
    VocabularyError::new(ErrorKind::Io, format!("{what}: {error}")).caused_by(error)
}

/// The tokenizer file of a model directory.
fn find(directory: &Path) -> Result<PathBuf, VocabularyError> {
    if let Some(path) = TOKENIZER_FILES.iter().map(|name| directory.join(name)).find(|path| path.is_file()) {
        return Ok(path);
    }
    let entries = std::fs::read_dir(directory)
        .map_err(|error| io_error(error, "the directory cannot be read").in_file(directory))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut candidates: Vec<String> = names.filter(|name| is_candidate(name)).collect();
    candidates.sort_unstable();
    match candidates.as_slice() {
        [name] => Ok(directory.join(name)),
        [] => Err(VocabularyError::new(ErrorKind::NotFound, "the directory holds no tokenizer file")
            .help("it should hold tokenizer.json, tekken.json, tokenizer.model or one .tiktoken file")
            .in_file(directory)),
        several => {
            let message = format!("the directory holds several tokenizer files: {}", several.join(", "));
            Err(VocabularyError::new(ErrorKind::NotFound, message)
                .help("name one of them")
                .in_file(directory))
        }
    }
}

fn is_candidate(name: &str) -> bool {
    let tekken = name.starts_with("tekken") && name.ends_with(".json");
    tekken || [".tiktoken", ".model"].iter().any(|extension| name.ends_with(extension))
}
