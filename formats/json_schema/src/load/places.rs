//! The completion of the report: equal schemas are loaded once, but each place has its entries; and the narrowings of schemas become
//! entries.

use super::loader::{BYTES_PER_ENTRY, Loader};
use crate::emit::NarrowNodes;
use crate::graph::Graph;
use crate::narrowing::{self, Narrowings, OfSchema};
use crate::read::document::{Value, ValueId};
use crate::read::keywords::{child_pointer, is_in_place, subschemas_below};
use crate::read::resources::ResourceId;
use crate::report::{Coverage, Entry, Narrowed, Report};
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};

/// The work to find the coverage of a keyword.
const WORK_PER_ENTRY: usize = 50;

/// A schema in the walk through the document.
struct Visit {
    schema: ValueId,
    pointer: String,
    /// Whether it applies to the same value as the schema around it.
    in_place: bool,
}

/// The narrowings by the value that is the schema.
#[derive(Default)]
struct ByValue {
    /// Narrowings of the values that the schema governs. They are reported at the outermost schema for the same value.
    governed: FxHashMap<ValueId, OfSchema>,
    /// Narrowings of the constants in the schema.
    constants: FxHashMap<ValueId, OfSchema>,
}

impl ByValue {
    fn at(&self, schema: ValueId, in_place: bool) -> impl Iterator<Item = Narrowed> {
        let known = |map: &FxHashMap<ValueId, OfSchema>| map.get(&schema).copied().unwrap_or_default();
        let governed = if in_place { OfSchema::default() } else { known(&self.governed) };
        governed.join(known(&self.constants)).narrowed()
    }
}

