//! Extensions of the pattern syntax: named languages, written as a group with that name, such as `(?P<QUOTED_TEXT>)`.
//!
//! Source of the list and of its syntax: Koo, Liu, He, "Automata-based constraints for language model decoding" (2024),
//! table 1. The contents of the group are the argument of the extension. This file builds their languages; the parser
//! of patterns checks the arguments.
//!
//! | group | matches |
//! |---|---|
//! | `(?P<QUOTED_TEXT>)` | a string in double quotes, with backslash escapes |
//! | `(?P<UNQUOTED_TEXT>)` | a plain scalar of YAML: a string without quotes |
//! | `(?P<TEXT_TOKEN>)` | a token of text |
//! | `(?P<PARAGRAPH_TOKEN>)` | a token of text without line breaks |
//! | `(?P<TEXT_UNTIL>stop)` | text up to and including the first match of `stop` |
//! | `(?P<SUBSTRING_OF>text)` | any substring of `text` that is not empty |
//! | `(?P<DELIMITED_LIST>(x)(,))` | one or more `x` with `,` between them |
//! | `(?P<DELIMITED_SUBSEQUENCE_OF>(a\|b\|c)(,))` | one or more of the alternatives in their order, with `,` between them |
//! | `(?P<SPECIAL_TOKEN>name)` | a special token whose name matches, such as an image; only where the pattern is a grammar of its own |
//!
//! A single `TEXT_TOKEN` is not a language of texts: which texts are one token depends on the vocabulary. Any number of
//! tokens is any text, whatever the vocabulary, so within a terminal these groups are only accepted repeated. Where the pattern is a grammar
//! of its own, they may be counted: then tokens are matched by id.

use crate::dfa::Dfa;
use crate::limits::RegularLimits;
use crate::regex::Regex;
use crate::sets::CharSet;
use gcc_grammar_limits::OverBudget;
use std::sync::Arc;

/// A named language of the pattern syntax.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Extension {
    /// `(?P<QUOTED_TEXT>)`: a string in double quotes, with backslash escapes.
    QuotedText,
    /// `(?P<UNQUOTED_TEXT>)`: a plain scalar of YAML.
    UnquotedText,
    /// `(?P<TEXT_TOKEN>)*`: any text.
    TextToken,
    /// `(?P<PARAGRAPH_TOKEN>)*`: text without line breaks.
    ParagraphToken,
    /// `(?P<TEXT_UNTIL>stop)`: text up to and including the first match of `stop`.
    TextUntil,
    /// `(?P<SUBSTRING_OF>text)`: any substring of `text` that is not empty.
    SubstringOf,
    /// `(?P<DELIMITED_LIST>(x)(,))`: one or more `x` with `,` between them.
    DelimitedList,
    /// `(?P<DELIMITED_SUBSEQUENCE_OF>(a|b|c)(,))`: one or more of the alternatives in their order, with `,` between them.
    DelimitedSubsequenceOf,
    /// `(?P<SPECIAL_TOKEN>name)`: a special token whose name matches.
    SpecialToken,
}

/// The names of the extensions.
pub(crate) const NAMES: [(&str, Extension); 9] = [
    ("QUOTED_TEXT", Extension::QuotedText),
    ("UNQUOTED_TEXT", Extension::UnquotedText),
    ("TEXT_TOKEN", Extension::TextToken),
    ("PARAGRAPH_TOKEN", Extension::ParagraphToken),
    ("TEXT_UNTIL", Extension::TextUntil),
    ("SUBSTRING_OF", Extension::SubstringOf),
    ("DELIMITED_LIST", Extension::DelimitedList),
    ("DELIMITED_SUBSEQUENCE_OF", Extension::DelimitedSubsequenceOf),
    ("SPECIAL_TOKEN", Extension::SpecialToken),
];

