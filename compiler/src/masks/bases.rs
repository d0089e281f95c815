//! Chooses the base bitmaps.
//!
//! In: all masks with their sizes, and the bases of the vocabulary. Out: [`Bases`], such that every mask is within
//! [`MAX_DELTA`] flips of a base or of the empty bitmap.
//!
//! The bases of the vocabulary cost nothing. Masks that are near to one of them are done with. The others may get bases of their own:
//!
//! A base costs its bitmap; a flip costs two bytes and some time. This is facility location, solved greedily:
//! the mask that saves most becomes a base, as long as it saves more than it costs, or some mask is out of
//! reach. (Rejected: to take masks largest first and open a base whenever none is near. It is simpler, and
//! needs 20 % more bytes on JSON.)
//!
//! With thousands of masks this is done for *representatives* only. They are found in a single pass
//! (Hartigan's leader algorithm): every other mask is within a small radius of a representative. The radius
//! grows until there are few enough.

use super::delta::MAX_DELTA;
use crate::ids::SetId;
use crate::sets::Sets;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Most representatives. The distances between all of them are computed.
const MAX_REPRESENTATIVES: usize = 192;
/// The radii to try. The last radius is used however many representatives it gives.
const RADII: [u32; 5] = [0, 32, 64, 128, 256];
/// The cost of a flip, in bytes: two, and one for its time. (Measured with two: artifacts are 3 % smaller,
/// and masks take 3 % more instructions.)
const FLIP: u64 = 3;

/// A mask so near to a base of the vocabulary, in flips, needs no base of its own.
const NEAR: u32 = 128;

/// Number of bases that may be made for the time that they save alone. Without them the most frequent mask of
/// a small grammar, inside a string, would take a few hundred flips.
const FAST_BASES: usize = 4;
/// Least number of flips that such a base must save: of the mask itself where masks refer to bases of the vocabulary, else of all together.
const FAST_FLIPS: u64 = 128;

/// A set and its size. The difference of two sizes is a lower bound of the distance of the sets.
#[derive(Clone, Copy)]
pub(super) struct SizedSet {
    pub(super) set: SetId,
    pub(super) count: u32,
}

impl SizedSet {
    /// The number of tokens in which two sets differ, if it is at most `limit`.
    pub(super) fn distance(self, other: Self, sets: &Sets, limit: u32) -> Option<u32> {
        if self.count.abs_diff(other.count) > limit {
            None
        } else {
            sets.distance(self.set, other.set, limit)
        }
    }
}

/// A mask, and the number of flips from the nearest base of the vocabulary or the empty bitmap; `None` if it is out of reach.
#[derive(Clone, Copy)]
struct Unsettled {
    mask: SizedSet,
    flips: Option<u32>,
}

/// A mask that represents `weight` masks within the radius.
struct Representative {
    unsettled: Unsettled,
    weight: u64,
}

/// A base.
#[derive(Clone, Copy)]
pub(super) struct Base {
    pub(super) mask: SizedSet,
    /// Its number among the bases of the vocabulary, if it is one of these.
    pub(super) shared: Option<u32>,
}

/// The bases, and which of them each mask refers to.
pub(super) struct Bases {
    /// The bases of the vocabulary, then those of the artifact.
    pub(super) all: Vec<Base>,
    /// Per mask: the nearest base within [`MAX_DELTA`], unless the empty bitmap is nearer.
    pub(super) of_mask: Vec<Option<usize>>,
}

impl Bases {
    /// The bases for `masks`: those of the vocabulary, which are `shared`, and further ones. A bitmap has `base_bytes` bytes.
    pub(super) fn choose(
        sets: &Sets,
        masks: &[SizedSet],
        shared: &[SizedSet],
        base_bytes: usize,
        budget: &Budget,
    ) -> Result<Self, OverBudget> {
        let mut all = of_vocabulary(shared);
        let mut found = Vec::with_capacity(masks.len());
        for &mask in masks {
            budget.charge_work(all.len() as u64 + 1)?;
            found.push(nearest(&all, sets, mask, mask.count.min(MAX_DELTA + 1)));
        }
        let unsettled = unsettled(masks, &found);
        let mut own = Vec::new();
        for (i, radius) in RADII.into_iter().enumerate() {
            let enough = if i + 1 == RADII.len() { usize::MAX } else { MAX_REPRESENTATIVES };
            if let Some(found) = representatives(sets, &unsettled, radius, enough, budget)? {
                let reach = MAX_DELTA - radius;
                own = greedy(sets, &found, reach, base_bytes as u64, !shared.is_empty(), budget)?;
                break;
            }
        }
        let mut own: Vec<Base> = own.into_iter().map(|mask| Base { mask, shared: None }).collect();
        sort(&mut own);
        for (&mask, found) in masks.iter().zip(&mut found) {
            budget.charge_work(own.len() as u64)?;
            let limit = found.map_or(mask.count.min(MAX_DELTA + 1), |(_, flips)| flips);
            if let Some((base, flips)) = nearest(&own, sets, mask, limit) {
                *found = Some((all.len() + base, flips));
            }
        }
        all.extend(own);
        Ok(Self { all, of_mask: found.into_iter().map(|found| Some(found?.0)).collect() })
    }
}

/// The bases of the vocabulary, each once.
fn of_vocabulary(shared: &[SizedSet]) -> Vec<Base> {
    let mut known = FxHashSet::from_iter([Sets::EMPTY]);
    let all = (0..).zip(shared).map(|(number, &mask)| Base { mask, shared: Some(number) });
    let mut bases: Vec<Base> = all.filter(|base| known.insert(base.mask.set)).collect();
    sort(&mut bases);
    bases
}

