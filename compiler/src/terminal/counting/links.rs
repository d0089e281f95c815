//! Links lexer states that are the same but for a count.
//!
//! In: the lexer. Out: for a state, the state with the next lower count. A counting state leads to the state with
//! the next lower count, in which the same symbols have the same targets. Where two states are linked, so are the
//! states that the same symbols lead them to, such as the states inside a character. The longest chains are
//! linked first.
//!
//! A link is a guess that need not hold: two linked states end alike, and nearly the same bytes have transitions.

use crate::ids::LexState;
use crate::lexer::Lexer;
use crate::terminal::default_transition::DefaultTransitions;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The most bytes with a transition in one of two linked states alone.
const MAX_DIFFERENT: u32 = 16;

/// The links. A state is the lower state of at most one link, and the higher state of at most one.
#[derive(Default)]
pub(super) struct Links {
    /// Per state with a next lower count: that state.
    pub(super) lower: FxHashMap<LexState, LexState>,
    /// Per state with a next higher count: that state.
    pub(super) higher: FxHashMap<LexState, LexState>,
}

impl Links {
    /// Links states that follow each other.
    pub(super) fn new(
        lexer: &Lexer,
        defaults: &DefaultTransitions<'_>,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        budget.charge_bytes(lexer.states() as u64 * 8)?;
        let mut next = vec![LexState::DEAD; lexer.states()];
        for state in (1..lexer.states()).map(LexState::new) {
            let same_pattern = |to| lexer.rows.pattern(to) == lexer.rows.pattern(state);
            let admitted = |to| to != state && same_pattern(to) && end_alike(lexer, state, to);
            next[state.index()] = defaults.find(state, admitted).unwrap_or(LexState::DEAD);
        }
        let lengths = chain_lengths(&next);
        let mut longest_first: Vec<LexState> =
            (0..next.len()).filter(|&state| lengths[state] > 0).map(LexState::new).collect();
        longest_first.sort_by_key(|state| Reverse(lengths[state.index()]));
        let mut links = Self::default();
        for state in longest_first {
            let mut open = vec![(next[state.index()], state)];
            while let Some((low, high)) = open.pop() {
                if links.link(lexer, defaults, low, high) {
                    budget.charge_work(lexer.classes as u64 / 8 + 1)?;
                    budget.charge_bytes(64)?;
                    links.targets(lexer, low, high, &mut open);
                }
            }
        }
        Ok(links)
    }

    /// Links two states if they can be linked. Returns whether they are linked now and were not before.
    fn link(
        &mut self,
        lexer: &Lexer,
        defaults: &DefaultTransitions<'_>,
        low: LexState,
        high: LexState,
    ) -> bool {
        let free = !self.higher.contains_key(&low) && !self.lower.contains_key(&high);
        let linked = free && low != high && end_alike(lexer, low, high) && alike(defaults, low, high);
        if linked {
            self.higher.insert(low, high);
            self.lower.insert(high, low);
        }
        linked
    }

    /// Adds the pairs of targets that two linked states have on the same symbol.
    fn targets(&self, lexer: &Lexer, low: LexState, high: LexState, pairs: &mut Vec<(LexState, LexState)>) {
        let [low, high] = lexer.abreast([low, high]);
        for pair in low.iter().copied().zip(high.iter().copied()) {
            if pair.0 != pair.1
                && pair.0 != LexState::DEAD
                && pair.1 != LexState::DEAD
                && pairs.last() != Some(&pair)
            {
                pairs.push(pair);
            }
        }
    }
}

/// Whether tokens and lexemes that end in `a` end like those that end in `b`.
fn end_alike(lexer: &Lexer, a: LexState, b: LexState) -> bool {
    let accepts = lexer.accepts(a);
    lexer.pending[a.index()] == lexer.pending[b.index()]
        && accepts == lexer.accepts(b)
        && (accepts.is_empty() || lexer.end_class[a.index()] == lexer.end_class[b.index()])
}

/// Whether nearly the same bytes have a transition.
fn alike(defaults: &DefaultTransitions<'_>, a: LexState, b: LexState) -> bool {
    let [a, b] = [a, b].map(|state| defaults.bytes_to(state, |_| true));
    (a ^ b).len() <= MAX_DIFFERENT
}

/// Per state: the length of the chain of successors that begins there; 0 if there is no successor. On a ring it
/// is some other number.
fn chain_lengths(next: &[LexState]) -> Vec<u32> {
    let mut lengths = vec![0; next.len()];
    let mut path = Vec::new();
    for first in 0..next.len() {
        let mut state = first;
        while lengths[state] == 0 && next[state] != LexState::DEAD {
            // Stops the walk around a ring.
            lengths[state] = 1;
            path.push(state);
            state = next[state].index();
        }
        let mut length = lengths[state];
        while let Some(state) = path.pop() {
            length += 1;
            lengths[state] = length;
        }
    }
    lengths
}
