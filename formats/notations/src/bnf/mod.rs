//! Reads grammars in the notations of llama.cpp ([GBNF](https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md))
//! and XGrammar ([EBNF](https://xgrammar.mlc.ai/docs/)), which are dialects of each other.
//!
//! ```text
//! text ──cursor──▶ characters, classes, names ──syntax──▶ GrammarBuilder ──check──▶ diagnostics ──regularize──▶ Grammar
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
mod suffixes;
mod syntax;
#[cfg(test)]
mod tests;

use crate::options::GrammarOptions;
use crate::regularize::bounded::{self, Unbounded};
use crate::regularize::regularize;
use gcc_grammar_ir::{Code, Diagnostic, Location, Parsed, Severity, check};

/// The notation that a grammar is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The notation of llama.cpp. A line break ends a rule, except in parentheses and after `|`.
    Gbnf,
    /// The notation of XGrammar. A rule ends where the next rule begins; there are more escapes, and macros.
    XGrammar,
}

/// Reads a grammar, whose start rule is `root` unless the options name another one. Locations of diagnostics are byte ranges of `text`.
pub fn parse(text: &str, dialect: Dialect, options: &GrammarOptions<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let parsed = parse_as_written(text, dialect, options)?;
    if options.keeps_rules {
        return Ok(parsed);
    }
    Ok(Parsed { grammar: regularize(parsed.grammar, &mut [], &options.limits), ..parsed })
}

/// Reads a grammar like [`parse`], but keeps its rules as they are written, with one terminal for every string and class.
pub fn parse_as_written(
    text: &str,
    dialect: Dialect,
    options: &GrammarOptions<'_>,
) -> Result<Parsed, Vec<Diagnostic>> {
    let syntax::Read { mut grammar, places, bounded, warnings: doubts } =
        syntax::read(text, dialect, options)?;
    let (errors, mut warnings) = check::check(&grammar, |terminal| places[terminal.index()].clone());
    if !errors.is_empty() {
        return Err(errors);
    }
    warnings.extend(doubts);
    let bounds: Vec<_> = bounded.iter().map(|rule| (rule.id, rule.bounds)).collect();
    let unlimited = bounded::bound(&mut grammar, &bounds, &options.limits)
        .map_err(|error| vec![unbounded(error, &bounded)])?;
    let not_limited = bounded.iter().filter(|rule| unlimited.contains(&rule.id)).map(not_limited);
    match options.leaves_out {
        true => warnings.extend(not_limited.map(|error| Diagnostic { severity: Severity::Warning, ..error })),
        false if unlimited.is_empty() => {}
        false => return Err(not_limited.collect()),
    }
    Ok(Parsed { grammar, warnings })
}

/// The error that the option `max_tokens` of a rule cannot be enforced.
fn not_limited(rule: &suffixes::BoundedRule) -> Diagnostic {
    let message = "max_tokens is not enforced: the rule is not a regular language without lazy and tokens by id, or it uses itself";
    let error = Diagnostic::error(Code::NotEnforced, message).at(Location::Span(rule.span.clone()));
    error.help("write repetitions with * and +, or limit the parts of the rule")
}

/// The error that the options `lazy` and `max_chars` of a rule cannot be applied.
fn unbounded(error: Unbounded, bounded: &[suffixes::BoundedRule]) -> Diagnostic {
    let (Unbounded::NotRegular(id) | Unbounded::TooLarge(id, _)) = error;
    let place = bounded.iter().find(|rule| rule.id == id).map(|rule| Location::Span(rule.span.clone()));
    let diagnostic = match error {
        Unbounded::NotRegular(_) => {
            let message = "a rule with lazy or max_chars must be a regular language without tokens by id and the byte 0xFF, and must not use itself";
            Diagnostic::error(Code::BadOption, message)
                .help("write repetitions with * and +, bound the parts of the rule that are repeated, or leave out bytes that no text in UTF-8 has")
        }
        Unbounded::TooLarge(_, over) => {
            let help = "count fewer characters, or leave the option out";
            Diagnostic { code: Code::TerminalTooLarge, ..over.into() }.help(help)
        }
    };
    Diagnostic { location: place, ..diagnostic }
}
