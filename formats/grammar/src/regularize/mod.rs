//! Finds what is regular in a grammar of characters and makes it terminals.
//!
//! ```text
//! rules ──components──▶ in order of use ──linear──▶ the regular ones, as automata ──terms──▶ maximal regular parts
//! ```
//! A grammar that is written character by character would have the parser push a state for every character. So:
//! 1. A rule is regular if it uses no rules but regular ones, or if the rules that use one another are all right-linear or all
//!    left-linear (`s: "" | [a-z] s`). Such a system of equations is solved by elimination with Arden's lemma, `X = A X | B` gives
//!    `X = A* B` (Arden, "Delayed-logic and finite-state machines", 1961). What is self-embedding stays a rule (Chomsky, "On certain
//!    formal properties of grammars", 1959: the others are exactly the regular ones).
//! 2. In the right parts of the other rules, all that is regular and stands side by side becomes one terminal: neighbours in a
//!    sequence, alternatives of a choice, what is repeated. Equal languages become the same terminal.
//!
//! Only under [any split](Discipline::AnySplit) and with nothing ignored does this leave the language as it is, since then a text is
//! in it or not whatever its lexemes are. Special tokens are no text; what stands on either side of one is not joined.
//!
//! An automaton that would be too large is not built: then its parts are terminals.

mod components;
mod linear;
mod terms;
#[cfg(test)]
mod tests;

use crate::regular::{Dfa, RegularLimits};
use crate::{Body, Discipline, Grammar, NonterminalId, Pattern, Regex, Symbol};
use std::sync::Arc;
use terms::Terms;

/// A terminal of more states is not made out of smaller ones.
const MAX_STATES: usize = 20_000;
/// Steps that one automaton may take.
const MAX_WORK: u64 = 50_000_000;

/// The language of a rule or terminal, if it is regular.
type Language = Option<Arc<Dfa>>;

/// The same language with fewer rules and larger terminals. The rules of `places` stay rules whatever they derive; they and the
/// start get new numbers.
#[must_use]
pub fn regularize(grammar: Grammar, places: &mut [NonterminalId], limits: &RegularLimits) -> Grammar {
    if grammar.discipline != Discipline::AnySplit || !grammar.ignored.is_empty() {
        return grammar;
    }
    let limits = RegularLimits {
        max_states: limits.max_states.min(MAX_STATES),
        max_work: limits.max_work.min(MAX_WORK),
        ..*limits
    };
    let languages = languages(&grammar, places, &limits);
    Terms::new(&grammar, &languages, limits).rewrite(places)
}

/// Per rule, its language if it is regular.
fn languages(grammar: &Grammar, places: &[NonterminalId], limits: &RegularLimits) -> Languages {
    let terminals = grammar.terminals.iter().map(|terminal| match &terminal.pattern {
        Pattern::Regex(Regex::Automaton(dfa)) => Some(Arc::clone(dfa)),
        Pattern::Regex(regex) => regex.to_dfa(limits).ok().map(Arc::new),
        Pattern::Token(_) => None,
    });
    let mut known = Languages { terminals: terminals.collect(), rules: vec![None; grammar.rules.len()] };
    for component in components::users_last(grammar) {
        if component.iter().any(|rule| places.contains(rule)) {
            continue;
        }
        let solved = linear::solve(grammar, &component, &known, limits);
        for (rule, language) in component.into_iter().zip(solved.into_iter().flatten()) {
            known.rules[rule.index()] = Some(language);
        }
    }
    known
}

/// What is known to be regular.
struct Languages {
    terminals: Vec<Language>,
    rules: Vec<Language>,
}

impl Languages {
    fn of(&self, symbol: Symbol) -> Option<&Arc<Dfa>> {
        match symbol {
            Symbol::Terminal(id) => self.terminals[id.index()].as_ref(),
            Symbol::Nonterminal(id) => self.rules[id.index()].as_ref(),
        }
    }
}

/// The symbols of a right part, several times if they stand there so.
fn symbols(body: &Body) -> Vec<Symbol> {
    let mut found = Vec::new();
    match body {
        Body::Automaton(automaton) => {
            let transitions = automaton.states.iter().flat_map(|state| &state.transitions);
            found.extend(transitions.map(|&(symbol, _)| symbol));
        }
        Body::Expr(expr) => {
            let mut open = vec![expr];
            while let Some(expr) = open.pop() {
                match expr {
                    crate::Expr::Symbol(symbol) => found.push(*symbol),
                    crate::Expr::Sequence(parts) | crate::Expr::Choice(parts) => open.extend(parts),
                    crate::Expr::Repeat { inner, .. } => open.push(inner),
                }
            }
        }
    }
    found
}