/// Sorts by size, without regard to the numbers of sets, which depend on what was compiled before.
fn sort(bases: &mut [Base]) {
    bases.sort_by_key(|base| base.mask.count);
}

/// The masks that are not near to the base that was found for them, largest first.
fn unsettled(masks: &[SizedSet], found: &[Option<(usize, u32)>]) -> Vec<Unsettled> {
    let flips = |mask: SizedSet, found: Option<(usize, u32)>| match found {
        Some((_, flips)) => Some(flips),
        None => Some(mask.count).filter(|&count| count <= MAX_DELTA),
    };
    let all =
        masks.iter().zip(found).map(|(&mask, &found)| (found, Unsettled { mask, flips: flips(mask, found) }));
    let far = all.filter(|(found, _)| found.is_none_or(|(_, flips)| flips > NEAR));
    let mut unsettled: Vec<Unsettled> = far.map(|(_, unsettled)| unsettled).collect();
    unsettled.sort_by_key(|Unsettled { mask, .. }| Reverse(mask.count));
    unsettled
}

/// The base that is nearest to `mask`, with the number of flips, if that is below `limit`. The bases are sorted by size.
pub(super) fn nearest(bases: &[Base], sets: &Sets, mask: SizedSet, mut limit: u32) -> Option<(usize, u32)> {
    let mut best = None;
    // Bases of similar size come first, then outwards, until no further base can be nearer.
    let mut above = bases.partition_point(|base| base.mask.count < mask.count);
    let mut below = above;
    let off = |base: usize| bases.get(base).map_or(u32::MAX, |base| base.mask.count.abs_diff(mask.count));
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
        if let Some(distance) = mask.distance(bases[base].mask, sets, limit - 1) {
            (best, limit) = (Some((base, distance)), distance);
        }
    }
}

/// The representatives of masks, which come largest first; `None` if there are more than `enough`. The bases of the vocabulary and the
/// empty bitmap represent all masks that are within the radius of them.
fn representatives(
    sets: &Sets,
    masks: &[Unsettled],
    radius: u32,
    enough: usize,
    budget: &Budget,
) -> Result<Option<Vec<Representative>>, OverBudget> {
    let mut found: Vec<Representative> = Vec::new();
    for &unsettled in masks.iter().filter(|unsettled| unsettled.flips.is_none_or(|flips| flips > radius)) {
        budget.charge_work(found.len() as u64 + 1)?;
        let mut is_near =
            |r: &Representative| r.unsettled.mask.distance(unsettled.mask, sets, radius).is_some();
        match found.iter().rposition(&mut is_near) {
            Some(near) => found[near].weight += 1,
            None if found.len() == enough => return Ok(None),
            None => found.push(Representative { unsettled, weight: 1 }),
        }
    }
    Ok(Some(found))
}

/// Makes representatives bases until each of them is within `reach` of a base (or of the empty bitmap) and no
/// further base pays for itself.
///
/// The savings of a candidate only decrease, so they are computed again only when the candidate seems to be
/// the best: lazy greedy selection (Minoux, Accelerated Greedy Algorithms for Maximizing Submodular Set
/// Functions, 1978).
fn greedy(
    sets: &Sets,
    representatives: &[Representative],
    reach: u32,
    base_bytes: u64,
    refers: bool,
    budget: &Budget,
) -> Result<Vec<SizedSet>, OverBudget> {
    let rows = costs(sets, representatives, reach, budget)?;
    let before = |r: &Representative| cost_of(r.unsettled.flips.filter(|&flips| flips <= reach));
    let mut cost: Vec<u64> = representatives.iter().map(before).collect();
    let saved = |cost: &[u64], row: &[u64]| -> u64 {
        let each = cost.iter().zip(row).zip(representatives);
        each.map(|((cost, with), each)| cost.saturating_sub(*with) * each.weight).sum()
    };
    let first = rows.iter().enumerate().map(|(candidate, row)| (saved(&cost, row), Reverse(candidate)));
    let mut candidates: BinaryHeap<(u64, Reverse<usize>)> = first.collect();
    let mut bases = Vec::new();
    while let Some((most, Reverse(candidate))) = candidates.pop() {
        let now = saved(&cost, &rows[candidate]);
        let alone = if refers { FAST_FLIPS } else { 0 };
        let is_fast = bases.len() < FAST_BASES && cost[candidate] > alone * FLIP;
        let least = if is_fast { FAST_FLIPS * FLIP } else { base_bytes };
        if now <= least {
            continue;
        }
        if now < most {
            candidates.push((now, Reverse(candidate)));
            continue;
        }
        bases.push(representatives[candidate].unsettled.mask);
        cost.iter_mut().zip(&rows[candidate]).for_each(|(c, d)| *c = (*c).min(*d));
    }
    Ok(bases)
}

/// The cost of this number of flips. Out of reach (`None`) costs more than any base.
fn cost_of(flips: Option<u32>) -> u64 {
    flips.map_or(1 << 32, |flips| u64::from(flips) * FLIP)
}

/// The cost of each representative with each representative as its base: a symmetric matrix.
fn costs(
    sets: &Sets,
    representatives: &[Representative],
    reach: u32,
    budget: &Budget,
) -> Result<Vec<Vec<u64>>, OverBudget> {
    let mut rows: Vec<Vec<u64>> = Vec::with_capacity(representatives.len());
    for (number, base) in representatives.iter().enumerate() {
        budget.charge_work(representatives.len() as u64 * 8)?;
        let known = rows.iter().map(|row| row[number]);
        let further = &representatives[number..];
        let distance = |r: &Representative| base.unsettled.mask.distance(r.unsettled.mask, sets, reach);
        let further = further.iter().map(|r| cost_of(distance(r)));
        rows.push(known.chain(further).collect());
    }
    Ok(rows)
}
