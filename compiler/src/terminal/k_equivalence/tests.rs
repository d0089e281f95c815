//! k-equivalence against its definition.

use super::*;
use crate::csr::Csr;
use crate::ids::EndClass;
use crate::lexer::{PendingId, Rows};
use crate::terminal::renaming::{Renaming, renamed};
use gcc_grammar_ir::TerminalId;

/// A random lexer with one context and one terminal.
fn lexer(seed: u64, states: usize, classes: usize) -> Lexer {
    let mut x = seed * 2 + 1;
    let mut next = |bound: usize| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (x >> 33) as usize % bound
    };
    let transitions: Vec<LexState> = (0..states * classes)
        .map(|i| if i < classes || next(4) == 0 { LexState(0) } else { LexState::new(next(states)) })
        .collect();
    let accepting: Vec<bool> = (0..states).map(|s| s > 0 && next(5) == 0).collect();
    let mut pending_sets = Csr::default();
    pending_sets.push([]);
    pending_sets.push([TerminalId(0), TerminalId(1)]);
    Lexer {
        classes,
        contexts: 1,
        rows: Rows::new(&transitions, classes),
        transitions,
        accepts: accepting.iter().map(|&a| a.then_some(TerminalId(0))).collect(),
        end_class: vec![EndClass(0); states],
        restarts: vec![LexState(1)],
        pending: (0..states).map(|s| PendingId(u32::from(s > 0))).collect(),
        pending_sets,
        members: None,
        contested: None,
    }
}

fn same(lexer: &Lexer, a: usize, b: usize, k: usize) -> bool {
    lexer.accepts.row(a) == lexer.accepts.row(b)
        && lexer.pending[a] == lexer.pending[b]
        && (k == 0
            || (0..lexer.classes).all(|c| {
                let to = |s: usize| lexer.transitions[s * lexer.classes + c].index();
                same(lexer, to(a), to(b), k - 1)
            }))
}

#[test]
fn agrees_with_the_definition() {
    for seed in 0..60 {
        let lexer = lexer(seed, 14, 2 + seed as usize / 20);
        let classes = KEquivalence::new(&lexer, 8, true, &Budget::unlimited("test")).unwrap();
        for height in [1, 2, 3, 4, 6, 8] {
            for a in 0..lexer.states() {
                for b in 0..lexer.states() {
                    let (x, y) = (LexState::new(a), LexState::new(b));
                    let equal = classes.class(height as u8, x) == classes.class(height as u8, y);
                    assert_eq!(equal, same(&lexer, a, b, height), "seed {seed}: {a} {b} {height}");
                }
            }
        }
    }
}

/// Two lexemes that differ only in their terminals, of which two are pending, then one; a third that ends as
/// the other of its two.
#[test]
fn terminals_are_renamed_by_their_positions() {
    let mut lexer = lexer(0, 10, 1);
    let next = [0, 2, 3, 0, 5, 6, 0, 8, 9, 0].map(LexState);
    lexer.rows = Rows::new(&next, 1);
    lexer.transitions = next.to_vec();
    let accepted = [None, None, None, Some(0), None, None, Some(2), None, None, Some(3)];
    lexer.accepts = accepted.into_iter().map(|terminal| terminal.map(TerminalId)).collect();
    lexer.pending_sets = Csr::default();
    lexer.pending_sets.push([]);
    for set in [&[0][..], &[2], &[3], &[0, 1], &[2, 3]] {
        lexer.pending_sets.push(set.iter().copied().map(TerminalId));
    }
    lexer.pending = [0, 4, 4, 1, 5, 5, 2, 5, 5, 3].map(PendingId).to_vec();
    let classes = KEquivalence::new(&lexer, 8, true, &Budget::unlimited("test")).unwrap();
    let class = |height, state| classes.class(height, LexState(state));
    for height in [1, 2, 8] {
        assert_eq!([1, 2, 3].map(|s| class(height, s)), [4, 5, 6].map(|s| class(height, s)));
        assert_eq!(class(height, 6), class(height, 9));
        assert_ne!(class(height, 5), class(height, 8));
    }
    assert_eq!(class(1, 4), class(1, 7));
    assert_ne!(class(2, 4), class(2, 7));
    let mut renaming = Renaming::default();
    let ids = |from, to| (PendingId(from), PendingId(to));
    assert_eq!(renaming.pending_set(&lexer, ids(4, 5), PendingId(1)), PendingId(2));
    assert_eq!(renaming.pending_set(&lexer, ids(4, 5), PendingId(4)), PendingId(5));
    assert_eq!(renamed(&lexer, ids(5, 4), TerminalId(3)), TerminalId(1));
}

/// Two chains that differ only in the terminal at their ends, and two states that can become either but lead
/// to one of them.
#[test]
fn terminals_are_renamed_where_only_one_is_pending() {
    let mut lexer = lexer(0, 9, 1);
    let next = [0, 2, 3, 0, 5, 6, 0, 1, 4].map(LexState);
    lexer.rows = Rows::new(&next, 1);
    lexer.transitions = next.to_vec();
    lexer.accepts = (0..9).map(|s| [3, 6].contains(&s).then_some(TerminalId(s / 6))).collect();
    lexer.pending_sets = Csr::default();
    lexer.pending_sets.push([]);
    lexer.pending_sets.push([TerminalId(0)]);
    lexer.pending_sets.push([TerminalId(1)]);
    lexer.pending_sets.push([TerminalId(0), TerminalId(1)]);
    lexer.pending = [0, 1, 1, 1, 2, 2, 2, 3, 3].map(PendingId).to_vec();
    let classes = KEquivalence::new(&lexer, 8, true, &Budget::unlimited("test")).unwrap();
    let class = |height, state| classes.class(height, LexState(state));
    for height in [1, 2, 8] {
        assert_eq!([class(height, 1), class(height, 2)], [class(height, 4), class(height, 5)]);
        assert_ne!(class(height, 7), class(height, 8));
    }
    assert_ne!(class(1, 1), class(1, 2));
}
