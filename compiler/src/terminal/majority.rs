//! Where most bytes lead from a lexer state.

use crate::ids::LexState;
use crate::lexer::{Lexer, Symbols};

/// Counts bytes by where they lead.
pub(super) struct Majority {
    /// Per class of bytes: how many it has.
    sizes: Vec<u32>,
    /// Per key: number of bytes that lead there; all zero between calls.
    counts: Vec<u32>,
}

impl Majority {
    /// For the states of this lexer.
    pub(super) fn new(lexer: &Lexer, symbols: &Symbols) -> Self {
        let mut sizes = vec![0; symbols.byte_classes];
        symbols.byte_class.iter().for_each(|&class| sizes[usize::from(class)] += 1);
        Self { sizes, counts: vec![0; lexer.states()] }
    }

    /// Of the states in a state's `row` that suit, the one that most bytes lead to, the first of equal ones. States with the same `key`, a number below that
    /// of states, are counted together.
    pub(super) fn find(
        &mut self,
        row: &[LexState],
        key: impl Fn(LexState) -> usize,
        suits: impl Fn(LexState) -> bool,
    ) -> Option<LexState> {
        let row = &row[..self.sizes.len()];
        row.iter().zip(&self.sizes).for_each(|(&to, size)| self.counts[key(to)] += size);
        let (mut most, mut found) = (0, None);
        for &to in row {
            // Zero if it was looked at before.
            let count = std::mem::take(&mut self.counts[key(to)]);
            if count > most && suits(to) {
                (most, found) = (count, Some(to));
            }
        }
        found
    }
}
