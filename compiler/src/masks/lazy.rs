//! Masks one by one, each relative to a base that is there or made for it.
//!
//! In: a set of tokens. Out: a [`LazyMask`]. The bases of the vocabulary come first; a mask that is out of reach of all bases so far becomes
//! a base itself. [`store`](super::store) chooses better bases, since it knows all masks.

use super::bases::{Base, SizedSet, nearest};
use super::delta::MAX_DELTA;
use super::store::flips;
use crate::ids::SetId;
use crate::sets::Sets;
use crate::terminal::TokenIds;
use gcc_grammar_limits::{Budget, OverBudget};
use gcc_grammar_vocabulary::Bases;

/// A mask: a base with some tokens flipped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LazyMask {
    /// The number of the base: the bases of the vocabulary come first, then the bases that were made here. None stands for all zero.
    pub base: Option<u32>,
    /// The tokens to flip, ascending.
    pub flips: Vec<u32>,
    /// The bitmap of the base in the order of token ids, if it is made for this mask.
    pub bitmap: Option<Vec<u32>>,
}

/// Makes masks, and has the bases so far.
pub(crate) struct LazyMasks<'v> {
    /// Sorted by size. All have a number, also the bases that were made here.
    bases: Vec<Base>,
    /// The bases of the vocabulary.
    shared: Option<&'v Bases>,
    /// Per base of the vocabulary: whether its set was made. One whose size is out of reach of all masks needs none.
    is_made: Vec<bool>,
    /// The number of the next base that is made here.
    next: u32,
    width: u32,
}

impl<'v> LazyMasks<'v> {
    /// With the bases of the vocabulary, if masks may refer to them, for `width` token ids.
    pub(crate) fn new(shared: Option<&'v Bases>, width: u32) -> Self {
        let unmade = |count| SizedSet { set: Sets::EMPTY, count };
        let near =
            shared.iter().flat_map(|shared| shared.near_masks().map(|base| (base as u32, shared.size(base))));
        let mut bases: Vec<Base> =
            near.map(|(number, size)| Base { mask: unmade(size), shared: Some(number) }).collect();
        bases.sort_by_key(|base| base.mask.count);
        let count = shared.map_or(0, Bases::count);
        Self { is_made: vec![false; count], next: count as u32, bases, shared, width }
    }

    /// Makes the sets of the bases that may be within this number of flips of a mask.
    fn make_near(&mut self, sets: &mut Sets, mask: u32, reach: u32) -> Result<(), OverBudget> {
        let Some(shared) = self.shared else { return Ok(()) };
        for base in self.bases.iter_mut().filter(|base| base.mask.count.abs_diff(mask) < reach) {
            let number = base.shared.unwrap_or(u32::MAX) as usize;
            let is_made = self.is_made.get_mut(number).map(|made| std::mem::replace(made, true));
            if is_made == Some(false) {
                base.mask.set = sets.intern(shared.ranges(number))?;
            }
        }
        Ok(())
    }

    /// The mask of a set; `tokens` has the ids of ranks.
    ///
    /// # Errors
    /// The budget is spent.
    pub(crate) fn mask(
        &mut self,
        sets: &mut Sets,
        set: SetId,
        tokens: &TokenIds<'_>,
        budget: &Budget,
    ) -> Result<LazyMask, OverBudget> {
        budget.charge_work(self.bases.len() as u64 + 1)?;
        let mask = SizedSet { set, count: sets.count(set) };
        let reach = mask.count.min(MAX_DELTA + 1);
        self.make_near(sets, mask.count, reach)?;
        let base = match nearest(&self.bases, sets, mask, reach) {
            Some((base, _)) => Some(self.bases[base]),
            None if mask.count <= MAX_DELTA => None,
            None => return self.become_base(sets, mask, tokens, budget),
        };
        let reference = base.map_or(Sets::EMPTY, |base| base.mask.set);
        let flips = flips(sets, set, reference, tokens);
        budget.charge_work(flips.len() as u64)?;
        Ok(LazyMask { base: base.and_then(|base| base.shared), flips, bitmap: None })
    }

    fn become_base(
        &mut self,
        sets: &Sets,
        mask: SizedSet,
        tokens: &TokenIds<'_>,
        budget: &Budget,
    ) -> Result<LazyMask, OverBudget> {
        let words = self.width.div_ceil(32) as usize;
        budget.charge_work(u64::from(mask.count) / 8)?;
        budget.charge_bytes(words as u64 * 4)?;
        let mut bitmap = vec![0; words];
        for rank in sets.ranks(mask.set) {
            let token = tokens.of(rank);
            bitmap[token as usize / 32] |= 1 << (token % 32);
        }
        let number = self.next;
        self.next += 1;
        let place = self.bases.partition_point(|base| base.mask.count < mask.count);
        self.bases.insert(place, Base { mask, shared: Some(number) });
        Ok(LazyMask { base: Some(number), flips: Vec::new(), bitmap: Some(bitmap) })
    }
}
