//! A position in a text that is read by recursive descent.

use gcc_grammar_ir::{Code, Diagnostic, Location};
use std::ops::Range;

/// A position in a text.
#[derive(Clone, Copy)]
pub(crate) struct Scanner<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
}

/// An error about a piece of the text.
pub(crate) fn error(code: Code, message: impl Into<String>, span: Range<usize>) -> Diagnostic {
    Diagnostic::error(code, message).at(Location::Span(span))
}

/// A warning about a piece of the text.
pub(crate) fn warning(code: Code, message: impl Into<String>, span: Range<usize>) -> Diagnostic {
    Diagnostic::warning(code, message).at(Location::Span(span))
}

/// The deepest allowed nesting of parentheses: what is read is walked recursively.
const MAX_NESTING: usize = 100;

/// Fails if parentheses are nested too deep with this one, which is on level `depth`.
pub(crate) fn check_depth(depth: usize, span: Range<usize>) -> Result<(), Diagnostic> {
    if depth <= MAX_NESTING {
        return Ok(());
    }
    let message = format!("parentheses are nested more than {MAX_NESTING} levels deep");
    Err(error(Code::TooDeep, message, span).help("give the inner parts names of their own"))
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let at = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
        Self { text, at }
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The next character, behind which the position moves.
    pub(crate) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Moves over `sign` if it comes next.
    pub(crate) fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// Moves over the characters for which `is_part` holds, and returns them.
    pub(crate) fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Moves behind the next `end`. Returns the text before it; none if there is no such text.
    pub(crate) fn take_to(&mut self, end: &str) -> Option<&'t str> {
        let rest = self.rest();
        let found = rest.find(end)?;
        self.at += found + end.len();
        Some(&rest[..found])
    }

    /// The span of the next character, for messages.
    pub(crate) fn here(&self) -> Range<usize> {
        self.at..self.at + self.peek().map_or(0, char::len_utf8)
    }

    /// The error that `construct` was expected at the next character.
    pub(crate) fn expected(&self, construct: &str) -> Diagnostic {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(c) => format!("{c:?}"),
        };
        error(Code::Syntax, format!("expected {construct}, found {found}"), self.here())
    }

    /// Whether only white space stands before the position on its line.
    pub(crate) fn begins_line(&self) -> bool {
        let before = &self.text[..self.at];
        before[before.rfind('\n').map_or(0, |at| at + 1)..].trim().is_empty()
    }
}
