//! Interned sets of token ranks.
//!
//! Tokens are ranked by their bytes, so a set that a grammar makes is a few long runs with some holes, and the sets of one grammar share most
//! of their parts. A set is a sorted list of interned *chunks*, bitmaps of [`CHUNK`] ranks. Equal sets have equal
//! ids, and union, inclusion and hashing cost one step per chunk whatever the set looks like: with 128 k tokens 125 steps, where
//! a list of ranges has up to ten thousand entries (measured: 6 times slower on JSON schemas).

use crate::ids::SetId;
use crate::limits::{Budget, OverBudget};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};

/// A half-open range of token ranks.
pub type Range = (u32, u32);

/// Ranks in a chunk.
const CHUNK: usize = 64 * WORDS;
/// Words in a chunk.
const WORDS: usize = 16;

type Bits = [u64; WORDS];

gcc_grammar_ir::index_newtype! {
    /// An interned chunk; 0 is the empty one.
    ChunkId;
}

/// Chunks that are not empty: position in the set, contents. Sorted by position.
type Parts = Box<[(u32, ChunkId)]>;

/// The interner.
#[derive(Debug)]
pub struct Sets {
    chunks: Vec<Bits>,
    /// Beside their hashes: when the table grows, it does not look at the chunks.
    chunk_ids: HashTable<(u64, ChunkId)>,
    chunk_unions: FxHashMap<(ChunkId, ChunkId), ChunkId>,
    sets: Vec<Parts>,
    ids: HashTable<SetId>,
    unions: FxHashMap<Box<[SetId]>, SetId>,
    /// All zero between calls.
    scratch: Vec<Bits>,
    budget: Budget,
}

/// Sets of another interner, which may come from another thread, and what they became here.
#[derive(Debug)]
pub(crate) struct Foreign {
    chunks: Vec<Bits>,
    sets: Vec<Parts>,
    adopted_chunks: Vec<Option<ChunkId>>,
    adopted: Vec<Option<SetId>>,
}

impl Sets {
    /// The sets as they are, for another interner to adopt.
    pub(crate) fn into_foreign(self) -> Foreign {
        let Self { chunks, sets, .. } = self;
        Foreign { adopted_chunks: vec![None; chunks.len()], adopted: vec![None; sets.len()], chunks, sets }
    }

    /// The id here of a set there. One interner only may adopt from `from`.
    pub(crate) fn adopt(&mut self, from: &mut Foreign, set: SetId) -> Result<SetId, OverBudget> {
        if let Some(known) = from.adopted[set.index()] {
            return Ok(known);
        }
        let there = &from.sets[set.index()];
        self.budget.charge_work(there.len() as u64)?;
        let mut parts = Vec::with_capacity(there.len());
        for &(at, chunk) in there {
            let here = match from.adopted_chunks[chunk.index()] {
                Some(known) => known,
                None => self.chunk(from.chunks[chunk.index()])?,
            };
            from.adopted_chunks[chunk.index()] = Some(here);
            parts.push((at, here));
        }
        let new = self.set(parts)?;
        from.adopted[set.index()] = Some(new);
        Ok(new)
    }

