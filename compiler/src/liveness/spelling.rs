//! Finds what a lexeme can become, from every state of the lexer.
//!
//! In: the lexer. Out: [`Spelling`]. An *exit* is a terminal, or [`IGNORED`](crate::lexer::IGNORED), and the end class
//! with which one of its lexemes can end. Afterwards the exits of a state are those of all states that one or more
//! symbols lead to: a least fixpoint over sets of bits, in sweeps in post-order, so that a lexer without long cycles
//! needs two of them.

use crate::ids::{EndClass, LexState};
use crate::lexer::Lexer;
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// A way in which a lexeme can end.
pub(super) type Exit = (TerminalId, EndClass);

/// Per lexer state: the exits that at least one more symbol leads to.
pub(super) struct Spelling {
    exits: Vec<Exit>,
    /// Words of a set.
    words: usize,
    /// A set of exits per state.
    bits: Vec<u64>,
}

impl Spelling {
    /// The exits of all states.
    pub(super) fn new(lexer: &Lexer, budget: &Budget) -> Result<Self, OverBudget> {
        let (exits, own) = exits(lexer);
        let words = exits.len().div_ceil(64);
        budget.charge_bytes((lexer.states() * (words + 3) * 8) as u64)?;
        let mut out = Self { exits, words, bits: vec![0; lexer.states() * words] };
        let order = post_order(lexer);
        loop {
            let mut changed = false;
            for &(state, ref successors) in &order {
                budget.charge_work((successors.len() * words) as u64 / 4 + 1)?;
                for &to in successors {
                    changed |= out.add(state, to, &own[to.index()]);
                }
            }
            if !changed {
                return Ok(out);
            }
        }
    }

    /// Adds the exits of `to`, and those in `to` itself, to the exits of `state`. Whether any is new.
    fn add(&mut self, state: LexState, to: LexState, own: &[usize]) -> bool {
        let mut changed = false;
        let (into, from) = (state.index() * self.words, to.index() * self.words);
        for word in 0..self.words {
            let new = self.bits[from + word] & !self.bits[into + word];
            changed |= new != 0;
            self.bits[into + word] |= new;
        }
        for &exit in own {
            let word = &mut self.bits[into + exit / 64];
            changed |= *word >> (exit % 64) & 1 == 0;
            *word |= 1 << (exit % 64);
        }
        changed
    }

    /// The exits of a state, sorted.
    pub(super) fn of(&self, state: LexState) -> impl Iterator<Item = Exit> + '_ {
        let row = &self.bits[state.index() * self.words..][..self.words];
        let set = move |&exit: &usize| row[exit / 64] >> (exit % 64) & 1 == 1;
        (0..self.exits.len()).filter(set).map(|exit| self.exits[exit])
    }
}

/// The exits of all states in order, and per state the numbers of its own.
fn exits(lexer: &Lexer) -> (Vec<Exit>, Vec<Vec<usize>>) {
    let states = || (0..lexer.states()).map(LexState::new);
    let mut exits: Vec<Exit> = states().flat_map(|state| lexer.endings(state)).collect();
    exits.sort_unstable();
    exits.dedup();
    let numbers: FxHashMap<Exit, usize> = exits.iter().copied().zip(0..).collect();
    let own = states().map(|state| lexer.endings(state).map(|exit| numbers[&exit]).collect()).collect();
    (exits, own)
}

/// All states but the dead one, each with its distinct successors, a state after the states that it leads to first.
fn post_order(lexer: &Lexer) -> Vec<(LexState, Vec<LexState>)> {
    let successors = |state: LexState| {
        let mut targets = lexer.rows.targets(state).to_vec();
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|&to| to != LexState::DEAD);
        targets
    };
    let mut seen = vec![false; lexer.states()];
    let mut order = Vec::with_capacity(lexer.states());
    for root in (1..lexer.states()).map(LexState::new) {
        if std::mem::replace(&mut seen[root.index()], true) {
            continue;
        }
        let mut path = vec![(root, successors(root), 0)];
        while let Some((_, targets, next)) = path.last_mut() {
            match targets.get(*next).copied() {
                Some(to) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        path.push((to, successors(to), 0));
                    }
                }
                None => order.extend(path.pop().map(|(state, targets, _)| (state, targets))),
            }
        }
    }
    order
}
