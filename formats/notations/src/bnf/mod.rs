//! Grammars in the notations of llama.cpp ([GBNF](https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md))
//! and XGrammar ([EBNF](https://xgrammar.mlc.ai/docs/)), which are dialects of one another.
//!
//! ```text
//! text ──cursor──▶ characters, classes, names ──syntax──▶ Draft ──check──▶ diagnostics ──regularize──▶ Grammar
//! ```
//! Both are written character by character and know no lexemes, so their discipline is [any split](gcc_grammar_ir::Discipline);
//! [`regularize`](crate::regularize) finds the terminals.
//!
//! What one token is depends on the vocabulary and not on the text, so ordinary tokens are matched by their text only:
//! `!<x>` ("any token but `x`") can be repeated any number of times, where it means any text and any special tokens but `x`, and
//! cannot be counted.

mod cursor;
mod macros;
mod syntax;
#[cfg(test)]
mod tests;

use crate::regularize::regularize;
use gcc_grammar_ir::{Diagnostic, Parsed, check};
use gcc_grammar_regular::RegularLimits;

/// Which notation a grammar is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// llama.cpp's. A line break ends a rule, save in parentheses and after `|`.
    Gbnf,
    /// XGrammar's. A rule ends where the next one begins; there are more escapes, and macros.
    XGrammar,
}

/// How a grammar is read.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The rule that derives whole texts.
    pub root: &'o str,
    /// The notation.
    pub dialect: Dialect,
    /// What each terminal may cost.
    pub limits: RegularLimits,
}

impl Options<'_> {
    /// The rule `root`, and the default limits.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self { root: "root", dialect, limits: RegularLimits::default() }
    }
}

/// Reads a grammar. Locations of diagnostics are byte ranges of `text`.
pub fn parse(text: &str, options: &Options<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let Parsed { grammar, warnings } = parse_as_written(text, options)?;
    Ok(Parsed { grammar: regularize(grammar, &mut [], &options.limits), warnings })
}

/// As [`parse`], with one terminal for every string and class, and the rules as they are written.
pub fn parse_as_written(text: &str, options: &Options<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let (grammar, locations) = syntax::read(text, options)?;
    let (errors, warnings) = check::check(&grammar, |terminal| locations[terminal.index()].clone());
    if errors.is_empty() { Ok(Parsed { grammar, warnings }) } else { Err(errors) }
}
