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
//! An automaton that would be too large is not built: then its parts are terminals. All automata together have a budget, too; when
//! it is spent, rules stay as they are.

mod components;
mod linear;
mod terms;
#[cfg(test)]
mod tests;

use gcc_grammar_ir::check::for_each_symbol;
use gcc_grammar_ir::{Body, Discipline, Grammar, NonterminalId, Pattern, Symbol};
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::cell::Cell;
use std::sync::Arc;
use terms::Terms;

/// A terminal of more states is not made out of smaller ones.
const MAX_STATES: usize = 20_000;
/// Steps that one automaton may take.
const MAX_WORK: u64 = 50_000_000;
/// Steps that all automata together may take.
const MAX_TOTAL_WORK: u64 = 200_000_000;
/// Steps for each cell of the table of an automaton, about.
const STEPS_PER_CELL: u64 = 20;

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
    let builder = Builder { limits, left: Cell::new(MAX_TOTAL_WORK) };
    let languages = languages(&grammar, places, &builder);
    Terms::new(&grammar, &languages, &builder).rewrite(places)
}

/// Builds automata as long as there is budget.
struct Builder {
    limits: RegularLimits,
    /// Steps that are left for all automata together.
    left: Cell<u64>,
}

impl Builder {
    /// The automaton, if it is small enough and there is budget left.
    fn dfa(&self, regex: &Regex) -> Language {
        if let Regex::Automaton(dfa) = regex {
            return Some(Arc::clone(dfa));
        }
        let grant = self.limits.max_work.min(self.left.get());
        let dfa = regex.to_dfa(&RegularLimits { max_work: grant, ..self.limits });
        let cells = |dfa: &Dfa| dfa.state_count() as u64 * dfa.class_count() as u64;
        let spent = dfa.as_ref().map_or(grant, |dfa| (1 + cells(dfa)) * STEPS_PER_CELL);
        self.left.set(self.left.get().saturating_sub(spent));
        dfa.ok().map(Arc::new)
    }
}

/// Per rule, its language if it is regular.
fn languages(grammar: &Grammar, places: &[NonterminalId], builder: &Builder) -> Languages {
    let terminals = grammar.terminals.iter().map(|terminal| match &terminal.pattern {
        Pattern::Regex(regex) => builder.dfa(regex),
        Pattern::Token(_) => None,
    });
    let mut known = Languages { terminals: terminals.collect(), rules: vec![None; grammar.rules.len()] };
    for component in components::users_last(grammar) {
        if component.iter().any(|rule| places.contains(rule)) {
            continue;
        }
        let solved = linear::solve(grammar, &component, &known, builder);
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
    for_each_symbol(body, &mut |symbol| found.push(symbol));
    found
}
