//! The sets of the walks that come with a vocabulary, in an interner.
//!
//! In: sets as a vocabulary has them, made of numbered blocks. Out: their ids, and the numbers of sets that were interned. A
//! block is a chunk, so it is interned once, whatever sets it is part of.

use super::chunk::{CHUNK, ChunkId, NO_BITS};
use super::interner::Sets;
use crate::ids::SetId;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_vocabulary::walks::{BLOCK_BITS, PrecomputedWalks, Set, SetNumber};
use rustc_hash::FxHashMap;

const _: () = assert!(CHUNK == BLOCK_BITS);

/// Which sets of a vocabulary have which ids, as far as was asked for.
#[derive(Default)]
pub(crate) struct PrecomputedSets {
    sets: FxHashMap<SetNumber, Option<SetId>>,
    chunks: FxHashMap<u32, ChunkId>,
    numbers: FxHashMap<SetId, Option<SetNumber>>,
    numbers_of_chunks: FxHashMap<ChunkId, Option<u32>>,
}

impl PrecomputedSets {
    /// Estimated bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let entries = self.sets.len() + self.chunks.len() + self.numbers.len() + self.numbers_of_chunks.len();
        entries as u64 * 16
    }
}

impl Sets {
    /// The id of a set with ranks below `bound`. None if the file does not have such a set with this number.
    pub(crate) fn intern_precomputed(
        &mut self,
        known: &mut PrecomputedSets,
        walks: &PrecomputedWalks,
        number: SetNumber,
        bound: u32,
    ) -> Result<Option<SetId>, OverBudget> {
        if let Some(&set) = known.sets.get(&number) {
            return Ok(set);
        }
        let parts = walks.parts(number);
        self.budget.charge_work(parts.len() as u64)?;
        let holds = parts.is_sorted_by(|a, b| a[0] < b[0])
            && parts.iter().all(|&[_, block]| *walks.block(block) != NO_BITS)
            && parts.last().is_none_or(|&[position, block]| {
                let last = walks.block(block).iter().rposition(|&word| word != 0).unwrap_or(0);
                let bits = last * 64 + 64 - walks.block(block)[last].leading_zeros() as usize;
                position as usize * BLOCK_BITS + bits <= bound as usize
            });
        let set = if holds { Some(self.set_of_parts(known, walks, parts)?) } else { None };
        known.sets.insert(number, set);
        Ok(set)
    }

    fn set_of_parts(
        &mut self,
        known: &mut PrecomputedSets,
        walks: &PrecomputedWalks,
        parts: &[[u32; 2]],
    ) -> Result<SetId, OverBudget> {
        let mut chunks = Vec::with_capacity(parts.len());
        for &[position, block] in parts {
            let chunk = match known.chunks.get(&block) {
                Some(&chunk) => chunk,
                None => self.chunk(*walks.block(block))?,
            };
            known.chunks.insert(block, chunk);
            chunks.push((position, chunk));
        }
        self.set(chunks)
    }

    /// The number of a set, if the vocabulary has it.
    pub(crate) fn number_of_precomputed(
        &self,
        known: &mut PrecomputedSets,
        walks: &PrecomputedWalks,
        set: SetId,
    ) -> Option<SetNumber> {
        let PrecomputedSets { numbers, numbers_of_chunks, .. } = known;
        *numbers.entry(set).or_insert_with(|| {
            let parts = self.sets[set.index()].iter().map(|&(position, chunk)| {
                let number = || walks.number_of_block(&self.chunks[chunk.index()]);
                Some([position, (*numbers_of_chunks.entry(chunk).or_insert_with(number))?])
            });
            walks.number_of_set(&parts.collect::<Option<Vec<_>>>()?)
        })
    }

    /// A set as a vocabulary has it.
    pub(crate) fn to_precomputed(&self, set: SetId) -> Set {
        let parts = self.sets[set.index()].iter();
        parts.map(|&(position, chunk)| (position, self.chunks[chunk.index()])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcc_grammar_limits::Budget;
    use gcc_grammar_vocabulary::walks::{PrecomputedWalk, Start};

    fn sets() -> Sets {
        Sets::new(Budget::unlimited("test"))
    }

    /// The tables of a single walk that has found these tokens, and their number.
    fn walks(tokens: Set) -> (PrecomputedWalks, SetNumber) {
        let walk = PrecomputedWalk { language: [0; 4], start: Start::Below(0), tokens, nodes: Vec::new() };
        let walks = PrecomputedWalks::new(&[walk]);
        let tokens = walks.below(0, 0).expect("a walk").0;
        (walks, tokens)
    }

    #[test]
    fn a_set_is_the_same_in_another_interner() {
        let ranges = [(3, 7), (1000, 1100), (5000, 5001)];
        let mut first = sets();
        let set = first.intern(&ranges).unwrap();
        let (walks, number) = walks(first.to_precomputed(set));
        assert_eq!(first.number_of_precomputed(&mut PrecomputedSets::default(), &walks, set), Some(number));
        let other = first.intern(&ranges[1..]).unwrap();
        assert_eq!(first.number_of_precomputed(&mut PrecomputedSets::default(), &walks, other), None);
        let mut second = sets();
        let expected = second.intern(&ranges).unwrap();
        let known = &mut PrecomputedSets::default();
        for _ in 0..2 {
            assert_eq!(second.intern_precomputed(known, &walks, number, 5001), Ok(Some(expected)));
        }
        assert_eq!(
            second.intern_precomputed(&mut PrecomputedSets::default(), &walks, number, 5000),
            Ok(None)
        );
    }

    #[test]
    fn what_is_no_set_is_not_found() {
        let block = [1; BLOCK_BITS / 64];
        for wrong in [vec![(2, block), (1, block)], vec![(1, block), (1, block)], vec![(0, NO_BITS)]] {
            let (walks, number) = walks(wrong);
            assert_eq!(
                sets().intern_precomputed(&mut PrecomputedSets::default(), &walks, number, u32::MAX),
                Ok(None)
            );
        }
    }
}
