//! Productions that are lexemes, `@terminals`, with what is ignored between them, `@pass`.
//!
//! Input: a grammar under any split, its rules that are lexemes, and the rule of what is ignored. Output: a grammar under longest match, in which
//! these rules are terminals. Characters and strings in other rules stay terminals.

use crate::regularize::terminals;
use gcc_grammar_ir::{Code, Diagnostic, Discipline, Grammar, NonterminalId};
use gcc_grammar_regular::RegularLimits;

/// The grammar under longest match.
pub(super) fn by_longest_match(
    mut grammar: Grammar,
    lexemes: &[NonterminalId],
    ignored: Option<NonterminalId>,
    limits: &RegularLimits,
) -> Result<Grammar, Vec<Diagnostic>> {
    let all: Vec<NonterminalId> = lexemes.iter().copied().chain(ignored).collect();
    let made = terminals(&mut grammar, &all, limits).map_err(|over| vec![over.into()])?;
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
