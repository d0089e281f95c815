//! The formats that are enforced: languages of texts, or ranges of integers.
//!
//! Names that are not here are annotations, as the specification demands. The languages are written as patterns
//! in `tests/patterns.rs`, from which the automata in `table` are made.

mod table;
#[cfg(test)]
mod tests;

use crate::draft::Draft;
use crate::report::{Narrowed, Narrowing};
use gcc_grammar_regular::Dfa;
use std::sync::{Arc, OnceLock};

/// The values that a format restricts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Format {
    /// Strings.
    Texts(TextFormat),
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

/// The maximum number of characters of a host name (RFC 1035, section 2.3.4: 255 octets, with a length before each label and a root label).
const MAX_HOST_NAME: u32 = 253;

/// The names of the formats of strings; a [`TextFormat`] is a place in this list. The last [`PARTS`] are no formats.
const TEXTS: [&str; 29] = [
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
    "uuid1",
    "uuid3",
    "uuid4",
    "uuid5",
    "uuid6",
    "uuid7",
    "uuid8",
    "regex",
    "hostname without xn--",
    "regex without look-around",
];

/// The number of entries at the end of [`TEXTS`] that are [parts](TextFormat::part) of formats.
const PARTS: usize = 2;

/// The format of this name, if the draft has it and it is enforced.
pub(crate) fn find(name: &str, draft: Draft) -> Option<Format> {
    match name {
        "byte" if !draft.is_open_api() => None,
        _ => {
            let formats = &TEXTS[..TEXTS.len() - PARTS];
            let texts = formats.iter().position(|&known| known == name);
            let texts = texts.map(|place| Format::Texts(TextFormat(place)));
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

    /// For a format that is not regular: a part of its texts, of which no text is doubtful if it is not longer. The texts of the format itself
    /// are then all that may be valid.
    pub(crate) fn part(self) -> Option<(Self, Option<u32>)> {
        match TEXTS[self.0] {
            "hostname" | "idn-hostname" => Some((Self(TEXTS.len() - 2), Some(MAX_HOST_NAME))),
            "regex" => Some((Self(TEXTS.len() - 1), None)),
            _ => None,
        }
    }

    /// The maximum number of characters of the texts, for a format that has one beside its automaton.
    pub(crate) fn max_length(self) -> Option<u32> {
        (TEXTS[self.0] == "hostname").then_some(MAX_HOST_NAME)
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
            // ECMA 262, section 22.2.1.
            "regex" => {
                "regular expressions with groups nested more than three deep, and with look-around, references, names, properties of characters, empty classes and less usual bounds; under not all strings"
            }
            // RFC 5890, section 2.3.2.1, and RFC 5891, section 4.2: whether an A-label is valid is a computation with numbers.
            "hostname" => "host names with a label that begins with xn--, under not as well",
            "idn-hostname" => {
                "host names with characters outside ASCII or with a label that begins with xn--, under not as well, and there also longer ones than 253 characters"
            }
            _ => return None,
        };
        let help = "--formats annotate makes all formats annotations";
        Some(Narrowed { kind: Narrowing::FormatSpelling, refuses, help })
    }
}
