//! Makes the mask store: a base and a delta for every mask.

use super::bases::{Bases, SizedSet};
use super::shared_flips::RecentLeaders;
use crate::csr::Csr;
use crate::ids::SetId;
use crate::sets::Sets;
use crate::terminal::TokenIds;
use gcc_grammar_limits::{Budget, OverBudget};

/// The mask store: bases, and every mask relative to one of them.
///
/// A number of a base up to the last one in `shared` is that of a base of the vocabulary. The others, counted from there, are in `bases`.
#[derive(Clone, Debug, Default)]
pub struct MaskStore {
    /// The bitmaps of the bases in token order, `words` words each.
    pub bases: Vec<u32>,
    /// The bases of the vocabulary that some mask refers to, ascending.
    pub shared: Vec<u32>,
    /// Number of words of a bitmap.
    pub words: usize,
    /// Per mask: its base, or `None` for the empty bitmap. Mask 0 is empty.
    pub base: Vec<Option<u32>>,
    /// Per mask: its leader, a mask without a leader whose tokens are flipped, too; 0 if it has none.
    pub leader: Vec<u32>,
    /// Per mask: the tokens that it flips, sorted.
    pub deltas: Csr<u32>,
}

impl MaskStore {
    /// The store without any mask but the empty one, for a vocabulary of `width` token ids.
    #[must_use]
    pub fn empty(width: u32) -> Self {
        let words = (width as usize).div_ceil(32);
        let mut store = Self { words, base: vec![None], leader: vec![0], ..Self::default() };
        store.deltas.push([]);
        store
    }

    /// Adds bases of the vocabulary that are read, although no mask may refer to them.
    pub(crate) fn refer_to(&mut self, bases: std::ops::Range<u32>) {
        let before = self.first_own();
        self.shared.extend(bases);
        self.shared.sort_unstable();
        self.shared.dedup();
        let more = self.first_own() - before;
        self.base.iter_mut().flatten().filter(|base| **base >= before).for_each(|base| *base += more);
    }

    /// The number of the first base in `bases`.
    #[must_use]
    pub fn first_own(&self) -> u32 {
        self.shared.last().map_or(0, |last| last + 1)
    }
}

/// The bases of a vocabulary that are near to masks, as sets of ranks, by number; the others are empty.
///
/// # Errors
/// The budget is spent.
pub fn shared_bases(
    sets: &mut Sets,
    bases: &gcc_grammar_vocabulary::Bases,
) -> Result<Vec<SetId>, OverBudget> {
    let mut found = vec![Sets::EMPTY; bases.count()];
    for base in bases.near_masks() {
        found[base] = sets.intern(bases.ranges(base))?;
    }
    Ok(found)
}

/// Stores `masks` for a vocabulary of `width` token ids. Mask `i + 1` is
/// `masks[i]`, mask 0 is empty. Masks may refer to the bases of the vocabulary, `shared`.
///
/// # Errors
/// The budget is spent.
pub fn build(
    sets: &Sets,
    masks: &[SetId],
    shared: &[SetId],
    tokens: &TokenIds<'_>,
    width: u32,
    budget: &Budget,
) -> Result<MaskStore, OverBudget> {
    let budget = budget.stage("masks");
    let words = (width as usize).div_ceil(32);
    let sized = |masks: &[SetId]| -> Vec<SizedSet> {
        masks.iter().zip(sets.counts(masks)).map(|(&set, count)| SizedSet { set, count }).collect()
    };
    let (masks, shared) = (sized(masks), sized(shared));
    let bases = Bases::choose(sets, &masks, &shared, words * 4, &budget)?;
    let numbers = Numbers::new(&bases);
    let own: Vec<SizedSet> =
        bases.all.iter().filter(|base| base.shared.is_none()).map(|base| base.mask).collect();
    let mut store = MaskStore {
        shared: numbers.shared,
        bases: bitmaps(sets, &own, tokens, words),
        ..MaskStore::empty(width)
    };
    // Per base, and at the end for masks without a base.
    let mut recent: Vec<RecentLeaders> = (0..=bases.all.len()).map(|_| RecentLeaders::default()).collect();
    for (mask, &base) in masks.into_iter().zip(&bases.of_mask) {
        let reference = base.map_or(Sets::EMPTY, |base| bases.all[base].mask.set);
        let delta = flips(sets, mask.set, reference, tokens);
        budget.charge_work(delta.len() as u64)?;
        let (number, family) = (store.base.len() as u32, base.unwrap_or(bases.all.len()));
        let followed = recent[family].follow(number, &delta, |leader| store.deltas.row(leader as usize));
        let (leader, delta) = followed.unwrap_or((0, delta));
        budget.charge_bytes(delta.len() as u64 * 4)?;
        store.base.push(base.map(|base| numbers.of[base]));
        store.leader.push(leader);
        store.deltas.push(delta);
    }
    Ok(store)
}

/// The tokens in which two sets differ, ascending.
pub(super) fn flips(sets: &Sets, a: SetId, b: SetId, tokens: &TokenIds<'_>) -> Vec<u32> {
    let mut flips: Vec<u32> = sets.differing(a, b).map(|rank| tokens.of(rank)).collect();
    flips.sort_unstable();
    flips
}

/// The numbers of the bases in a store.
struct Numbers {
    /// The bases of the vocabulary that some mask refers to, ascending.
    shared: Vec<u32>,
    /// Per base: its number.
    of: Vec<u32>,
}

impl Numbers {
    fn new(bases: &Bases) -> Self {
        let mut shared: Vec<u32> =
            bases.of_mask.iter().filter_map(|base| bases.all[(*base)?].shared).collect();
        shared.sort_unstable();
        shared.dedup();
        let mut next = shared.last().map_or(0, |last| last + 1);
        let of = bases.all.iter().map(|base| {
            base.shared.unwrap_or_else(|| {
                next += 1;
                next - 1
            })
        });
        Self { of: of.collect(), shared }
    }
}

/// The bitmaps of the bases in token order, each made from a similar earlier one.
fn bitmaps(sets: &Sets, bases: &[SizedSet], tokens: &TokenIds<'_>, words: usize) -> Vec<u32> {
    /// Number of earlier bases that are compared.
    const BEFORE: usize = 4;
    let mut all = vec![0; bases.len() * words];
    for (number, base) in bases.iter().enumerate() {
        let (mut reference, mut most) = (None, base.count);
        for (before, earlier) in bases.iter().enumerate().take(number).skip(number.saturating_sub(BEFORE)) {
            if let Some(distance) = base.distance(*earlier, sets, most) {
                (reference, most) = (Some(before), distance);
            }
        }
        if let Some(before) = reference {
            all.copy_within(before * words..(before + 1) * words, number * words);
        }
        let reference = reference.map_or(Sets::EMPTY, |before| bases[before].set);
        let row = &mut all[number * words..][..words];
        sets.differing(reference, base.set).for_each(|rank| {
            let token = tokens.of(rank);
            row[token as usize / 32] ^= 1 << (token % 32);
        });
    }
    all
}
