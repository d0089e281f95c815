//! Tokens that hold tokens of their own kind, as in `X : '/*' (X | .)*? '*/'`, up to a depth. The kind may have several tokens with one end and one
//! beginning, as in `X : A | B`, `A : '/*+' (X | .)*? '*/'`, `B : '/*' (X | .)*? '*/'`.
//!
//! ANTLR's lexer leaves such a loop where the end stands, and tries the inner token before a character. So every beginning within the token begins an
//! inner one, as long as that one ends; else the lexer cuts the text in another way. A regular expression counts up to [`MOST_DEPTH`] only. Texts
//! that go deeper, or in which an inner token does not end, are tokens that no rule uses: they are in no text of the grammar, instead of being cut as ANTLR
//! would not. So are texts that end in such a token, where `EOF` may stand for its end.

use super::ast::{Alternative, Element, ElementKind, Rule};
use super::lexer_rules::{Tokens, is_end};
use super::reach::{MOST_NAMES, Rules};
use super::start::{only_name, only_names};
use super::text::range_in_class;

/// How deep tokens may lie in one another.
pub(super) const MOST_DEPTH: usize = 8;
/// Any character, as the inside of a class.
const ANY: &str = "\\s\\S";

/// A token of this kind, as parts of patterns of Python.
pub(super) struct Nested {
    begin: String,
    /// The beginning of tokens within it: that of all tokens of its kind, which may go on in some of them.
    inner: String,
    end: String,
    /// A character at which neither the beginning nor the end stands.
    other: String,
}

/// The parts of a token `begin (own | other)*? end`.
struct Shape<'r> {
    begin: &'r str,
    /// The token within it: itself, or a name of it and others.
    own: &'r str,
    other: String,
    end: &'r str,
}

impl<'r> Shape<'r> {
    fn of(rule: &'r Rule, tokens: &Tokens<'r>) -> Option<Self> {
        let rules = tokens.rules;
        let [Alternative { elements, .. }] = &rule.alternatives[..] else { return None };
        let [begin, Element { kind: ElementKind::Repeat { inner, min: 0, max: None, lazy: true }, .. }, end] =
            &elements[..]
        else {
            return None;
        };
        let ElementKind::Group(alternatives) = &inner.kind else { return None };
        let [own, other] = &alternatives[..] else { return None };
        let (own, other) = (only_name(own)?, other.only()?);
        let other = match &rules.resolved(other).kind {
            ElementKind::Any => ANY.to_owned(),
            _ => tokens.in_class(other, 0).ok().filter(|class| !class.is_empty())?,
        };
        Some(Self { begin: text(begin, rules)?, own, other, end: end_text(end, rules)? })
    }
}

impl Nested {
    /// The token of a rule, if it is of this kind.
    pub(super) fn of<'r>(rule: &'r Rule, tokens: &Tokens<'r>) -> Option<Self> {
        let Shape { begin, own, other, end } = Shape::of(rule, tokens)?;
        let kind = named(own, tokens.rules)?;
        let shapes = kind.iter().map(|rule| Shape::of(rule, tokens)).collect::<Option<Vec<_>>>()?;
        let inner = shapes.iter().map(|shape| shape.begin).min_by_key(|begin| begin.len())?;
        // Otherwise it depends on more than what stands at a place. What a beginning has besides is read as any other character.
        let more = |shape: &Shape<'_>| shape.begin.strip_prefix(inner).map(str::to_owned);
        let is_other = |more: String| {
            more.is_empty() || other == ANY && !more.contains(|c| inner.contains(c) || end.contains(c))
        };
        let is_alike = |shape: &Shape<'_>| {
            let is_apart = !shape.begin.starts_with(end) && !end.starts_with(shape.begin);
            is_apart && (shape.own, &shape.other, shape.end) == (own, &other, end)
        };
        let are_alike = shapes.iter().all(|shape| is_alike(shape) && more(shape).is_some_and(is_other));
        let is_own = kind.iter().any(|one| std::ptr::eq(*one, rule));
        (!rule.is_fragment && is_own && are_alike).then(|| {
            let [begin, inner, end] = [begin, inner, end].map(quoted);
            let other = format!("(?!{inner}|{end})[{other}]");
            Self { begin, inner, end, other }
        })
    }

    /// The pattern of the token.
    pub(super) fn token(&self) -> String {
        let Self { begin, end, other, .. } = self;
        format!("{begin}(?:{}|{other})*{end}", self.whole(MOST_DEPTH - 1))
    }

    /// The pattern of texts that end with a beginning or an end, in which some inner token has begun and some token has not ended, or which go deeper.
    pub(super) fn unended(&self) -> String {
        let Self { begin, other, .. } = self;
        let inner = self.whole(MOST_DEPTH - 1);
        format!("{begin}(?:{inner}|{other})*(?:{inner}|{})", self.begun(MOST_DEPTH - 1))
    }

    /// An inner token with at most so many on top of one another, itself among them.
    fn whole(&self, depth: usize) -> String {
        let Self { inner, end, other, .. } = self;
        (0..depth).fold(String::new(), |within, _| match within.is_empty() {
            true => format!("{inner}(?:{other})*{end}"),
            false => format!("{inner}(?:{within}|{other})*{end}"),
        })
    }

    /// An inner token that has not ended, likewise, which ends with a beginning or an end; or a text that goes one deeper.
    fn begun(&self, depth: usize) -> String {
        let Self { inner, other, .. } = self;
        (1..depth).fold(format!("{inner}(?:(?:{other})*{inner})?"), |begun, depth| {
            let whole = self.whole(depth);
            format!("{inner}(?:(?:{whole}|{other})*(?:{whole}|{begun}))?")
        })
    }
}

/// The tokens that a name stands for: itself, or others if it is nothing but names.
fn named<'r>(name: &'r str, rules: &Rules<'r>) -> Option<Vec<&'r Rule>> {
    let (mut found, mut open, mut left) = (Vec::new(), vec![name], MOST_NAMES);
    while let Some(name) = open.pop() {
        left = left.checked_sub(1)?;
        let rule = rules.get(name)?;
        match only_names(rule) {
            Some(names) => open.extend(names),
            None => found.push(rule),
        }
    }
    Some(found)
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
