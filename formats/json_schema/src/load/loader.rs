//! The state of the loader: the schemas loaded so far, the place that is being loaded, and everything that is
//! reported.

use super::findings::Findings;
use super::loaded::Loaded;
use super::memos::{Constants, Strings};
use crate::guidance::Guidance;
use crate::languages::Languages;
use crate::options::{Options, Unenforced};
use crate::profile;
use crate::read::document::{ValueId, Values};
use crate::read::keywords::{child_pointer, push_segment};
use crate::read::resources::{ResourceId, Resources};
use crate::read::{Documents, Features};
use crate::report::{Coverage, Entry, Report};
use crate::schema::{Clause, Interner, ItemsId, Schema, SchemaId, Schemas};
use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

/// Loads schemas on demand, and collects errors, warnings and the report.
pub(crate) struct Loader<'a> {
    pub(crate) options: &'a Options,
    /// Whether `oneOf` is enforced as `anyOf`.
    pub(super) coerce_one_of: bool,
    pub(crate) budget: &'a Budget,
    pub(super) values: Values,
    pub(super) resources: Resources,
    pub(crate) schemas: Schemas,
    pub(crate) languages: Languages,
    pub(crate) findings: Findings,
    /// The JSON Pointers of each `uniqueItems` over these items. Whether it can be enforced is found out in the algebra.
    pub(crate) unique_items: FxHashMap<ItemsId, Vec<String>>,
    /// What is known of the schema from compiling it before.
    pub(crate) hindsight: Hindsight,
    /// Further knowledge, which the algebra has found.
    pub(crate) more_hindsight: Hindsight,
    pub(super) features: Features,
    /// What the profile has read into the schemas.
    pub(super) profile: profile::Read,
    pub(crate) loaded: Loaded,
    pub(super) scopes: Interner<Vec<ResourceId>>,
    /// The schemas that references lead to without detours; see [`resolved`](Self::resolved).
    pub(super) resolutions: FxHashMap<SchemaId, SchemaId>,
    pub(crate) constants: Constants,
    pub(super) strings: Strings,
    /// Whether some condition accepts only a part of the valid values.
    pub(crate) has_parts: bool,
    pub(super) current: Current,
}

/// What turns out only when the automata are made. Then the schema is compiled anew.
#[derive(Clone, Default)]
pub(crate) struct Hindsight {
    /// Places of `uniqueItems` whose items the runtime cannot remember.
    pub(crate) forgotten: FxHashSet<String>,
    /// Places of `uniqueItems` without a complement: equal items would have to be asked for.
    pub(crate) without_complement: FxHashSet<String>,
    /// Clauses that are left out because they multiply with others: the value of the schema, and the number of the clause.
    pub(crate) left_out: FxHashSet<(ValueId, usize)>,
    /// Whether clauses may be left out: without that there is too much to do.
    pub(crate) leaves_out: bool,
}

impl Hindsight {
    pub(crate) fn is_empty(&self) -> bool {
        self.forgotten.is_empty() && self.without_complement.is_empty() && self.left_out.is_empty()
    }

    pub(crate) fn extend(&mut self, more: Self) {
        self.forgotten.extend(more.forgotten);
        self.without_complement.extend(more.without_complement);
        self.left_out.extend(more.left_out);
    }
}

/// The schema that is being loaded.
#[derive(Default)]
pub(super) struct Current {
    /// Its JSON Pointer.
    pub(super) pointer: String,
    /// The number of schemas that are being loaded inside each other.
    pub(super) depth: usize,
    /// Its keywords that have an entry in the report.
    pub(super) noted: FxHashSet<String>,
}

/// Estimated bytes of an entry of the report besides its pointer.
pub(super) const BYTES_PER_ENTRY: usize = 160;

impl<'a> Loader<'a> {
    /// A loader that has loaded nothing yet.
    pub(super) fn new(
        documents: Documents,
        options: &'a Options,
        guidance: &Guidance,
        hindsight: Hindsight,
        budget: &'a Budget,
    ) -> Self {
        let mut scopes = Interner::default();
        scopes.add(Vec::new());
        Self {
            options,
            coerce_one_of: guidance.coerce_one_of,
            budget,
            values: documents.values,
            resources: documents.resources,
            schemas: Schemas::new(),
            languages: Languages::new(options.limits.automaton(budget), options.counting.clone()),
            findings: Findings { warnings: documents.warning.into_iter().collect(), ..Findings::default() },
            unique_items: FxHashMap::default(),
            hindsight,
            more_hindsight: Hindsight::default(),
            features: documents.features,
            profile: documents.profile,
            loaded: Loaded::default(),
            scopes,
            resolutions: FxHashMap::default(),
            constants: Constants::default(),
            strings: Strings::default(),
            has_parts: false,
            current: Current::default(),
        }
    }

    /// Ends the compilation if there have been errors, except keywords that cannot be enforced: the algebra finds more of these.
    pub(crate) fn check_form(&mut self) -> Result<(), Vec<Diagnostic>> {
        if self.findings.errors.only_refuse() { Ok(()) } else { self.findings.errors.check() }
    }

    /// Ends the compilation if there have been errors. If all of them are keywords that cannot be enforced, each of their places has one.
    pub(crate) fn check_all(&mut self, root: ValueId) -> Result<(), Vec<Diagnostic>> {
        if !self.findings.errors.only_refuse() {
            return self.findings.errors.check();
        }
        let report = self.report_of_refused(root);
        Err(report.map_or_else(|_| self.findings.errors.take(), |report| refusals(&report)))
    }

