//! The report on a schema: for every keyword, by JSON Pointer, whether the grammar enforces it.
//!
//! This file is data only. Loading adds the entries; programs print them, and artifacts keep
//! [`Coverage::note`].

use serde::Serialize;
use std::borrow::Cow;

/// How far the grammar enforces one keyword.
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
}

impl Coverage {
    /// The kind of coverage in one word: `enforced`, `superset`, `annotation` or `refused`.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Enforced => "enforced",
            Self::Superset { .. } => "superset",
            Self::Annotation => "annotation",
            Self::Refused { .. } => "refused",
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

    /// The explanation of a gap in one line; empty if there is no gap.
    #[must_use]
    pub fn note(&self) -> Cow<'static, str> {
        match self {
            Self::Enforced | Self::Annotation => Cow::Borrowed(""),
            Self::Superset { why, admits } => Cow::Owned(format!("{why}; also admits {admits}")),
            Self::Refused { why, help } => Cow::Owned(format!("{why}; {help}")),
        }
    }
}

/// The coverage of one keyword of one schema.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entry {
    /// JSON Pointer of the keyword.
    pub pointer: String,
    /// How far the grammar enforces it.
    #[serde(flatten)]
    pub coverage: Coverage,
}

/// The coverage of all keywords of all schemas that were used.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// The keywords of the schema in the order of the text, then those of other documents.
    pub entries: Vec<Entry>,
}

impl Report {
    /// The report on the same schemas, if keywords that cannot be enforced are refused and not left out.
    #[must_use]
    pub fn refused(self) -> Self {
        let entries = self.entries.into_iter();
        Self { entries: entries.map(|entry| Entry { coverage: entry.coverage.refused(), ..entry }).collect() }
    }

    /// The entries that are neither enforced nor annotations.
    pub fn gaps(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| !matches!(entry.coverage, Coverage::Enforced | Coverage::Annotation))
    }
}