    /// Only the empty set.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        let mut empty = Self {
            chunks: Vec::new(),
            chunk_ids: HashTable::new(),
            chunk_unions: FxHashMap::default(),
            sets: Vec::new(),
            ids: HashTable::new(),
            unions: FxHashMap::default(),
            scratch: Vec::new(),
            budget,
        };
        empty.add_chunk(hash_bits(&[0; WORDS]), [0; WORDS]);
        empty.add_set(hash(&Parts::default()[..]), Parts::default());
        empty
    }

    /// The empty set.
    pub const EMPTY: SetId = SetId(0);

    /// Number of distinct sets made so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether only the empty set was made so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// The set as a bitmap: word number and word, for every word that is not zero.
    pub fn words(&self, set: SetId) -> impl Iterator<Item = (usize, u64)> + '_ {
        let parts = self.sets[set.index()].iter();
        parts.flat_map(|&(at, chunk)| {
            let words = self.chunks[chunk.index()].iter().enumerate();
            words.filter(|(_, w)| **w != 0).map(move |(i, &w)| (at as usize * WORDS + i, w))
        })
    }

    /// The ranks in the set, ascending.
    pub fn ranks(&self, set: SetId) -> impl Iterator<Item = u32> + '_ {
        self.words(set).flat_map(|(i, word)| bits(word).map(move |bit| i as u32 * 64 + bit))
    }

    /// Numbers of tokens in many sets, which share chunks.
    #[must_use]
    pub fn counts(&self, sets: &[SetId]) -> Vec<u32> {
        const UNKNOWN: u32 = u32::MAX;
        let mut of_chunk = vec![UNKNOWN; self.chunks.len()];
        let mut count = |chunk: ChunkId| {
            let known = &mut of_chunk[chunk.index()];
            if *known == UNKNOWN {
                *known = self.chunks[chunk.index()].iter().map(|word| word.count_ones()).sum();
            }
            *known
        };
        let parts = sets.iter().map(|set| self.sets[set.index()].iter());
        parts.map(|parts| parts.map(|&(_, chunk)| count(chunk)).sum()).collect()
    }

    /// The set of all ranks in `ranges`, which may come in any order, overlap, and be empty.
    pub fn intern(&mut self, ranges: &[Range]) -> Result<SetId, OverBudget> {
        self.budget.charge_work(ranges.len() as u64 + 1)?;
        let (mut first, mut last) = (usize::MAX, 0);
        for &(start, end) in ranges.iter().filter(|(start, end)| start < end) {
            let (start, end) = (start as usize, end as usize);
            if self.scratch.len() * CHUNK < end {
                self.scratch.resize(end.div_ceil(CHUNK), [0; WORDS]);
            }
            fill(self.scratch.as_flattened_mut(), start, end);
            (first, last) = (first.min(start / CHUNK), last.max(end.div_ceil(CHUNK)));
        }
        let mut parts = Vec::new();
        for at in first..last {
            let bits = std::mem::take(&mut self.scratch[at]);
            if bits != [0; WORDS] {
                parts.push((at as u32, self.chunk(bits)?));
            }
        }
        self.set(parts)
    }

    /// The set with this bitmap.
    pub fn intern_words(&mut self, words: &[u64]) -> Result<SetId, OverBudget> {
        self.budget.charge_work(words.len().div_ceil(WORDS) as u64)?;
        let mut parts = Vec::new();
        for (at, words) in (0..).zip(words.chunks(WORDS)) {
            if words.iter().any(|&word| word != 0) {
                let mut bits = [0; WORDS];
                bits[..words.len()].copy_from_slice(words);
                parts.push((at, self.chunk(bits)?));
            }
        }
        self.set(parts)
    }

    fn chunk(&mut self, bits: Bits) -> Result<ChunkId, OverBudget> {
        let hash = hash_bits(&bits);
        let is_same = |&(other, id): &(u64, ChunkId)| other == hash && self.chunks[id.index()] == bits;
        if let Some(&(_, id)) = self.chunk_ids.find(hash, is_same) {
            return Ok(id);
        }
        self.budget.charge_bytes(2 * size_of::<Bits>() as u64)?;
        Ok(self.add_chunk(hash, bits))
    }

    /// Adds a chunk that is not there.
    fn add_chunk(&mut self, hash: u64, bits: Bits) -> ChunkId {
        let id = ChunkId::new(self.chunks.len());
        self.chunks.push(bits);
        self.chunk_ids.insert_unique(hash, (hash, id), |&(hash, _)| hash);
        id
    }

    fn set(&mut self, parts: Vec<(u32, ChunkId)>) -> Result<SetId, OverBudget> {
        let hash = hash(parts.as_slice());
        if let Some(&id) = self.ids.find(hash, |id| *self.sets[id.index()] == *parts) {
            return Ok(id);
        }
        self.budget.charge_bytes(parts.len() as u64 * 8 + 64)?;
        Ok(self.add_set(hash, parts.into()))
    }

    /// Adds a set that is not there.
    fn add_set(&mut self, hash: u64, parts: Parts) -> SetId {
        let id = SetId::new(self.sets.len());
        self.sets.push(parts);
        self.ids.insert_unique(hash, id, |id| self::hash(&*self.sets[id.index()]));
        id
    }

    /// `a ∪ b`.
    pub fn union(&mut self, a: SetId, b: SetId) -> Result<SetId, OverBudget> {
        self.union_all(&mut [a, b])
    }

    /// The union of many sets. Leaves `sets` in any order.
    pub fn union_all(&mut self, sets: &mut [SetId]) -> Result<SetId, OverBudget> {
        sets.sort_unstable();
        let mut count = 0;
        for i in 0..sets.len() {
            if sets[i] != Self::EMPTY && (count == 0 || sets[count - 1] != sets[i]) {
                sets[count] = sets[i];
                count += 1;
            }
        }
        let sets = &sets[..count];
        match sets {
            [] => return Ok(Self::EMPTY),
            [one] => return Ok(*one),
            many => {
                if let Some(&id) = self.unions.get(many) {
                    return Ok(id);
                }
            }
        }
        let mut parts: Vec<(u32, ChunkId)> =
            sets.iter().flat_map(|s| self.sets[s.index()].iter().copied()).collect();
        self.budget.charge_work(parts.len() as u64)?;
        parts.sort_unstable();
        parts.dedup();
        let mut merged: Vec<(u32, ChunkId)> = Vec::with_capacity(parts.len());
        for (at, chunk) in parts {
            match merged.last_mut() {
                Some((last, into)) if *last == at => *into = self.chunk_union(*into, chunk)?,
                _ => merged.push((at, chunk)),
            }
        }
        let id = self.set(merged)?;
        self.budget.charge_bytes(sets.len() as u64 * 4 + 32)?;
        self.unions.insert(sets.into(), id);
        Ok(id)
    }

    fn chunk_union(&mut self, a: ChunkId, b: ChunkId) -> Result<ChunkId, OverBudget> {
        if let Some(&id) = self.chunk_unions.get(&(a, b)) {
            return Ok(id);
        }
        let (left, right) = (&self.chunks[a.index()], &self.chunks[b.index()]);
        let id = self.chunk(std::array::from_fn(|i| left[i] | right[i]))?;
        self.budget.charge_bytes(24)?;
        self.chunk_unions.insert((a, b), id);
        Ok(id)
    }

    /// The set without the ranks in `ranges`.
    pub fn without(&mut self, set: SetId, ranges: &[Range]) -> Result<SetId, OverBudget> {
        let mut parts = self.sets[set.index()].to_vec();
        self.budget.charge_work(parts.len() as u64)?;
        for &(start, end) in ranges.iter().filter(|(start, end)| start < end) {
            let (start, end) = (start as usize, end as usize);
            let first = parts.partition_point(|&(at, _)| (at as usize + 1) * CHUNK <= start);
            for (at, chunk) in &mut parts[first..] {
                let low = *at as usize * CHUNK;
                if low >= end {
                    break;
                }
                let mut bits = self.chunks[chunk.index()];
                let mut gone = [0; WORDS];
                fill(&mut gone, start.max(low) - low, end.min(low + CHUNK) - low);
                bits.iter_mut().zip(gone).for_each(|(word, gone)| *word &= !gone);
                *chunk = self.chunk(bits)?;
            }
        }
        parts.retain(|&(_, chunk)| chunk != ChunkId(0));
        self.set(parts)
    }

    /// `a ⊆ b`.
    #[must_use]
    pub fn is_subset(&self, a: SetId, b: SetId) -> bool {
        let mut outer = self.sets[b.index()].iter();
        a == b
            || self.sets[a.index()].iter().all(|&(at, inner)| {
                let covering = outer.find(|(position, _)| *position >= at);
                covering
                    .is_some_and(|&(position, chunk)| position == at && self.chunk_is_subset(inner, chunk))
            })
    }

    /// The chunks in which `a` and `b` differ, by position.
    fn differing_chunks(&self, a: SetId, b: SetId) -> impl Iterator<Item = (u32, [ChunkId; 2])> + '_ {
        let (mut left, mut right) = (&*self.sets[a.index()], &*self.sets[b.index()]);
        std::iter::from_fn(move || {
            loop {
                match (left.split_first(), right.split_first()) {
                    (Some((a, rest_a)), Some((b, rest_b))) if a.0 == b.0 => {
                        (left, right) = (rest_a, rest_b);
                        if a.1 != b.1 {
                            return Some((a.0, [a.1, b.1]));
                        }
                    }
                    (Some((a, rest)), b) if b.is_none_or(|(b, _)| a.0 < b.0) => {
                        left = rest;
                        return Some((a.0, [a.1, ChunkId(0)]));
                    }
                    (_, Some((b, rest))) => {
                        right = rest;
                        return Some((b.0, [ChunkId(0), b.1]));
                    }
                    (_, None) => return None,
                }
            }
        })
    }

    /// The ranks in which `a` and `b` differ, ascending.
    pub fn differing(&self, a: SetId, b: SetId) -> impl Iterator<Item = u32> + '_ {
        self.differing_chunks(a, b).flat_map(|(at, chunks)| {
            let [a, b] = chunks.map(|chunk| &self.chunks[chunk.index()]);
            let first = move |word: usize| at * CHUNK as u32 + word as u32 * 64;
            (0..WORDS).flat_map(move |word| bits(a[word] ^ b[word]).map(move |bit| first(word) + bit))
        })
    }

    fn chunk_is_subset(&self, a: ChunkId, b: ChunkId) -> bool {
        a == b || self.chunks[a.index()].iter().zip(&self.chunks[b.index()]).all(|(a, b)| a & !b == 0)
    }
}

