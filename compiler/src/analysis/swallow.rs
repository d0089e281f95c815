//! Terminals that leave nothing to the next one: after `/(.|\n)*/` the longest match goes on over whatever follows.
//!
//! Under longest match, a lexeme of `B` right after one of `A` is impossible if what began as that of `A` could always have been longer, as `A`
//! or as another terminal. The lexer knows: where a lexeme of `A` ended, the next one starts in a state in which `B` is not pending, because no
//! text of it would let the end of `A` stand ([inhibitors](crate::lexer)). `A` is found if that holds for all that may follow it somewhere,
//! itself and special tokens aside. Where something ignored may come between them it does not.

use crate::Front;
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
pub fn swallows(front: Front<'_>) -> Vec<Swallow> {
    if front.grammar.discipline != Discipline::LongestMatch {
        return Vec::new();
    }
    let ends = ends(front);
    let mut found: BTreeMap<TerminalId, Vec<TerminalId>> = BTreeMap::new();
    for (state, entry) in front.lr.entries().into_iter().enumerate() {
        let Entry::Shift(terminals) = entry else { continue };
        let context = front.contexts.of_state[state];
        let wanted = &front.contexts.terminals[context.index()];
        let next = front.lr.actions.row(state).iter().map(|&(next, _)| next);
        let next = next.filter(|&next| is_text(front, next) && wanted.binary_search(&next).is_ok());
        let next: Vec<TerminalId> = next.collect();
        for terminal in terminals {
            let Some(ends) = ends.get(terminal.index()).filter(|ends| !ends.is_empty()) else { continue };
            let others = || next.iter().copied().filter(|&next| next != terminal);
            if !others().any(|next| follows(front, ends, context, next)) {
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

fn is_text(front: Front<'_>, terminal: TerminalId) -> bool {
    let terminal = front.grammar.terminals.get(terminal.index());
    terminal.is_some_and(|terminal| matches!(terminal.pattern, Pattern::Regex(_)))
}

/// Per terminal of text: how its lexemes may end.
fn ends(front: Front<'_>) -> Vec<Vec<EndClass>> {
    let mut ends = vec![Vec::new(); front.grammar.terminals.len()];
    for state in 1..front.lexer.states() {
        for &terminal in front.lexer.accepts(LexState::new(state)) {
            if terminal != IGNORED && is_text(front, terminal) {
                ends[terminal.index()].push(front.lexer.end_class[state]);
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
fn follows(front: Front<'_>, ends: &[EndClass], context: ContextId, next: TerminalId) -> bool {
    ends.iter().any(|&end| {
        let pending = front.lexer.pending(front.lexer.restart(end, context));
        pending.contains(&next) || pending.contains(&IGNORED)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Observer, Options, pipeline};
    use gcc_grammar_notations::lark;
    use gcc_grammar_vocabulary::Vocabulary;

    #[derive(Default)]
    struct Found(Vec<String>);

    impl Observer for Found {
        fn front(&mut self, front: &Front<'_>) {
            let name = |id: &TerminalId| front.grammar.terminals[id.index()].name.clone();
            for Swallow { terminal, others } in swallows(*front) {
                let others: Vec<String> = others.iter().map(name).collect();
                self.0.push(format!("{}: {}", name(&terminal), others.join(" ")));
            }
        }
    }

    fn found(text: &str) -> Vec<String> {
        let grammar = lark::parse(text).expect("valid").grammar;
        let vocabulary = Vocabulary::from_tokens(vec![(0, b"a".to_vec())], Vec::new(), Vec::new(), 1);
        let mut found = Found::default();
        let vocabulary = vocabulary.expect("a token");
        pipeline::compile(&grammar, &vocabulary, &Options::default(), &mut found).expect("small");
        found.0
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
