//! What other dialects of regular expressions write: Python, RE2 and Go, Rust, PCRE, Java.
//!
//! Frameworks write their patterns in the dialect of their language. Where ECMA-262 with the flag `u` has no meaning for a text, and all
//! dialects that have one agree, it is read so, and its name is kept for a warning. Where dialects disagree, the pattern is refused:
//! `\h` is white space or a digit, and `a++` is possessive or a repetition of a repetition.
//!
//! | text | meaning |
//! |---|---|
//! | `(?i)`, `(?s)`, `(?m)`, `(?x)` | flags for the rest of the group; `(?x:…)` |
//! | `\A`, `\z`, `\Z` | the start and the end of the text; for some dialects `\Z` also stands before a last line break, where it does not match here |
//! | `(?P<name>…)`, `(?'name'…)` | a group |
//! | `(?#…)` | a comment |
//! | `\pL`, `\PL`, `\p{^L}` | a property and its complement |
//! | `\p{Greek}` | a script, which ECMA-262 writes `\p{Script=Greek}` |
//! | `[[:alpha:]]`, `[[:^alpha:]]` | a class of POSIX, in ASCII |
//! | `[]a]`, `[^]a]` | a bracket that stands for itself |
//! | `\Q…\E` | the text |
//! | `\a`, `\e`, `\x{…}`, `\U…` | a character |

use super::error::PatternError;
use super::parser::{Parser, SingleBracket};
use gcc_grammar_regular::{CharSet, Look, Regex};

