//! What is found while schemas are loaded: the report, warnings and errors.

use crate::read::document::ValueId;
use crate::report::{Coverage, Entry, Narrowed, Report};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_limits::OverBudget;
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

/// The errors so far: each once, found by JSON Pointer.
#[derive(Default)]
pub(super) struct Errors {
    all: Vec<Diagnostic>,
    /// The errors by their JSON Pointers.
    at: FxHashMap<String, Vec<usize>>,
    /// The error that the budget is spent, at the place where it was found out.
    over_budget: Option<Diagnostic>,
}

impl Errors {
    /// Adds an error at a pointer, unless it is known. `help` may be empty.
    pub(super) fn add(&mut self, pointer: String, code: Code, message: String, help: &str) {
        let mut error = Diagnostic::error(code, message).at(Location::Pointer(pointer.clone()));
        error.help = (!help.is_empty()).then(|| help.to_owned());
        let here = self.at.entry(pointer).or_default();
        if here.iter().all(|&known| self.all[known] != error) {
            here.push(self.all.len());
            self.all.push(error);
        }
    }

    /// The budget is spent, which was found out at a pointer. Only the first place counts.
    pub(super) fn over_budget(&mut self, over: &OverBudget, pointer: &str) {
        let error = || Diagnostic::from(over.clone()).at(Location::Pointer(pointer.to_owned()));
        self.over_budget.get_or_insert_with(error);
    }

    /// Whether there is an error at a pointer.
    pub(super) fn are_at(&self, pointer: &str) -> bool {
        self.at.contains_key(pointer)
    }

    /// Whether there are errors, all about keywords that cannot be enforced.
    pub(super) fn only_refuse(&self) -> bool {
        !self.all.is_empty() && self.all.iter().all(|error| error.code == Code::Unenforceable)
    }

    /// Forgets all errors but that the budget is spent.
    pub(super) fn forget(&mut self) {
        self.all.clear();
        self.at.clear();
    }

    /// Takes all errors out.
    pub(super) fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.all)
    }

    /// Takes the errors that end the compilation: that the budget is spent, or all others.
    pub(super) fn check(&mut self) -> Result<(), Vec<Diagnostic>> {
        if let Some(error) = self.over_budget.take() {
            return Err(vec![error]);
        }
        if self.all.is_empty() { Ok(()) } else { Err(self.take()) }
    }
}
