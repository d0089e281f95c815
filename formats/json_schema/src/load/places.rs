//! The completion of the report: equal schemas are loaded once, but each place has its entries.

use super::loader::{BYTES_PER_ENTRY, Loader};
use crate::read::document::{Value, ValueId};
use crate::read::keywords::{child_pointer, subschemas_below};
use crate::report::{Coverage, Entry, Report};
use gcc_grammar_ir::{Diagnostic, Location};
use rustc_hash::{FxHashMap, FxHashSet};

/// The work to find the coverage of a keyword.
const WORK_PER_ENTRY: usize = 50;

impl Loader<'_> {
    /// The report with an entry for each place below `root`. While schemas are loaded, only the place where a
    /// schema is first loaded gets entries; they are repeated at the places of equal schemas. Entries come in
    /// the order of the text; entries of other documents follow.
    ///
    /// # Errors
    /// The budget is spent.
    pub(crate) fn complete_report(&self, root: ValueId) -> Result<Report, Diagnostic> {
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
                self.charge_entry(&place)?;
                inner.extend(subschemas_below(&self.values, (keyword, *value), &place));
                let Some(first) = first.map(|first| child_pointer(first, keyword)) else { continue };
                if let Some(&coverage) = known.get(&*first) {
                    entries.push(Entry { pointer: place, coverage: coverage.clone() });
                    used.insert(first);
                }
            }
            open.extend(inner.into_iter().rev());
        }
        let others = self.report.entries.iter().enumerate().filter(|(index, entry)| {
            let is_replaced = self.replaced.get(&entry.pointer).is_some_and(|last| index < last);
            !is_replaced && !used.contains(&entry.pointer)
        });
        entries.extend(others.map(|(_, entry)| entry.clone()));
        Ok(Report { entries })
    }

    /// Spends the work and bytes of an entry at a place, and of the subschemas below it.
    fn charge_entry(&self, place: &str) -> Result<(), Diagnostic> {
        let charged = self.budget.charge_work((WORK_PER_ENTRY + place.len()) as u64);
        charged
            .and_then(|()| self.budget.charge_bytes((BYTES_PER_ENTRY + 3 * place.len()) as u64))
            .map_err(|over| Diagnostic::from(over).at(Location::Pointer(place.to_owned())))
    }
}
