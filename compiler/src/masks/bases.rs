//! Which masks are bases.
//!
//! A base costs its bitmap, a flip two bytes and some time, and no mask may need more than [`MAX_DELTA`] flips. Greedily, the mask that saves most
//! is made a base as long as it saves more than it costs, or some mask is out of reach. (Taking masks largest first and opening a base whenever
//! none is near, which is simpler, needs 20 % more bytes on JSON.)
//!
//! With thousands of masks that is done for *leaders* only: masks of which every other is within a small radius of one, found in one
//! pass. The radius grows until there are few enough.

use super::MAX_DELTA;
use crate::ids::SetId;
use crate::limits::{Budget, OverBudget};
use crate::sets::Distances;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// At most so many leaders: their distances are all computed.
const MAX_LEADERS: usize = 192;
/// Radii to try, the last of which is taken however many leaders there are.
const RADII: [u32; 5] = [0, 32, 64, 128, 256];
/// What a flip costs, in bytes: two, and one for the time it takes. (At two artifacts are 3 % smaller, and masks take 3 % more instructions.)
const FLIP: u64 = 3;

/// So many bases may be made for the time that they save: without them what a small grammar mostly does, reading text, would be a few hundred flips.
const FAST_BASES: usize = 4;
/// Flips that such a base saves at least.
const FAST_FLIPS: u64 = 128;

/// A set and its size. Two sets differ in at least as many tokens as their sizes do.
#[derive(Clone, Copy)]
pub(super) struct Sized {
    pub(super) set: SetId,
    pub(super) count: u32,
}

impl Sized {
    /// In how many tokens the two differ, if in at most `limit`.
    pub(super) fn distance(self, other: Self, distances: &mut Distances<'_>, limit: u32) -> Option<u32> {
        if self.count.abs_diff(other.count) > limit {
            None
        } else {
            distances.between(self.set, other.set, limit)
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
        distances: &mut Distances<'_>,
        masks: &[Sized],
        base_bytes: usize,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut largest_first = masks.to_vec();
        largest_first.sort_unstable_by_key(|mask| (Reverse(mask.count), mask.set));
        let mut bases = Vec::new();
        for (i, radius) in RADII.into_iter().enumerate() {
            let enough = if i + 1 == RADII.len() { usize::MAX } else { MAX_LEADERS };
            if let Some(leaders) = leaders(distances, &largest_first, radius, enough, budget)? {
                bases = greedy(distances, &leaders, MAX_DELTA - radius, base_bytes as u64, budget)?;
                break;
            }
        }
        bases.sort_unstable_by_key(|base| (base.count, base.set));
        Ok(Self { masks: bases })
    }

    /// The base within [`MAX_DELTA`] of `mask` that is nearest, unless the empty bitmap is nearer.
    pub(super) fn nearest(&self, distances: &mut Distances<'_>, mask: Sized) -> Option<usize> {
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
            if let Some(distance) = mask.distance(self.masks[base], distances, limit - 1) {
                (best, limit) = (Some(base), distance);
            }
        }
    }
}

/// Leaders of the masks that come largest first, or `None` if there are more than `enough`. The empty bitmap leads all small masks.
fn leaders(
    distances: &mut Distances<'_>,
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
        match leaders.iter().rposition(|l| l.mask.distance(mask, distances, radius).is_some()) {
            Some(leader) => leaders[leader].weight += 1,
            None if leaders.len() == enough => return Ok(None),
            None => leaders.push(Leader { mask, weight: 1 }),
        }
    }
    Ok(Some(leaders))
}

/// Makes leaders bases until every leader is within `reach` of one (or of the empty bitmap) and no further one pays for itself.
///
/// What a candidate saves only becomes less, so one is looked at again only when it seems to be the best: lazy greedy selection (Minoux, Accelerated
/// Greedy Algorithms for Maximizing Submodular Set Functions, 1978).
fn greedy(
    distances: &mut Distances<'_>,
    leaders: &[Leader],
    reach: u32,
    base_bytes: u64,
    budget: &Budget,
) -> Result<Vec<Sized>, OverBudget> {
    let rows = costs(distances, leaders, reach, budget)?;
    let from_nothing = |l: &Leader| cost_of(Some(l.mask.count).filter(|&count| count <= reach));
    let mut cost: Vec<u64> = leaders.iter().map(from_nothing).collect();
    let saved = |cost: &[u64], row: &[u64]| -> u64 {
        let each = cost.iter().zip(row).zip(leaders);
        each.map(|((cost, with), leader)| cost.saturating_sub(*with) * leader.weight).sum()
    };
    let first = rows.iter().enumerate().map(|(candidate, row)| (saved(&cost, row), Reverse(candidate)));
    let mut candidates: BinaryHeap<(u64, Reverse<usize>)> = first.collect();
    let mut bases = Vec::new();
    while let Some((most, Reverse(candidate))) = candidates.pop() {
        let now = saved(&cost, &rows[candidate]);
        let least = if bases.len() < FAST_BASES { FAST_FLIPS * FLIP } else { base_bytes };
        if now <= least {
            continue;
        }
        if now < most {
            candidates.push((now, Reverse(candidate)));
            continue;
        }
        bases.push(leaders[candidate].mask);
        cost.iter_mut().zip(&rows[candidate]).for_each(|(c, d)| *c = (*c).min(*d));
    }
    Ok(bases)
}

/// What so many flips cost. Out of reach costs more than any base.
fn cost_of(flips: Option<u32>) -> u64 {
    flips.map_or(1 << 32, |flips| u64::from(flips) * FLIP)
}

/// What each leader costs with each as its base: a symmetric matrix.
fn costs(
    distances: &mut Distances<'_>,
    leaders: &[Leader],
    reach: u32,
    budget: &Budget,
) -> Result<Vec<Vec<u64>>, OverBudget> {
    let mut rows: Vec<Vec<u64>> = Vec::with_capacity(leaders.len());
    for (number, leader) in leaders.iter().enumerate() {
        budget.charge_work(leaders.len() as u64 * 8)?;
        let known = rows.iter().map(|row| row[number]);
        let further = &leaders[number..];
        let further = further.iter().map(|l| cost_of(leader.mask.distance(l.mask, distances, reach)));
        rows.push(known.chain(further).collect());
    }
    Ok(rows)
}
