//! The literals of both notations: strings and classes of characters with their escapes, and special tokens.
//!
//! Each method reads the literal at the cursor and moves the cursor behind it, or returns an error located in the text.

use super::Dialect;
use super::cursor::{Cursor, error};
use gcc_grammar_ir::{Code, Diagnostic, TokenSelector};
use gcc_grammar_regular::CharSet;

impl<'t> Cursor<'t> {
    /// The contents of the string in quotes that comes next.
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

    /// A class of characters in brackets, its source, and a character that it has several times.
    pub(super) fn class(&mut self) -> Result<(CharSet, &'t str, Option<char>), Diagnostic> {
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
        let repeated = repeated(&ranges);
        let set = CharSet::new(ranges);
        Ok((if negated { set.negate() } else { set }, source, repeated))
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
                .help("write the lower end first, and \\- for a hyphen that does not denote a range"));
        }
        Ok((u32::from(low), u32::from(high)))
    }

    /// One character of a string, or of a class if `class` is set; escapes are resolved.
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

    /// The character whose code point comes next, with at least `least` and at most `most` hexadecimal digits.
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
            let message = format!("`{escape}` is not a Unicode scalar value");
            error(Code::BadEscape, message, start..self.at)
        })
    }

    /// A special token, `<[1000]>` or `<name>`.
    pub(super) fn token(&mut self) -> Result<TokenSelector, Diagnostic> {
        let start = self.at;
        if !self.eat("<") {
            return Err(self.expected("a token such as <think> or <[1000]>"));
        }
        if self.eat("[") {
            let id = self.number()?;
            return if self.eat("]>") {
                Ok(TokenSelector::Ids(id, id))
            } else {
                Err(self.expected("`]>` after the id of a token"))
            };
        }
        let rest = self.rest();
        let end = rest.find(['>', '\n']).filter(|&end| end > 0 && rest[end..].starts_with('>'));
        let Some(end) = end else {
            let message = "`<` begins a token, but `>` is missing";
            return Err(error(Code::BadSpecialToken, message, start..start + 1)
                .help("write a literal angle bracket as \"<\""));
        };
        self.at += end + 1;
        Ok(TokenSelector::Name(self.text[start..self.at].to_owned()))
    }
}

/// A character that stands several times among the ranges by itself.
fn repeated(ranges: &[(u32, u32)]) -> Option<char> {
    let mut single: Vec<u32> = ranges.iter().filter(|(low, high)| low == high).map(|&(low, _)| low).collect();
    single.sort_unstable();
    single.windows(2).find(|pair| pair[0] == pair[1]).and_then(|pair| char::from_u32(pair[0]))
}