/// Distances between sets. Those of chunks are remembered: many sets differ in the same ones.
pub struct Distances<'s> {
    sets: &'s Sets,
    known: FxHashMap<[ChunkId; 2], u32>,
}

impl<'s> Distances<'s> {
    /// Of these sets.
    #[must_use]
    pub fn new(sets: &'s Sets) -> Self {
        Self { sets, known: FxHashMap::default() }
    }

    /// In how many ranks `a` and `b` differ, if in at most `limit`.
    pub fn between(&mut self, a: SetId, b: SetId, limit: u32) -> Option<u32> {
        let Self { sets, known } = self;
        sets.differing_chunks(a, b).try_fold(0, |sum: u32, (_, chunks)| {
            let sum = sum
                + *known.entry(chunks).or_insert_with(|| {
                    let [a, b] = chunks.map(|chunk| &sets.chunks[chunk.index()]);
                    a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum()
                });
            (sum <= limit).then_some(sum)
        })
    }
}

/// The hash of what an id in a table stands for.
pub(crate) fn hash<T: Hash + ?Sized>(contents: &T) -> u64 {
    FxBuildHasher.hash_one(contents)
}

/// The hash of a chunk. Four parts of it at a time, as each multiplication waits for the one before.
fn hash_bits(bits: &Bits) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut lanes = [0u64; 4];
    for words in bits.as_chunks::<4>().0 {
        lanes.iter_mut().zip(words).for_each(|(lane, word)| *lane = (*lane ^ word).wrapping_mul(ODD));
    }
    hash(&lanes)
}

