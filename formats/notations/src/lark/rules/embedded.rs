//! The schemas and grammars within a grammar: a rule for each of them, and its grammar, which is embedded once the terminals have their
//! numbers.
//!
//! `%json {…}` is a JSON Schema, `%lark {…}` a grammar, and `%language name` the grammar of another file. A grammar within a grammar is read as
//! a text of its own, in which everything before it is white space, so that all locations are those of the file that it is written in.
//! Pointers of the report are `LINE:COLUMN#/pointer`, the place of the schema and the JSON Pointer into it, with the name of the file before
//! them if it is another one.

use super::table::RuleTable;
use crate::embed::Part;
use crate::lark::ast::Name;
use crate::lark::options::{Dialect, Options};
use crate::lark::parse_with;
use crate::lark::program::{ModuleId, Program};
use crate::lark::sources::{Source, Sources, Within};
use crate::lark::token::Span;
use crate::parsed::{Parsed, relocated};
use gcc_grammar_ir::{Code, Diagnostic, Location, NonterminalId};
use gcc_grammar_json_schema as json_schema;
use gcc_grammar_json_schema::Report;
use rustc_hash::{FxHashMap, FxHashSet};

/// The deepest allowed nesting of grammars in grammars.
const MAX_DEPTH: u32 = 8;

/// What is embedded, as it is written.
#[derive(Clone, Copy)]
pub(super) enum Text<'p> {
    /// A JSON Schema.
    Json(&'p str),
    /// A grammar.
    Lark(&'p str),
    /// The file of a grammar: whether its path is relative, and the path.
    Language(bool, &'p [Name]),
}

/// The identity of an embedded grammar: the same at two places is one rule.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    Json(String),
    Lark(String),
    Language(String),
}

/// Where something is written: the module, and its span.
type Place<'s> = (ModuleId, &'s Span);

/// The embedded grammars so far.
pub(super) struct Embedded<'p> {
    options: &'p Options<'p>,
    rules: FxHashMap<Key, NonterminalId>,
    /// The coverage of each different schema.
    reports: FxHashMap<&'p str, Report>,
    /// The places that are in the report.
    reported: FxHashSet<(ModuleId, usize)>,
    /// The coverage of the schemas at all places.
    pub(super) report: Report,
    /// Whether there are schemas, also in embedded grammars.
    pub(super) has_schemas: bool,
    /// The grammars, and the rules that they belong to.
    pub(super) parts: Vec<Part>,
    pub(super) warnings: Vec<Diagnostic>,
    pub(super) errors: Vec<Diagnostic>,
}

impl<'p> Embedded<'p> {
    pub(super) fn new(options: &'p Options<'p>) -> Self {
        let (rules, reports, reported, report) = Default::default();
        let (has_schemas, parts, warnings, errors) = Default::default();
        Self { options, rules, reports, reported, report, has_schemas, parts, warnings, errors }
    }

    /// The rule of what is written at `place`, and begins at `start`. Its body comes last.
    pub(super) fn rule(
        &mut self,
        table: &mut RuleTable<'p>,
        text: Text<'p>,
        start: usize,
        place: Place<'_>,
    ) -> NonterminalId {
        let source = match text {
            Text::Language(relative, path) => match self.source(table.program, relative, path, place) {
                Ok(source) => Some(source),
                Err(error) => {
                    self.errors.push(error);
                    return table.new_rule("%language".to_owned(), place.0, place.1);
                }
            },
            Text::Json(_) | Text::Lark(_) => None,
        };
        let key = match (text, &source) {
            (Text::Json(text), _) => Key::Json(text.to_owned()),
            (Text::Lark(text), _) => Key::Lark(text.to_owned()),
            (Text::Language(..), source) => {
                Key::Language(source.as_ref().map(|source| source.name.clone()).unwrap_or_default())
            }
        };
        if let Some(&known) = self.rules.get(&key) {
            if let Text::Json(text) = text {
                self.report_schema(table.program, text, start, place.0);
            }
            return known;
        }
        let name = match &key {
            Key::Json(_) => format!("%json#{}", self.rules.len() + 1),
            Key::Lark(_) => format!("%lark#{}", self.rules.len() + 1),
            Key::Language(name) => format!("%language {name}"),
        };
        let rule = table.new_rule(name, place.0, place.1);
        self.rules.insert(key, rule);
        match (text, source) {
            (Text::Json(text), _) => self.json(table.program, text, start, (place.0, rule)),
            (Text::Lark(text), _) => self.lark(table.program, text, start, (place.0, rule)),
            (Text::Language(..), Some(source)) => self.language(table.program, &source, place, rule),
            (Text::Language(..), None) => {}
        }
        rule
    }

