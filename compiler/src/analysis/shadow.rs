//! Terminals that are never chosen: wherever the parser could take one, another one matches the same texts and wins the tie.
//!
//! Under longest match, a terminal `T` loses to `U` everywhere if `U` wins ties and every text of `T` is one of `U` too: then the longest
//! lexeme is never `T`'s alone. Which terminals compete depends on the LR state, so `T` is shadowed if each state that takes it
//! has such a `U`. Terminals that only several others shadow together are not found, and not all are in very large grammars.

use crate::lr::LrTables;
use gcc_grammar_ir::{Discipline, Grammar, Pattern, Terminal, TerminalId};
use gcc_grammar_regular::{Dfa, Regex};
use std::cmp::Reverse;

/// Pairs of automata with more pairs of states than this are not compared.
const MAX_PAIRS: usize = 1 << 20;
/// Pairs of states in all comparisons; terminals beyond them are not looked at.
const MAX_ALL_PAIRS: usize = 1 << 24;
/// Grammars with more terminals than this are not looked at.
const MAX_TERMINALS: usize = 2_000;

/// A terminal, and one that takes its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shadowed {
    /// Is never chosen.
    pub terminal: TerminalId,
    /// Is chosen in its stead, in one of the states at least.
    pub by: TerminalId,
}

/// The shadowed terminals of a grammar, in order.
#[must_use]
pub fn shadowed(grammar: &Grammar, tables: &LrTables) -> Vec<Shadowed> {
    if grammar.discipline != Discipline::LongestMatch || grammar.terminals.len() > MAX_TERMINALS {
        return Vec::new();
    }
    let (mut found, mut pairs) = (Vec::new(), 0);
    for index in 0..grammar.terminals.len() {
        let terminal = TerminalId::new(index);
        let winners = winners(grammar, terminal, &mut pairs);
        if pairs > MAX_ALL_PAIRS {
            break;
        }
        if winners.is_empty() || grammar.ignored.contains(&terminal) {
            continue;
        }
        // What is ignored competes everywhere.
        let mut by = winners.iter().find(|winner| grammar.ignored.contains(winner)).copied();
        let everywhere = by.is_some() || all_states(tables, terminal, &winners, &mut by);
        if let (true, Some(by)) = (everywhere, by) {
            found.push(Shadowed { terminal, by });
        }
    }
    found
}

/// Does each state that takes the terminal take a winner, too? Remembers one of them.
fn all_states(
    tables: &LrTables,
    terminal: TerminalId,
    winners: &[TerminalId],
    by: &mut Option<TerminalId>,
) -> bool {
    let mut states = (0..tables.states()).filter(|&state| takes(tables, state, terminal));
    states.all(|state| {
        let winner = winners.iter().find(|&&winner| takes(tables, state, winner));
        *by = by.or(winner.copied());
        winner.is_some()
    })
}

fn takes(tables: &LrTables, state: usize, terminal: TerminalId) -> bool {
    tables.actions.row(state).binary_search_by_key(&terminal, |&(terminal, _)| terminal).is_ok()
}

/// The terminals that win every tie with this one and match all that it does.
fn winners(grammar: &Grammar, terminal: TerminalId, pairs: &mut usize) -> Vec<TerminalId> {
    let rank = |id: TerminalId| {
        let Terminal { priority, literal, .. } = grammar.terminals[id.index()];
        (Reverse(priority), !literal, id)
    };
    let Some(own) = dfa(grammar, terminal) else { return Vec::new() };
    let Some(shortest) = own.shortest() else { return Vec::new() };
    let others = (0..grammar.terminals.len()).map(TerminalId::new);
    others
        .filter(|&other| rank(other) < rank(terminal))
        .filter(|&other| {
            dfa(grammar, other).is_some_and(|other| {
                let both = own.state_count() * other.state_count();
                let compared = other.accepts(&shortest) && both <= MAX_PAIRS && *pairs <= MAX_ALL_PAIRS;
                *pairs += if compared { both } else { 1 };
                compared && own.is_subset(other)
            })
        })
        .collect()
}

fn dfa(grammar: &Grammar, terminal: TerminalId) -> Option<&Dfa> {
    match &grammar.terminals[terminal.index()].pattern {
        Pattern::Regex(Regex::Automaton(dfa)) => Some(dfa),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Automata;
    use crate::limits::Limits;
    use gcc_grammar_notations::lark;

    /// The names of shadowed terminals, and of those that take their place.
    fn names(text: &str) -> Vec<(String, String)> {
        let grammar = lark::parse(text).expect("valid").grammar;
        let automata = Automata::without_vocabulary(&grammar, Limits::default()).expect("small");
        let name = |id: TerminalId| grammar.terminals[id.index()].name.clone();
        shadowed(&grammar, &automata.lr)
            .into_iter()
            .map(|found| (name(found.terminal), name(found.by)))
            .collect()
    }

    #[test]
    fn a_terminal_that_always_loses_is_found() {
        let found = |text: &str| names(text).into_iter().map(|(lost, _)| lost).collect::<Vec<_>>();
        assert_eq!(found("start: (NAME | NUMBER)+\nNAME.1: /[a-z0-9]+/\nNUMBER: /[0-9]+/\n"), ["NUMBER"]);
        assert_eq!(found("start: (A | B)+\nA: /[a-z]+/\nB: /[a-f]+/\n"), ["B"]);
        assert_eq!(found("start: A B\nA: /[a-z]+;/\nB: /[a-f]+;/\n"), [""; 0], "never in one place");
        assert_eq!(found("start: (\"if\" | NAME)+\nNAME: /[a-z]+/\n"), [""; 0], "the string wins");
        assert_eq!(found("start: (\"if\" | NAME)+\nNAME.1: /[a-z]+/\n"), ["\"if\""]);
        assert_eq!(found("start: (A | B)+\nB: /[a-f]+/\nA: /[a-z]+/\n"), [""; 0], "longer ones are its own");
        assert_eq!(found("start: A+\nA: /[ \\t]/\nWS.1: /[ \\t]+/\n%ignore WS\n"), ["A"]);
    }
}
