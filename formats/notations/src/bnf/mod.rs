//! Reads grammars in the notations of llama.cpp ([GBNF](https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md))
//! and XGrammar ([EBNF](https://xgrammar.mlc.ai/docs/)), which are dialects of each other.
//!
//! ```text
//! text ──cursor──▶ characters, classes, names ──syntax──▶ Draft ──check──▶ diagnostics ──regularize──▶ Grammar
//! ```
//! Input: the text of a grammar. Output: a checked [`Grammar`](gcc_grammar_ir::Grammar), or diagnostics located in the text.
//! Both notations describe text character by character and have no lexemes, so the lexical discipline is
//! [any split](gcc_grammar_ir::Discipline::AnySplit); [`regularize`](crate::regularize) then finds the terminals.
//!
//! `!<x>` is any one token except `x`, and may be counted. Repeated any number of times it means any text and any special tokens except `x`.

mod arguments;
mod cursor;
mod literals;
mod macros;
mod options;
mod rules;
mod suffixes;
mod syntax;
#[cfg(test)]
mod tests;

pub use options::{Dialect, Options};

use crate::regularize::regularize;
use gcc_grammar_ir::{Diagnostic, Parsed, check};

/// Reads a grammar. Locations of diagnostics are byte ranges of `text`.
pub fn parse(text: &str, options: &Options<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let Parsed { grammar, warnings } = parse_as_written(text, options)?;
    Ok(Parsed { grammar: regularize(grammar, &mut [], &options.limits), warnings })
}

/// Reads a grammar like [`parse`], but keeps its rules as they are written, with one terminal for every string and class.
pub fn parse_as_written(text: &str, options: &Options<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let syntax::Read { grammar, places, mut warnings } = syntax::read(text, options)?;
    let (errors, more) = check::check(&grammar, |terminal| places[terminal.index()].clone());
    warnings.extend(more);
    if errors.is_empty() { Ok(Parsed { grammar, warnings }) } else { Err(errors) }
}
