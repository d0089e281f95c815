//! Reads grammars in the language of [Lark](https://lark-parser.readthedocs.io/en/stable/grammar.html).
//!
//! ```text
//! text ──tokenizer──▶ tokens ──syntax.lalrpop──▶ ast ──loader──▶ Program: definitions of all imported files
//!      ──names──▶ checked ──stops──▶ joined ──terminals──▶ languages ──rules──▶ Grammar ──check──▶ diagnostics
//! ```
//! Input: the text of a grammar, and sources of the files that it imports. Output: a checked grammar under longest match, or diagnostics
//! located in the text. Differences from Lark, which concern the language only and never parse trees:
//! - A terminal matches as a regular language: the longest match counts, whatever the order of alternatives. Only a terminal with a lazy
//!   repetition (`.*?`) matches the text that a backtracking matcher would.
//! - Conflicts between rules are explored, not resolved, so priorities of rules are read and have no effect; [`precedence`] can be declared.
//! - Aliases, `?`, `!` and leading underscores shape parse trees only and have no effect.
//! - Back-references, and assertions about the text before a lexeme, are refused.
//!
//! `%layout` and `%enclose` are for languages in which indentation has meaning, see [`layout`].
//!
//! These extensions of [llguidance](https://github.com/guidance-ai/llguidance/blob/main/docs/syntax.md) are read, too: special tokens
//! (`<name>`, `<[ids]>`), any tokens (`<[*]>*`), `x{2,5}`, `&` and `~` on terminals, `%regex {…}`, hyphens in names, the attributes `lazy`,
//! `suffix`, `stop` and `max_chars`, rules with a parameter ([`parameters`]), and JSON Schemas (`%json {…}`), between whose lexemes nothing is
//! ignored. A grammar in a grammar (`%lark {…}`), or of another file (`%language name`), is a language with ignored text of its own. The directive `%llguidance {…}` also
//! makes regular expressions those of Rust, and lets terminals match the empty string: their uses become optional.

pub(crate) mod ast;
mod attributes;
mod contexts;
mod escape;
mod indenter;
mod key;
mod languages;
mod layout;
mod lexemes;
mod loader;
mod names;
mod options;
mod overlaps;
mod parameters;
mod precedence;
mod program;
mod python_regex;
mod references;
mod rules;
mod scan;
mod sources;
mod stops;
mod structured;
mod supplied;
mod syntax_tree;
mod terminals;
#[cfg(test)]
mod tests;
mod token;
mod tokenizer;
mod variants;

pub use crate::parsed::Parsed;
pub use options::{Dialect, Lexer, Options};
pub use python_regex::translated as python_pattern;
pub(crate) use sources::Within;
pub use sources::{BuiltIn, Directories, Source, Sources};
pub use supplied::Indenter;

use crate::embed::make_ignored_explicit;
use crate::regularize::regularize;
use gcc_grammar_ir::{Diagnostic, check};
pub(crate) use loader::File;
pub(crate) use program::LexerMode;
use program::Program;
use rules::Lowered;
use terminals::Terminals;

/// Reads a grammar whose start rule is `start` and that imports the built-in file only.
pub fn parse(text: &str) -> Result<Parsed, Vec<Diagnostic>> {
    parse_with(text, &Options::default())
}

/// Reads a grammar. Locations of diagnostics are byte ranges of `text`.
pub fn parse_with(text: &str, options: &Options<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    read(loader::load(text, options)?, options)
}

/// What other notations have beside definitions and directives.
#[derive(Default)]
pub(crate) struct Additions {
    /// The name of the terminal for the end of the text.
    pub(crate) end: Option<String>,
    /// The terminals before which nothing is ignored.
    pub(crate) immediate: Vec<ast::Name>,
    /// The modes of the lexer. If there are some, each terminal has one.
    pub(crate) modes: Vec<LexerMode>,
    /// Whether a match of a terminal wins only over alternatives in which a lazy repetition has begun, as in ANTLR.
    pub(crate) cuts_behind_lazy: bool,
}

/// Reads a grammar that was written in another notation: its files as definitions and directives, the given file first.
pub(crate) fn read_files(
    files: Vec<File>,
    additions: Additions,
    options: &Options<'_>,
) -> Result<Parsed, Vec<Diagnostic>> {
    let mut program = loader::load_files(files, options)?;
    program.end = additions.end;
    program.immediate = additions.immediate;
    program.modes = additions.modes;
    program.cuts_behind_lazy = additions.cuts_behind_lazy;
    read(program, options)
}

fn read(mut program: Program, options: &Options<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    names::check_names(&program)?;
    stops::join(&mut program, options.start);
    let terminals = Terminals::build(
        (&program, options.start),
        &options.limits,
        &options.names,
        supplied::Names::of(&program, &options.indenter),
    )?;
    let lowered = rules::lower(&program, &terminals, options)?;
    let location = |terminal| lowered.terminal_location(terminal);
    let (errors, mut warnings) =
        check::check_filtered(&lowered.grammar, location, |code, rule| lowered.concerns_author(code, rule));
    if !errors.is_empty() {
        return Err(errors);
    }
    warnings.extend(lowered.warnings);
    let Lowered { mut grammar, report, has_schemas, indenter, .. } = lowered;
    if let Some(plan) = indenter {
        grammar = plan.expand(grammar, &options.limits).map_err(|error| vec![error])?;
        let (errors, _) = check::check_filtered(&grammar, |_| None, |_, _| false);
        if !errors.is_empty() {
            return Err(errors);
        }
    }
    if options.lexer == Lexer::Dynamic && !grammar.ignored.is_empty() {
        make_ignored_explicit(&mut grammar, &[], None);
    }
    if grammar.is_any_split() && !options.keeps_rules {
        grammar = regularize(grammar, &mut [], &options.limits);
    }
    Ok(Parsed { grammar, warnings, report, has_schemas })
}
