//! The report on a schema: for every keyword, by JSON Pointer, whether the grammar enforces it; and for schemas, which spellings
//! of valid values the grammar refuses.
//!
//! This file is data only. Loading adds the entries; programs print them, and artifacts keep
//! [`Coverage::note`].

use serde::Serialize;
use std::borrow::Cow;

/// How far the grammar enforces one keyword, or how it narrows one schema.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "coverage", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Coverage {
    /// The grammar enforces the keyword exactly.
    Enforced,
    /// The grammar accepts more than the keyword allows.
    Superset {
        /// Why the keyword is not enforced exactly.
        why: String,
        /// The values that are accepted besides.
        admits: String,
    },
    /// The keyword restricts nothing, in its draft or because of the options.
    Annotation,
    /// The keyword cannot be enforced, and the options demand that all keywords are.
    Refused {
        /// Why the keyword cannot be enforced.
        why: String,
        /// How to change the schema or the options.
        help: String,
    },
    /// The grammar refuses some texts of valid values. The entry is about a schema, or about the keyword `format`.
    Narrowed(Narrowed),
}

/// The help of a narrowing that no option lifts, though one lifts others of its kind.
pub const NO_OPTION: &str = "no option accepts them";

/// Texts of valid values that the grammar refuses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
pub struct Narrowed {
    /// What distinguishes the texts that are refused.
    pub kind: Narrowing,
    /// The texts that are refused.
    pub refuses: &'static str,
    /// How to accept them.
    pub help: &'static str,
}

/// What distinguishes texts of valid values that are refused from those that are accepted. The text form is stable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Narrowing {
    /// Texts of a `format` that its specification allows.
    FormatSpelling,
    /// Strings with the escape of half a surrogate pair, such as `"\\ud83d"`.
    HalfSurrogate,
    /// Items in another notation, in arrays whose items differ.
    ItemSpelling,
    /// Objects with their keys in another order.
    KeyOrder,
    /// Objects with keys that the style of the arguments of a tool cannot write.
    Keys,
    /// Strings and arrays that are longer than is counted.
    Length,
    /// Numbers with more digits than the option allows.
    NumberDigits,
    /// Numbers in another notation, such as `1e1`.
    NumberSpelling,
    /// Values that the profile refuses, such as objects with members that the schema does not name.
    Profile,
    /// Objects in which a member is repeated, if its key is declared, members are counted, or the [option](crate::RepeatedKeys) says so.
    RepeatedKey,
    /// Strings and keys with other escapes.
    StringSpelling,
    /// Texts with other white space, or other separators, between the tokens.
    WhiteSpace,
}

impl Coverage {
    /// The kind of coverage in one word: `enforced`, `superset`, `annotation`, `refused` or `narrowed`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Enforced => "enforced",
            Self::Superset { .. } => "superset",
            Self::Annotation => "annotation",
            Self::Refused { .. } => "refused",
            Self::Narrowed(_) => "narrowed",
        }
    }

    /// The coverage of a keyword that is left out, if keywords that cannot be enforced are refused instead.
    #[must_use]
    pub fn refused(self) -> Self {
        match self {
            Self::Superset { why, admits } => {
                let help = format!("--unenforced allow leaves it out and admits {admits}");
                Self::Refused { why, help }
            }
            other => other,
        }
    }

    /// What is narrowed, if this is a narrowing.
    #[must_use]
    pub const fn narrowing(&self) -> Option<Narrowing> {
        match self {
            Self::Narrowed(narrowed) => Some(narrowed.kind),
            _ => None,
        }
    }

    /// The explanation of a gap or of a narrowing in one line; empty for a keyword that is enforced or an annotation.
    #[must_use]
    pub fn note(&self) -> Cow<'static, str> {
        match self {
            Self::Enforced | Self::Annotation => Cow::Borrowed(""),
            Self::Superset { why, admits } => Cow::Owned(format!("{why}; also admits {admits}")),
            Self::Refused { why, help } => Cow::Owned(format!("{why}; {help}")),
            Self::Narrowed(Narrowed { refuses, help, .. }) => {
                Cow::Owned(format!("refuses {refuses}; {help}"))
            }
        }
    }
}

/// The coverage of one keyword of one schema, or a narrowing of one schema.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entry {
    /// JSON Pointer of the keyword, or of the schema that is narrowed.
    pub pointer: String,
    /// How far the grammar enforces it, or how it is narrowed.
    #[serde(flatten)]
    pub coverage: Coverage,
}

/// The coverage of all keywords of all schemas that were used, and all narrowings.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// The keywords of the schema in the order of the text, then those of other documents. The narrowings of a schema come before
    /// its keywords, those of the whole document first.
    pub entries: Vec<Entry>,
}

impl Report {
    /// The report on the same schemas, if keywords that cannot be enforced are refused and not left out.
    #[must_use]
    pub fn refused(self) -> Self {
        let entries = self.entries.into_iter();
        Self { entries: entries.map(|entry| Entry { coverage: entry.coverage.refused(), ..entry }).collect() }
    }

    /// The keywords that are not enforced exactly: those with a superset, and those that are refused.
    pub fn gaps(&self) -> impl Iterator<Item = &Entry> {
        let is_gap =
            |entry: &&Entry| matches!(entry.coverage, Coverage::Superset { .. } | Coverage::Refused { .. });
        self.entries.iter().filter(is_gap)
    }

    /// The narrowings.
    pub fn narrowings(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.coverage.narrowing().is_some())
    }
}
