//! Reads grammars in ABNF ([RFC 5234](https://www.rfc-editor.org/rfc/rfc5234), [RFC 7405](https://www.rfc-editor.org/rfc/rfc7405)).
//!
//! ```text
//! text ──scanner──▶ rules ──syntax──▶ GrammarBuilder with the core rules that are used ──check──▶ diagnostics ──regularize──▶ Grammar
//! ```
//! The notation describes texts character by character, so the lexical discipline is any split. Names of rules and strings are in upper or lower case.
//! Values are code points of Unicode. In a grammar with values from 80 to FF, and none beyond, they are octets, as in RFC 3629 and RFC 9110.
//!
//! Input: the text of a grammar. Output: a checked grammar, or diagnostics located in the text.

mod core;
mod syntax;
#[cfg(test)]
mod tests;
mod values;

use crate::options::GrammarOptions;
use crate::regularize::regularize;
use gcc_grammar_ir::{Diagnostic, Parsed, check};

/// Reads a grammar. Locations of diagnostics are byte ranges of `text`.
pub fn parse(text: &str, options: &GrammarOptions<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let syntax::Read { grammar, places, warnings, own_rules } = syntax::read(text, options)?;
    let (errors, mut all_warnings) = check::check_filtered(
        &grammar,
        |terminal| places[terminal.index()].clone(),
        |_, rule| rule.index() < own_rules,
    );
    if !errors.is_empty() {
        return Err(errors);
    }
    all_warnings.extend(warnings);
    let grammar = if options.keeps_rules { grammar } else { regularize(grammar, &mut [], &options.limits) };
    Ok(Parsed { grammar, warnings: all_warnings })
}
