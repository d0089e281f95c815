//! Reads grammars of [ANTLR 4](https://github.com/antlr/antlr4/blob/master/doc/grammars.md).
//!
//! ```text
//! text ──syntax──▶ rules ──files──▶ rules of all imported grammars ──lower──▶ definitions as in Lark ──lark──▶ Grammar
//! with lexer modes:  rules ──textless──▶ rules without tokens that match nothing ──modal──▶ symbols ──positions──▶ stacks of modes ──modal_rules──▶ definitions
//! ```
//! Input: the text of a grammar, and the files that it imports or takes its tokens from. Output: a checked grammar under longest match, or diagnostics
//! located in the text. As in ANTLR, every token is recognized everywhere, also those that no rule of the parser uses, and the token that is defined first
//! wins a tie. Actions and predicates are left out with a warning; tokens that use themselves go up to a depth. With
//! modes of the lexer, rules are made once per stack of modes, so that one mode is known at each place of the parser.

mod ast;
mod commands;
mod last;
mod levels;
mod lexer_rules;
mod lower;
mod modal;
mod modal_lower;
mod modal_rules;
mod modes;
mod nested;
mod operators;
mod positions;
mod reach;
mod stack;
mod start;
mod syntax;
#[cfg(test)]
mod tests;
mod text;
mod textless;

use crate::lark::{self, File, Parsed, Source};
use crate::options::GrammarOptions;
use crate::scanner::error;
use ast::{Grammar, Import, Kind};
use gcc_grammar_ir::{Code, Diagnostic, Location};
use gcc_grammar_regular::RegularLimits;
use std::ops::Range;

/// The share of the limit on work that tokens may take on more levels.
const SHARE_OF_LEVELS: u64 = 10;
/// The most files of a grammar.
const MAX_FILES: usize = 20;

/// The files that a grammar may import.
pub trait Files {
    /// The file `NAME.g4`.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read; the text says why.
    fn find(&self, name: &str) -> Result<Source, String>;
}

/// No files.
pub struct NoFiles;

impl Files for NoFiles {
    fn find(&self, name: &str) -> Result<Source, String> {
        Err(format!("there is no file {name}.g4 here"))
    }
}

/// A grammar of one of the files.
struct Loaded {
    name: String,
    text: String,
    imported_at: Option<Range<usize>>,
    grammar: Grammar,
}

impl Loaded {
    /// A place in the file, for a reader of the given one: where that imports it.
    fn place(&self, span: &Range<usize>) -> Range<usize> {
        self.imported_at.as_ref().unwrap_or(span).clone()
    }
}

/// Reads a grammar. Locations of diagnostics are byte ranges of `text`.
pub fn parse(text: &str, files: &dyn Files, options: &GrammarOptions<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let mut loaded = load(text, files, options)?;
    operators::give_operands(&mut loaded, &options.limits.budget).map_err(|over| vec![over.into()])?;
    textless::replace(&mut loaded, &options.limits.budget).map_err(|problem| vec![problem])?;
    let budget = &options.limits.budget;
    let mut most = levels::MOST_LEVELS;
    loop {
        let lowered = lower::lower(&loaded, options.start, most, budget)?;
        if !lowered.has_levels || most <= levels::FEWEST_LEVELS {
            return read_lowered(&loaded, lowered, options, &options.limits);
        }
        // Tokens that use themselves are large on many levels if their texts are read in many ways at once.
        let part = budget.fork_within(budget.limits().work / SHARE_OF_LEVELS);
        let limits = RegularLimits { budget: part.clone(), ..options.limits.clone() };
        let read = read_lowered(&loaded, lowered, options, &limits);
        budget.settle(&part).map_err(|over| vec![over.into()])?;
        match read {
            Err(errors) if errors.iter().any(is_over) => most = (most / 2).max(most.min(4) - 1),
            read => return read,
        }
    }
}

/// Whether something costs too much.
fn is_over(problem: &Diagnostic) -> bool {
    matches!(problem.code, Code::OverBudget | Code::TerminalTooLarge)
}