    /// Spends work and bytes. False if there is not enough; then the compilation ends with an error at the place of
    /// the schema being loaded.
    pub(super) fn charge(&mut self, work: usize, bytes: usize) -> bool {
        let charged = match self.budget.exceeded() {
            Some(over) => Err(over.clone()),
            None => {
                self.budget.charge_work(work as u64).and_then(|()| self.budget.charge_bytes(bytes as u64))
            }
        };
        if let Err(over) = &charged {
            self.findings.errors.over_budget(over, &self.current.pointer);
        }
        charged.is_ok()
    }

    /// Runs a function with the pointer one segment longer.
    pub(super) fn descend<T>(&mut self, segment: &str, run: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.current.pointer.len();
        push_segment(&mut self.current.pointer, segment);
        let result = run(self);
        self.current.pointer.truncate(length);
        result
    }

    /// The JSON Pointer of a keyword of the schema being loaded.
    pub(super) fn pointer_to(&self, segment: &str) -> String {
        child_pointer(&self.current.pointer, segment)
    }

    /// Enters a keyword into the report.
    pub(super) fn note(&mut self, keyword: &str, coverage: Coverage) {
        let pointer = self.pointer_to(keyword);
        if self.charge(0, BYTES_PER_ENTRY + 3 * pointer.len()) {
            self.current.noted.insert(keyword.to_owned());
            self.findings.enter(pointer, coverage);
        }
    }

    /// Refuses a keyword that the grammar cannot express, or leaves it out as an unknown condition.
    pub(super) fn unenforced(
        &mut self,
        keyword: &str,
        why: impl Into<String>,
        admits: &str,
        help: &str,
    ) -> Clause {
        let pointer = self.pointer_to(keyword);
        self.current.noted.insert(keyword.to_owned());
        self.unenforced_at(pointer, why, admits, help);
        Clause::UNKNOWN
    }

    /// Refuses the keyword at a pointer, or enters into the report that it is left out.
    pub(crate) fn unenforced_at(
        &mut self,
        pointer: String,
        why: impl Into<String>,
        admits: &str,
        help: &str,
    ) {
        let why = why.into();
        let coverage = match self.options.unenforced {
            Unenforced::Allow => Coverage::Superset { why, admits: admits.to_owned() },
            Unenforced::Refuse => {
                let help = format!(
                    "{help}; --unenforced allow (Python: unenforced=\"allow\") leaves the keyword out and admits {admits}"
                );
                self.error_at(pointer.clone(), Code::Unenforceable, refusal(&pointer, &why), &help);
                Coverage::Refused { why, help }
            }
        };
        if self.charge(0, BYTES_PER_ENTRY + 4 * pointer.len()) {
            self.findings.replace(pointer, coverage);
        }
    }

    /// Enters into the report that the keyword at a pointer admits a little more, though it is not left out.
    pub(crate) fn superset_at(&mut self, pointer: String, why: &str, admits: &str) {
        let coverage = Coverage::Superset { why: why.to_owned(), admits: admits.to_owned() };
        if self.charge(0, BYTES_PER_ENTRY + 4 * pointer.len()) {
            self.findings.replace(pointer, coverage);
        }
    }

    /// The keyword at the pointer has a value that it must not have.
    pub(super) fn invalid(&mut self, message: &str) {
        self.error(Code::InvalidSchema, message, "");
    }

    /// Adds an error at the pointer. `help` may be empty.
    pub(super) fn error(&mut self, code: Code, message: impl Into<String>, help: &str) {
        let pointer = self.current.pointer.clone();
        self.error_at(pointer, code, message, help);
    }

    /// Adds an error, unless it is known. `help` may be empty.
    pub(crate) fn error_at(&mut self, pointer: String, code: Code, message: impl Into<String>, help: &str) {
        self.findings.errors.add(pointer, code, message.into(), help);
    }

    /// Warns of a keyword of the schema being loaded.
    pub(super) fn warn(
        &mut self,
        keyword: &str,
        code: Code,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let place = Location::Pointer(self.pointer_to(keyword));
        self.findings.warnings.push(Diagnostic::warning(code, message).at(place).help(help));
    }

    /// Whether there is an error at this JSON Pointer.
    pub(super) fn has_error_at(&self, pointer: &str) -> bool {
        self.findings.errors.are_at(pointer)
    }

    /// The result, or an unknown condition in the schema if the automaton would be too large.
    pub(super) fn within_limits<T>(
        &mut self,
        schema: &mut Schema,
        keyword: &str,
        result: Result<T, OverBudget>,
    ) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(reason) => {
                let clause = self.unenforced(
                    keyword,
                    reason.to_string(),
                    "values that break it",
                    "use smaller bounds",
                );
                schema.clauses.push(clause);
                None
            }
        }
    }
}

/// The message that the keyword at a pointer cannot be enforced.
fn refusal(pointer: &str, why: &str) -> String {
    let keyword = pointer.rsplit('/').next().unwrap_or_default();
    format!("{keyword} cannot be enforced: {why}")
}

/// The errors of all places where a keyword is refused.
fn refusals(report: &Report) -> Vec<Diagnostic> {
    let refusals = report.entries.iter().filter_map(|Entry { pointer, coverage }| match coverage {
        Coverage::Refused { why, help } => {
            let error = Diagnostic::error(Code::Unenforceable, refusal(pointer, why)).help(help);
            Some(error.at(Location::Pointer(pointer.clone())))
        }
        _ => None,
    });
    refusals.collect()
}
