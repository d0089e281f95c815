//! The transitions of an automaton that is minimized.

use super::partition::Grouped;

/// Transitions as parallel arrays: from `tail`, on a byte of the class `label`, to `head`; in the order of tails and labels.
#[derive(Default)]
pub(super) struct Transitions {
    pub(super) tail: Vec<u32>,
    pub(super) label: Vec<u8>,
    pub(super) head: Vec<u32>,
}

impl Transitions {
    pub(super) fn push(&mut self, (tail, label, head): (u32, u8, u32)) {
        self.tail.push(tail);
        self.label.push(label);
        self.head.push(head);
    }

    pub(super) fn len(&self) -> usize {
        self.tail.len()
    }

    /// The transitions grouped by the state they enter.
    pub(super) fn by_head(&self, states: usize) -> Grouped {
        Grouped::new(self.len(), states, |transition| self.head[transition])
    }
}