impl Loader<'_> {
    /// The narrowings of the values of a graph. `root` is the resource of the document.
    pub(crate) fn narrowings(
        &mut self,
        graph: &Graph,
        narrow: &NarrowNodes,
        root: ResourceId,
        white_space: Option<Narrowed>,
    ) -> Result<Narrowings, OverBudget> {
        let point_is_integer = self.resources.draft(root).point_zero_is_integer();
        let Self { schemas, languages, options, budget, .. } = self;
        narrowing::find((graph, narrow), schemas, languages, options, point_is_integer, white_space, budget)
    }

    /// The report of a schema that is refused: nothing is narrowed.
    ///
    /// # Errors
    /// The budget is spent.
    pub(super) fn report_of_refused(&self, root: ValueId) -> Result<Report, Diagnostic> {
        self.complete_report(root, &Narrowings::default())
    }

    /// The report with an entry for each place below `root`. While schemas are loaded, only the place where a
    /// schema is first loaded gets entries; they are repeated at the places of equal schemas. Entries come in
    /// the order of the text; entries of other documents follow.
    ///
    /// # Errors
    /// The budget is spent.
    pub(crate) fn complete_report(
        &self,
        root: ValueId,
        narrowings: &Narrowings,
    ) -> Result<Report, Diagnostic> {
        let by_value = self.by_value(narrowings);
        let known: FxHashMap<&str, &Coverage> =
            self.findings.report.entries.iter().map(|entry| (&*entry.pointer, &entry.coverage)).collect();
        let of_document = narrowings.document.iter().copied();
        let mut entries: Vec<Entry> = of_document.map(|narrowed| entry("", narrowed)).collect();
        let mut open = vec![Visit { schema: root, pointer: String::new(), in_place: false }];
        let mut used = FxHashSet::default();
        let mut visited = FxHashSet::default();
        while let Some(Visit { schema, pointer, in_place }) = open.pop() {
            visited.insert(schema);
            for narrowed in by_value.at(schema, in_place) {
                self.charge_entry(&pointer)?;
                entries.push(entry(&pointer, narrowed));
            }
            for &narrowed in self.profile.narrowed(schema) {
                self.charge_entry(&pointer)?;
                entries.push(entry(&pointer, narrowed));
            }
            let Value::Object(keywords) = self.values.get(schema) else { continue };
            let first = self.loaded.first_pointer(schema);
            let mut inner = Vec::new();
            let written = keywords.iter().filter(|(keyword, _)| !self.profile.is_added(schema, keyword));
            for (keyword, value) in written {
                let place = child_pointer(&pointer, keyword);
                self.charge_entry(&place)?;
                let below = subschemas_below(&self.values, (keyword, *value), &place).into_iter();
                let in_place = is_in_place(keyword);
                inner.extend(below.map(|(schema, pointer)| Visit { schema, pointer, in_place }));
                let Some(first) = first.map(|first| child_pointer(first, keyword)) else { continue };
                if let Some(&coverage) = known.get(&*first) {
                    let narrowed = self.narrowed(schema).iter().filter(|(name, _)| *name == &**keyword);
                    entries.push(Entry { pointer: place.clone(), coverage: coverage.clone() });
                    entries.extend(narrowed.map(|&(_, narrowed)| entry(&place, narrowed)));
                    used.insert(first);
                }
            }
            open.extend(inner.into_iter().rev());
        }
        let others = self.findings.report.entries.iter().enumerate().filter(|(index, entry)| {
            let is_replaced = self.findings.replaced.get(&entry.pointer).is_some_and(|last| index < last);
            !is_replaced && !used.contains(&entry.pointer)
        });
        entries.extend(others.map(|(_, entry)| entry.clone()));
        entries.extend(self.elsewhere(&by_value, &visited));
        Ok(Report { entries })
    }

    /// The keywords of a schema that refuse valid values.
    fn narrowed(&self, schema: ValueId) -> &[(&'static str, Narrowed)] {
        self.findings.narrowed.get(&schema).map_or(&[], Vec::as_slice)
    }

    /// The narrowings by the values that are schemas.
    fn by_value(&self, narrowings: &Narrowings) -> ByValue {
        let mut by_value = ByValue::default();
        let add = |map: &mut FxHashMap<ValueId, OfSchema>, value: ValueId, narrowed: OfSchema| {
            let known = map.entry(value).or_default();
            *known = known.join(narrowed);
        };
        for (place, _, schema) in self.loaded.iter() {
            if let Some(&narrowed) = narrowings.schemas.get(&schema) {
                add(&mut by_value.governed, place.1, narrowed);
            }
        }
        for (schema, &narrowed) in &narrowings.schemas {
            for &owner in self.constants.owners.get(schema).into_iter().flatten() {
                add(&mut by_value.constants, owner, narrowed);
            }
        }
        by_value
    }

    /// The narrowings of schemas in other documents, by pointer.
    fn elsewhere(&self, by_value: &ByValue, visited: &FxHashSet<ValueId>) -> Vec<Entry> {
        let others = self.loaded.first_pointers().filter(|(schema, _)| !visited.contains(schema));
        let mut entries = Vec::new();
        for (schema, pointer) in others {
            entries.extend(by_value.at(schema, false).map(|narrowed| entry(pointer, narrowed)));
            let keywords = self.narrowed(schema).iter();
            entries.extend(
                keywords.map(|&(keyword, narrowed)| entry(&child_pointer(pointer, keyword), narrowed)),
            );
        }
        entries.sort_unstable_by(|a, b| {
            (&a.pointer, a.coverage.narrowing()).cmp(&(&b.pointer, b.coverage.narrowing()))
        });
        entries
    }

    /// Spends the work and bytes of an entry at a place, and of the subschemas below it.
    fn charge_entry(&self, place: &str) -> Result<(), Diagnostic> {
        let charged = self.budget.charge_work((WORK_PER_ENTRY + place.len()) as u64);
        charged
            .and_then(|()| self.budget.charge_bytes((BYTES_PER_ENTRY + 3 * place.len()) as u64))
            .map_err(|over| Diagnostic::from(over).at(Location::Pointer(place.to_owned())))
    }
}

fn entry(pointer: &str, narrowed: Narrowed) -> Entry {
    Entry { pointer: pointer.to_owned(), coverage: Coverage::Narrowed(narrowed) }
}
