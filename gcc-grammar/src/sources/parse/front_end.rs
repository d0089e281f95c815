//! The front end of each notation.

use super::imports::{AntlrFiles, Files, Recording};
use super::inputs::{self, Inputs};
use super::parsed::Parsed;
use crate::error::{Error, ErrorKind};
use crate::metadata::ReportEntry;
use crate::sources::options::Options;
use crate::sources::source::Source;
use gcc_grammar_bundled::WithBundled;
use gcc_grammar_ir::{Code, Diagnostic, Grammar, SpecialNames};
use gcc_grammar_json_schema::{self as json_schema, Unenforced};
use gcc_grammar_limits::OverBudget;
use gcc_grammar_notations::notation::Notation;
use gcc_grammar_notations::{
    GrammarOptions, abnf, antlr, bnf, choices, foreign, lark, regex, structural_tag, tools, tree_sitter, w3c,
};
use gcc_grammar_regular::{PatternFlags, RegularLimits};
use std::cell::RefCell;
use std::sync::Arc;

/// Reads a source.
pub(super) struct FrontEnd {
    pub(super) source: Source,
    pub(super) options: Options,
    pub(super) limits: RegularLimits,
    /// The special tokens that literals may name.
    pub(super) names: SpecialNames,
    /// Whether the rules stay as they are written.
    pub(super) keeps_rules: bool,
}

impl FrontEnd {
    /// The front end without a vocabulary.
    pub(super) fn new(source: &Source, options: Options) -> Self {
        Self {
            source: source.clone(),
            limits: front_end_limits(source, &options),
            options,
            names: SpecialNames::default(),
            keeps_rules: false,
        }
    }
}

impl FrontEnd {
    /// The grammar, by the reader of the notation.
    pub(super) fn parsed(&self) -> Result<Parsed, Error> {
        self.check_start()?;
        match self.source.notation {
            Notation::Lark => self.lark(),
            Notation::Gbnf => self.bnf(bnf::Dialect::Gbnf),
            Notation::Ebnf => self.bnf(bnf::Dialect::XGrammar),
            Notation::W3c => self.plain(w3c::parse(self.text(), &self.grammar_options())),
            Notation::Abnf => self.plain(abnf::parse(self.text(), &self.grammar_options())),
            Notation::TreeSitter => self.tree_sitter(),
            Notation::Antlr => self.antlr(),
            Notation::Regex => self.regex(),
            Notation::Choices => self.choices(),
            Notation::StructuralTag | Notation::Tools => self.structural_tag(),
            _ => self.json_schema(),
        }
    }

    /// Refuses the name of a start rule where no rules have names.
    fn check_start(&self) -> Result<(), Error> {
        if self.source.has_rules() || self.options.start.is_none() {
            return Ok(());
        }
        let message = format!("{} has no rules with names, so none is the start rule", self.source.notation);
        let error = Diagnostic::error(Code::Usage, message).help("leave out start");
        Err(Error::new(ErrorKind::Refused, self.source.text.name.clone(), error))
    }

    /// What becomes of every keyword of the schemas in the source.
    pub(super) fn report(&self) -> Result<json_schema::Report, Error> {
        match self.source.notation {
            Notation::Lark => self.read_lark(&self.lark_sources()).map(|parsed| parsed.report),
            Notation::StructuralTag | Notation::Tools => {
                self.read_structural_tag(&self.lark_sources()).map(|parsed| parsed.report)
            }
            Notation::JsonSchema => self.read_json_schema().map(|compiled| compiled.report),
            _ => Ok(json_schema::Report::default()),
        }
    }

    fn lark(&self) -> Result<Parsed, Error> {
        let sources = self.lark_sources();
        let parsed = self.read_lark(&sources)?;
        let mut inputs = Inputs::of(&self.source, &self.options);
        inputs.source.imports = sources.imports.into_inner();
        if parsed.has_schemas {
            inputs.add_schemas(&self.options.schema);
        }
        let imported_files = sources.files.into_inner();
        Ok(Parsed { imported_files, ..self.embedding(parsed, inputs) })
    }

    fn lark_sources(&self) -> Recording {
        let search = self.options.import_folders.clone();
        let folder = self.source.folder.clone();
        let directories = folder.map(|base| lark::Directories { base, search });
        Recording {
            sources: WithBundled(Files { stored: self.source.imports.clone(), directories }),
            imports: RefCell::default(),
            files: RefCell::default(),
        }
    }

    fn read_lark(&self, sources: &Recording) -> Result<gcc_grammar_notations::Parsed, Error> {
        let (start, json) = (inputs::start(&self.source, &self.options), Some(&self.options.schema));
        let (limits, names) = (self.limits.clone(), self.names.clone());
        let (lexer, indenter) = (self.options.lexer, self.options.indenter.clone());
        let options = lark::Options {
            start,
            sources,
            limits,
            json,
            names,
            lexer,
            indenter,
            keeps_rules: self.keeps_rules,
            ..Default::default()
        };
        lark::parse_with(self.text(), &options).map_err(|errors| self.refused(errors))
    }

    fn bnf(&self, dialect: bnf::Dialect) -> Result<Parsed, Error> {
        self.plain(bnf::parse(self.text(), dialect, &self.grammar_options()))
    }

