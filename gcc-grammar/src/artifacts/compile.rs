//! From a source and a vocabulary to an artifact.

use crate::artifacts::artifact::{self, Artifact};
use crate::artifacts::findings::{Findings, uncertified};
use crate::artifacts::packing::Packing;
use crate::error::Error;
use crate::metadata::{COMPILER, Metadata};
use crate::sources::options::Options;
use crate::sources::parse::{Parsed, parse_for};
use crate::sources::source::Source;
use crate::vocabulary::Vocabulary;
use gcc_grammar_compiler::analysis::ambiguity::Extent;
use gcc_grammar_compiler::liveness::Liveness;
use gcc_grammar_compiler::{Automata, Compiled, Observer, Reuse, Shortfall, Stats};
use gcc_grammar_ir::{Code, Diagnostic, Grammar};
use std::sync::Arc;

/// A compiled grammar with everything that is known about the compilation.
#[derive(Debug)]
#[non_exhaustive]
pub struct Compilation {
    /// The artifact.
    pub artifact: Artifact,
    /// The metadata of the artifact.
    pub metadata: Metadata,
    /// The sizes of all stages.
    pub stats: Stats,
    /// Whether every token that a mask allows can be continued to a text of the language.
    pub liveness: Liveness,
    /// The warnings of the front end and of the analyses.
    pub warnings: Vec<Diagnostic>,
    /// What the analyses found out about the grammar.
    pub findings: Findings,
    /// The walks of the vocabulary that a [`CompileSession`](crate::CompileSession) had, and the walks that it keeps from now on.
    pub reuse: Reuse,
}

/// Compiles a source for a vocabulary.
///
/// # Errors
/// The source is refused, does not fit the vocabulary, or compiling it exceeds a limit.
pub fn compile(source: &Source, vocabulary: &Vocabulary, options: &Options) -> Result<Artifact, Error> {
    let parsed = parse_for(source, vocabulary, options)?;
    compile_parsed(&parsed, vocabulary, options, Packing::Referenced, &mut ())
        .map(|compilation| compilation.artifact)
}

/// Compiles a parsed source for a vocabulary. `observer` receives the stages, `heads` for the analyses and `write` included.
///
/// # Errors
/// The grammar does not fit the vocabulary, or compiling it exceeds a limit.
pub fn compile_parsed(
    parsed: &Parsed,
    vocabulary: &Vocabulary,
    options: &Options,
    packing: Packing,
    observer: &mut dyn Observer,
) -> Result<Compilation, Error> {
    compile_parsed_by(parsed, vocabulary, options, packing, observer, |grammar, options, observer| {
        gcc_grammar_compiler::compile(grammar, vocabulary.tokens(), options, observer)
    })
}

/// The same, where `compile` makes the tables.
pub(crate) fn compile_parsed_by(
    parsed: &Parsed,
    vocabulary: &Vocabulary,
    options: &Options,
    packing: Packing,
    observer: &mut dyn Observer,
    mut compile: impl FnMut(
        &Arc<Grammar>,
        &gcc_grammar_compiler::Options,
        &mut dyn Observer,
    ) -> Result<Compiled, gcc_grammar_compiler::CompileError>,
) -> Result<Compilation, Error> {
    let budget = parsed.budget(options)?;
    observer.budget(&budget);
    let mut analyzing = Analyzing::new(parsed, observer);
    let compiler = gcc_grammar_compiler::Options {
        budgets: options.budgets,
        refers: packing == Packing::Referenced,
        ..budget.into()
    };
    let compiled = parsed.countable(|parsed| compile(&parsed.grammar, &compiler, &mut analyzing));
    let (compiled, other) = options.whole(&parsed.text, compiled)??;
    Ok(written(other.as_ref().unwrap_or(parsed), vocabulary, packing, compiled, analyzing))
}

/// Writes the tables of a grammar as an artifact.
pub(crate) fn written(
    parsed: &Parsed,
    vocabulary: &Vocabulary,
    packing: Packing,
    compiled: Compiled,
    Analyzing { observer, findings, .. }: Analyzing<'_>,
) -> Compilation {
    let mut warnings = [&parsed.warnings[..], &findings.warnings].concat();
    warnings.extend(uncertified(&compiled.liveness));
    warnings.extend(compiled.shortfall.as_ref().map(|shortfall| falls_short(shortfall, &compiled)));
    observer.stage("write");
    let metadata = Metadata {
        stats: compiled.stats.sizes().into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
        liveness: compiled.liveness.to_string(),
        ..metadata(parsed, &warnings, vocabulary)
    };
    let bytes = artifact::write(&compiled, vocabulary.tokens(), &metadata, packing);
    let artifact = Artifact::new(&parsed.text.name, bytes);
    let Compiled { stats, liveness, .. } = compiled;
    Compilation { artifact, metadata, stats, liveness, warnings, findings, reuse: Reuse::default() }
}

/// Warns that the artifact says less about budgets than was asked for.
fn falls_short(shortfall: &Shortfall, compiled: &Compiled) -> Diagnostic {
    let message = match compiled.tables.completion {
        Some(_) => format!("token budgets are bounded, not exact: {shortfall}"),
        None => format!("the artifact has no token budgets: {shortfall}"),
    };
    Diagnostic::warning(Code::BoundedBudgets, message).help(shortfall.advice())
}

/// Runs the analyses when the automata are there, and passes all events on.
pub(crate) struct Analyzing<'o> {
    is_schema: bool,
    observer: &'o mut dyn Observer,
    findings: Findings,
}

impl<'o> Analyzing<'o> {
    pub(crate) fn new(parsed: &Parsed, observer: &'o mut dyn Observer) -> Self {
        Self { is_schema: parsed.is_schema(), observer, findings: Findings::default() }
    }
}

impl Observer for Analyzing<'_> {
    fn stage(&mut self, name: &'static str) {
        self.observer.stage(name);
    }

    fn automata(&mut self, automata: &Automata) {
        if Findings::are_possible(automata, self.is_schema) {
            self.observer.stage("heads");
            self.findings = Findings::new(automata, self.is_schema, Extent::OfCompile);
        }
        self.observer.automata(automata);
    }
}

/// What is known about a compilation before it, and the runtime does not need.
pub(crate) fn metadata(parsed: &Parsed, warnings: &[Diagnostic], vocabulary: &Vocabulary) -> Metadata {
    Metadata {
        compiler: COMPILER.to_owned(),
        source: parsed.source.clone(),
        vocabulary: vocabulary.to_metadata(),
        options: parsed.options.clone(),
        terminals: parsed.grammar.terminals.iter().map(|terminal| terminal.name.clone()).collect(),
        rules: parsed.grammar.rules.iter().map(|rule| rule.name.clone()).collect(),
        report: parsed.report.clone(),
        warnings: warnings.iter().map(|warning| warning.message.clone()).collect(),
        ..Metadata::default()
    }
}
