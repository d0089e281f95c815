//! Automata put together from the states of others.
//!
//! In: automata with some common structure, and which of their states is copied, with which changes. Out: the canonical automaton. The copies
//! need no search for equivalent states where the caller can prove that there are none, as for a [`MinimalBuilder`](crate::MinimalBuilder); but they
//! are rows of tables, not transitions one by one.

use crate::dfa::{Dfa, NONE};
use crate::limits::{Meter, RegularLimits};
use crate::raw::RawDfa;
use gcc_grammar_limits::OverBudget;

/// The automata whose states are copied, by number.
type Parts<'a> = [&'a Dfa];

/// States of other automata over their common classes of bytes. State 0 is the start.
pub struct Patchwork<'a> {
    parts: &'a Parts<'a>,
    /// The common class of each byte.
    classes: Box<[u8; 256]>,
    /// A byte of each common class.
    bytes: Vec<u8>,
    table: Vec<u32>,
    accepting: Vec<bool>,
    _meter: Meter,
}

impl<'a> Patchwork<'a> {
    /// No states yet, with room for so many.
    ///
    /// # Errors
    /// They exceed the limits.
    pub fn new(parts: &'a Parts<'a>, states: usize, limits: &RegularLimits) -> Result<Self, OverBudget> {
        let (classes, bytes) = common_classes(parts);
        let mut meter = Meter::new(limits);
        let cells = states * bytes.len();
        meter.states(states)?;
        meter.work(cells)?;
        meter.bytes(2 * cells * size_of::<u32>())?;
        let (table, accepting) = (Vec::with_capacity(cells), Vec::with_capacity(states));
        Ok(Self { parts, classes, bytes, table, accepting, _meter: meter })
    }

    /// Adds a copy of a state. The targets of its transitions are so many states later than in their automaton.
    pub fn copy(&mut self, part: usize, state: u32, offset: u32) {
        let (part, row) = (self.parts[part], self.parts[part].row(state));
        let classes = part.byte_classes();
        let moved = |cell: u32| if cell == NONE { NONE } else { cell + offset };
        self.table.extend(self.bytes.iter().map(|&byte| moved(row[usize::from(classes[usize::from(byte)])])));
        self.accepting.push(part.is_accepting(state));
    }

    /// Replaces transitions of the last state by those of another one, where that has some.
    pub fn overlay(&mut self, part: usize, state: u32, offset: u32) {
        let (classes, row) = (self.parts[part].byte_classes(), self.parts[part].row(state));
        for (cell, &byte) in last_row(&mut self.table, &self.bytes).iter_mut().zip(&self.bytes) {
            match row[usize::from(classes[usize::from(byte)])] {
                NONE => {}
                target => *cell = target + offset,
            }
        }
    }

    /// Replaces the transition of the last state over a byte, which must be a class of its own.
    pub fn set(&mut self, byte: u8, target: Option<u32>) {
        let class = usize::from(self.classes[usize::from(byte)]);
        last_row(&mut self.table, &self.bytes)[class] = target.map_or(NONE, |target| target + 1);
    }

    /// Whether the last state accepts.
    pub fn set_accepting(&mut self, accepting: bool) {
        if let Some(last) = self.accepting.last_mut() {
            *last = accepting;
        }
    }

    /// The canonical automaton. All states that are reachable must be co-accessible and pairwise inequivalent, and tell all common classes apart.
    #[must_use]
    pub fn build(self) -> Dfa {
        let Self { classes, bytes, table, accepting, .. } = self;
        let raw = RawDfa { classes, class_count: bytes.len(), table, accepting }.reachable();
        #[cfg(debug_assertions)]
        let minimal = {
            let RawDfa { classes, class_count, table, accepting } = &raw;
            let (classes, table) = (classes.clone(), table.clone());
            let copy = RawDfa { classes, class_count: *class_count, table, accepting: accepting.clone() };
            crate::minimize::minimize(copy, &RegularLimits::default())
        };
        let dfa = Dfa::from_canonical(raw.classes, raw.class_count, raw.table, raw.accepting);
        #[cfg(debug_assertions)]
        assert!(minimal.is_ok_and(|minimal| minimal == dfa), "the states or classes are not minimal");
        dfa
    }
}

fn last_row<'t>(table: &'t mut [u32], bytes: &[u8]) -> &'t mut [u32] {
    let start = table.len() - bytes.len();
    &mut table[start..]
}

/// The classes of bytes that all automata have in common, numbered by their least bytes, and these.
fn common_classes(parts: &Parts<'_>) -> (Box<[u8; 256]>, Vec<u8>) {
    let are_alike = |a: u8, b: u8| {
        parts.iter().map(|part| part.byte_classes()).all(|of| of[usize::from(a)] == of[usize::from(b)])
    };
    let mut classes = Box::new([0; 256]);
    let mut bytes: Vec<u8> = vec![0];
    for byte in 1..=255u8 {
        classes[usize::from(byte)] = if are_alike(byte, byte - 1) {
            classes[usize::from(byte) - 1]
        } else {
            let known = bytes.iter().position(|&other| are_alike(byte, other));
            known.unwrap_or_else(|| {
                bytes.push(byte);
                bytes.len() - 1
            }) as u8
        };
    }
    (classes, bytes)
}
