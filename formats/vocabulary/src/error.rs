//! What can be wrong with a vocabulary: what, where, and what to do. Rendering to JSON is the caller's.

use std::fmt;
use std::path::PathBuf;

/// The kind of a [`VocabularyError`], for callers that act on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// A file could not be read or written.
    Io,
    /// The format of the file could not be told, or is not one of the known ones.
    UnknownFormat,
    /// The file claims a format but does not keep to it.
    Malformed,
    /// A feature of the format that would change token bytes in a way not modelled here.
    Unsupported,
    /// Larger than the limits of this crate.
    TooLarge,
    /// Tokens, special tokens, end tokens and width contradict each other.
    Inconsistent,
    /// No built-in, imported vocabulary, file or folder has this name.
    NotFound,
}

impl ErrorKind {
    /// Stable kebab-case identifier.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Io => "vocabulary-io",
            Self::UnknownFormat => "vocabulary-unknown-format",
            Self::Malformed => "vocabulary-malformed",
            Self::Unsupported => "vocabulary-unsupported",
            Self::TooLarge => "vocabulary-too-large",
            Self::Inconsistent => "vocabulary-inconsistent",
            Self::NotFound => "vocabulary-not-found",
        }
    }
}

/// Where in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Line and column of a text file, from 1.
    Line(usize, usize),
    /// Byte offset in a file.
    Offset(usize),
    /// JSON Pointer (RFC 6901).
    Pointer(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line, column) => write!(f, "line {line}, column {column}"),
            Self::Offset(offset) => write!(f, "byte {offset}"),
            Self::Pointer(pointer) => write!(f, "`{pointer}`"),
        }
    }
}

/// Why a vocabulary could not be made or loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VocabularyError {
    /// What kind of problem.
    pub kind: ErrorKind,
    /// What is wrong, one sentence without a final stop.
    pub message: String,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// Where in the file.
    pub place: Option<Place>,
    /// What to do about it.
    pub help: Option<String>,
}

impl VocabularyError {
    /// An error without place or help.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), file: None, place: None, help: None }
    }

    /// The same with a place in the file.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// The same with the file's name, unless it already has one.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.file.get_or_insert_with(|| file.into());
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for VocabularyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}: ", file.display())?;
        }
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for VocabularyError {}
