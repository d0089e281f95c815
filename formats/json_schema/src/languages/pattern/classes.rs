//! Character classes and escapes of patterns, as sets of code points.

use super::error::PatternError;
use super::parser::Parser;
use super::sets::{digits, space, word};
use super::unicode::{is_script, property};
use gcc_grammar_regular::CharSet;

/// A part of a class.
pub(super) enum Atom {
    /// A code point. Surrogates stand for no character, but may be bounds of ranges.
    One(u32),
    Set(CharSet),
}

impl Atom {
    /// Its characters.
    pub(super) fn set(self) -> CharSet {
        match self {
            Self::One(code) => CharSet::new([(code, code)]),
            Self::Set(set) => set,
        }
    }
}

impl Parser {
    /// Reads what follows a backslash: one character or a predefined class.
    pub(super) fn class_escape(&mut self, start: usize) -> Result<Atom, PatternError> {
        let Some(letter) = self.peek() else { return Err(self.error("the pattern ends in a backslash")) };
        self.position += 1;
        let (single, set) = (|c: char| Ok(Atom::One(c.into())), |set| Ok(Atom::Set(set)));
        match letter {
            'd' => set(digits()),
            'D' => set(digits().negate()),
            'w' => set(word()),
            'W' => set(self.modifiers.fold(word()).negate()),
            's' => set(space()),
            'S' => set(space().negate()),
            'p' | 'P' => self.property(start).map(Atom::Set),
            'n' => single('\n'),
            'r' => single('\r'),
            't' => single('\t'),
            'v' => single('\u{b}'),
            'f' => single('\u{c}'),
            '0' if !matches!(self.peek(), Some('0'..='9')) => single('\0'),
            'c' | 'x' | 'u' => self.numbered(letter, start).map(Atom::One),
            other if other.is_ascii_alphanumeric() => match self.foreign_character(other) {
                Some(code) => Ok(Atom::One(code)),
                None => Err(PatternError::syntax(
                    start,
                    "ECMA-262 has no such escape, and other dialects do not agree on it",
                )),
            },
            other => single(other),
        }
    }

    /// Reads the rest of `\cX`, `\xXX`, `\uXXXX` or `\u{X…}`, whose letter has been read.
    fn numbered(&mut self, letter: char, start: usize) -> Result<u32, PatternError> {
        let (code, message) = match letter {
            'c' => (self.control(), "\\c needs a letter"),
            'x' => (
                self.braced_code().or_else(|| self.hexadecimal(2)),
                "\\x needs two hexadecimal digits, or a code point in braces",
            ),
            _ => (self.unicode(), "\\u needs four hexadecimal digits, or a code point in braces"),
        };
        code.ok_or(PatternError::syntax(start, message))
    }

    fn control(&mut self) -> Option<u32> {
        let letter = self.peek().filter(char::is_ascii_alphabetic)?;
        self.position += 1;
        Some(u32::from(letter) % 32)
    }

    pub(super) fn hexadecimal(&mut self, count: usize) -> Option<u32> {
        let digits = self.text.get(self.position..self.position + count)?;
        let value = digits.iter().try_fold(0, |value, c| Some(value * 16 + c.to_digit(16)?))?;
        self.position += count;
        Some(value)
    }

    pub(super) fn unicode(&mut self) -> Option<u32> {
        if self.eat('{') {
            let end = self.text[self.position..].iter().position(|&c| c == '}').filter(|&end| end <= 8)?;
            let code = self.hexadecimal(end)?;
            self.position += 1;
            return Some(code).filter(|&code| code <= u32::from(char::MAX));
        }
        let code = self.hexadecimal(4)?;
        let after = self.position;
        if (0xD800..0xDC00).contains(&code) && self.eat_all("\\u") {
            match self.hexadecimal(4) {
                Some(low @ 0xDC00..0xE000) => {
                    return Some(0x1_0000 + ((code - 0xD800) << 10) + (low - 0xDC00));
                }
                // Half a pair.
                _ => self.position = after,
            }
        }
        Some(code)
    }

    /// Reads what follows `\p` or `\P`.
    fn property(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let mut is_complement = self.text[self.position - 1] == 'P';
        let name = match self.braced_name() {
            Some(name) => Some(name),
            None => self.short_property(),
        };
        let Some(mut name) = name else { return refused(start, "a property is written \\p{Name}") };
        if let Some(positive) = name.strip_prefix('^') {
            self.note(r"\p{^L}");
            (name, is_complement) = (positive.to_owned(), !is_complement);
        }
        if is_script(&name) {
            self.note(r"\p{Greek}");
        }
        match property(&name) {
            Some(set) if is_complement => Ok(set.negate()),
            Some(set) => Ok(set),
            None => refused(start, "there is no such Unicode property"),
        }
    }

    /// Reads a name in braces.
    fn braced_name(&mut self) -> Option<String> {
        let rest = &self.text[self.position..];
        let end = rest.iter().position(|&c| c == '}').filter(|_| rest.first() == Some(&'{'))?;
        let name = rest[1..end].iter().collect();
        self.position += end + 1;
        Some(name)
    }

    /// Reads a character class whose opening bracket has been read.
    pub(super) fn class(&mut self, start: usize) -> Result<CharSet, PatternError> {
        let negative = self.eat('^');
        let (mut set, mut has_bracket) = (CharSet::default(), false);
        if self.leading_bracket() {
            set = CharSet::single(']');
        }
        loop {
            let Some(next) = self.peek() else {
                return Err(PatternError::syntax(start, "this class is not closed"));
            };
            if next == ']' {
                self.position += 1;
                if has_bracket {
                    self.check_nested(start)?;
                }
                let set = self.modifiers.fold(set);
                return Ok(if negative { set.negate() } else { set });
            }
            if let Some(class) = self.posix_class() {
                set = set.union(&class);
                continue;
            }
            has_bracket |= next == '[';
            let at = self.position;
            let low = self.class_atom()?;
            let is_range =
                self.peek() == Some('-') && self.text.get(self.position + 1).is_some_and(|&c| c != ']');
            if !is_range {
                set = set.union(&low.set());
                continue;
            }
            self.position += 1;
            let high = self.class_atom()?;
            set = match (low, high) {
                (Atom::One(low), Atom::One(high)) if low > high => {
                    return refused(at, "this range is out of order");
                }
                (Atom::One(low), Atom::One(high)) => set.union(&CharSet::new([(low, high)])),
                (_, Atom::One(high)) if high == u32::from('-') && self.peek() != Some(']') => {
                    return refused(at, "dialects do not agree on -- in a class: escape the dash");
                }
                // Annex B: a class at the end of a range makes the dash stand for itself.
                (low, high) => set.union(&low.set()).union(&high.set()).union(&CharSet::single('-')),
            };
        }
    }

    fn class_atom(&mut self) -> Result<Atom, PatternError> {
        let start = self.position;
        let Some(next) = self.peek() else { return Ok(Atom::Set(CharSet::default())) };
        self.check_extended(next)?;
        self.position += 1;
        if next != '\\' {
            return Ok(Atom::One(next.into()));
        }
        if self.eat('b') {
            return Ok(Atom::One(8));
        }
        self.class_escape(start)
    }
}

fn refused(position: usize, message: &'static str) -> Result<CharSet, PatternError> {
    Err(PatternError::syntax(position, message))
}