/// The numbers of the bits that are set, ascending.
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Sets bits `start..end`, which is not empty.
fn fill(words: &mut [u64], start: usize, end: usize) {
    let (first, last) = (start / 64, (end - 1) / 64);
    let head = u64::MAX << (start % 64);
    let tail = u64::MAX >> (63 - (end - 1) % 64);
    if first == last {
        words[first] |= head & tail;
        return;
    }
    words[first] |= head;
    words[first + 1..last].fill(u64::MAX);
    words[last] |= tail;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pseudo-random set of ranks below 5,000 as overlapping ranges, and the same as flags.
    fn sample(seed: u64) -> (Vec<Range>, Vec<bool>) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |bound: u32| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % u64::from(bound)) as u32
        };
        let ranges: Vec<Range> = (0..next(12))
            .map(|_| {
                let start = next(5000);
                (start, (start + next(1500)).min(5000))
            })
            .collect();
        let inside = |rank: u32| ranges.iter().any(|&(a, b)| a <= rank && rank < b);
        let flags = (0..5000).map(inside).collect();
        (ranges, flags)
    }

    #[test]
    fn agrees_with_flags() {
        let mut sets = Sets::new(Budget::unlimited("test"));
        let flags_of = |sets: &Sets, id| {
            let mut flags = vec![false; 5000];
            sets.ranks(id).for_each(|r| flags[r as usize] = true);
            flags
        };
        for seed in 0..200 {
            let ((ra, fa), (rb, fb)) = (sample(seed), sample(seed + 1000));
            let (a, b) = (sets.intern(&ra).unwrap(), sets.intern(&rb).unwrap());
            assert_eq!(flags_of(&sets, a), fa);
            let words = fa
                .chunks(64)
                .map(|flags| flags.iter().rev().fold(0, |word, &flag| word << 1 | u64::from(flag)));
            assert_eq!(sets.intern_words(&words.collect::<Vec<_>>()).unwrap(), a);
            let size = fa.iter().filter(|f| **f).count();
            assert_eq!(sets.counts(&[b, a])[1], size as u32);
            let both = sets.union(a, b).unwrap();
            let either: Vec<bool> = fa.iter().zip(&fb).map(|(a, b)| a | b).collect();
            assert_eq!(flags_of(&sets, both), either);
            assert_eq!(sets.union_all(&mut [b, both, Sets::EMPTY, a, b]).unwrap(), both);
            assert!(sets.is_subset(a, both) && sets.is_subset(b, both) && sets.is_subset(Sets::EMPTY, a));
            assert_eq!(sets.is_subset(a, b), fa.iter().zip(&fb).all(|(a, b)| !a | b));
            assert_eq!(sets.is_subset(both, a), both == a);
            let differing: Vec<u32> = (0..5000).filter(|&r| fa[r as usize] != fb[r as usize]).collect();
            assert_eq!(sets.differing(a, b).collect::<Vec<_>>(), differing);
            let rest: Vec<bool> = fa.iter().zip(&fb).map(|(a, b)| a & !b).collect();
            let without = sets.without(a, &rb).unwrap();
            assert_eq!(flags_of(&sets, without), rest);
            let distance = differing.len() as u32;
            let mut distances = Distances::new(&sets);
            assert_eq!(distances.between(a, b, distance), Some(distance));
            assert_eq!(distance.checked_sub(1).and_then(|limit| distances.between(b, a, limit)), None);
        }
    }

    #[test]
    fn adopted_sets_are_the_same() {
        let [mut here, mut there] = [0, 1].map(|_| Sets::new(Budget::unlimited("test")));
        let samples: Vec<Vec<Range>> = (0..50).map(|seed| sample(seed).0).collect();
        let foreign: Vec<SetId> = samples.iter().map(|ranges| there.intern(ranges).unwrap()).collect();
        // Some were known before.
        for ranges in samples.iter().step_by(3) {
            here.intern(ranges).unwrap();
        }
        let mut from = there.into_foreign();
        for (ranges, set) in samples.iter().zip(foreign) {
            let adopted = here.adopt(&mut from, set).unwrap();
            assert_eq!(adopted, here.intern(ranges).unwrap());
            assert_eq!(adopted, here.adopt(&mut from, set).unwrap());
        }
    }

    #[test]
    fn equal_sets_have_equal_ids() {
        let mut sets = Sets::new(Budget::unlimited("test"));
        let whole = sets.intern(&[(10, 3000)]).unwrap();
        let pieces = sets.intern(&[(2000, 3000), (10, 10), (10, 1024), (1000, 2000)]).unwrap();
        assert_eq!(whole, pieces);
        assert_eq!(sets.intern(&[]).unwrap(), Sets::EMPTY);
    }
}
