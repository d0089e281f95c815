//! The grammar of a source.

use crate::error::{Error, ErrorKind, SourceText};
use crate::metadata::{self, ReportEntry};
use crate::sources::options::Options;
use crate::sources::source::Source;
use gcc_grammar_compiler::CompileError;
use gcc_grammar_ir::{Code, Diagnostic, Grammar, ListRole, SpecialNames, Terminal, over_budget};
use gcc_grammar_limits::{Budget, Limits};
use gcc_grammar_notations::notation::Notation;
use std::path::PathBuf;
use std::sync::Arc;

/// The grammar of a source, with its warnings and report.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The grammar.
    pub grammar: Arc<Grammar>,
    /// The warnings of the front end.
    pub warnings: Vec<Diagnostic>,
    /// What became of every keyword of the schema, or of the schemas that are embedded.
    pub report: Vec<ReportEntry>,
    /// The source, as the artifact stores it.
    pub source: metadata::Source,
    /// The text, for diagnostics.
    pub text: SourceText,
    /// The options that change the language, by name.
    pub options: Vec<(String, String)>,
    /// The files that were imported, also by other files; bundled grammars are among them, by name.
    pub imported_files: Vec<PathBuf>,
    pub(super) notation: Notation,
    /// The work units that the front end spent.
    pub(super) work: u64,
    /// What was parsed, if the grammar has terminals whose characters are counted.
    pub(super) counted: Option<Arc<Input>>,
}

/// What is parsed.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) source: Source,
    pub(super) names: SpecialNames,
    pub(super) options: Options,
}

impl Parsed {
    /// Whether the grammar was made from a JSON Schema.
    #[must_use]
    pub fn is_schema(&self) -> bool {
        self.notation == Notation::JsonSchema
    }

    /// The default limits of compiling this grammar.
    #[must_use]
    pub fn default_limits(&self) -> Limits {
        default_limits(self.notation, &self.text.text)
    }

    /// Refuses a grammar with lists whose items differ, or objects whose keys are remembered, where only the grammar is looked at: which items or keys may
    /// follow depends on the texts so far.
    pub(crate) fn without_lists(&self, what: &str) -> Result<(), Error> {
        let has = |role: fn(&Terminal) -> bool| self.grammar.terminals.iter().any(role);
        let (message, help) = if has(|terminal| terminal.pattern.list_role().is_some_and(is_item)) {
            ("that items of arrays with uniqueItems differ", "leave uniqueItems out")
        } else if has(|terminal| terminal.pattern.list_role().is_some()) {
            (
                "that no key of an object occurs twice",
                "count no members (minProperties), and accept repeated keys",
            )
        } else if has(|terminal| terminal.pattern.key_role().is_some()) {
            ("which keys an object has whose keys are remembered", "leave some conditions on keys out")
        } else if has(|terminal| terminal.pattern.same_role().is_some()) {
            ("that the terminals of %same have equal texts", "leave %same out")
        } else {
            return Ok(());
        };
        let error = Diagnostic::error(Code::Unenforceable, format!("{what} does not know {message}"))
            .help(format!("use test with --vocab, or replay, which do, or {help}"));
        Err(Error::refused(vec![error], &self.text))
    }

    /// The error that this grammar was not compiled.
    pub(crate) fn error(&self, error: CompileError) -> Error {
        match error {
            CompileError::Grammar(diagnostics) => Error::refused(diagnostics, &self.text),
            CompileError::OverBudget(over) => {
                let diagnostic = over_budget(over.clone(), &self.grammar);
                Error::with(ErrorKind::OverBudget, vec![diagnostic], self.text.clone()).caused_by(over)
            }
            CompileError::NotCounted(_) => {
                let message =
                    "the grammar counts characters for a vocabulary, and this one lacks what it takes";
                Error::refused(vec![Diagnostic::error(Code::TooLarge, message)], &self.text)
            }
        }
    }

    /// What a compilation of this grammar may spend: what the options allow, without the work of the front end.
    pub(crate) fn budget(&self, options: &Options) -> Result<Budget, Error> {
        let budget = options.budget(self.default_limits());
        match budget.stage("parse").charge_work(self.work) {
            Ok(()) => Ok(budget),
            Err(over) => Err(Error::refused(vec![over.into()], &self.text)),
        }
    }
}

impl Source {
    /// The default limits of compiling this source.
    #[must_use]
    pub fn default_limits(&self) -> Limits {
        default_limits(self.notation, &self.text.text)
    }
}

fn default_limits(notation: Notation, text: &str) -> Limits {
    match notation {
        Notation::Choices => Limits::for_choices(text.len() as u64),
        _ => Limits::for_input(text.len() as u64),
    }
}

/// Whether a terminal is, or begins, an item that differs from the others of its list.
fn is_item(role: ListRole) -> bool {
    matches!(role, ListRole::Item | ListRole::Begins | ListRole::BeginsEndless)
}
