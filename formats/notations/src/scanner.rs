//! A position in a text that is read by recursive descent.

use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_limits::Budget;
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

/// Charges what a piece of the text costs.
pub(crate) fn charge(budget: &Budget, work: u64, bytes: u64, span: Range<usize>) -> Result<(), Diagnostic> {
    let charged = budget.charge_work(work).and_then(|()| budget.charge_bytes(bytes));
    charged.map_err(|over| Diagnostic::from(over).at(Location::Span(span)))
}

/// Fails if all these code points are halves of surrogate pairs, which no text in UTF-8 has.
pub(crate) fn check_surrogates(low: u32, high: u32, span: Range<usize>) -> Result<(), Diagnostic> {
    if low < 0xD800 || high > 0xDFFF {
        return Ok(());
    }
    let message = "this is half of a surrogate pair, which is no character: nothing matches it";
    Err(error(Code::BadEscape, message, span).help("write the code point of the character"))
}

/// Fails if a repetition has fewer times at most than at least.
pub(crate) fn check_times(min: u32, max: Option<u32>, span: Range<usize>) -> Result<(), Diagnostic> {
    if max.is_none_or(|max| max >= min) {
        return Ok(());
    }
    let message = "the second number is less than the first";
    Err(error(Code::BadRepetition, message, span).help("write the smaller number first"))
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

    /// Moves over a comment in slashes, if there is one.
    pub(crate) fn comment(&mut self) -> Result<bool, Diagnostic> {
        let start = self.at;
        if self.eat("//") {
            self.take_while(|c| c != '\n');
        } else if self.eat("/*") && self.take_to("*/").is_none() {
            let message = "this comment is not closed";
            return Err(error(Code::Syntax, message, start..start + 2).help("end it with */"));
        }
        Ok(self.at > start)
    }

    /// How often `?`, `*` and `+` repeat, if one of them comes next.
    pub(crate) fn suffix(&self) -> Option<(u32, Option<u32>)> {
        match self.peek()? {
            '?' => Some((0, Some(1))),
            '*' => Some((0, None)),
            '+' => Some((1, None)),
            _ => None,
        }
    }

    /// The number that comes next, if there is one.
    pub(crate) fn number(&mut self) -> Result<Option<u32>, Diagnostic> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        let too_large = |_| error(Code::BadNumber, "this number is too large", start..self.at);
        digits.parse().map(Some).map_err(too_large)
    }

    /// The contents of a string without escapes, which begins at `start` for messages.
    pub(crate) fn plain_string(
        &mut self,
        start: usize,
        quote: char,
        help: &str,
    ) -> Result<&'t str, Diagnostic> {
        self.next();
        let text = self.take_while(|c| c != quote && c != '\n');
        match self.next() {
            Some(end) if end == quote => Ok(text),
            _ => {
                let message = "this string has no closing quote";
                Err(error(Code::UnterminatedString, message, start..self.at).help(help))
            }
        }
    }

    /// A character of a class, or a range from one to another.
    pub(crate) fn range(
        &mut self,
        character: impl Fn(&mut Self) -> Result<u32, Diagnostic>,
    ) -> Result<(u32, u32), Diagnostic> {
        let start = self.at;
        let low = character(self)?;
        if !self.rest().starts_with('-') || self.rest().starts_with("-]") {
            return Ok((low, low));
        }
        self.next();
        let high = character(self)?;
        if low > high {
            let message = "this range is empty: its first character comes after its last one";
            return Err(error(Code::EmptyRange, message, start..self.at).help("write the lower end first"));
        }
        Ok((low, high))
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
