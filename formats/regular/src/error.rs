//! The error of a pattern that cannot be read: the problem, its place in the pattern, and advice.

use std::fmt;
use std::ops::Range;

/// The kind of a [`PatternError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PatternErrorKind {
    /// The pattern is not well-formed, or not regular (a backreference, look-around).
    BadPattern,
    /// An assertion such as `\b` stands where none is supported.
    UnsupportedAssertion,
    /// A named extension has a wrong argument.
    BadExtension,
    /// An automaton that the pattern needs exceeds its limits.
    TooLarge,
}

/// A pattern that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PatternError {
    /// The kind of the error.
    pub kind: PatternErrorKind,
    /// The problem, one sentence without a final stop.
    pub message: String,
    /// The byte range of the pattern that the error is about, if it is about a part of it.
    pub span: Option<Range<usize>>,
    /// Advice on how to correct the pattern.
    pub help: Option<String>,
}

impl PatternError {
    pub(crate) fn new(kind: PatternErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), span: None, help: None }
    }

    /// The same error at a byte range of the pattern.
    #[must_use]
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// The same error with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for PatternError {}
