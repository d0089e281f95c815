//! Errors of the pattern syntax as [`PatternError`]s with byte ranges and advice.

use crate::error::{PatternError, PatternErrorKind};
use regex_syntax::ast;
use std::ops::Range;

/// The byte range of a span.
pub(super) fn location(span: &ast::Span) -> Range<usize> {
    span.start.offset..span.end.offset
}

/// The error `message` at `span`.
pub(super) fn pattern_error(message: impl Into<String>, span: &ast::Span) -> PatternError {
    PatternError::new(PatternErrorKind::BadPattern, message).at(location(span))
}

/// An error of the parser, with advice where the pattern is not regular.
pub(super) fn ast_error(error: &ast::Error) -> PatternError {
    match error.kind() {
        ast::ErrorKind::UnsupportedLookAround => pattern_error("look-around is not supported", error.span())
            .help("rewrite the pattern without (?=, (?!, (?<= and (?<!, which depend on text outside of the match"),
        ast::ErrorKind::UnsupportedBackreference => {
            pattern_error("a backreference is not a regular expression", error.span())
                .help("list the possible texts as alternatives instead")
        }
        kind => pattern_error(kind.to_string(), error.span()),
    }
}
