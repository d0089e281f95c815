//! Sets of small numbers.

use gcc_grammar_artifact::grammar::{MOST_KEYS, places};
use gcc_grammar_artifact::wire::U32;

/// A set of numbers below 32 for each word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Set<const WORDS: usize>([u32; WORDS]);

/// A set of bytes.
pub(crate) type Bytes = Set<8>;

/// A set of declared keys and facts.
pub(crate) type Atoms = Set<{ MOST_KEYS as usize / 32 }>;

impl Bytes {
    /// The bytes for which something holds.
    pub(crate) fn of(holds: impl Fn(u8) -> bool) -> Self {
        let mut bytes = Self::EMPTY;
        (0..=u8::MAX).filter(|&byte| holds(byte)).for_each(|byte| bytes.insert(byte.into()));
        bytes
    }

    /// The characters below 128: character `c` is bit `c % 64` of word `c / 64`.
    pub(crate) const fn ascii(self) -> [u64; 2] {
        let [a, b, c, d, ..] = self.0;
        [a as u64 | (b as u64) << 32, c as u64 | (d as u64) << 32]
    }
}

impl<const WORDS: usize> Set<WORDS> {
    pub(crate) const EMPTY: Self = Self([0; WORDS]);

    /// Adds a number; those that are too large are left out.
    pub(crate) fn insert(&mut self, number: u32) {
        if let Some(word) = self.0.get_mut(number as usize / 32) {
            *word |= 1 << (number % 32);
        }
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 32).is_some_and(|word| word >> (number % 32) & 1 == 1)
    }

    pub(crate) fn has_all(&self, numbers: &[U32]) -> bool {
        numbers.iter().all(|number| self.contains(number.get()))
    }

    /// The numbers that are not in another set.
    pub(crate) fn without(mut self, others: Self) -> Self {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word &= !other);
        self
    }

    /// Whether a number is in both sets.
    pub(crate) fn meets(&self, others: Self) -> bool {
        self.0.iter().zip(others.0).any(|(word, other)| word & other != 0)
    }

    /// The numbers, ascending.
    pub(crate) fn numbers(self) -> impl Iterator<Item = u32> {
        (0..).zip(self.0).flat_map(|(number, word)| places(word).map(move |place| number * u32::BITS + place))
    }

    pub(crate) fn insert_all(&mut self, others: Self) {
        self.0.iter_mut().zip(others.0).for_each(|(word, other)| *word |= other);
    }
}
