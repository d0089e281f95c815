//! Tokens that hold tokens of their own kind, as in `X : '/*' (X | .)*? '*/'`, up to a depth.
//!
//! ANTLR's lexer leaves such a loop where the end stands, and tries the inner token before a character. So every beginning within the token begins an
//! inner one, as long as that one ends; else the lexer cuts the text in another way. A regular expression counts up to [`MOST_DEPTH`] only. Texts
//! that go deeper, or in which an inner token does not end, are tokens that no rule uses: they are in no text of the grammar, instead of being cut as ANTLR
//! would not. So are texts that end in such a token, where `EOF` may stand for its end.

use super::ast::{Alternative, Element, ElementKind, Rule};
use super::lexer_rules::{Tokens, is_end};
use super::reach::Rules;
use super::text::range_in_class;

/// How deep tokens may lie in one another.
pub(super) const MOST_DEPTH: usize = 8;

/// A token of this kind, as parts of patterns of Python.
pub(super) struct Nested {
    begin: String,
    end: String,
    /// A character at which neither the beginning nor the end stands.
    other: String,
}

impl Nested {
    /// The token of a rule, if it is of this kind.
    pub(super) fn of(rule: &Rule, tokens: &Tokens<'_>) -> Option<Self> {
        let rules = tokens.rules;
        let [Alternative { elements, .. }] = &rule.alternatives[..] else { return None };
        let [begin, Element { kind: ElementKind::Repeat { inner, min: 0, max: None, lazy: true }, .. }, end] =
            &elements[..]
        else {
            return None;
        };
        let ElementKind::Group(alternatives) = &inner.kind else { return None };
        let [own, other] = &alternatives[..] else { return None };
        let is_own = matches!(&own.only()?.kind, ElementKind::Name(name) if *name == rule.name.text);
        let other = other.only()?;
        let other = match &rules.resolved(other).kind {
            ElementKind::Any => "\\s\\S".to_owned(),
            _ => tokens.in_class(other, 0).ok().filter(|class| !class.is_empty())?,
        };
        let (begin, end) = (text(begin, rules)?, end_text(end, rules)?);
        // Otherwise it depends on more than what stands at a place.
        let are_apart = !begin.starts_with(end) && !end.starts_with(begin);
        (!rule.is_fragment && is_own && are_apart).then(|| {
            let (begin, end) = (quoted(begin), quoted(end));
            let other = format!("(?!{begin}|{end})[{other}]");
            Self { begin, end, other }
        })
    }

    /// The pattern of the token.
    pub(super) fn token(&self) -> String {
        self.whole(MOST_DEPTH)
    }

    /// The pattern of texts that end with a beginning or an end, in which some inner token has begun and some token has not ended, or which go deeper.
    pub(super) fn unended(&self) -> String {
        let Self { begin, other, .. } = self;
        let inner = self.whole(MOST_DEPTH - 1);
        format!("{begin}(?:{inner}|{other})*(?:{inner}|{})", self.begun(MOST_DEPTH - 1))
    }

    /// A token with at most so many on top of one another, itself among them.
    fn whole(&self, depth: usize) -> String {
        let Self { begin, end, other } = self;
        (0..depth).fold(String::new(), |inner, _| match inner.is_empty() {
            true => format!("{begin}(?:{other})*{end}"),
            false => format!("{begin}(?:{inner}|{other})*{end}"),
        })
    }

    /// A token that has not ended, likewise, which ends with a beginning or an end; or a text that goes one deeper.
    fn begun(&self, depth: usize) -> String {
        let Self { begin, other, .. } = self;
        (1..depth).fold(format!("{begin}(?:(?:{other})*{begin})?"), |begun, depth| {
            let inner = self.whole(depth);
            format!("{begin}(?:(?:{inner}|{other})*(?:{inner}|{begun}))?")
        })
    }
}

/// The text of an element that is nothing else, in which cases do not count.
fn text<'a>(element: &'a Element, rules: &Rules<'a>) -> Option<&'a str> {
    match &rules.resolved(element).kind {
        ElementKind::Text { text, .. } if !text.is_empty() && !text.contains(char::is_alphabetic) => {
            Some(text)
        }
        _ => None,
    }
}

/// The text at the end of a token. That of the whole text may end it, too: then it has not ended as it must.
fn end_text<'a>(element: &'a Element, rules: &Rules<'a>) -> Option<&'a str> {
    let ElementKind::Group(alternatives) = &element.kind else { return text(element, rules) };
    let ends = alternatives.iter().filter(|one| !is_end(one)).collect::<Vec<_>>();
    match ends[..] {
        [end] => text(end.only()?, rules),
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    text.chars().map(|c| format!("[{}]", range_in_class(u32::from(c), u32::from(c)))).collect()
}
