//! Errors and warnings as data: severity, kind, message, place and advice.
//!
//! Front ends, the validation of grammars and the compiler make [`Diagnostic`]s; renderers read them. A diagnostic
//! carries a [`Code`], so programs do not have to read its text.

use super::code::Code;
use gcc_grammar_limits::{OverBudget, Resource};
use gcc_grammar_regular::{PatternError, PatternErrorKind};
use std::ops::Range;

/// Whether the input can be used. There will be no third severity, so this enum can be matched exhaustively.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but probably does not mean what its author intended.
    Warning,
}

/// A place in the input.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Location {
    /// A byte range of a text. Renderers show line, column and carets.
    Span(Range<usize>),
    /// A JSON Pointer (RFC 6901) into a JSON document; `""` is the whole document.
    Pointer(String),
    /// A byte offset in a binary file.
    Offset(u64),
}

/// An error or a warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Whether this is an error or a warning.
    pub severity: Severity,
    /// The kind of the error or warning.
    pub code: Code,
    /// What is wrong, one sentence without a final stop.
    pub message: String,
    /// The place of the problem, if it has one.
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

    /// The same diagnostic with a location.
    #[must_use]
    pub fn at(mut self, location: Location) -> Self {
        self.location = Some(location);
        self
    }

    /// The same diagnostic with this location, or with none.
    #[must_use]
    pub(crate) fn at_optional(self, location: Option<Location>) -> Self {
        Self { location, ..self }
    }

    /// The same diagnostic with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl std::error::Error for Diagnostic {}

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

impl From<OverBudget> for Diagnostic {
    fn from(over: OverBudget) -> Self {
        match over.resource {
            Resource::Interruption => Self::error(Code::Interrupted, over.to_string()),
            resource => Self::error(Code::OverBudget, over.to_string()).help(advice(resource)),
        }
    }
}

/// What to do when a limit is exceeded.
fn advice(resource: Resource) -> &'static str {
    match resource {
        Resource::Work => {
            "raise --limit-work, or simplify the grammar: large bounds and wide unions cost most"
        }
        Resource::Bytes => {
            "raise --limit-bytes, or simplify the grammar: large bounds and wide unions cost most"
        }
        Resource::LrStates => "raise --limit-lr-states, or use fewer and shorter alternatives",
        Resource::LexerStates => {
            "raise --limit-lexer-states, or use smaller repetition bounds in terminals and strings"
        }
        Resource::DwaStates => {
            "raise --limit-dwa-states, or remove ambiguity from the grammar (see check --conflicts)"
        }
        Resource::TerminalStates | Resource::AutomatonStates => {
            "raise --limit-terminal-states, or use smaller repetition bounds in terminals, strings and patterns"
        }
        Resource::Time => "allow more time, or simplify the grammar: large bounds and wide unions cost most",
        _ => "use smaller repetition bounds in terminals, strings and patterns",
    }
}
