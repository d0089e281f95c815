//! The error type of this crate.
//!
//! Every function that reads or changes a vocabulary returns a [`VocabularyError`]: a kind with a stable code, a message
//! of one sentence, the file, the place in it and advice. Errors are data; a caller that wants JSON or a marked source
//! line renders it from the fields. The message already says why an underlying error occurred;
//! [`source`](Error::source) returns that error for programs that need its type.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The kind of a [`VocabularyError`], for callers that act on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file could not be read or written.
    Io,
    /// The content of a file is of no known tokenizer format.
    UnknownFormat,
    /// The content of a file violates its format.
    Malformed,
    /// A tokenizer uses a feature whose effect on token bytes is not modelled here.
    Unsupported,
    /// A file, a token or a number exceeds the limits of this crate.
    TooLarge,
    /// Tokens, special tokens, end tokens and width contradict each other, or there is no end token.
    Inconsistent,
    /// No vocabulary, file, folder or token has this name, or a folder holds no single tokenizer file.
    NotFound,
    /// A name cannot be given to an imported vocabulary: it is not usable as a folder name, or it is taken.
    UnusableName,
}

impl ErrorKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: &'static [Self] = &[
        Self::Io,
        Self::UnknownFormat,
        Self::Malformed,
        Self::Unsupported,
        Self::TooLarge,
        Self::Inconsistent,
        Self::NotFound,
        Self::UnusableName,
    ];

    /// The code of this kind in kebab case. Codes never change.
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
            Self::UnusableName => "vocabulary-unusable-name",
        }
    }
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Line and column of a text file, counted from 1.
    Line(usize, usize),
    /// Byte offset, counted from 0.
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

/// The reason why a vocabulary could not be built, read, written or found.
///
/// Two errors are equal if all their public fields are.
#[derive(Clone, Debug)]
pub struct VocabularyError {
    /// The kind of problem.
    pub kind: ErrorKind,
    /// The problem, in one sentence without a final stop.
    pub message: String,
    /// The file that has the problem.
    pub file: Option<PathBuf>,
    /// The place in the file.
    pub place: Option<Place>,
    /// Advice on how to solve the problem.
    pub help: Option<String>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl VocabularyError {
    /// Creates an error without file, place, advice or source.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), file: None, place: None, help: None, source: None }
    }

    /// An operation on a file failed. The message is `problem`, followed by the text of the error.
    #[must_use]
    pub fn io(error: io::Error, problem: &str) -> Self {
        Self::new(ErrorKind::Io, format!("{problem}: {error}")).caused_by(error)
    }

    /// A file violates its format.
    #[must_use]
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Malformed, message).help("check that the file is complete, or fetch it again")
    }

    /// A limit of this crate is exceeded.
    #[must_use]
    pub fn too_large(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::TooLarge, message).help("check that this is a tokenizer file")
    }

    /// Tokens, special tokens, end tokens and width contradict each other.
    #[must_use]
    pub fn inconsistent(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(ErrorKind::Inconsistent, message).help(help)
    }

    /// Sets the place in the file.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the underlying error.
    #[must_use]
    pub fn caused_by(mut self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.source = Some(Arc::from(source.into()));
        self
    }

    /// Sets the name of the file, unless the error already has one.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<PathBuf>) -> Self {
        self.file.get_or_insert_with(|| file.into());
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

impl Error for VocabularyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

impl PartialEq for VocabularyError {
    fn eq(&self, other: &Self) -> bool {
        let fields = |error: &Self| {
            (error.kind, error.message.clone(), error.file.clone(), error.place.clone(), error.help.clone())
        };
        fields(self) == fields(other)
    }
}

impl Eq for VocabularyError {}
