//! Terminals that leave nothing to the next one: after `/(.|\n)*/` the longest match goes on over whatever follows.
//!
//! Under longest match, a lexeme of `B` right after one of `A` is impossible if what began as that of `A` could always have been longer, as `A`
//! or as another terminal. The lexer knows: where a lexeme of `A` ended, the next one starts in a state in which `B` is not pending, because no
//! text of it would let the end of `A` stand ([inhibitors](crate::lexer)). `A` is found if that holds for all that may follow it somewhere,
//! itself and special tokens aside. Where something ignored may come between them it does not.

use crate::Automata;
use crate::ids::{ContextId, EndClass, LexState};
use crate::lexer::IGNORED;
use crate::lr::Entry;
use gcc_grammar_ir::{Discipline, Pattern, TerminalId};
use std::collections::BTreeMap;

/// A terminal that others never follow, although the grammar has them there and nothing else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swallow {
    /// Takes what the others begin with.
    pub terminal: TerminalId,
    /// In order.
    pub others: Vec<TerminalId>,
}

/// All of a grammar, in order.
#[must_use]
pub fn swallows(automata: &Automata<'_>) -> Vec<Swallow> {
    if automata.grammar.discipline != Discipline::LongestMatch {
        return Vec::new();
    }
    let ends = ends(automata);
    let mut found: BTreeMap<TerminalId, Vec<TerminalId>> = BTreeMap::new();
    for (state, entry) in automata.lr.entries().into_iter().enumerate() {
        let Entry::Shift(terminals) = entry else { continue };
        let context = automata.contexts.of_state[state];
        let wanted = &automata.contexts.terminals[context.index()];
        let next = automata.lr.actions.row(state).iter().map(|&(next, _)| next);
        let next = next.filter(|&next| is_text(automata, next) && wanted.binary_search(&next).is_ok());
        let next: Vec<TerminalId> = next.collect();
        for terminal in terminals {
            let Some(ends) = ends.get(terminal.index()).filter(|ends| !ends.is_empty()) else { continue };
            let others = || next.iter().copied().filter(|&next| next != terminal);
            if !others().any(|next| follows(automata, ends, context, next)) {
                found.entry(terminal).or_default().extend(others());
            }
        }
    }
    found.retain(|_, others| !others.is_empty());
    let swallow = |(terminal, mut others): (_, Vec<_>)| {
        others.sort_unstable();
        others.dedup();
        Swallow { terminal, others }
    };
    found.into_iter().map(swallow).collect()
}

fn is_text(automata: &Automata<'_>, terminal: TerminalId) -> bool {
    let terminal = automata.grammar.terminals.get(terminal.index());
    terminal.is_some_and(|terminal| matches!(terminal.pattern, Pattern::Regex(_)))
}

/// Per terminal of text: how its lexemes may end.
fn ends(automata: &Automata<'_>) -> Vec<Vec<EndClass>> {
    let mut ends = vec![Vec::new(); automata.grammar.terminals.len()];
    for state in 1..automata.lexer.states() {
        for &terminal in automata.lexer.accepts(LexState::new(state)) {
            if terminal != IGNORED && is_text(automata, terminal) {
                ends[terminal.index()].push(automata.lexer.end_class[state]);
            }
        }
    }
    for ends in &mut ends {
        ends.sort_unstable();
        ends.dedup();
    }
    ends
}

/// May `next` follow a lexeme with one of these ends, at once or after something ignored?
fn follows(automata: &Automata<'_>, ends: &[EndClass], context: ContextId, next: TerminalId) -> bool {
    ends.iter().any(|&end| {
        let pending = automata.lexer.pending(automata.lexer.restart(end, context));
        pending.contains(&next) || pending.contains(&IGNORED)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use gcc_grammar_notations::lark;

    fn found(text: &str) -> Vec<String> {
        let grammar = lark::parse(text).expect("valid").grammar;
        let automata = Automata::without_vocabulary(&grammar, Limits::default()).expect("small");
        let name = |id: &TerminalId| grammar.terminals[id.index()].name.clone();
        let found = swallows(&automata).into_iter().map(|Swallow { terminal, others }| {
            let others: Vec<String> = others.iter().map(name).collect();
            format!("{}: {}", name(&terminal), others.join(" "))
        });
        found.collect()
    }

    #[test]
    fn a_terminal_that_takes_what_follows_is_found() {
        assert_eq!(found("start: TEXT \"<\"\nTEXT: /(.|\\n)+/\n"), ["TEXT: \"<\""]);
        assert_eq!(found("start: A B\nA: /[a-z]+/\nB: /[a-f]+[0-9]/\n"), ["A: B"]);
        assert_eq!(
            found("start: A (B | C)\nA: /[a-z]+/\nB: /[a-f]+/\nC: /[0-9]/\n"),
            [""; 0],
            "C may follow"
        );
        assert_eq!(found("start: A B\nA: /[a-z]+/\nB: /[a-f]+/\n%ignore \" \"\n"), [""; 0], "with a space");
        assert_eq!(found("start: A B\nA: /[a-z]{1,3}/\nB: /[a-f]+/\n"), [""; 0], "after three letters");
        assert_eq!(found("start: A+\nA: /[a-z]+/\n"), [""; 0], "as wanted");
        assert_eq!(
            found("start: \"go\" NAME | NAME\nNAME: /[a-z]+/\n"),
            ["\"go\": NAME"],
            "another terminal"
        );
    }
}
