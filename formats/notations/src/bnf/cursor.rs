//! A position in the text of a grammar, and the smallest units of its syntax: white space, names, numbers, strings with escapes, and
//! classes of characters. Each method that reads a unit moves the position behind it, or returns an error located in the text.

use super::options::Dialect;
use gcc_grammar_ir::{Code, Diagnostic, Location};
use std::ops::Range;

/// A position in the text of a grammar.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    pub(super) dialect: Dialect,
}

/// An error about a piece of the text.
pub(super) fn error(code: Code, message: impl Into<String>, span: Range<usize>) -> Diagnostic {
    Diagnostic::error(code, message).at(Location::Span(span))
}

impl<'t> Cursor<'t> {
    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Moves over `sign` if it comes next.
    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// The span of the next character, for messages.
    pub(super) fn here(&self) -> Range<usize> {
        self.at..self.at + self.peek().map_or(0, char::len_utf8)
    }

    /// The error that `construct` was expected at the next character.
    pub(super) fn expected(&self, construct: &str) -> Diagnostic {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(c) => format!("{c:?}"),
        };
        error(Code::Syntax, format!("expected {construct}, found {found}"), self.here())
    }

    /// Moves over blanks and comments, and if `lines` is set over line breaks, too.
    pub(super) fn space(&mut self, lines: bool) {
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' => self.at += 1,
                '\r' | '\n' if lines => self.at += 1,
                '\r' if self.rest().starts_with("\r\n") => return,
                '#' => self.at += self.rest().find(['\r', '\n']).unwrap_or(self.rest().len()),
                '\u{FEFF}' if self.at == 0 => self.at += c.len_utf8(),
                _ => return,
            }
        }
    }

    /// The name that comes next; empty if there is none.
    pub(super) fn name(&mut self) -> &'t str {
        let rest = self.rest();
        let dots = self.dialect == Dialect::XGrammar;
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || (dots && c == '.');
        let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
        let starts = !dots || rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let end = if starts { end } else { 0 };
        self.at += end;
        &rest[..end]
    }

    /// The number that comes next.
    pub(super) fn number(&mut self) -> Result<u32, Diagnostic> {
        let rest = self.rest();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.expected("a number"));
        }
        let start = self.at;
        self.at += end;
        let too_large = |_| error(Code::BadNumber, "this number is too large", start..start + end);
        rest[..end].parse().map_err(too_large)
    }

    /// Whether a rule begins here: a name, options and `::=`.
    pub(super) fn at_rule(&self) -> bool {
        let Cursor { text, at, dialect } = *self;
        let mut ahead = Cursor { text, at, dialect };
        if ahead.name().is_empty() {
            return false;
        }
        ahead.space(true);
        if ahead.eat("[") {
            ahead.at += ahead.rest().find([']', '\n']).map_or(0, |end| end + 1);
            ahead.space(true);
        }
        ahead.rest().starts_with("::=")
    }
}
