//! What became of every keyword, by JSON Pointer.

use serde::Serialize;

/// What the grammar does about one keyword.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "coverage", rename_all = "lowercase")]
pub enum Coverage {
    /// Exactly what it says.
    Enforced,
    /// The grammar accepts more than the keyword allows.
    Superset {
        /// Why it is not exact.
        why: String,
        /// What gets through.
        admits: String,
    },
    /// It says nothing about validity, or was chosen not to.
    Annotation,
    /// It cannot be enforced, and it was asked that nothing be let through.
    Refused {
        /// Why not.
        why: String,
        /// What to do.
        help: String,
    },
}

/// One keyword of one schema.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Entry {
    /// JSON Pointer of the keyword.
    pub pointer: String,
    /// What the grammar does about it.
    #[serde(flatten)]
    pub coverage: Coverage,
}

/// What became of the keywords of every schema that was used.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Report {
    /// In the order in which the keywords were met.
    pub entries: Vec<Entry>,
}

impl Report {
    /// The entries that are neither enforced nor annotations.
    pub fn gaps(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| !matches!(entry.coverage, Coverage::Enforced | Coverage::Annotation))
    }
}