/// The classes of POSIX, as ranges of ASCII.
const POSIX: [(&str, &[(u8, u8)]); 14] = [
    ("alnum", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    ("alpha", &[(b'A', b'Z'), (b'a', b'z')]),
    ("ascii", &[(0, 0x7F)]),
    ("blank", &[(b'\t', b'\t'), (b' ', b' ')]),
    ("cntrl", &[(0, 0x1F), (0x7F, 0x7F)]),
    ("digit", &[(b'0', b'9')]),
    ("graph", &[(b'!', b'~')]),
    ("lower", &[(b'a', b'z')]),
    ("print", &[(b' ', b'~')]),
    ("punct", &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')]),
    ("space", &[(b'\t', b'\r'), (b' ', b' ')]),
    ("upper", &[(b'A', b'Z')]),
    ("word", &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')]),
    ("xdigit", &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
];

/// No flags are longer than this, with their parenthesis.
const MAX_FLAGS: usize = 12;

const BACK_REFERENCE: &str = "a back reference is not a regular operation";
const ATOMIC: &str = "an atomic group is not read in schemas: write (?:…)";
const RECURSION: &str = "a group that calls a group is not a regular operation";
const COMMENT_IN_CLASS: &str =
    "white space and # in a class mean different things to dialects with the flag x: escape them";

impl Parser {
    /// Notes that a text was read which ECMA-262 does not have.
    pub(super) fn note(&mut self, text: &'static str) {
        if !self.foreign.contains(&text) {
            self.foreign.push(text);
        }
    }

    /// Reads what follows `(?` and is no group: flags for the rest of the group around it, or a comment. False if something else comes
    /// next.
    pub(super) fn directive(&mut self) -> Result<bool, PatternError> {
        let rest = &self.text[self.position..];
        if !rest.starts_with(&['(', '?']) {
            return Ok(false);
        }
        if rest.get(2) == Some(&'#') {
            let Some(end) = rest.iter().position(|&c| c == ')') else { return Ok(false) };
            self.note("(?#…)");
            self.position += end + 1;
            return Ok(true);
        }
        let Some(end) = rest.iter().take(MAX_FLAGS).position(|&c| c == ')') else { return Ok(false) };
        let letters: String = rest[2..end].iter().collect();
        let Some(modifiers) = self.modifiers.changed(&letters) else { return Ok(false) };
        self.note("flags without a group, such as (?i)");
        self.modifiers = modifiers;
        self.position += end + 1;
        Ok(true)
    }

    /// Reads the name of a group as other dialects write it, behind `(?`. False if something else comes next.
    pub(super) fn foreign_name(&mut self, start: usize) -> Result<bool, PatternError> {
        for (prefix, message) in [
            ("P=", BACK_REFERENCE),
            ("P>", RECURSION),
            ("&", RECURSION),
            ("R)", RECURSION),
            ("+", RECURSION),
            (">", ATOMIC),
        ] {
            if self.eat_all(prefix) {
                return Err(PatternError::unsupported(start, message));
            }
        }
        if self.peek().is_some_and(|c| c.is_ascii_digit()) {
            return Err(PatternError::unsupported(start, RECURSION));
        }
        let outer = self.position;
        if self.eat('P') && self.group_name() {
            self.note("(?P<name>…)");
            return Ok(true);
        }
        self.position = outer;
        if self.eat('\'') {
            let name =
                self.text[self.position..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
            self.position += name;
            if name > 0 && self.eat('\'') {
                self.note("(?'name'…)");
                return Ok(true);
            }
            self.position = outer;
        }
        Ok(false)
    }

    /// Reads white space and comments, if the flag `x` is set.
    pub(super) fn skip_space(&mut self) {
        while self.modifiers.is_extended() {
            match self.peek() {
                Some(' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}') => self.position += 1,
                Some('#') => {
                    let rest = &self.text[self.position..];
                    self.position += rest.iter().position(|&c| c == '\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    /// Reads an escape outside of classes that ECMA-262 does not have and that is no character or class. The backslash has been read.
    pub(super) fn foreign_escape(&mut self) -> Option<Regex> {
        let (tree, name) = match self.peek()? {
            'A' => (Regex::Look(Look::Start), r"\A"),
            'z' => (Regex::Look(Look::End), r"\z"),
            'Z' => (Regex::Look(Look::End), r"\Z"),
            _ => return None,
        };
        self.position += 1;
        self.note(name);
        Some(tree)
    }

    /// Reads the text behind `\Q` to `\E`, or to the end.
    pub(super) fn quoted(&mut self) -> Vec<Regex> {
        self.note(r"\Q…\E");
        let text = &self.text[self.position..];
        let length = text.windows(2).position(|pair| pair == ['\\', 'E']);
        let quoted = &text[..length.unwrap_or(text.len())];
        let chars = quoted.iter().map(|&c| Regex::Chars(self.modifiers.fold(CharSet::single(c)))).collect();
        self.position += quoted.len() + if length.is_some() { 2 } else { 0 };
        chars
    }

    /// The character of an escape that ECMA-262 does not have, whose letter has been read. `None` if there is no such escape.
    pub(super) fn foreign_character(&mut self, letter: char) -> Option<u32> {
        let (code, name) = match letter {
            'a' => (7, r"\a"),
            'e' => (0x1B, r"\e"),
            'U' => (self.hexadecimal(8).filter(|&code| code <= u32::from(char::MAX))?, r"\U"),
            _ => return None,
        };
        self.note(name);
        Some(code)
    }

    /// Reads `{…}` behind `\x`: a code point. `None` if something else comes next.
    pub(super) fn braced_code(&mut self) -> Option<u32> {
        if self.peek() != Some('{') {
            return None;
        }
        let code = self.unicode()?;
        self.note(r"\x{…}");
        Some(code)
    }

    /// Reads a property of one letter behind `\p`, and gives its name.
    pub(super) fn short_property(&mut self) -> Option<String> {
        let letter = self.peek().filter(char::is_ascii_uppercase)?;
        self.position += 1;
        self.note(r"\pL");
        Some(letter.to_string())
    }

    /// Reads a class of POSIX in a class, such as `[:alpha:]`. `None` if ECMA-262 has a meaning for it, or something else comes next.
    pub(super) fn posix_class(&mut self) -> Option<CharSet> {
        let rest = &self.text[self.position..];
        let end = rest.iter().take(12).position(|&c| c == ']')?;
        let name: String = rest.get(..=end)?.iter().collect();
        let name = name.strip_prefix("[:")?.strip_suffix(":]")?;
        let (name, is_complement) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
        let (_, ranges) = POSIX.iter().find(|(known, _)| *known == name)?;
        if !self.has_single_bracket(self.position + end + 1) {
            return None;
        }
        let set = CharSet::new(ranges.iter().map(|&(low, high)| (low.into(), high.into())));
        self.position += end + 1;
        self.note("[[:alpha:]]");
        Some(if is_complement { set.negate() } else { set })
    }

    /// Reads a bracket that closes a class without characters, if it can only stand for itself.
    pub(super) fn leading_bracket(&mut self) -> bool {
        let stands_for_itself = self.peek() == Some(']') && self.has_single_bracket(self.position + 1);
        if stands_for_itself {
            self.note("[]a]");
            self.position += 1;
        }
        stands_for_itself
    }

    /// Whether a pattern that goes on outside of classes has a bracket that closes none, which ECMA-262 with the flag `u` does not have.
    fn has_single_bracket(&mut self, from: usize) -> bool {
        let is_known = |known: &SingleBracket| known.from <= from && known.at.is_none_or(|at| from <= at);
        if !self.single_bracket.as_ref().is_some_and(is_known) {
            self.single_bracket = Some(SingleBracket { from, at: self.find_single_bracket(from) });
        }
        self.single_bracket.as_ref().is_some_and(|known| known.at.is_some())
    }

    fn find_single_bracket(&self, from: usize) -> Option<usize> {
        let (mut in_class, mut is_escaped) = (false, false);
        let position = self.text[from..].iter().position(|&c| {
            let (was_in_class, was_escaped) = (in_class, std::mem::take(&mut is_escaped));
            match c {
                _ if was_escaped => {}
                '\\' => is_escaped = true,
                '[' => in_class = true,
                ']' => in_class = false,
                _ => {}
            }
            c == ']' && !was_escaped && !was_in_class
        });
        position.map(|position| from + position)
    }

    /// Refuses a class in a class: for some dialects it is one, with operations of sets between both, and for ECMA-262 a bracket stands for itself.
    pub(super) fn check_nested(&mut self, start: usize) -> Result<(), PatternError> {
        match self.has_single_bracket(self.position) {
            true => Err(PatternError::syntax(
                start,
                "dialects do not agree on a class in a class: escape the brackets that stand for themselves, or write one class",
            )),
            false => Ok(()),
        }
    }

    /// Refuses characters in a class whose meaning under the flag `x` depends on the dialect.
    pub(super) fn check_extended(&self, character: char) -> Result<(), PatternError> {
        let is_doubtful = self.modifiers.is_extended() && (character == '#' || character.is_whitespace());
        if is_doubtful { Err(self.error(COMMENT_IN_CLASS)) } else { Ok(()) }
    }
}
