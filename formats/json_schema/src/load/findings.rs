//! What is found while schemas are loaded: the report, warnings and errors.

use super::errors::Errors;
use crate::read::document::ValueId;
use crate::report::{Coverage, Entry, Narrowed, Report};
use gcc_grammar_ir::Diagnostic;
use rustc_hash::FxHashMap;

/// The report, warnings and errors so far.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) report: Report,
    /// For each keyword that turned out not to be enforced, its entry in the report. It replaces earlier ones.
    pub(super) replaced: FxHashMap<String, usize>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(super) errors: Errors,
    /// The keywords of each schema that refuse valid values.
    pub(super) narrowed: FxHashMap<ValueId, Vec<(&'static str, Narrowed)>>,
}

/// How much was found at some time: the numbers of entries and of warnings.
pub(super) struct Mark(usize, usize);

impl Findings {
    /// Enters a keyword into the report.
    pub(super) fn enter(&mut self, pointer: String, coverage: Coverage) {
        self.report.entries.push(Entry { pointer, coverage });
    }

    /// Enters a keyword into the report in place of its earlier entries.
    pub(super) fn replace(&mut self, pointer: String, coverage: Coverage) {
        self.replaced.insert(pointer.clone(), self.report.entries.len());
        self.enter(pointer, coverage);
    }

    /// Notes that a keyword of a schema refuses valid values.
    pub(super) fn narrow(&mut self, schema: ValueId, keyword: &'static str, narrowed: Narrowed) {
        let keywords = self.narrowed.entry(schema).or_default();
        keywords.retain(|&(known, _)| known != keyword);
        keywords.push((keyword, narrowed));
    }

    /// How much was found so far.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.report.entries.len(), self.warnings.len())
    }

    /// Forgets what was found since, and all errors.
    pub(super) fn forget(&mut self, Mark(entries, warnings): Mark) {
        self.report.entries.truncate(entries);
        self.warnings.truncate(warnings);
        self.errors.forget();
    }
}
