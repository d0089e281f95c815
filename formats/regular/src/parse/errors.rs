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

/// What to write where patterns of other dialects have another syntax.
fn advice(kind: &ast::ErrorKind) -> &'static str {
    match kind {
        ast::ErrorKind::EscapeUnrecognized => {
            r"write \\ for a backslash, and a code point as in \x0A or \u{A}"
        }
        ast::ErrorKind::ClassUnclosed => r"write \[ for a bracket in a class, and (?s:.) for any character",
        ast::ErrorKind::FlagUnrecognized => {
            r"groups begin with (?:, (?<name>, flags of imsxU as in (?i), or (?=, (?!, (?<=, (?<!; comments and back references are not supported"
        }
        ast::ErrorKind::RepetitionCountInvalid | ast::ErrorKind::ClassRangeInvalid => {
            "write the smaller one first"
        }
        ast::ErrorKind::RepetitionMissing => r"write \*, \+ or \? for the character itself",
        _ => r"write a backslash before a character that stands for itself, as in \(",
    }
}

/// An error of the parser, with advice.
pub(super) fn ast_error(error: &ast::Error) -> PatternError {
    match error.kind() {
        ast::ErrorKind::UnsupportedLookAround => pattern_error("look-around is not supported", error.span())
            .help("rewrite the pattern without (?=, (?!, (?<= and (?<!, which depend on text outside of the match"),
        ast::ErrorKind::UnsupportedBackreference => {
            pattern_error("a backreference is not a regular expression", error.span())
                .help("list the possible texts as alternatives instead")
        }
        kind => pattern_error(kind.to_string(), error.span()).help(advice(kind)),
    }
}