    fn grammar_options(&self) -> GrammarOptions<'_> {
        GrammarOptions {
            start: self.options.start.as_deref(),
            limits: self.limits.clone(),
            names: self.names.clone(),
            leaves_out: self.options.schema.unenforced == Unenforced::Allow,
            keeps_rules: self.keeps_rules,
        }
    }

    fn tree_sitter(&self) -> Result<Parsed, Error> {
        let parsed = tree_sitter::parse(self.text(), &self.grammar_options());
        Ok(self.embedding(
            parsed.map_err(|errors| self.refused(errors))?,
            Inputs::of(&self.source, &self.options),
        ))
    }

    fn antlr(&self) -> Result<Parsed, Error> {
        let files = AntlrFiles {
            folders: self.source.folder.iter().chain(&self.options.import_folders).cloned().collect(),
            stored: self.source.imports.clone(),
            may_read: self.source.folder.is_some(),
            imports: RefCell::default(),
            files: RefCell::default(),
        };
        let parsed = antlr::parse(self.text(), &files, &self.grammar_options());
        let parsed = parsed.map_err(|errors| self.refused(errors))?;
        let mut inputs = Inputs::of(&self.source, &self.options);
        inputs.source.imports = files.imports.into_inner();
        Ok(Parsed { imported_files: files.files.into_inner(), ..self.embedding(parsed, inputs) })
    }

    fn regex(&self) -> Result<Parsed, Error> {
        self.plain(regex::parse(self.text(), PatternFlags::default(), &self.limits))
    }

    fn choices(&self) -> Result<Parsed, Error> {
        self.plain(match &self.source.choices {
            Some(texts) => choices::of(texts.iter().map(String::as_str), &self.names, &self.limits.budget),
            None => choices::of_lines(self.text(), &self.names, &self.limits.budget),
        })
    }

    fn structural_tag(&self) -> Result<Parsed, Error> {
        let sources = self.lark_sources();
        let parsed = self.read_structural_tag(&sources)?;
        let mut inputs = Inputs::of(&self.source, &self.options);
        inputs.source.imports.extend(sources.imports.into_inner());
        let imported_files = sources.files.into_inner();
        Ok(Parsed { imported_files, ..self.embedding(parsed, inputs) })
    }

    fn read_structural_tag(&self, sources: &Recording) -> Result<gcc_grammar_notations::Parsed, Error> {
        let json = self.options.schema.clone();
        let options =
            structural_tag::Options { json, limits: self.limits.clone(), sources, names: self.names.clone() };
        let parsed = match self.source.notation {
            Notation::Tools => tools::parse(self.text(), &self.options.tools, &options),
            _ => structural_tag::parse(self.text(), &options),
        };
        parsed.map_err(|errors| self.refused(errors))
    }

    fn read_json_schema(&self) -> Result<json_schema::Compiled, Error> {
        if let Some(foreign) = foreign::of_json(self.text()) {
            return Err(self.refused(vec![foreign::refused(foreign)]));
        }
        json_schema::compile_within(self.text(), &self.options.schema, &self.limits.budget)
            .map_err(|errors| self.refused(errors))
    }

    fn json_schema(&self) -> Result<Parsed, Error> {
        let compiled = self.read_json_schema()?;
        let report = report_entries(&compiled.report);
        Ok(self.made(compiled.grammar, compiled.warnings, report, Inputs::of(&self.source, &self.options)))
    }

    pub(super) fn text(&self) -> &str {
        &self.source.text.text
    }

    /// The error that the budget is spent, at the place of the first error that the front end gives.
    pub(super) fn over_budget(&self, over: &OverBudget, mut error: Option<Error>) -> Error {
        let is_unenforceable = |error: &Error| error.diagnostics()[0].code == Code::Unenforceable;
        if let Some(error) = error.take_if(|error| is_unenforceable(error)) {
            return error;
        }
        let location = error.and_then(|error| error.diagnostics().first()?.location.clone());
        self.refused(vec![Diagnostic { location, ..over.clone().into() }])
    }

    pub(super) fn refused(&self, diagnostics: Vec<Diagnostic>) -> Error {
        Error::refused(diagnostics, &self.source.text)
    }

    /// A grammar with the coverage of the schemas that are embedded in it.
    fn embedding(&self, parsed: gcc_grammar_notations::Parsed, inputs: Inputs) -> Parsed {
        self.made(parsed.grammar, parsed.warnings, report_entries(&parsed.report), inputs)
    }

    fn made(
        &self,
        grammar: Grammar,
        warnings: Vec<Diagnostic>,
        report: Vec<ReportEntry>,
        Inputs { source, options }: Inputs,
    ) -> Parsed {
        Parsed {
            grammar: Arc::new(grammar),
            warnings,
            report,
            source,
            text: self.source.text.clone(),
            options,
            notation: self.source.notation,
            imported_files: Vec::new(),
            work: 0,
            counted: None,
        }
    }

    fn plain(&self, parsed: Result<gcc_grammar_ir::Parsed, Vec<Diagnostic>>) -> Result<Parsed, Error> {
        let parsed = parsed.map_err(|diagnostics| self.refused(diagnostics))?;
        Ok(self.made(parsed.grammar, parsed.warnings, Vec::new(), Inputs::of(&self.source, &self.options)))
    }
}

/// The limits of a front end: a budget for the whole, and the bounds of one automaton.
fn front_end_limits(source: &Source, options: &Options) -> RegularLimits {
    RegularLimits::within(&options.budget(source.default_limits()).stage("parse"))
}

pub(super) fn report_entries(report: &json_schema::Report) -> Vec<ReportEntry> {
    let entry = |entry: &json_schema::Entry| ReportEntry {
        pointer: entry.pointer.clone(),
        coverage: entry.coverage.as_str().to_owned(),
        kind: entry.coverage.narrowing().map(|kind| kind.to_string()).unwrap_or_default(),
        note: entry.coverage.note().into_owned(),
    };
    report.entries.iter().map(entry).collect()
}
