//! The distinct states of a minimal automaton, found from the last to the first.
//!
//! Source: Revuz, "Minimisation of acyclic deterministic automata in linear time" (1992). States are registered after all their successors; two states
//! are equivalent if their rows, with targets replaced by their registered states, are equal.

use crate::dfa::NONE;
use crate::raw::RawDfa;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The distinct states of the minimal automaton so far: a chained hash table over their rows.
pub(super) struct Register {
    class_count: usize,
    table: Vec<u32>,
    accepting: Vec<bool>,
    /// By hash slot: the last state registered there, plus 1.
    last: Vec<u32>,
    /// Per state: the state registered before it in the same slot, plus 1.
    before: Vec<u32>,
}

impl Register {
    pub(super) fn new(class_count: usize, states: usize) -> Self {
        let last = vec![NONE; states.next_power_of_two()];
        Self { class_count, table: Vec::new(), accepting: Vec::new(), last, before: Vec::new() }
    }

    /// The state with this row and acceptance, registered now if it is new.
    pub(super) fn state(&mut self, row: &[u32], accepting: bool) -> u32 {
        let slot = self.slot(row, accepting);
        let mut at = self.last[slot];
        while let Some(state) = at.checked_sub(1) {
            let known = &self.table[state as usize * self.class_count..][..self.class_count];
            if self.accepting[state as usize] == accepting && known == row {
                return state;
            }
            at = self.before[state as usize];
        }
        self.table.extend_from_slice(row);
        self.accepting.push(accepting);
        self.before.push(std::mem::replace(&mut self.last[slot], self.accepting.len() as u32));
        self.accepting.len() as u32 - 1
    }

    /// The automaton of the registered states.
    pub(super) fn into_raw(self, classes: Box<[u8; 256]>) -> RawDfa {
        let Self { class_count, table, accepting, .. } = self;
        RawDfa { classes, class_count, table, accepting }
    }

    fn slot(&self, row: &[u32], accepting: bool) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write_u8(u8::from(accepting));
        row.iter().for_each(|&cell| hasher.write_u32(cell));
        hasher.finish() as usize & (self.last.len() - 1)
    }
}
