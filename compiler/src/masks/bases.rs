//! Which masks are bases.
//!
//! A base costs its bitmap, a flip costs two bytes, and no mask may need more than [`MAX_DELTA`] flips. Greedily, the mask that saves most
//! is made a base as long as it saves more than it costs, or some mask is out of reach. (Taking masks largest first and opening a base whenever
//! none is near, which is simpler, needs 20 % more bytes on JSON.)
//!
//! With thousands of masks that is done for *leaders* only: masks of which every other is within a small radius of one, found in one
//! pass. The radius grows until there are few enough.

use super::MAX_DELTA;
use crate::ids::SetId;
use crate::limits::{Budget, OverBudget};
use crate::sets::Sets;

/// At most so many leaders: their distances are all computed.
const MAX_LEADERS: usize = 192;
/// Radii to try, the last of which is taken however many leaders there are.
const RADII: [u32; 5] = [0, 32, 64, 128, 256];
/// Bytes of a flip.
const FLIP: u64 = 2;

/// A set and its size. Two sets differ in at least as many tokens as their sizes do.
#[derive(Clone, Copy)]
pub(super) struct Sized {
    pub(super) set: SetId,
    pub(super) count: u32,
}

impl Sized {
    /// In how many tokens the two differ, if in at most `limit`.
    pub(super) fn distance(self, other: Self, sets: &Sets, limit: u32) -> Option<u32> {
        if self.count.abs_diff(other.count) > limit {
            None
        } else {
            sets.distance(self.set, other.set, limit)
        }
    }
}

/// A mask that stands for `weight` masks within the radius.
struct Leader {
    mask: Sized,
    weight: u64,
}

/// The bases.
pub(super) struct Bases {
    /// Smallest first.
    pub(super) masks: Vec<Sized>,
}

impl Bases {
    /// The bases for `masks`, given the bytes of one.
    pub(super) fn choose(
        sets: &Sets,
        masks: &[Sized],
        base_bytes: usize,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut largest_first = masks.to_vec();
        largest_first.sort_unstable_by_key(|mask| (std::cmp::Reverse(mask.count), mask.set));
        let mut bases = Vec::new();
        for (i, radius) in RADII.into_iter().enumerate() {
            let enough = if i + 1 == RADII.len() { usize::MAX } else { MAX_LEADERS };
            if let Some(leaders) = leaders(sets, &largest_first, radius, enough, budget)? {
                bases = greedy(sets, &leaders, MAX_DELTA - radius, base_bytes as u64, budget)?;
                break;
            }
        }
        bases.sort_unstable_by_key(|base| (base.count, base.set));
        Ok(Self { masks: bases })
    }

    /// The base within [`MAX_DELTA`] of `mask` that is nearest, unless the empty bitmap is nearer.
    pub(super) fn nearest(&self, sets: &Sets, mask: Sized) -> Option<usize> {
        let (mut best, mut limit) = (None, mask.count.min(MAX_DELTA + 1));
        // Those of similar size first, outwards, until none can be nearer.
        let mut above = self.masks.partition_point(|base| base.count < mask.count);
        let mut below = above;
        let off = |base: usize| self.masks.get(base).map_or(u32::MAX, |base| base.count.abs_diff(mask.count));
        loop {
            let (left, right) = (below.checked_sub(1).map_or(u32::MAX, off), off(above));
            if left.min(right) >= limit {
                return best;
            }
            let base = if left < right { below - 1 } else { above };
            if left < right {
                below -= 1;
            } else {
                above += 1;
            }
            if let Some(distance) = mask.distance(self.masks[base], sets, limit - 1) {
                (best, limit) = (Some(base), distance);
            }
        }
    }
}

/// Leaders of the masks that come largest first, or `None` if there are more than `enough`. The empty bitmap leads all small masks.
fn leaders(
    sets: &Sets,
    masks: &[Sized],
    radius: u32,
    enough: usize,
    budget: &Budget,
) -> Result<Option<Vec<Leader>>, OverBudget> {
    let mut leaders: Vec<Leader> = Vec::new();
    for &mask in masks {
        if mask.count <= radius {
            break;
        }
        budget.charge_work(leaders.len() as u64 + 1)?;
        match leaders.iter().rposition(|l| l.mask.distance(mask, sets, radius).is_some()) {
            Some(leader) => leaders[leader].weight += 1,
            None if leaders.len() == enough => return Ok(None),
            None => leaders.push(Leader { mask, weight: 1 }),
        }
    }
    Ok(Some(leaders))
}

/// Makes leaders bases until every leader is within `reach` of one (or of the empty bitmap) and no further one pays for itself.
fn greedy(
    sets: &Sets,
    leaders: &[Leader],
    reach: u32,
    base_bytes: u64,
    budget: &Budget,
) -> Result<Vec<Sized>, OverBudget> {
    /// Out of reach costs more than any base.
    const FAR: u64 = 1 << 32;
    let cost_of = |distance: Option<u32>| distance.map_or(FAR, |d| u64::from(d) * FLIP);
    let count = |l: &Leader| Some(l.mask.count).filter(|&count| count <= reach);
    let mut cost: Vec<u64> = leaders.iter().map(|l| cost_of(count(l))).collect();
    let mut bases = Vec::new();
    // The matrix of distances, which is symmetric.
    let mut rows: Vec<Vec<u64>> = Vec::with_capacity(leaders.len());
    for (number, leader) in leaders.iter().enumerate() {
        budget.charge_work(leaders.len() as u64 * 8)?;
        let known = rows.iter().map(|row| row[number]);
        let further = &leaders[number..];
        let further = further.iter().map(|l| cost_of(leader.mask.distance(l.mask, sets, reach)));
        rows.push(known.chain(further).collect());
    }
    loop {
        let mut best: Option<(u64, usize)> = None;
        for (candidate, row) in rows.iter().enumerate() {
            let saved =
                cost.iter().zip(row).zip(leaders).map(|((c, d), l)| c.saturating_sub(*d) * l.weight).sum();
            if best.is_none_or(|(most, _)| saved > most) {
                best = Some((saved, candidate));
            }
        }
        match best {
            Some((saved, candidate)) if saved > base_bytes => {
                bases.push(leaders[candidate].mask);
                cost.iter_mut().zip(&rows[candidate]).for_each(|(c, d)| *c = (*c).min(*d));
            }
            _ => return Ok(bases),
        }
    }
}
