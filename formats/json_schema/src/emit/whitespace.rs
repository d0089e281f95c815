//! Punctuation with the white space around it, as an option allows it.
//!
//! White space belongs to the punctuation before or after it, so there is one way to read it.

use crate::guidance::Guidance;
use crate::options::Whitespace;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The automata of the usual punctuation, by its form: with the white space of the default options. All schemas share them.
static USUAL: Mutex<BTreeMap<&'static str, Arc<Dfa>>> = Mutex::new(BTreeMap::new());

/// The white space at each place.
pub(super) struct Space {
    /// It is that of the default options.
    is_usual: bool,
    /// Inside brackets.
    inner: Regex,
    after_comma: Regex,
    before_colon: Regex,
    after_colon: Regex,
    before_comma: Regex,
    comma: Regex,
    colon: Regex,
    outer: Option<Regex>,
}

impl Space {
    /// The white space that an option allows.
    pub(super) fn new(whitespace: Whitespace) -> Self {
        let none = Regex::empty;
        let fixed = |after: fn() -> Regex| Self {
            is_usual: false,
            inner: none(),
            after_comma: after(),
            before_colon: none(),
            after_colon: after(),
            before_comma: none(),
            comma: Regex::literal(","),
            colon: Regex::literal(":"),
            outer: None,
        };
        let is_usual = whitespace == Whitespace::default();
        let space = match whitespace {
            Whitespace::Compact => fixed(Regex::empty),
            Whitespace::Spaced => fixed(|| Regex::literal(" ")),
            Whitespace::Single => fixed(none).everywhere(&Regex::literal(" ").optional()),
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
            Whitespace::Bounded { max } => fixed(none).everywhere(&one_of(b" \t\r\n").repeat(0, Some(max))),
            Whitespace::Inner | Whitespace::Any => {
                let any = || one_of(b" \t\r\n").star();
                let outer = (whitespace == Whitespace::Any).then(|| one_of(b" \t\r\n").plus());
                Self { outer, ..fixed(none).everywhere(&any()) }
            }
        };
        Self { is_usual, ..space }
    }

    /// The punctuation with the same white space at every place inside of the text.
    fn everywhere(self, space: &Regex) -> Self {
        let [inner, after_comma, before_colon, after_colon, before_comma] = [(); 5].map(|()| space.clone());
        Self { inner, after_comma, before_colon, after_colon, before_comma, outer: None, ..self }
    }

    /// The white space and punctuation that the author of the schema demands.
    pub(super) fn guided(mut self, guidance: &Guidance) -> Self {
        if let Some(space) = &guidance.space {
            self = self.everywhere(space);
        }
        let Guidance { item_separator, key_separator, .. } = guidance.clone();
        self.is_usual &= guidance.space.is_none() && item_separator.is_none() && key_separator.is_none();
        self.comma = item_separator.unwrap_or(self.comma);
        self.colon = key_separator.unwrap_or(self.colon);
        self
    }

    /// Whether texts have all white space that RFC 8259 allows. Around the whole text there is any white space only if there is any
    /// around commas and colons, too; so a separator must be accepted without white space of its own, and that is enough.
    pub(super) fn is_any(&self, limits: &RegularLimits) -> Result<bool, OverBudget> {
        let (comma, colon) = (self.comma.to_dfa(limits)?, self.colon.to_dfa(limits)?);
        Ok(self.outer.is_some() && comma.accepts(b",") && colon.accepts(b":"))
    }

    /// The white space before and after the whole text; `None` if there is none.
    pub(super) fn outer(&self) -> Option<Regex> {
        self.outer.clone()
    }

    /// Punctuation with its white space. `form` has `ws` where white space may stand inside brackets or after
    /// a comma.
    pub(super) fn punctuation(&self, form: &'static str) -> Regex {
        if !self.is_usual {
            return self.regex(form);
        }
        let mut usual = USUAL.lock().unwrap_or_else(PoisonError::into_inner);
        let automaton = usual.entry(form).or_insert_with(|| {
            let automaton = self.regex(form).to_dfa(&RegularLimits::default());
            Arc::new(automaton.expect("some hundred states"))
        });
        Regex::Automaton(automaton.clone())
    }

    fn regex(&self, form: &str) -> Regex {
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
            } else if let Some(after) = rest.strip_prefix(',') {
                parts.push(self.comma.clone());
                rest = after;
            } else {
                parts.push(Regex::literal(&rest[..1]));
                rest = &rest[1..];
            }
        }
        Regex::Concat(parts)
    }

    /// The colon after a key, with the white space around it.
    pub(super) fn colon(&self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        let parts = [&self.before_colon, &self.colon, &self.after_colon];
        Regex::concat(parts.map(Clone::clone)).to_dfa(limits)
    }
}

fn one_of(bytes: &[u8]) -> Regex {
    Regex::Bytes(bytes.iter().copied().collect())
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
        assert_eq!(accepted(Whitespace::Inner, ",ws", &texts), texts);
        assert!(
            Space::new(Whitespace::Any).outer().is_some() && Space::new(Whitespace::Inner).outer().is_none()
        );
    }

    #[test]
    fn brackets() {
        let texts = ["[", "[ ", "[\n  "];
        assert_eq!(accepted(Whitespace::Spaced, "[ws", &texts), ["["]);
        assert_eq!(accepted(Whitespace::default(), "[ws", &texts), texts);
    }
}
