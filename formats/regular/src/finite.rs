//! From a deterministic automaton without cycles to the minimal one.
//!
//! Revuz, "Minimisation of acyclic deterministic automata in linear time" (1992): states are looked at after all their
//! successors, and two are equivalent if their rows are equal. Bounded lengths, literals and enumerations all are such, and counted
//! strings make them large.

use super::minimize::{Draft, NONE};
use rustc_hash::FxHasher;
use std::hash::Hasher;

impl Draft {
    /// The minimal automaton, its start last; `None` if this one has a cycle. Without states if the language is empty.
    pub(super) fn minimize_acyclic(&self) -> Option<Draft> {
        let order = self.successors_first()?;
        let mut register = Register::new(self.class_count, order.len());
        let mut number = vec![NONE; self.accepting.len()];
        let mut row = vec![NONE; self.class_count];
        for state in order {
            let cells = self.row(state).iter();
            row.iter_mut().zip(cells).for_each(|(to, &cell)| {
                *to = if cell == NONE { NONE } else { number[cell as usize - 1] };
            });
            let accepting = self.accepting[state as usize];
            if accepting || row.iter().any(|&cell| cell != NONE) {
                number[state as usize] = register.number(&row, accepting) + 1;
            }
        }
        let Register { table, accepting, .. } = register;
        // Nothing useful may be registered after the start, and if the start is useless, so is all.
        debug_assert_eq!(number.first().map_or(0, |&start| start as usize), accepting.len());
        Some(Draft { classes: self.classes.clone(), class_count: self.class_count, table, accepting })
    }

    /// All states, each after its successors; `None` if there is a cycle.
    fn successors_first(&self) -> Option<Vec<u32>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Never,
            Open,
            Done,
        }
        let mut seen = vec![Seen::Never; self.accepting.len()];
        let mut order = Vec::with_capacity(seen.len());
        seen[0] = Seen::Open;
        let mut open = vec![(0, self.row(0).iter())];
        while let Some((state, cells)) = open.last_mut() {
            let Some(&cell) = cells.next() else {
                seen[*state as usize] = Seen::Done;
                order.push(*state);
                open.pop();
                continue;
            };
            if cell == NONE {
                continue;
            }
            let next = cell - 1;
            match seen[next as usize] {
                Seen::Never => {
                    seen[next as usize] = Seen::Open;
                    open.push((next, self.row(next).iter()));
                }
                Seen::Open => return None,
                Seen::Done => {}
            }
        }
        Some(order)
    }
}

/// The distinct rows so far, by their hashes.
struct Register {
    class_count: usize,
    table: Vec<u32>,
    accepting: Vec<bool>,
    /// By hash: the last state with it, plus 1.
    last: Vec<u32>,
    /// Per state: the one before it with the same hash, plus 1.
    before: Vec<u32>,
}

impl Register {
    fn new(class_count: usize, states: usize) -> Self {
        let last = vec![NONE; states.next_power_of_two()];
        Self { class_count, table: Vec::new(), accepting: Vec::new(), last, before: Vec::new() }
    }

    /// The state with this row.
    fn number(&mut self, row: &[u32], accepting: bool) -> u32 {
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

    fn slot(&self, row: &[u32], accepting: bool) -> usize {
        let mut hasher = FxHasher::default();
        hasher.write_u8(u8::from(accepting));
        row.iter().for_each(|&cell| hasher.write_u32(cell));
        hasher.finish() as usize & (self.last.len() - 1)
    }
}
