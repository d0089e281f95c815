//! Punctuation with the white space around it, as an option allows it.
//!
//! White space belongs to the punctuation before or after it, so there is one way to read it.

use crate::options::Whitespace;
use gcc_grammar_regular::{ByteSet, RegularLimits};
use gcc_grammar_regular::{Dfa, Regex};

/// The white space at each place.
pub(super) struct Space {
    /// Inside brackets.
    inner: Regex,
    after_comma: Regex,
    before_colon: Regex,
    after_colon: Regex,
    before_comma: Regex,
    outer: Option<Regex>,
}

impl Space {
    /// The white space that an option allows.
    pub(super) fn new(whitespace: Whitespace) -> Self {
        let none = Regex::empty;
        let fixed = |after: fn() -> Regex| Self {
            inner: none(),
            after_comma: after(),
            before_colon: none(),
            after_colon: after(),
            before_comma: none(),
            outer: None,
        };
        match whitespace {
            Whitespace::Compact => fixed(Regex::empty),
            Whitespace::Spaced => fixed(|| Regex::literal(" ")),
            Whitespace::Flexible { max } => {
                let line = Regex::concat([
                    Regex::literal("\r").optional(),
                    Regex::literal("\n"),
                    one_of(b" \t").repeat(0, Some(max)),
                ]);
                let inner = || Regex::union([none(), Regex::literal(" "), line.clone()]);
                let after_colon = Regex::literal(" ").optional();
                Self { inner: inner(), after_comma: inner(), after_colon, ..fixed(none) }
            }
            Whitespace::AtMost { max } => {
                let some = || one_of(b" \t\r\n").repeat(0, Some(max));
                Self::everywhere(some, None)
            }
            Whitespace::Any => {
                let outer = Some(one_of(b" \t\r\n").plus());
                Self::everywhere(|| one_of(b" \t\r\n").star(), outer)
            }
        }
    }

    /// The same white space on both sides of all punctuation.
    fn everywhere(space: impl Fn() -> Regex, outer: Option<Regex>) -> Self {
        Self {
            inner: space(),
            after_comma: space(),
            before_colon: space(),
            after_colon: space(),
            before_comma: space(),
            outer,
        }
    }

    /// The white space before and after the whole text; `None` if there is none.
    pub(super) fn outer(&self) -> Option<Regex> {
        self.outer.clone()
    }

    /// Punctuation with its white space. `form` has `ws` where white space may stand inside brackets or after
    /// a comma.
    pub(super) fn regex(&self, form: &str) -> Regex {
        let mut parts = Vec::new();
        let is_comma = form.starts_with(',');
        if is_comma {
            parts.push(self.before_comma.clone());
        }
        let mut rest = form;
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix("ws") {
                parts.push(if is_comma { &self.after_comma } else { &self.inner }.clone());
                rest = after;
            } else {
                parts.push(Regex::literal(&rest[..1]));
                rest = &rest[1..];
            }
        }
        Regex::Concat(parts)
    }

    /// The colon after a key, with the white space around it.
    pub(super) fn colon(&self) -> Dfa {
        let regex = Regex::concat([self.before_colon.clone(), Regex::literal(":"), self.after_colon.clone()]);
        regex.to_dfa(&RegularLimits::default()).expect("the automaton has a handful of states")
    }
}

fn one_of(bytes: &[u8]) -> Regex {
    let mut set = ByteSet::default();
    bytes.iter().for_each(|&byte| set.insert(byte));
    Regex::Bytes(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that are spellings of the punctuation.
    fn accepted(whitespace: Whitespace, form: &str, texts: &[&'static str]) -> Vec<&'static str> {
        let regex = Space::new(whitespace).regex(form);
        let dfa = regex.to_dfa(&RegularLimits::default()).expect("the automaton has a handful of states");
        texts.iter().copied().filter(|text| dfa.accepts(text.as_bytes())).collect()
    }

    #[test]
    fn commas() {
        let texts = [",", ", ", ",  ", ",\n", " , "];
        assert_eq!(accepted(Whitespace::Compact, ",ws", &texts), [","]);
        assert_eq!(accepted(Whitespace::Spaced, ",ws", &texts), [", "]);
        assert_eq!(accepted(Whitespace::default(), ",ws", &texts), [",", ", ", ",\n"]);
        assert_eq!(accepted(Whitespace::Any, ",ws", &texts), texts);
    }

    #[test]
    fn at_most_some() {
        let texts = [",", ", ", ",\n ", ",   ", "  ,  ", "   ,"];
        assert_eq!(accepted(Whitespace::AtMost { max: 2 }, ",ws", &texts), [",", ", ", ",\n ", "  ,  "]);
        assert_eq!(accepted(Whitespace::AtMost { max: 0 }, ",ws", &texts), [","]);
    }

    #[test]
    fn brackets() {
        let texts = ["[", "[ ", "[\n  "];
        assert_eq!(accepted(Whitespace::Spaced, "[ws", &texts), ["["]);
        assert_eq!(accepted(Whitespace::default(), "[ws", &texts), texts);
    }
}
