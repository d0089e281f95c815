//! A set that changes step by step, and is interned after each step.

use super::chunk::{Bits, CHUNK, ChunkId, NO_BITS, clear, fill};
use super::interner::{Range, Sets};
use crate::ids::SetId;
use gcc_grammar_limits::OverBudget;

/// A set under change. Only the chunks that changed are interned again.
#[derive(Default)]
pub(crate) struct ChangingSet {
    bits: Vec<Bits>,
    chunks: Vec<ChunkId>,
    /// The chunks whose bits may have changed since they were interned, and per chunk whether it is one.
    changed: Vec<usize>,
    is_changed: Vec<bool>,
}

impl ChangingSet {
    /// Adds the ranks of a range that is not empty.
    #[inline]
    pub(crate) fn insert(&mut self, range: Range) {
        let (start, end) = (range.0 as usize, range.1 as usize);
        self.touch(start, end);
        fill(self.bits.as_flattened_mut(), start, end);
    }

    /// Removes the ranks of a range that is not empty.
    #[inline]
    pub(crate) fn remove(&mut self, range: Range) {
        let (start, end) = (range.0 as usize, range.1 as usize);
        self.touch(start, end);
        clear(self.bits.as_flattened_mut(), start, end);
    }

    /// Makes room for a range, and notes that its chunks change.
    #[inline]
    fn touch(&mut self, start: usize, end: usize) {
        let (first, last) = (start / CHUNK, (end - 1) / CHUNK);
        if self.bits.len() <= last {
            self.bits.resize(last + 1, NO_BITS);
            self.chunks.resize(last + 1, ChunkId::EMPTY);
            self.is_changed.resize(last + 1, false);
        }
        for at in first..=last {
            if !std::mem::replace(&mut self.is_changed[at], true) {
                self.changed.push(at);
            }
        }
    }

    /// The set as it is now.
    pub(crate) fn intern(&mut self, sets: &mut Sets) -> Result<SetId, OverBudget> {
        sets.budget.charge_work((self.changed.len() + self.chunks.len() / 8) as u64)?;
        for at in self.changed.drain(..) {
            self.chunks[at] = sets.chunk(self.bits[at])?;
            self.is_changed[at] = false;
        }
        let chunks = (0..).zip(&self.chunks).filter(|(_, chunk)| **chunk != ChunkId::EMPTY);
        sets.set(chunks.map(|(at, &chunk)| (at, chunk)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_limits::Budget;

    #[test]
    fn a_set_after_changes_is_the_set_of_its_ranks() {
        let mut sets = Sets::new(Budget::unlimited("test"));
        let mut changing = ChangingSet::default();
        assert_eq!(changing.intern(&mut sets), Ok(Sets::EMPTY));
        changing.insert((10, 5000));
        changing.insert((9000, 9001));
        let first = sets.intern(&[(10, 5000), (9000, 9001)]);
        assert_eq!(changing.intern(&mut sets), first);
        changing.remove((1000, 3000));
        changing.insert((2000, 2001));
        let second = sets.intern(&[(10, 1000), (2000, 2001), (3000, 5000), (9000, 9001)]);
        assert_eq!(changing.intern(&mut sets), second);
        changing.remove((0, 10_000));
        assert_eq!(changing.intern(&mut sets), Ok(Sets::EMPTY));
    }
}