    fn json(
        &mut self,
        program: &Program,
        text: &'p str,
        start: usize,
        (module, place): (ModuleId, NonterminalId),
    ) {
        let relocate = |diagnostic| in_schema(program, diagnostic, text, start, module);
        let options = self.options.json.cloned().unwrap_or_default();
        self.has_schemas = true;
        match json_schema::compile_within(text, &options, &self.options.limits.budget) {
            Ok(compiled) => {
                self.warnings.extend(compiled.warnings.into_iter().map(relocate));
                self.parts.push(Part { place, grammar: compiled.grammar });
                self.reports.insert(text, compiled.report);
                self.report_schema(program, text, start, module);
            }
            Err(errors) => self.errors.extend(errors.into_iter().map(relocate)),
        }
    }

    /// A grammar that is written in this one, and its rule.
    fn lark(
        &mut self,
        program: &Program,
        text: &str,
        start: usize,
        (module, place): (ModuleId, NonterminalId),
    ) {
        let before = program.modules[module.index()].text[..start].bytes();
        let before = before.map(|byte| if byte == b'\n' { '\n' } else { ' ' });
        let padded: String = before.chain(text.chars()).collect();
        let dialect = if program.llguidance { Dialect::Llguidance } else { Dialect::Lark };
        let sources = Within { sources: self.options.sources, file: &program.modules[module.index()].name };
        let relocate = |mut diagnostic: Diagnostic| match diagnostic.location.take() {
            Some(Location::Span(span)) => {
                let (location, prefix) = program.place(module, &span);
                diagnostic.message = format!("{prefix}{}", diagnostic.message);
                diagnostic.at(location)
            }
            _ => diagnostic.at(program.place(module, &(start..start + text.len())).0),
        };
        match self.parse(&padded, &sources, dialect) {
            Ok(Parsed { grammar, warnings, report, has_schemas }) => {
                self.warnings.extend(warnings.into_iter().map(relocate));
                self.report.entries.extend(report.entries);
                self.has_schemas |= has_schemas;
                self.parts.push(Part { place, grammar });
            }
            Err(errors) => self.errors.extend(errors.into_iter().map(relocate)),
        }
    }

    /// The grammar of another file, which `%language` names, and its rule.
    fn language(
        &mut self,
        program: &Program,
        source: &Source,
        (module, span): Place<'_>,
        rule: NonterminalId,
    ) {
        let sources = Within { sources: self.options.sources, file: &source.name };
        match self.parse(&source.text, &sources, Dialect::Lark) {
            Ok(Parsed { grammar, report, has_schemas, .. }) => {
                let place = |pointer: &str| format!("{}:{pointer}", source.name);
                self.report.entries.extend(relocated(&report, place));
                self.has_schemas |= has_schemas;
                self.parts.push(Part { place: rule, grammar });
            }
            Err(errors) => {
                let (location, prefix) = program.place(module, span);
                self.errors.extend(errors.into_iter().map(|error| {
                    let error = source.error(error);
                    Diagnostic { message: format!("{prefix}{}", error.message), ..error }.at(location.clone())
                }));
            }
        }
    }

    /// Reads an embedded grammar.
    fn parse(&self, text: &str, sources: &dyn Sources, dialect: Dialect) -> Result<Parsed, Vec<Diagnostic>> {
        let depth = self.options.depth + 1;
        if depth > MAX_DEPTH {
            let message = format!("grammars are embedded in each other more than {MAX_DEPTH} levels deep");
            let error = Diagnostic::error(Code::TooDeep, message);
            return Err(vec![error.help("a grammar cannot embed itself; write what nests as a rule")]);
        }
        let Options { limits, json, names, .. } = self.options;
        let (limits, names) = (limits.clone(), names.clone());
        parse_with(
            text,
            &Options {
                start: "start",
                sources,
                limits,
                json: *json,
                dialect,
                names,
                depth,
                ..Options::default()
            },
        )
    }

    /// The file that `%language` names.
    fn source(
        &self,
        program: &Program,
        relative: bool,
        path: &[Name],
        (module, span): Place<'_>,
    ) -> Result<Source, Diagnostic> {
        let parts: Vec<&str> = path.iter().map(|name| name.text.as_str()).collect();
        let importer = &program.modules[module.index()].name;
        self.options.sources.find(importer, relative, &parts).map_err(|message| {
            program
                .error(Code::BadImport, &message, module, span)
                .help("%language names a bundled language, or the file of a grammar, as in `%language .file`")
        })
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
