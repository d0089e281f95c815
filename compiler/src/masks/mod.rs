//! The mask store: every mask is a base bitmap plus a bounded number of flipped tokens.
//!
//! Masks come in families (all that is inside a string, all that may follow an expression …) whose members differ in few
//! tokens. So a mask is one of few dense *bases* XOR a short sorted *delta*; a small mask needs no base. Filling one costs a copy of the
//! base and at most [`MAX_DELTA`] flips: a worst case one can promise. Choosing the bases is [`bases`]' job; [`leaders`] finds
//! flips that masks share.

mod bases;
mod leaders;
mod marks;

use crate::csr::Csr;
use crate::ids::SetId;
use crate::limits::{Budget, OverBudget};
use crate::sets::{Distances, Sets};
use bases::{Bases, Sized};
use leaders::Recent;
use marks::Marks;

/// Most flips of a mask, relative to its base or to the empty bitmap.
pub(crate) const MAX_DELTA: u32 = 768;

/// Bases, and every mask relative to one of them.
#[derive(Clone, Debug, Default)]
pub struct MaskStore {
    /// Bitmaps in token order, `words` words each.
    pub bases: Vec<u32>,
    /// Words of a bitmap.
    pub words: usize,
    /// Per mask: its base, `None` for the empty bitmap. Mask 0 is empty.
    pub base: Vec<Option<u32>>,
    /// Per mask: a mask whose tokens are flipped, too, and that has no leader; 0 for none.
    pub leader: Vec<u32>,
    /// Per mask: the tokens to flip, sorted.
    pub deltas: Csr<u32>,
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
    let words = (width as usize).div_ceil(32);
    let masks: Vec<Sized> =
        masks.iter().zip(sets.counts(masks)).map(|(&set, count)| Sized { set, count }).collect();
    let distances = &mut Distances::new(sets);
    let bases = Bases::choose(distances, &masks, words * 4, &budget)?;
    let mut store = MaskStore {
        words,
        base: vec![None],
        leader: vec![0],
        bases: bitmaps(sets, distances, &bases, token_of, words),
        ..MaskStore::default()
    };
    store.deltas.push([]);
    let mut tokens = Marks::below(width);
    // One more for masks without a base.
    let mut recent: Vec<Recent> = (0..=bases.masks.len()).map(|_| Recent::default()).collect();
    for mask in masks {
        let base = bases.nearest(distances, mask);
        let reference = base.map_or(Sets::EMPTY, |base| bases.masks[base].set);
        let delta = tokens.ascending(sets.differing(mask.set, reference).map(|rank| token_of[rank as usize]));
        budget.charge_work(bases.masks.len() as u64 + delta.len() as u64)?;
        let (number, family) = (store.base.len() as u32, base.unwrap_or(bases.masks.len()));
        let followed = recent[family].follow(number, &delta, |leader| store.deltas.row(leader as usize));
        let (leader, delta) = followed.unwrap_or((0, delta));
        budget.charge_bytes(delta.len() as u64 * 4)?;
        store.base.push(base.map(|base| base as u32));
        store.leader.push(leader);
        store.deltas.push(delta);
    }
    Ok(store)
}

/// The bases in token order, each made from a similar one before it.
fn bitmaps(
    sets: &Sets,
    distances: &mut Distances<'_>,
    bases: &Bases,
    token_of: &[u32],
    words: usize,
) -> Vec<u32> {
    /// As many are compared.
    const BEFORE: usize = 4;
    let mut all = vec![0; bases.masks.len() * words];
    for (number, base) in bases.masks.iter().enumerate() {
        let (mut reference, mut most) = (None, base.count);
        for before in number.saturating_sub(BEFORE)..number {
            if let Some(distance) = base.distance(bases.masks[before], distances, most) {
                (reference, most) = (Some(before), distance);
            }
        }
        if let Some(before) = reference {
            all.copy_within(before * words..(before + 1) * words, number * words);
        }
        let reference = reference.map_or(Sets::EMPTY, |before| bases.masks[before].set);
        let row = &mut all[number * words..][..words];
        sets.differing(reference, base.set).for_each(|rank| {
            let token = token_of[rank as usize];
            row[token as usize / 32] ^= 1 << (token % 32);
        });
    }
    all
}
