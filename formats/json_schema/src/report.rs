//! What became of every keyword, by JSON Pointer.

use super::document::{Value, ValueId, Values};
use super::resolve::{below, subschemas_below};
use rustc_hash::FxHashMap;
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
    /// In the order of the text, then those of other documents.
    pub entries: Vec<Entry>,
}

impl Report {
    /// Repeats the entries at every place where the schema stands. Equal schemas are loaded once, under the first of
    /// their pointers, so until here there are entries for that one only.
    pub(super) fn for_every_place(
        &mut self,
        values: &Values,
        root: ValueId,
        first_pointers: &FxHashMap<ValueId, String>,
    ) {
        let mut known: FxHashMap<String, Coverage> = FxHashMap::default();
        known.extend(self.entries.iter().map(|entry| (entry.pointer.clone(), entry.coverage.clone())));
        let mut entries = Vec::new();
        let mut open = vec![(root, String::new())];
        let mut used = rustc_hash::FxHashSet::default();
        while let Some((schema, pointer)) = open.pop() {
            let Value::Object(keywords) = values.get(schema) else { continue };
            let first = first_pointers.get(&schema);
            let mut inner = Vec::new();
            for (keyword, value) in keywords.iter() {
                let place = below(&pointer, keyword);
                inner.extend(subschemas_below(values, (keyword, *value), &place));
                let Some(first) = first.map(|first| below(first, keyword)) else { continue };
                if let Some(coverage) = known.get(&first) {
                    entries.push(Entry { pointer: place, coverage: coverage.clone() });
                    used.insert(first);
                }
            }
            open.extend(inner.into_iter().rev());
        }
        let others = self.entries.drain(..).filter(|entry| !used.contains(&entry.pointer));
        entries.extend(others);
        self.entries = entries;
    }

    /// The entries that are neither enforced nor annotations.
    pub fn gaps(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| !matches!(entry.coverage, Coverage::Enforced | Coverage::Annotation))
    }
}
