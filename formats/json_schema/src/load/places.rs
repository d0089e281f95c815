//! The completion of the report: equal schemas are loaded once, but each place has its entries.

use super::loader::Loader;
use crate::read::document::{Value, ValueId};
use crate::read::keywords::{child_pointer, subschemas_below};
use crate::report::{Coverage, Entry, Report};
use rustc_hash::{FxHashMap, FxHashSet};

impl Loader<'_> {
    /// The report with an entry for each place below `root`. While schemas are loaded, only the place where a
    /// schema is first loaded gets entries; they are repeated at the places of equal schemas. Entries come in
    /// the order of the text; entries of other documents follow.
    pub(crate) fn complete_report(&self, root: ValueId) -> Report {
        let known: FxHashMap<&str, &Coverage> =
            self.report.entries.iter().map(|entry| (&*entry.pointer, &entry.coverage)).collect();
        let mut entries = Vec::new();
        let mut open = vec![(root, String::new())];
        let mut used = FxHashSet::default();
        while let Some((schema, pointer)) = open.pop() {
            let Value::Object(keywords) = self.values.get(schema) else { continue };
            let first = self.first_pointers.get(&schema);
            let mut inner = Vec::new();
            for (keyword, value) in keywords.iter() {
                let place = child_pointer(&pointer, keyword);
                inner.extend(subschemas_below(&self.values, (keyword, *value), &place));
                let Some(first) = first.map(|first| child_pointer(first, keyword)) else { continue };
                if let Some(&coverage) = known.get(&*first) {
                    entries.push(Entry { pointer: place, coverage: coverage.clone() });
                    used.insert(first);
                }
            }
            open.extend(inner.into_iter().rev());
        }
        let others = self.report.entries.iter().filter(|entry| !used.contains(&entry.pointer));
        entries.extend(others.cloned());
        Report { entries }
    }
}
