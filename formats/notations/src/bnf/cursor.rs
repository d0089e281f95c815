//! Reading characters: white space, names, numbers, escapes, classes of characters.

use super::Dialect;
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_regular::CharSet;
use std::ops::Range;

/// A place in the text of a grammar.
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

    /// An error at the next character.
    pub(super) fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.peek() {
            None => "the end of the text".to_owned(),
            Some('\n') => "the end of the line".to_owned(),
            Some(c) => format!("{c:?}"),
        };
        error(Code::Syntax, format!("expected {what}, found {found}"), self.here())
    }

    /// Moves over blanks and comments, and over line breaks if `lines`.
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

    /// A string in quotes, without them.
    pub(super) fn string(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return Ok(text);
                }
                None | Some('\n' | '\r') => {
                    return Err(error(
                        Code::UnterminatedString,
                        "this string has no closing quote",
                        start..self.at,
                    )
                    .help("strings end on the line they begin on; write \\n for a line break"));
                }
                Some(_) => text.push(self.character(false)?),
            }
        }
    }

    /// A class of characters in brackets, and how it is written.
    pub(super) fn class(&mut self) -> Result<(CharSet, &'t str), Diagnostic> {
        let start = self.at;
        self.at += 1;
        let negated = self.eat("^");
        let mut ranges = Vec::new();
        while !self.eat("]") {
            if matches!(self.peek(), None | Some('\n' | '\r')) {
                let message = "this class of characters has no closing bracket";
                return Err(error(Code::UnterminatedClass, message, start..self.at)
                    .help("classes end on the line they begin on; write \\n for a line break"));
            }
            ranges.push(self.class_range()?);
        }
        let source = &self.text[start..self.at];
        let any = negated && self.dialect == Dialect::XGrammar;
        if ranges.is_empty() && !any {
            return Err(error(Code::EmptyClass, "this class has no characters", start..self.at)
                .help("write . for any character, or \"\" for nothing"));
        }
        let set = CharSet::new(ranges);
        Ok((if negated { set.negate() } else { set }, source))
    }

    fn class_range(&mut self) -> Result<(u32, u32), Diagnostic> {
        let start = self.at;
        let low = self.character(true)?;
        let rest = self.rest();
        if !rest.starts_with('-') || rest.starts_with("-]") {
            return Ok((u32::from(low), u32::from(low)));
        }
        self.at += 1;
        if matches!(self.peek(), None | Some('\n' | '\r')) {
            return Err(self.expected("the upper end of the range"));
        }
        let high = self.character(true)?;
        if low > high {
            let message = format!("this range is empty: {high:?} comes before {low:?}");
            return Err(error(Code::EmptyRange, message, start..self.at)
                .help("write the lower end first, and \\- for a hyphen that is no range"));
        }
        Ok((u32::from(low), u32::from(high)))
    }

    /// One character of a string or class, escapes resolved.
    fn character(&mut self, class: bool) -> Result<char, Diagnostic> {
        let start = self.at;
        let Some(c) = self.peek() else { return Err(self.expected("a character")) };
        self.at += c.len_utf8();
        if c != '\\' {
            return Ok(c);
        }
        let Some(letter) = self.peek() else { return Err(self.expected("an escaped character")) };
        self.at += letter.len_utf8();
        let xgrammar = self.dialect == Dialect::XGrammar;
        let plain = match letter {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '\\' | '"' => letter,
            '[' | ']' | '-' if !xgrammar || class => letter,
            'x' if xgrammar => return self.hexadecimal(start, 1, 8),
            'x' => return self.hexadecimal(start, 2, 2),
            'u' => return self.hexadecimal(start, 4, 4),
            'U' => return self.hexadecimal(start, 8, 8),
            'b' if xgrammar => '\u{8}',
            'f' if xgrammar => '\u{C}',
            'a' if xgrammar => '\u{7}',
            'v' if xgrammar => '\u{B}',
            'e' if xgrammar => '\u{1B}',
            '0' if xgrammar => '\0',
            '/' | '\'' | '?' if xgrammar => letter,
            '^' | '$' | '.' | '*' | '+' | '(' | ')' | '{' | '}' | '|' if xgrammar && class => letter,
            _ => {
                let message = format!("there is no escape `\\{}`", letter.escape_default());
                let help = "write \\\\ for a backslash, and a code point as \\xHH, \\uHHHH or \\UHHHHHHHH";
                return Err(error(Code::BadEscape, message, start..self.at).help(help));
            }
        };
        Ok(plain)
    }

    /// The character with this number, of so many digits.
    fn hexadecimal(&mut self, start: usize, least: usize, most: usize) -> Result<char, Diagnostic> {
        let rest = self.rest();
        let digits = rest.bytes().take(most).take_while(u8::is_ascii_hexdigit).count();
        self.at += digits;
        let escape = &self.text[start..self.at];
        if digits < least {
            let message = format!("`{}` needs {least} hexadecimal digits", &escape[..2]);
            return Err(error(Code::BadEscape, message, start..self.at).help("write \\\\ for a backslash"));
        }
        let character = u32::from_str_radix(&rest[..digits], 16).ok().and_then(char::from_u32);
        character.ok_or_else(|| {
            let message = format!("`{escape}` is no Unicode scalar value");
            error(Code::BadEscape, message, start..self.at)
        })
    }
}
