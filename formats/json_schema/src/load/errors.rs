//! The errors of a schema: each once, found by JSON Pointer.

use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;

/// The errors so far.
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
