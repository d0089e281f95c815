//! Errors and warnings as data: what, where, and what to do. Text and JSON are rendered in one place, [`render_text`] and
//! [`to_json`].

mod code;
mod render;

pub use code::Code;
pub use render::{line_and_column, render_text, to_json};

use gcc_grammar_regular::{PatternError, PatternErrorKind};
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but the author should know.
    Warning,
}

/// Where in the input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Location {
    /// Byte range of a text (rendered as line, column and caret).
    Span(Range<usize>),
    /// JSON Pointer (RFC 6901) into a schema, `""` for the root.
    Pointer(String),
    /// Byte offset in a binary file.
    Offset(u64),
}

/// One error or warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// The kind of the error or warning.
    pub code: Code,
    /// What is wrong, one sentence without a final stop.
    pub message: String,
    /// Where, if it is anywhere.
    pub location: Option<Location>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error without location or help.
    #[must_use]
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, code, message: message.into(), location: None, help: None }
    }

    /// A warning without location or help.
    #[must_use]
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// The same with a location.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl From<PatternError> for Diagnostic {
    fn from(error: PatternError) -> Self {
        let code = match error.kind {
            PatternErrorKind::UnsupportedAssertion => Code::UnsupportedAssertion,
            PatternErrorKind::BadExtension => Code::BadExtension,
            PatternErrorKind::TooLarge => Code::TooLarge,
            _ => Code::BadPattern,
        };
        let location = error.span.map(Location::Span);
        Self { location, help: error.help, ..Self::error(code, error.message) }
    }
}
