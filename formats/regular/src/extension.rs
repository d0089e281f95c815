//! Languages with a name, written as groups with that name: `(?P<QUOTED_TEXT>)`.
//!
//! Koo, Liu, He, "Automata-based constraints for language model decoding" (2024), table 1, says which ones are useful and uses the
//! syntax of named groups for them. What is in the group is the argument:
//!
//! | group | matches |
//! |---|---|
//! | `(?P<QUOTED_TEXT>)` | a string in double quotes, with backslash escapes |
//! | `(?P<UNQUOTED_TEXT>)` | a plain string as YAML has it, without quotes |
//! | `(?P<TEXT_TOKEN>)` | text; repeated with `*` or `+` |
//! | `(?P<PARAGRAPH_TOKEN>)` | text without line breaks; repeated with `*` or `+` |
//! | `(?P<TEXT_UNTIL>stop)` | text up to the first `stop`, and that |
//! | `(?P<SUBSTRING_OF>text)` | any piece of `text` that is not empty |
//! | `(?P<DELIMITED_LIST>(x)(,))` | one or more `x` with `,` between them |
//! | `(?P<DELIMITED_SUBSEQUENCE_OF>(a\|b\|c)(,))` | one or more of the alternatives in their order, with `,` between them |
//! | `(?P<SPECIAL_TOKEN>name)` | a special token whose name matches, such as an image; only in a regular expression of its own |
//!
//! A single `TEXT_TOKEN` is not a language of texts: which texts are one token depends on the vocabulary. Any number of
//! them is any text, whatever the vocabulary, so they are only accepted repeated.

use super::{CharSet, Dfa, Regex, RegularLimits, TooLarge};
use std::sync::Arc;

/// A group with a meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the table above says what they are")]
pub enum Extension {
    QuotedText,
    UnquotedText,
    TextToken,
    ParagraphToken,
    TextUntil,
    SubstringOf,
    DelimitedList,
    DelimitedSubsequenceOf,
    SpecialToken,
}

/// All names.
pub(super) const NAMES: [(&str, Extension); 9] = [
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

    /// Does it stand alone, without an argument?
    pub(super) fn is_constant(self) -> bool {
        matches!(self, Self::QuotedText | Self::UnquotedText | Self::TextToken | Self::ParagraphToken)
    }
}

fn not(chars: &[char]) -> CharSet {
    CharSet::new(chars.iter().map(|&c| (u32::from(c), u32::from(c)))).negate()
}

/// A string in double quotes. Control characters are not in it, and a backslash protects the character after it.
pub(super) fn quoted_text() -> Regex {
    let visible = CharSet::new([(0x20, 0x10_FFFF)]);
    let plain = Regex::Chars(visible.difference(&CharSet::new([(0x22, 0x22), (0x5C, 0x5C)])));
    let escape = Regex::literal("\\").then(Regex::Chars(visible));
    Regex::concat([Regex::literal("\""), Regex::union([plain, escape]).star(), Regex::literal("\"")])
}

/// A plain scalar on one line that is also one within brackets and braces (YAML 1.2.2, section 7.3.3): does not begin with an
/// indicator, has no `: ` and no ` #`, and neither begins nor ends with a blank.
pub(super) fn unquoted_text() -> Regex {
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

/// Any characters, or those that a paragraph is made of.
pub(super) fn text(paragraph: bool) -> Regex {
    Regex::Chars(if paragraph { not(&['\n', '\r']) } else { CharSet::all() })
}

/// Text up to the first of the `stops`, and that: linear in their length (Knuth, Morris, Pratt 1977).
pub(super) fn text_until(stop: Regex, limits: &RegularLimits) -> Result<Regex, TooLarge> {
    let dfa = Regex::any_char().star().then(stop).to_dfa(limits)?;
    Ok(Regex::Automaton(Arc::new(dfa.shortest_matches())))
}

/// Any piece of the text, between characters, that is not empty.
pub(super) fn substring_of(text: &str, limits: &RegularLimits) -> Result<Regex, TooLarge> {
    let chars: Vec<&str> = text.split_inclusive(|_| true).collect();
    Ok(Regex::Automaton(Arc::new(Dfa::substrings(&chars, limits)?.without_empty(limits)?)))
}

/// One or more of the elements.
pub(super) fn delimited_list(element: Regex, delimiter: Regex) -> Regex {
    let more = delimiter.then(element.clone()).star();
    element.then(more)
}

/// One or more of the elements, each at most once and in their order. The automaton of "delimiter and element, for any of them" is
/// linear; what follows the first delimiter in it is the answer.
pub(super) fn delimited_subsequence(
    elements: &[Regex],
    delimiter: &[u8],
    limits: &RegularLimits,
) -> Result<Regex, TooLarge> {
    let one = |element: &Regex| Regex::Literal(delimiter.to_vec()).then(element.clone()).optional();
    let chain = Regex::concat(elements.iter().map(one)).to_dfa(limits)?;
    let chain = chain.without_empty(limits)?;
    Ok(Regex::Automaton(Arc::new(chain.after(delimiter))))
}
