//! The mask store: every mask is a base bitmap plus a bounded number of flipped tokens.
//!
//! Masks come in families (all that is inside a string, all that may follow an expression …) whose members differ in few
//! tokens. So a mask is one of few dense *bases* XOR a short sorted *delta*; a small mask needs no base. Filling one costs a copy of the
//! base and at most [`MAX_DELTA`] flips: a worst case one can promise.
//!
//! Bases are chosen greedily from the largest mask down: a mask within [`MAX_DELTA`] of a base takes the nearest one, any other becomes a
//! base. Differences are counted on bitmaps over ranks; only bases and deltas are put into token order.

use crate::csr::Csr;
use crate::ids::SetId;
use crate::limits::{Budget, OverBudget};
use crate::sets::Sets;

/// A mask with at most so many tokens is stored without a base.
const MAX_SPARSE: u64 = 384;
/// Most flips of a mask relative to its base.
const MAX_DELTA: u32 = 256;

/// Bases, and every mask relative to one of them.
#[derive(Clone, Debug, Default)]
pub struct MaskStore {
    /// Bitmaps in token order, `words` words each.
    pub bases: Vec<u32>,
    /// Words of a bitmap.
    pub words: usize,
    /// Per mask: its base, `None` for the empty bitmap. Mask 0 is empty.
    pub base: Vec<Option<u32>>,
    /// Per mask: the tokens to flip, sorted.
    pub deltas: Csr<u32>,
}

/// A bitmap over ranks and how many bits are set.
struct Bitmap {
    words: Vec<u64>,
    count: u64,
}

impl Bitmap {
    fn new(sets: &Sets, set: SetId, ranks: usize) -> Self {
        let mut words = vec![0u64; ranks.div_ceil(64)];
        sets.words(set).for_each(|(i, word)| words[i] = word);
        Self { words, count: sets.count(set) }
    }

    /// Number of differing bits, or `None` above `limit`.
    fn distance(&self, other: &Self, limit: u32) -> Option<u32> {
        if self.count.abs_diff(other.count) > u64::from(limit) {
            return None;
        }
        let mut distance = 0;
        for (a, b) in self.words.chunks(32).zip(other.words.chunks(32)) {
            distance += a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
            if distance > limit {
                return None;
            }
        }
        Some(distance)
    }

    fn differing<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = usize> + 'a {
        let words = self.words.iter().zip(&other.words).enumerate().filter(|(_, (a, b))| a != b);
        words.flat_map(|(i, (a, b))| (0..64).filter(move |bit| (a ^ b) >> bit & 1 == 1).map(move |bit| i * 64 + bit))
    }
}

/// Stores `masks`, whose ranks stand for the tokens `token_of`; mask `i + 1` is `masks[i]`, mask 0 the empty one.
pub fn build(
    sets: &Sets,
    masks: &[SetId],
    token_of: &[u32],
    width: u32,
    budget: &Budget,
) -> Result<MaskStore, OverBudget> {
    let budget = budget.stage("masks");
    let assigned = assign(sets, masks, token_of.len(), &budget)?;
    let mut store = MaskStore { words: (width as usize).div_ceil(32), ..MaskStore::default() };
    store.base.push(None);
    store.deltas.push([]);
    for (i, base) in assigned.bases.iter().enumerate() {
        store.bases.resize((i + 1) * store.words, 0);
        let row = &mut store.bases[i * store.words..];
        for token in sets.ranks(*base).map(|rank| token_of[rank as usize]) {
            row[token as usize / 32] |= 1 << (token % 32);
        }
    }
    for (base, ranks) in assigned.masks {
        let mut delta: Vec<u32> = ranks.into_iter().map(|rank| token_of[rank]).collect();
        delta.sort_unstable();
        store.base.push(base);
        store.deltas.push(delta);
    }
    Ok(store)
}

/// Which sets are bases, and per mask its base and the ranks that differ from it.
struct Assigned {
    bases: Vec<SetId>,
    masks: Vec<(Option<u32>, Vec<usize>)>,
}

fn assign(sets: &Sets, masks: &[SetId], ranks: usize, budget: &Budget) -> Result<Assigned, OverBudget> {
    let mut out = Assigned { bases: Vec::new(), masks: vec![(None, Vec::new()); masks.len()] };
    let mut bitmaps: Vec<Bitmap> = Vec::new();
    let mut order: Vec<usize> = (0..masks.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(sets.count(masks[i])), i));
    for i in order {
        if sets.count(masks[i]) <= MAX_SPARSE {
            out.masks[i] = (None, sets.ranks(masks[i]).map(|rank| rank as usize).collect());
            continue;
        }
        let bitmap = Bitmap::new(sets, masks[i], ranks);
        budget.charge_work((ranks / 64 + bitmaps.len()) as u64)?;
        let nearest = nearest(&bitmaps, &bitmap);
        let base = match nearest {
            Some(base) => base,
            None => {
                budget.charge_bytes(ranks as u64 / 4)?;
                bitmaps.push(Bitmap::new(sets, masks[i], ranks));
                out.bases.push(masks[i]);
                bitmaps.len() - 1
            }
        };
        out.masks[i] = (Some(base as u32), bitmap.differing(&bitmaps[base]).collect());
    }
    Ok(out)
}

fn nearest(bases: &[Bitmap], bitmap: &Bitmap) -> Option<usize> {
    let mut best = None;
    let mut limit = MAX_DELTA;
    for (i, base) in bases.iter().enumerate() {
        if let Some(distance) = base.distance(bitmap, limit) {
            best = Some(i);
            if distance == 0 {
                break;
            }
            limit = distance - 1;
        }
    }
    best
}
