//! What is found while schemas are loaded: the report, warnings and errors.

use super::errors::Errors;
use crate::report::{Coverage, Entry, Report};
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
