//! A position in the text of a grammar, and the smallest units of its syntax: white space, names, numbers, strings with escapes, and
//! classes of characters. Each method that reads a unit moves the position behind it, or returns an error located in the text.

use super::Dialect;
use crate::scanner::Scanner;
pub(super) use crate::scanner::error;
use gcc_grammar_ir::Diagnostic;
use std::ops::{Deref, DerefMut};

/// A position in the text of a grammar.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    scanner: Scanner<'t>,
    pub(super) dialect: Dialect,
}

impl<'t> Deref for Cursor<'t> {
    type Target = Scanner<'t>;

    fn deref(&self) -> &Scanner<'t> {
        &self.scanner
    }
}

impl DerefMut for Cursor<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.scanner
    }
}

impl<'t> Cursor<'t> {
    /// The beginning of a text.
    pub(super) fn new(text: &'t str, dialect: Dialect) -> Self {
        Self { scanner: Scanner { text, at: 0 }, dialect }
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

    /// A number, which must come next.
    pub(super) fn number(&mut self) -> Result<u32, Diagnostic> {
        self.scanner.number()?.ok_or_else(|| self.expected("a number"))
    }

    /// Whether a rule begins here: a name, options and `::=`.
    pub(super) fn at_rule(&self) -> bool {
        let mut ahead = *self;
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