/// Reads a grammar that is written as one of Lark.
fn read_lowered(
    loaded: &[Loaded],
    mut lowered: lower::Lowered,
    options: &GrammarOptions<'_>,
    limits: &RegularLimits,
) -> Result<Parsed, Vec<Diagnostic>> {
    let has_modes = !lowered.modes.is_empty();
    let lark_options = lark::Options {
        start: &lowered.start,
        limits: limits.clone(),
        names: options.names.clone(),
        lexer: if has_modes { lark::Lexer::Contextual } else { lark::Lexer::Basic },
        keeps_rules: options.keeps_rules,
        ..lark::Options::default()
    };
    let items = lowered.items.drain(..);
    let files = loaded.iter().zip(items).map(|(Loaded { name, text, imported_at, .. }, items)| File {
        name: name.clone(),
        text: text.clone(),
        imported_at: imported_at.clone(),
        items,
    });
    let end = lowered.has_end.then(|| "EOF".to_owned());
    let modes = std::mem::take(&mut lowered.modes);
    let additions = lark::Additions { end, modes, cuts_behind_lazy: true, ..lark::Additions::default() };
    let mut parsed = lark::read_files(files.collect(), additions, &lark_options).map_err(|errors| {
        errors.into_iter().map(|error| explained(error, &lowered.warnings)).collect::<Vec<_>>()
    })?;
    // A level that nothing uses is none of the author's.
    let is_level = |warning: &Diagnostic| match &warning.location {
        Some(Location::Span(span)) => {
            warning.code == Code::UnusedDefinition && lowered.levelled.contains(span)
        }
        _ => false,
    };
    parsed.warnings.retain(|warning| !is_level(warning));
    parsed.warnings.extend(lowered.warnings);
    Ok(parsed)
}

/// Where rules derive no text, a token that no rule defines is the likely reason.
fn explained(error: Diagnostic, warnings: &[Diagnostic]) -> Diagnostic {
    let is_token = |warning: &&Diagnostic| warning.message.ends_with("what needs it is left out");
    let left_out = warnings.iter().find(is_token).filter(|_| error.code == Code::NoText);
    match left_out {
        Some(warning) => error.help(warning.message.clone()),
        None => error,
    }
}

/// The grammar and all that it imports.
fn load(text: &str, files: &dyn Files, options: &GrammarOptions<'_>) -> Result<Vec<Loaded>, Vec<Diagnostic>> {
    let read = |text: &str, ignores_case| syntax::read(text, ignores_case, &options.limits.budget);
    let grammar = read(text, None).map_err(|error| vec![error])?;
    if grammar.kind == Kind::Lexer {
        let message = "this grammar has tokens only, and no rules of a parser";
        return Err(vec![error(Code::NoStart, message, grammar.name.span).help(
            "give the grammar of the parser, which names this one with `options { tokenVocab = …; }`",
        )]);
    }
    let mut loaded = vec![Loaded { name: String::new(), text: text.to_owned(), imported_at: None, grammar }];
    let mut at = 0;
    while at < loaded.len() {
        let Loaded { grammar, .. } = &loaded[at];
        let ignores_case = grammar.case_insensitive;
        let wanted = grammar.imports.iter().map(|Import { name, merges }| {
            let span = loaded[at].place(&name.span);
            (name.text.clone(), span, merges.then_some(ignores_case))
        });
        for (name, span, ignores_case) in wanted.collect::<Vec<_>>() {
            if loaded.iter().any(|known| known.grammar.name.text == name) {
                continue;
            }
            if loaded.len() == MAX_FILES {
                let message = format!("a grammar may import at most {MAX_FILES} files");
                return Err(vec![error(Code::TooManyImports, message, span)]);
            }
            let found = files.find(&name).map_err(|message| {
                vec![
                    error(Code::BadImport, message, span.clone())
                        .help("put the file next to this one, or name its folder with --import-dir"),
                ]
            })?;
            let grammar = read(&found.text, ignores_case).map_err(|problem| {
                let message = format!("in the imported {}: {}", found.name, problem.message);
                vec![Diagnostic { message, ..problem }.at(Location::Span(span.clone()))]
            })?;
            loaded.push(Loaded { name: found.name, text: found.text, imported_at: Some(span), grammar });
        }
        at += 1;
    }
    Ok(loaded)
}

/// An error in a file, for a reader of the given one.
fn in_file(loaded: &[Loaded], file: usize, problem: Diagnostic) -> Diagnostic {
    let Loaded { name, imported_at, .. } = &loaded[file];
    match imported_at {
        None => problem,
        Some(span) => {
            let message = format!("in the imported {name}: {}", problem.message);
            let at = gcc_grammar_ir::Location::Span(span.clone());
            Diagnostic { message, ..problem }.at(at)
        }
    }
}
