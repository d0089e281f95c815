//! Reads grammars in the [EBNF of the W3C](https://www.w3.org/TR/xml/#sec-notation), in which XML, XPath and SPARQL are specified.
//!
//! ```text
//! text ──scanner──▶ productions ──syntax──▶ GrammarBuilder ──check──▶ diagnostics ──exclusions, regularize──▶ Grammar
//! ```
//! The notation describes texts character by character, so the lexical discipline is any split. With the lines `@terminals` and `@pass`, which tools for
//! this notation have, the productions behind `@terminals` are lexemes, cut by longest match, between which `@pass` is ignored.
//!
//! Input: the text of a grammar. Output: a checked grammar, or diagnostics located in the text.

mod syntax;
/// The grammar under longest match.
pub(super) fn by_longest_match(
    mut grammar: Grammar,
    lexemes: &[NonterminalId],
    ignored: Option<NonterminalId>,
    limits: &RegularLimits,
) -> Result<Grammar, Vec<Diagnostic>> {
    let all: Vec<NonterminalId> = lexemes.iter().copied().chain(ignored).collect();
    let made = regularize::terminals(&mut grammar, &all, limits).map_err(|over| vec![over.into()])?;
    let irregular = all
        .iter()
        .zip(&made)
        .filter(|(_, made)| made.is_none())
        .map(|(rule, _)| not_regular(&grammar, *rule));
    let errors: Vec<Diagnostic> = irregular.collect();
    if !errors.is_empty() {
        return Err(errors);
    }
    if ignored.is_some() {
        grammar.ignored.extend(made.last().copied().flatten());
    }
    grammar.discipline = Discipline::LongestMatch;
    Ok(grammar)
}

fn not_regular(grammar: &Grammar, rule: NonterminalId) -> Diagnostic {
    let rule = &grammar.rules[rule.index()];
    let message = format!("`{}` is a lexeme, but it is not a regular language", rule.name);
    let error =
        Diagnostic { location: rule.location.clone(), ..Diagnostic::error(Code::NotRegular, message) };
    error.help("write it in front of @terminals, or repeat with `*` and `+` instead of using rules in the middle of themselves")
}

#[cfg(test)]
mod tests;

use crate::exclusion;
use crate::options::GrammarOptions;
use crate::regularize::{self, regularize};
use gcc_grammar_ir::{Code, Diagnostic, Discipline, Grammar, NonterminalId, Parsed, check};
use gcc_grammar_regular::RegularLimits;

/// Reads a grammar. Locations of diagnostics are byte ranges of `text`.
pub fn parse(text: &str, options: &GrammarOptions<'_>) -> Result<Parsed, Vec<Diagnostic>> {
    let syntax::Read { mut grammar, places, exclusions, terminals, ignored } = syntax::read(text, options)?;
    let (errors, warnings) = check::check_filtered(
        &grammar,
        |terminal| places[terminal.index()].clone(),
        |_, rule| ignored.is_none_or(|ignored| ignored != rule) && !terminals.contains(&rule),
    );
    if !errors.is_empty() {
        return Err(errors);
    }
    exclusion::apply(&mut grammar, &exclusions, &options.limits)?;
    let grammar = match terminals.is_empty() && ignored.is_none() {
        true if options.keeps_rules => grammar,
        true => regularize(grammar, &mut [], &options.limits),
        false => by_longest_match(grammar, &terminals, ignored, &options.limits)?,
    };
    Ok(Parsed { grammar, warnings })
}

/// Whether a text has what this notation has and the EBNF of XGrammar has not: a number in front of the first rule, comments as in C, texts in single quotes, code
/// points as `#x20`, or lines that begin with `@`.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let mut rest = text;
    while let Some(found) = rest.find(['"', '\'', '[', '/', '#', '@']) {
        let before = &text[..text.len() - rest.len() + found];
        let begins_line = syntax::ends_at_line(before);
        let at = &rest[found..];
        let end = match at.as_bytes()[0] {
            b'\'' => return true,
            b'/' if at.starts_with("/*") => return true,
            b'@' if begins_line && (at.starts_with("@terminals") || at.starts_with("@pass")) => return true,
            b'#' if syntax::is_code_point(at) => return true,
            b'#' => at.find('\n'),
            b'[' if begins_line && syntax::is_number(at) && !before.contains("::=") => return true,
            b'[' if syntax::is_code_point(at[1..].trim_start_matches('^')) => return true,
            b'[' => at.find([']', '\n']),
            b'"' => end_of_string(at),
            _ => Some(0),
        };
        let Some(end) = end else { return false };
        rest = &at[end + 1..];
    }
    false
}

/// Where the string ends that a text begins with. A backslash may stand before a quote in the notation of XGrammar, and before the end here.
fn end_of_string(text: &str) -> Option<usize> {
    let line = &text[..text.find('\n').unwrap_or(text.len())];
    let is_escaped =
        |&at: &usize| line[..at].bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1;
    let quotes = || line.char_indices().skip(1).filter(|&(_, c)| c == '"').map(|(at, _)| at);
    quotes().find(|at| !is_escaped(at)).or_else(|| quotes().next())
}
