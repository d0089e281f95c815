//! Embeds grammars in a grammar, such as JSON Schemas in a Lark grammar.
//!
//! Input: the host, a grammar with one rule for each part, and the parts, grammars of their own. Output: one grammar in which the rule of a
//! part derives the part's language. Two properties of the host must not change the language of a part:
//! - **Ignored terminals** of the host stand between the lexemes of the host only. So `%ignore` becomes explicit ([`ignored`]): every
//!   lexeme of the host, and every part, is followed by a rule for any number of ignored lexemes.
//! - **Ties.** Under longest match, one of two terminals that match the same text wins. Terminals of one part that can compete are
//!   disjoint, but terminals of two parts need not be. So the terminals of all parts share ties ([`ContextRules::together`]).
//!
//! Terminals of different parts with the same language become one terminal ([`terminals`]), and rules of different parts that derive the same
//! texts in the same way become one rule ([`rules`]), but not under longest match: there the terminals that may follow a rule in one place would
//! be recognized behind it in the other places, too. Terminals that overlap stay as they are: to cut them into disjoint pieces would take a
//! boolean algebra over all parts, also over those that never meet.
//!
//! Ties between terminals of the host and of a part are resolved as in the host.
//!
//! A part under longest match, such as a programming language in a fenced block, keeps its ignored text and its lexical contexts
//! ([`languages`]). A part under any split is a part of the host's lexing.
//!
//! [`ContextRules::together`]: gcc_grammar_ir::ContextRules::together

mod ignored;
mod languages;
mod partition;
mod rules;
mod terminals;
#[cfg(test)]
mod tests;

use gcc_grammar_ir::{Body, Discipline, Expr, Grammar, NonterminalId, Rule, Symbol, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_regular::RegularLimits;
pub(crate) use ignored::{ignore_before, make_ignored_explicit};
use languages::append_language;
use rules::{for_each_symbol, number_rules};
use terminals::SharedTerminals;

/// A grammar to be embedded, and the rule of the host that stands for it.
pub(crate) struct Part {
    /// The rule of the host; its body is replaced.
    pub(crate) place: NonterminalId,
    /// The grammar whose language the rule gets.
    pub(crate) grammar: Grammar,
}

/// Embeds the parts in the host, which keeps its lexical discipline.
pub(crate) fn embed(
    mut host: Grammar,
    parts: Vec<Part>,
    limits: &RegularLimits,
) -> Result<Grammar, OverBudget> {
    let places: Vec<NonterminalId> = parts.iter().map(|part| part.place).collect();
    if !host.ignored.is_empty() {
        make_ignored_explicit(&mut host, &places, None);
    }
    let (mut parts, languages): (Vec<Part>, Vec<Part>) =
        parts.into_iter().partition(|part| part.grammar.is_any_split());
    let own = host.terminals.len();
    let mut shared = SharedTerminals::default();
    for Part { grammar, .. } in &mut parts {
        let symbols = shared.append(&mut host.terminals, &grammar.terminals, limits)?;
        let terminal = |symbol| match symbol {
            Symbol::Terminal(id) => symbols[id.index()],
            nonterminal => nonterminal,
        };
        grammar.rules.iter_mut().for_each(|rule| replace(&mut rule.body, terminal));
    }
    append_rules(&mut host, parts, &limits.budget)?;
    if host.discipline == Discipline::LongestMatch {
        host.contexts.together.extend((own..host.terminals.len()).map(TerminalId::new));
    }
    for Part { place, grammar } in languages {
        limits.budget.charge_work((grammar.terminals.len() + grammar.rules.len()) as u64)?;
        append_language(&mut host, place, grammar);
    }
    Ok(host)
}

/// Appends the rules of the parts, whose terminals are those of the host, but for rules that an earlier part has.
fn append_rules(host: &mut Grammar, parts: Vec<Part>, budget: &Budget) -> Result<(), OverBudget> {
    let offset = host.rules.len();
    let rules = parts.iter().map(|part| part.grammar.rules.as_slice());
    let numbers = number_rules(rules, parts.len() > 1 && host.discipline == Discipline::AnySplit, budget)?;
    for (Part { place, grammar }, numbers) in parts.into_iter().zip(numbers) {
        let moved = |id: NonterminalId| NonterminalId::new(offset + numbers[id.index()].index());
        let place = &mut host.rules[place.index()];
        place.body = Body::Expr(Expr::Symbol(Symbol::Nonterminal(moved(grammar.start))));
        let location = place.location.clone();
        for (Rule { name, mut body, .. }, number) in grammar.rules.into_iter().zip(&numbers) {
            if offset + number.index() == host.rules.len() {
                replace(&mut body, |symbol| match symbol {
                    Symbol::Nonterminal(id) => Symbol::Nonterminal(moved(id)),
                    terminal => terminal,
                });
                host.rules.push(Rule { name, body, location: location.clone() });
            }
        }
    }
    Ok(())
}

/// Replaces the symbols of a rule. Different symbols stay different, so automata stay deterministic.
fn replace(body: &mut Body, new: impl Fn(Symbol) -> Symbol) {
    for_each_symbol(body, &mut |symbol| *symbol = new(*symbol));
    if let Body::Automaton(automaton) = body {
        automaton.states.iter_mut().for_each(|state| state.transitions.sort_unstable());
    }
}
