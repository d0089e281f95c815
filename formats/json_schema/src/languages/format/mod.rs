//! The formats that are enforced: languages of texts, or ranges of integers.
//!
//! Names that are not here are annotations, as the specification demands. The languages are written as patterns
//! in `patterns`, from which the automata in `table` are made.

#[cfg(test)]
mod patterns;
mod table;

use crate::draft::Draft;
use crate::report::{Narrowed, Narrowing};
use gcc_grammar_regular::Dfa;
use std::sync::{Arc, OnceLock};

/// The values that a format restricts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Strings.
    Texts(TextFormat),
    /// Strings that no automaton recognizes.
    Irregular {
        /// Why there is no automaton.
        why: &'static str,
    },
    /// Integers of a range.
    Numbers(NumberFormat),
}

/// A format of numbers: a place in [`NUMBERS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NumberFormat(usize);

/// The formats of numbers, with their least and greatest integer.
const NUMBERS: [(&str, &str, &str); 2] =
    [("int32", "-2147483648", "2147483647"), ("int64", "-9223372036854775808", "9223372036854775807")];

/// A format of strings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TextFormat(usize);

/// The names of the formats of strings; a [`TextFormat`] is a place in this list.
const TEXTS: [&str; 19] = [
    "date",
    "time",
    "date-time",
    "duration",
    "email",
    "idn-email",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uri-template",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "byte",
    "hostname",
    "idn-hostname",
];

/// The format of this name, if the draft has it and it is enforced.
pub(crate) fn find(name: &str, draft: Draft) -> Option<Format> {
    match name {
        "byte" if !draft.is_open_api() => None,
        "regex" => {
            Some(Format::Irregular { why: "regular expressions nest, so they are not a regular language" })
        }
        _ => {
            let texts =
                TEXTS.iter().position(|&known| known == name).map(|place| Format::Texts(TextFormat(place)));
            let numbers = || NUMBERS.iter().position(|(known, ..)| *known == name).map(NumberFormat);
            texts.or_else(|| numbers().map(Format::Numbers))
        }
    }
}

/// The automata of the formats. All schemas share them.
static AUTOMATA: [OnceLock<Arc<Dfa>>; TEXTS.len() + NUMBERS.len()] =
    [const { OnceLock::new() }; TEXTS.len() + NUMBERS.len()];

/// The automaton at a place of the table.
fn automaton(place: usize) -> Arc<Dfa> {
    AUTOMATA[place].get_or_init(|| Arc::new(table::automaton(place))).clone()
}

impl NumberFormat {
    /// The numerals of the format in plain notation.
    pub(crate) fn numbers(self) -> Arc<Dfa> {
        automaton(TEXTS.len() + self.0)
    }
}

impl TextFormat {
    /// The texts of the format.
    pub(crate) fn texts(self) -> Arc<Dfa> {
        automaton(self.0)
    }

    /// The number of formats.
    pub(crate) const COUNT: usize = TEXTS.len();

    /// The format at a place, less than [`Self::COUNT`].
    #[cfg(test)]
    pub(crate) fn at(place: usize) -> Self {
        Self(place)
    }

    /// The place of the format among all formats: less than [`Self::COUNT`].
    pub(crate) fn index(self) -> usize {
        self.0
    }

    /// For a format whose specification allows more texts in this draft: which texts are refused. Validators refuse nearly all of them,
    /// too, so they are refused although they would cost little.
    pub(crate) fn narrowed(self, draft: Draft) -> Option<Narrowed> {
        let refuses = match TEXTS[self.0] {
            // RFC 3339, section 5.7.
            "time" | "date-time" => {
                "leap seconds at offsets that are no multiple of a quarter of an hour, such as 00:00:60+00:01"
            }
            // RFC 3339, appendix A: letters in ABNF stand for both cases (RFC 5234, section 2.3).
            "duration" => "lower-case letters, such as p1d, which the ABNF of RFC 3339 allows",
            // RFC 5321, section 4.1.3: `Snum`, and ABNF again.
            "email" | "idn-email" => {
                "domains that are IP addresses with leading zeros, such as [127.0.0.001], or with ipv6: in lower case"
            }
            // draft-handrews-relative-json-pointer-02, section 3: `index-manipulation`.
            "relative-json-pointer" if draft.has_index_manipulation() => {
                "the manipulation of an index, such as 0+1/a"
            }
            _ => return None,
        };
        let help = "--formats annotate makes all formats annotations";
        Some(Narrowed { kind: Narrowing::FormatSpelling, refuses, help })
    }

    /// For a format that is not enforced exactly: why, and which other texts are accepted.
    pub(crate) fn gap(self) -> Option<(&'static str, &'static str)> {
        match TEXTS[self.0] {
            "hostname" => Some((
                "the length of all labels together and the contents of xn-- labels are not checked",
                "host names of more than 253 characters and xn-- labels that are no Punycode",
            )),
            "idn-hostname" => Some((
                "the length of all labels together, the characters that international labels may have, and the contents of xn-- labels are not checked",
                "host names with labels of up to 63 letters, digits, hyphens and characters outside ASCII",
            )),
            _ => None,
        }
    }
}
