//! Finds terminals that shadow their followers under longest match: after `/(.|\n)*/`, the longest match includes
//! the text of any terminal that follows.
//!
//! In: the automata of a grammar. Out: the [`ShadowedFollowers`]. A lexeme `B` cannot directly follow a lexeme
//! `A` if the text of `A` and `B` always has a longer lexeme at its beginning, of `A` or of another terminal. The
//! lexer tells: where the lexeme `A` ends, the next lexeme starts in a state in which `B` is not pending, because
//! every text of `B` violates the longest-match constraint of `A` (see [`lexer`](crate::lexer)).
//!
//! `A` is found if there is an LR state after `A` in which this holds for all terminals that the parser expects,
//! except `A` itself and special tokens, and in which no ignored text can come between them.

use crate::Automata;
use crate::ids::{ContextId, EndClass, LexState};
use crate::lexer::IGNORED;
use crate::lr::Entry;
use gcc_grammar_ir::{Discipline, TerminalId};
use std::collections::BTreeMap;

/// A terminal that no other terminal can follow somewhere, although the grammar expects other terminals there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShadowedFollowers {
    /// The terminal with the longer matches.
    pub terminal: TerminalId,
    /// The terminals that never follow it where the parser expects them, sorted.
    pub followers: Vec<TerminalId>,
}

/// Finds the terminals that shadow their followers, in order. There are none under any split.
#[must_use]
pub fn shadowed_followers(automata: &Automata) -> Vec<ShadowedFollowers> {
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
    found.retain(|_, followers| !followers.is_empty());
    let sorted = |(terminal, mut followers): (_, Vec<_>)| {
        followers.sort_unstable();
        followers.dedup();
        ShadowedFollowers { terminal, followers }
    };
    found.into_iter().map(sorted).collect()
}

/// Whether a terminal is a regular expression, not special tokens or the end of text.
fn is_text(automata: &Automata, terminal: TerminalId) -> bool {
    let terminal = automata.grammar.terminals.get(terminal.index());
    terminal.is_some_and(|terminal| terminal.pattern.regex().is_some())
}

/// Per terminal: the end classes of its lexemes; none for special tokens.
fn ends(automata: &Automata) -> Vec<Vec<EndClass>> {
    let mut ends = vec![Vec::new(); automata.grammar.terminals.len()];
    let states = (1..automata.lexer.states()).map(LexState::new);
    for (terminal, end) in states.flat_map(|state| automata.lexer.endings(state)) {
        if terminal != IGNORED && is_text(automata, terminal) {
            ends[terminal.index()].push(end);
        }
    }
    for ends in &mut ends {
        ends.sort_unstable();
        ends.dedup();
    }
    ends
}

/// Whether `next` may follow a lexeme with one of these end classes, directly or after ignored text.
fn follows(automata: &Automata, ends: &[EndClass], context: ContextId, next: TerminalId) -> bool {
    ends.iter().any(|&end| {
        let pending = automata.lexer.pending(automata.lexer.restart(end, context));
        pending.contains(&next) || pending.contains(&IGNORED)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_limits::Limits;
    use gcc_grammar_notations::lark;

    fn found(text: &str) -> Vec<String> {
        let grammar = lark::parse(text).expect("valid").grammar;
        let automata =
            Automata::without_vocabulary(&grammar.clone().into(), Limits::default()).expect("small");
        let name = |id: &TerminalId| grammar.terminals[id.index()].name.clone();
        let found =
            shadowed_followers(&automata).into_iter().map(|ShadowedFollowers { terminal, followers }| {
                let others: Vec<String> = followers.iter().map(name).collect();
                format!("{}: {}", name(&terminal), others.join(" "))
            });
        found.collect()
    }

    #[test]
    fn terminals_that_shadow_their_followers_are_found() {
        assert_eq!(found("start: TEXT \"<\"?\nTEXT: /(.|\\n)+/\n"), ["TEXT: \"<\""]);
        assert_eq!(found("start: A B?\nA: /[a-z]+/\nB: /[a-f]+[0-9]/\n"), ["A: B"]);
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
