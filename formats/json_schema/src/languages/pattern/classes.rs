//! Character classes and escapes of patterns, as sets of code points.

use super::parser::Parser;
use super::sets::{digits, space, word};
use super::tree::PatternError;
use super::unicode::property;
use gcc_grammar_regular::CharSet;

impl Parser {
    /// Reads what follows a backslash: one character or a predefined class.
    pub(super) fn class_escape(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let Some(letter) = self.peek() else { return Err(self.error("the pattern ends in a backslash")) };
        self.position += 1;
        let single = |c: char| Ok(CharSet::single(c));
        match letter {
            'd' => Ok(digits()),
            'D' => Ok(digits().negate()),
            'w' => Ok(word()),
            'W' => Ok(self.modifiers.fold(word()).negate()),
            's' => Ok(space()),
            'S' => Ok(space().negate()),
            'p' | 'P' => self.property(start),
            'n' => single('\n'),
            'r' => single('\r'),
            't' => single('\t'),
            'v' => single('\u{b}'),
            'f' => single('\u{c}'),
            '0' if !matches!(self.peek(), Some('0'..='9')) => single('\0'),
            'c' | 'x' | 'u' => self.numbered(letter, start).map(CharSet::single),
            other if other.is_ascii_alphanumeric() => refused(start, "ECMA-262 has no such escape"),
            other => single(other),
        }
    }

    /// Reads the rest of `\cX`, `\xXX`, `\uXXXX` or `\u{X…}`, whose letter has been read.
    fn numbered(&mut self, letter: char, start: usize) -> Result<char, PatternError> {
        let (code, message) = match letter {
            'c' => (self.control(), "\\c needs a letter"),
            'x' => (self.hexadecimal(2).and_then(char::from_u32), "\\x needs two hexadecimal digits"),
            _ => (self.unicode(), "\\u needs four hexadecimal digits of a character"),
        };
        code.ok_or(PatternError::syntax(start, message))
    }

    fn control(&mut self) -> Option<char> {
        let letter = self.peek().filter(char::is_ascii_alphabetic)?;
        self.position += 1;
        Some((letter as u8 % 32) as char)
    }

    fn hexadecimal(&mut self, count: usize) -> Option<u32> {
        let digits = self.text.get(self.position..self.position + count)?;
        let value = digits.iter().try_fold(0, |value, c| Some(value * 16 + c.to_digit(16)?))?;
        self.position += count;
        Some(value)
    }

    fn unicode(&mut self) -> Option<char> {
        if self.eat('{') {
            let end = self.text[self.position..].iter().position(|&c| c == '}').filter(|&end| end <= 8)?;
            let code = self.hexadecimal(end)?;
            self.position += 1;
            return char::from_u32(code);
        }
        let code = self.hexadecimal(4)?;
        if (0xD800..0xDC00).contains(&code) && self.eat_all("\\u") {
            let low = self.hexadecimal(4).filter(|low| (0xDC00..0xE000).contains(low))?;
            return char::from_u32(0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00));
        }
        char::from_u32(code)
    }

    /// Reads what follows `\p` or `\P`.
    fn property(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let rest = &self.text[self.position..];
        let end = if rest.first() == Some(&'{') { rest.iter().position(|&c| c == '}') } else { None };
        let Some(end) = end else { return refused(start, "a property is written \\p{Name}") };
        let name: String = rest[1..end].iter().collect();
        let is_complement = self.text[self.position - 1] == 'P';
        self.position += end + 1;
        match property(&name) {
            Some(set) if is_complement => Ok(set.negate()),
            Some(set) => Ok(set),
            None => refused(start, "there is no such Unicode property"),
        }
    }

    /// Reads a character class whose opening bracket has been read.
    pub(super) fn class(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let negative = self.eat('^');
        let mut set = CharSet::default();
        loop {
            let Some(next) = self.peek() else {
                return Err(PatternError::syntax(start, "this class is not closed"));
            };
            if next == ']' {
                self.position += 1;
                let set = self.modifiers.fold(set);
                return Ok(if negative { set.negate() } else { set });
            }
            let at = self.position;
            let low = self.class_atom()?;
            let is_range =
                self.peek() == Some('-') && self.text.get(self.position + 1).is_some_and(|&c| c != ']');
            if !is_range {
                set = set.union(&low);
                continue;
            }
            self.position += 1;
            let high = self.class_atom()?;
            set = match (only(&low), only(&high)) {
                (Some(low), Some(high)) if low > high => return refused(at, "this range is out of order"),
                (Some(low), Some(high)) => set.union(&CharSet::new([(low, high)])),
                // Annex B: a class at the end of a range makes the dash stand for itself.
                _ => set.union(&low).union(&high).union(&CharSet::single('-')),
            };
        }
    }

    fn class_atom(&mut self) -> Result<CharSet, PatternError> {
        let start = self.position;
        let Some(next) = self.peek() else { return Ok(CharSet::default()) };
        self.position += 1;
        if next != '\\' {
            return Ok(CharSet::single(next));
        }
        if self.eat('b') {
            return Ok(CharSet::single('\u{8}'));
        }
        self.class_escape(start)
    }
}

fn refused(position: usize, message: &'static str) -> Result<CharSet, PatternError> {
    Err(PatternError::syntax(position, message))
}

/// The only code point of a set; `None` if it has none or several.
fn only(set: &CharSet) -> Option<u32> {
    match set.0[..] {
        [(low, high)] if low == high => Some(low),
        _ => None,
    }
}
