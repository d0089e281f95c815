//! A list that only grows: its elements stay where they are, so readers need no lock.

use std::sync::OnceLock;

/// Blocks of the list. Block `b` has 2^b places.
const BLOCKS: usize = 32;

type Block<T> = OnceLock<Box<[OnceLock<T>]>>;

/// A list of up to 2^32 - 1 values. Any number of threads read; one thread at a time appends, which callers see to.
pub(super) struct AppendOnly<T> {
    blocks: [Block<T>; BLOCKS],
}

impl<T> Default for AppendOnly<T> {
    fn default() -> Self {
        Self { blocks: [const { OnceLock::new() }; BLOCKS] }
    }
}

impl<T> AppendOnly<T> {
    /// The value at an index, if there is one.
    pub(super) fn get(&self, index: usize) -> Option<&T> {
        let (block, place) = place(index);
        self.blocks.get(block)?.get()?[place].get()
    }

    /// Puts a value at an index that has none.
    pub(super) fn set(&self, index: usize, value: T) {
        let (block, place) = place(index);
        let new = || (0..1 << block).map(|_| OnceLock::new()).collect();
        let is_free = self.blocks[block].get_or_init(new)[place].set(value).is_ok();
        debug_assert!(is_free, "place {index} is taken");
    }
}

/// The block of an index, and the place in the block.
const fn place(index: usize) -> (usize, usize) {
    let block = (index + 1).ilog2();
    (block as usize, index + 1 - (1 << block))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_where_they_are() {
        let list = AppendOnly::default();
        assert!(list.get(0).is_none() && list.get(usize::MAX / 2).is_none());
        list.set(0, 0);
        let first: *const usize = list.get(0).unwrap();
        (1..100).for_each(|index| list.set(index, index));
        assert!((0..100).all(|index| list.get(index) == Some(&index)));
        assert!(list.get(100).is_none());
        assert_eq!(first, list.get(0).unwrap() as *const usize);
    }
}
