//! Finds terminals that never win under longest match.
//!
//! In: a grammar and its LR tables. Out: the [`ShadowedTerminal`]s. The lexer never chooses a terminal `T` if a
//! terminal `U` competes with `T`, wins ties with `T` and matches every text that `T` matches. Which terminals
//! compete depends on the LR state, so `T` is shadowed if there is such a `U` in every state that accepts `T`,
//! or if an ignored terminal is such a `U`.
//!
//! Terminals that are shadowed only by several terminals together are not found. In very large grammars, not all
//! terminals are compared.

use crate::lr::LrTables;
use gcc_grammar_ir::{Discipline, Grammar, Terminal, TerminalId};
use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::cmp::Reverse;

/// The largest number of pairs of states for which two automata are compared.
const MAX_PAIRS: usize = 1 << 20;
/// The largest number of pairs of states in all comparisons. Further terminals are not compared.
const MAX_ALL_PAIRS: usize = 1 << 24;
/// The largest number of terminals for which a grammar is analyzed.
const MAX_TERMINALS: usize = 2_000;

/// A terminal that is never chosen, and a terminal that is chosen in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShadowedTerminal {
    /// The terminal that is never chosen.
    pub terminal: TerminalId,
    /// The terminal that is chosen in its place, in at least one LR state.
    pub by: TerminalId,
}

/// Finds the shadowed terminals of a grammar, in order. There are none under any split, and none are looked for where languages are embedded, or in modes.
#[must_use]
pub fn shadowed_terminals(grammar: &Grammar, tables: &LrTables) -> Vec<ShadowedTerminal> {
    let has_own_rules = !grammar.contexts.languages.is_empty() || !grammar.contexts.modes.is_empty();
    if grammar.discipline != Discipline::LongestMatch
        || has_own_rules
        || grammar.terminals.len() > MAX_TERMINALS
    {
        return Vec::new();
    }
    let (mut found, mut pairs) = (Vec::new(), 0);
    let mut together = vec![false; grammar.terminals.len()];
    grammar.contexts.together.iter().for_each(|terminal| together[terminal.index()] = true);
    for index in 0..grammar.terminals.len() {
        let terminal = TerminalId::new(index);
        let winners = winners(grammar, &together, terminal, &mut pairs);
        if pairs > MAX_ALL_PAIRS {
            break;
        }
        if winners.is_empty() || grammar.ignored.contains(&terminal) {
            continue;
        }
        // Ignored terminals compete in every state.
        let mut by = winners.iter().find(|winner| grammar.ignored.contains(winner)).copied();
        let everywhere = by.is_some() || in_all_states(tables, terminal, &winners, &mut by);
        if let (true, Some(by)) = (everywhere, by) {
            found.push(ShadowedTerminal { terminal, by });
        }
    }
    found
}

/// Whether every state that accepts the terminal also accepts a winner. Stores the first winner in `by` if there
/// is none yet.
fn in_all_states(
    tables: &LrTables,
    terminal: TerminalId,
    winners: &[TerminalId],
    by: &mut Option<TerminalId>,
) -> bool {
    let mut states = (0..tables.states()).filter(|&state| accepts(tables, state, terminal));
    states.all(|state| {
        let winner = winners.iter().find(|&&winner| accepts(tables, state, winner));
        *by = by.or(winner.copied());
        winner.is_some()
    })
}

/// Whether a state has an action on the terminal.
fn accepts(tables: &LrTables, state: usize, terminal: TerminalId) -> bool {
    tables.actions.row(state).binary_search_by_key(&terminal, |&(terminal, _)| terminal).is_ok()
}

/// The terminals that win every tie with `terminal` and match every text that it matches. Terminals that are
/// marked in `together` share ties. Adds the number of compared pairs of states to `pairs`.
fn winners(grammar: &Grammar, together: &[bool], terminal: TerminalId, pairs: &mut usize) -> Vec<TerminalId> {
    let rank = |id: TerminalId| {
        let Terminal { priority, literal, .. } = grammar.terminals[id.index()];
        (Reverse(priority), !literal, id)
    };
    let limits = RegularLimits::default();
    let Some(own) = dfa(grammar, terminal) else { return Vec::new() };
    let Some(shortest) = own.shortest() else { return Vec::new() };
    let others = (0..grammar.terminals.len()).map(TerminalId::new);
    let is_preceded = |id: TerminalId| grammar.contexts.preceded.iter().any(|one| one.terminal == id);
    others
        .filter(|&other| !is_preceded(other))
        .filter(|&other| {
            rank(other) < rank(terminal) && !(together[other.index()] && together[terminal.index()])
        })
        .filter(|&other| {
            dfa(grammar, other).is_some_and(|other| {
                let both = own.state_count() * other.state_count();
                let compared = other.accepts(&shortest) && both <= MAX_PAIRS && *pairs <= MAX_ALL_PAIRS;
                *pairs += if compared { both } else { 1 };
                compared && own.is_subset(other, &limits).unwrap_or(false)
            })
        })
        .collect()
}

/// The automaton of a terminal; `None` if its pattern was not given as an automaton.
fn dfa(grammar: &Grammar, terminal: TerminalId) -> Option<&Dfa> {
    match grammar.terminals[terminal.index()].pattern.regex() {
        Some(Regex::Automaton(dfa)) => Some(dfa),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Automata;
    use gcc_grammar_limits::Limits;
    use gcc_grammar_notations::lark;

    /// The names of the shadowed terminals, and of the terminals that are chosen in their place.
    fn names(text: &str) -> Vec<(String, String)> {
        let grammar = lark::parse(text).expect("valid").grammar;
        let automata =
            Automata::without_vocabulary(&grammar.clone().into(), Limits::default()).expect("small");
        let name = |id: TerminalId| grammar.terminals[id.index()].name.clone();
        shadowed_terminals(&grammar, &automata.lr)
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
        assert_eq!(found("start: A*\nA: /[ \\t]/\nWS.1: /[ \\t]+/\n%ignore WS\n"), ["A"]);
        let schemas =
            r#"start: %json {"type": "string"} "x" | %json {"type": "string", "pattern": "^a*$"} "y""#;
        assert_eq!(found(schemas), [""; 0], "they share ties");
    }
}
