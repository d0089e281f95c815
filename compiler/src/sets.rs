//! Interned sets of token ranks, as sorted ranges.
//!
//! Tokens are ranked by their bytes, so the tokens below a trie node are one range and nearly every weight in the
//! compiler is a handful of ranges. Sets are interned: equal sets have equal ids, so comparing and memoizing
//! on them costs one word.

use crate::ids::SetId;
use crate::limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// A half-open range of token ranks.
pub type Range = (u32, u32);

/// The interner.
///
/// Invariant: every stored list is sorted, its ranges are non-empty, disjoint and not adjacent.
#[derive(Debug)]
pub struct Sets {
    lists: Vec<Box<[Range]>>,
    ids: FxHashMap<Box<[Range]>, SetId>,
    unions: FxHashMap<(SetId, SetId), SetId>,
    budget: Budget,
}

impl Sets {
    /// Only the empty set. `budget` is charged eight bytes for every stored range.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        let mut ids = FxHashMap::default();
        ids.insert(Box::default(), SetId(0));
        Self { lists: vec![Box::default()], ids, unions: FxHashMap::default(), budget }
    }

    /// The empty set.
    pub const EMPTY: SetId = SetId(0);

    /// The ranges of a set.
    #[must_use]
    pub fn ranges(&self, set: SetId) -> &[Range] {
        &self.lists[set.index()]
    }

    /// Number of tokens in the set.
    #[must_use]
    pub fn count(&self, set: SetId) -> u64 {
        self.ranges(set).iter().map(|&(a, b)| u64::from(b - a)).sum()
    }

    /// Number of distinct sets made so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// The set of all ranks in `ranges`, which may come in any order and overlap.
    pub fn intern(&mut self, mut ranges: Vec<Range>) -> Result<SetId, OverBudget> {
        if !ranges.is_sorted() {
            ranges.sort_unstable();
        }
        coalesce(&mut ranges);
        self.intern_normal(ranges)
    }

    fn intern_normal(&mut self, ranges: Vec<Range>) -> Result<SetId, OverBudget> {
        if let Some(&id) = self.ids.get(ranges.as_slice()) {
            return Ok(id);
        }
        self.budget.charge_bytes(ranges.len() as u64 * 16 + 64)?;
        let id = SetId::new(self.lists.len());
        let list: Box<[Range]> = ranges.into();
        self.lists.push(list.clone());
        self.ids.insert(list, id);
        Ok(id)
    }

    /// `a ∪ b`.
    pub fn union(&mut self, a: SetId, b: SetId) -> Result<SetId, OverBudget> {
        if a == b || b == Self::EMPTY {
            return Ok(a);
        }
        if a == Self::EMPTY {
            return Ok(b);
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return Ok(id);
        }
        let merged = merge(self.ranges(a), self.ranges(b));
        self.budget.charge_work(merged.len() as u64 + 1)?;
        let id = self.intern_normal(merged)?;
        self.unions.insert(key, id);
        Ok(id)
    }

    /// The union of many sets: gathered and sorted once, which beats repeated pairwise unions.
    pub fn union_all(&mut self, sets: &mut Vec<SetId>) -> Result<SetId, OverBudget> {
        sets.sort_unstable();
        sets.dedup();
        match sets.as_slice() {
            [] => Ok(Self::EMPTY),
            [one] => Ok(*one),
            [a, b] => self.union(*a, *b),
            many => {
                let ranges: Vec<Range> = many.iter().flat_map(|&s| self.lists[s.index()].iter().copied()).collect();
                self.budget.charge_work(ranges.len() as u64)?;
                self.intern(ranges)
            }
        }
    }

    /// `a ⊆ b`.
    #[must_use]
    pub fn is_subset(&self, a: SetId, b: SetId) -> bool {
        a == b || a == Self::EMPTY || {
            let mut outer = self.ranges(b).iter();
            let mut current = outer.next();
            self.ranges(a).iter().all(|&(start, end)| {
                while current.is_some_and(|&(_, e)| e < end) {
                    current = outer.next();
                }
                current.is_some_and(|&(s, e)| s <= start && end <= e)
            })
        }
    }
}

/// Joins overlapping and adjacent ranges of a sorted list.
fn coalesce(ranges: &mut Vec<Range>) {
    let mut kept = 0;
    for i in 0..ranges.len() {
        let (start, end) = ranges[i];
        if start == end {
            continue;
        }
        if kept > 0 && start <= ranges[kept - 1].1 {
            ranges[kept - 1].1 = ranges[kept - 1].1.max(end);
        } else {
            ranges[kept] = (start, end);
            kept += 1;
        }
    }
    ranges.truncate(kept);
}

/// Merges two normal lists into one.
fn merge(a: &[Range], b: &[Range]) -> Vec<Range> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if j == b.len() || (i < a.len() && a[i] <= b[j]) {
            out.push(a[i]);
            i += 1;
        } else {
            out.push(b[j]);
            j += 1;
        }
    }
    coalesce(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets() -> Sets {
        Sets::new(Budget::unlimited("test"))
    }

    /// A pseudo-random subset of 0..64 and its ranges.
    fn sample(seed: u64) -> (u64, Vec<Range>) {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        x ^= x >> 29;
        x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let bits = x & (x >> 7) | (x >> 33);
        (bits, (0..64).filter(|b| bits >> b & 1 == 1).map(|b| (b, b + 1)).rev().collect())
    }

    fn bits(sets: &Sets, id: SetId) -> u64 {
        sets.ranges(id).iter().flat_map(|&(a, b)| a..b).fold(0, |m, b| m | 1 << b)
    }

    #[test]
    fn agrees_with_bit_sets() {
        let mut s = sets();
        for seed in 0..400 {
            let ((ba, ra), (bb, rb)) = (sample(seed), sample(seed + 1000));
            let (a, b) = (s.intern(ra).unwrap(), s.intern(rb).unwrap());
            assert_eq!(bits(&s, a), ba);
            assert_eq!(s.count(a), u64::from(ba.count_ones()));
            let u = s.union(a, b).unwrap();
            assert_eq!(bits(&s, u), ba | bb);
            assert_eq!(s.union(b, a).unwrap(), u);
            assert_eq!(s.union_all(&mut vec![b, a, u, a]).unwrap(), u);
            assert!(s.is_subset(a, u) && s.is_subset(b, u));
            assert_eq!(s.is_subset(a, b), ba & !bb == 0);
            assert!(s.ranges(u).windows(2).all(|w| w[0].1 < w[1].0), "not normal");
        }
    }
}
