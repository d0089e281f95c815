//! Minimizes a deterministic automaton without cycles, in linear time.
//!
//! Source: Revuz, "Minimisation of acyclic deterministic automata in linear time" (1992). States are visited after all
//! their successors; two states are equivalent if their rows, with targets replaced by their classes, are equal. Bounded
//! repetitions, literals and enumerations all have acyclic automata, and counted strings make them large.

use crate::dfa::NONE;
use crate::raw::RawDfa;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// The minimal trimmed automaton, with its start as the *last* state and no states if the language is empty. `None` if
/// `raw` has a cycle.
pub(super) fn minimize(raw: &RawDfa) -> Option<RawDfa> {
    let order = successors_first(raw)?;
    let mut register = Register::new(raw.class_count, order.len());
    let mut number = vec![NONE; raw.accepting.len()];
    let mut row = vec![NONE; raw.class_count];
    for state in order {
        let cells = raw.row(state).iter();
        row.iter_mut().zip(cells).for_each(|(to, &cell)| {
            *to = if cell == NONE { NONE } else { number[cell as usize - 1] };
        });
        let accepting = raw.accepting[state as usize];
        if accepting || row.iter().any(|&cell| cell != NONE) {
            number[state as usize] = register.state(&row, accepting) + 1;
        }
    }
    let Register { table, accepting, .. } = register;
    // The start comes last, because all other states are its descendants; if it is useless, so are all states.
    debug_assert_eq!(number.first().map_or(0, |&start| start as usize), accepting.len());
    Some(RawDfa { classes: raw.classes.clone(), class_count: raw.class_count, table, accepting })
}

/// All states, each after its successors (reverse topological order); `None` if there is a cycle.
fn successors_first(raw: &RawDfa) -> Option<Vec<u32>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Never,
        Open,
        Done,
    }
    let mut seen = vec![Seen::Never; raw.accepting.len()];
    let mut order = Vec::with_capacity(seen.len());
    seen[0] = Seen::Open;
    let mut open = vec![(0, raw.row(0).iter())];
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
                open.push((next, raw.row(next).iter()));
            }
            Seen::Open => return None,
            Seen::Done => {}
        }
    }
    Some(order)
}

/// The distinct states of the minimal automaton so far: a chained hash table over their rows.
struct Register {
    class_count: usize,
    table: Vec<u32>,
    accepting: Vec<bool>,
    /// By hash slot: the last state registered there, plus 1.
    last: Vec<u32>,
    /// Per state: the state registered before it in the same slot, plus 1.
    before: Vec<u32>,
}

impl Register {
    fn new(class_count: usize, states: usize) -> Self {
        let last = vec![NONE; states.next_power_of_two()];
        Self { class_count, table: Vec::new(), accepting: Vec::new(), last, before: Vec::new() }
    }

    /// The state with this row and acceptance, registered now if it is new.
    fn state(&mut self, row: &[u32], accepting: bool) -> u32 {
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
