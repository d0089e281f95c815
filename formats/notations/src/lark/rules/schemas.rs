//! The JSON Schemas of `%json`: a rule for each schema, and its grammar, which is embedded once the terminals have their numbers.
//!
//! Pointers of the report are `LINE:COLUMN#/pointer`, the place of the schema and the JSON Pointer into it, with the name of the file before
//! them if it is imported.

use super::table::RuleTable;
use crate::embed::Part;
use crate::lark::program::{ModuleId, Program};
use crate::parsed::relocated;
use gcc_grammar_ir::{Diagnostic, Location, NonterminalId};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::Report;
use gcc_grammar_limits::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

/// The schemas so far.
pub(super) struct Schemas<'p> {
    options: json_schema::Options,
    budget: Budget,
    rules: FxHashMap<&'p str, NonterminalId>,
    /// The coverage of each different schema.
    reports: FxHashMap<&'p str, Report>,
    /// The places that are in the report.
    reported: FxHashSet<(ModuleId, usize)>,
    /// The coverage of the schemas at all places.
    pub(super) report: Report,
    /// The grammars of the schemas, and the rules that they belong to.
    pub(super) parts: Vec<Part>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) errors: Vec<Diagnostic>,
}

impl<'p> Schemas<'p> {
    pub(super) fn new(options: json_schema::Options, budget: Budget) -> Self {
        Self {
            options,
            budget,
            rules: FxHashMap::default(),
            reports: FxHashMap::default(),
            reported: FxHashSet::default(),
            report: Report::default(),
            parts: Vec::new(),
            warnings: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// The rule of a schema that begins at `start` in a module. Its body comes last.
    pub(super) fn rule(
        &mut self,
        table: &mut RuleTable<'p>,
        text: &'p str,
        start: usize,
        module: ModuleId,
    ) -> NonterminalId {
        if let Some(&known) = self.rules.get(text) {
            self.report_schema(table.program, text, start, module);
            return known;
        }
        let name = format!("%json#{}", self.rules.len() + 1);
        let place = table.new_rule(name, module, &(start..start + text.len()));
        self.rules.insert(text, place);
        let relocate = |diagnostic| in_schema(table.program, diagnostic, text, start, module);
        match json_schema::compile_within(text, &self.options, &self.budget) {
            Ok(compiled) => {
                self.warnings.extend(compiled.warnings.into_iter().map(relocate));
                self.parts.push(Part { place, grammar: compiled.grammar });
                self.reports.insert(text, compiled.report);
                self.report_schema(table.program, text, start, module);
            }
            Err(errors) => self.errors.extend(errors.into_iter().map(relocate)),
        }
        place
    }

    /// Enters the coverage of a schema into the report, once for each place at which it is written.
    fn report_schema(&mut self, program: &Program, text: &str, start: usize, module: ModuleId) {
        let Some(report) = self.reports.get(text) else { return };
        if self.reported.insert((module, start)) {
            let place = program.line_and_column(module, start);
            self.report.entries.extend(relocated(report, |pointer| format!("{place}#{pointer}")));
        }
    }
}

/// Moves a diagnostic about a schema to the grammar around it.
fn in_schema(
    program: &Program,
    mut diagnostic: Diagnostic,
    text: &str,
    start: usize,
    module: ModuleId,
) -> Diagnostic {
    let (span, pointer) = match diagnostic.location.take() {
        Some(Location::Span(span)) => (start + span.start..start + span.end, String::new()),
        Some(Location::Pointer(pointer)) => {
            (start..start + text.len(), format!("in the schema at #{pointer}: "))
        }
        _ => (start..start + text.len(), String::new()),
    };
    let (location, prefix) = program.place(module, &span);
    diagnostic.message = format!("{prefix}{pointer}{}", diagnostic.message);
    diagnostic.at(location)
}