impl Extension {
    /// The extension of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().find(|(known, _)| *known == name).map(|&(_, extension)| extension)
    }

    /// The texts of one token, for the extensions that stand for a token of text.
    #[must_use]
    pub fn token_texts(self) -> Regex {
        text(self == Self::ParagraphToken).plus()
    }

    /// Whether the extension takes no argument.
    pub(crate) fn is_constant(self) -> bool {
        matches!(self, Self::QuotedText | Self::UnquotedText | Self::TextToken | Self::ParagraphToken)
    }
}

/// All code points except `chars`.
fn not(chars: &[char]) -> CharSet {
    CharSet::new(chars.iter().map(|&c| (u32::from(c), u32::from(c)))).negate()
}

/// A string in double quotes, without control characters. A backslash escapes the character after it.
pub(crate) fn quoted_text() -> Regex {
    let visible = CharSet::new([(0x20, 0x10_FFFF)]);
    let plain = Regex::Chars(visible.difference(&CharSet::new([(0x22, 0x22), (0x5C, 0x5C)])));
    let escape = Regex::literal("\\").then(Regex::Chars(visible));
    Regex::concat([Regex::literal("\""), Regex::union([plain, escape]).star(), Regex::literal("\"")])
}

/// A plain scalar on one line that is also valid within brackets and braces (YAML 1.2.2, section 7.3.3): it does not begin
/// with an indicator, contains neither `: ` nor ` #`, and neither begins nor ends with a blank.
pub(crate) fn unquoted_text() -> Regex {
    let controls = CharSet::new([(0, 0x1F), (0x7F, 0x9F), (0x2028, 0x2029), (0xFEFF, 0xFEFF)]).negate();
    let brackets = controls.intersect(&not(&[' ', ',', '[', ']', '{', '}']));
    let first =
        brackets.intersect(&not(&['-', '?', ':', '#', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`']));
    let inner = brackets.intersect(&not(&[':', '#']));
    let (colons, blanks) = (Regex::literal(":").plus(), Regex::literal(" ").star());
    let rest = Regex::union([
        blanks.then(Regex::Chars(inner.clone())),
        Regex::literal("#"),
        colons.then(Regex::Chars(inner)),
    ]);
    Regex::Chars(first).then(rest.star())
}

/// Any character; of a paragraph, any character except line breaks.
pub(crate) fn text(paragraph: bool) -> Regex {
    Regex::Chars(if paragraph { not(&['\n', '\r']) } else { CharSet::all() })
}

/// Text up to and including the first match of `stop`. For a literal, the automaton is that of Knuth, Morris and Pratt
/// (1977), linear in its length.
pub(crate) fn text_until(stop: Regex, limits: &RegularLimits) -> Result<Regex, OverBudget> {
    let dfa = Regex::any_char().star().then(stop).to_dfa(limits)?;
    Ok(Regex::Automaton(Arc::new(dfa.shortest_matches(limits)?)))
}

/// Any substring of `text`, between characters, that is not empty.
pub(crate) fn substring_of(text: &str, limits: &RegularLimits) -> Result<Regex, OverBudget> {
    let chars: Vec<&str> = text.split_inclusive(|_| true).collect();
    Ok(Regex::Automaton(Arc::new(Dfa::substrings(&chars, limits)?.without_empty(limits)?)))
}

/// One or more `element`s with `delimiter` between them.
pub(crate) fn delimited_list(element: Regex, delimiter: Regex) -> Regex {
    let more = delimiter.then(element.clone()).star();
    element.then(more)
}

/// One or more of the elements, each at most once and in their order. The automaton of `(,a)?(,b)?(,c)?` is linear in its
/// size; the result is its derivative by the first delimiter.
pub(crate) fn delimited_subsequence(
    elements: &[Regex],
    delimiter: &[u8],
    limits: &RegularLimits,
) -> Result<Regex, OverBudget> {
    let delimited = |element: &Regex| Regex::Literal(delimiter.to_vec()).then(element.clone()).optional();
    let chain = Regex::concat(elements.iter().map(delimited)).to_dfa(limits)?;
    let chain = chain.without_empty(limits)?;
    Ok(Regex::Automaton(Arc::new(chain.derivative(delimiter, limits)?)))
}
