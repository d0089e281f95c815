//! The interner of sets: it makes sets of ranges and bitmaps, and reads their contents.

use super::chunk::{Bits, CHUNK, ChunkId, NO_BITS, WORDS, bits, fill, hash, hash_bits};
use crate::ids::SetId;
use gcc_grammar_limits::{Budget, OverBudget};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;

/// A half-open range of token ranks.
pub type Range = (u32, u32);

/// The chunks of a set that are not empty, as (position in the set, chunk), sorted by position.
pub(super) type ChunkList = Box<[(u32, ChunkId)]>;

/// Interned sets of token ranks. Equal sets have equal ids.
#[derive(Debug)]
pub struct Sets {
    pub(super) chunks: Vec<Bits>,
    /// With their hashes, so that the table grows without looking at the chunks.
    chunk_ids: HashTable<(u64, ChunkId)>,
    pub(super) chunk_unions: FxHashMap<(ChunkId, ChunkId), ChunkId>,
    pub(super) sets: Vec<ChunkList>,
    ids: HashTable<SetId>,
    pub(super) unions: FxHashMap<Box<[SetId]>, SetId>,
    /// A bitmap for [`intern`](Self::intern); all zero between calls.
    scratch: Vec<Bits>,
    pub(super) budget: Budget,
    /// Estimated bytes of all tables.
    bytes: u64,
}

impl Sets {
    /// The empty set.
    pub const EMPTY: SetId = SetId(0);

    /// An interner of the empty set alone.
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
            bytes: 0,
        };
        empty.add_chunk(hash_bits(&NO_BITS), NO_BITS);
        empty.add_set(hash(&ChunkList::default()[..]), ChunkList::default());
        empty
    }

    /// Charges another budget from now on: the budget of a compilation that uses the same sets.
    pub(crate) fn charge_to(&mut self, budget: Budget) {
        self.budget = budget;
    }

    /// Estimated bytes of the sets and of the memos about them.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Charges for a part of a table.
    pub(super) fn charge_bytes(&mut self, bytes: u64) -> Result<(), OverBudget> {
        self.bytes += bytes;
        self.budget.charge_bytes(bytes)
    }

    /// Number of distinct sets so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether the empty set is the only set so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// The bitmap of a set: position and value of every word that is not zero.
    pub fn words(&self, set: SetId) -> impl Iterator<Item = (usize, u64)> + '_ {
        let parts = self.sets[set.index()].iter();
        parts.flat_map(|&(at, chunk)| {
            let words = self.chunks[chunk.index()].iter().enumerate();
            words.filter(|(_, w)| **w != 0).map(move |(i, &w)| (at as usize * WORDS + i, w))
        })
    }

    /// The ranks in a set, ascending.
    pub fn ranks(&self, set: SetId) -> impl Iterator<Item = u32> + '_ {
        self.words(set).flat_map(|(i, word)| bits(word).map(move |bit| i as u32 * 64 + bit))
    }

    /// Whether a set has more than this number of ranks.
    pub(crate) fn has_more_than(&self, set: SetId, most: u32) -> bool {
        let mut count = 0;
        self.sets[set.index()].iter().any(|&(_, chunk)| {
            count += self.chunks[chunk.index()].iter().map(|word| word.count_ones()).sum::<u32>();
            count > most
        })
    }

    /// The size of a set.
    #[must_use]
    pub fn count(&self, set: SetId) -> u32 {
        let chunks = self.sets[set.index()].iter().map(|&(_, chunk)| &self.chunks[chunk.index()]);
        chunks.flatten().map(|word| word.count_ones()).sum()
    }

    /// The sizes of many sets. Each chunk is counted once.
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
                self.scratch.resize(end.div_ceil(CHUNK), NO_BITS);
            }
            fill(self.scratch.as_flattened_mut(), start, end);
            (first, last) = (first.min(start / CHUNK), last.max(end.div_ceil(CHUNK)));
        }
        let mut chunks = Vec::new();
        for at in first..last {
            let bits = std::mem::take(&mut self.scratch[at]);
            if bits != NO_BITS {
                chunks.push((at as u32, self.chunk(bits)?));
            }
        }
        self.set(chunks)
    }

    /// The id of a chunk.
    pub(super) fn chunk(&mut self, bits: Bits) -> Result<ChunkId, OverBudget> {
        let hash = hash_bits(&bits);
        let is_same = |&(other, id): &(u64, ChunkId)| other == hash && self.chunks[id.index()] == bits;
        if let Some(&(_, id)) = self.chunk_ids.find(hash, is_same) {
            return Ok(id);
        }
        self.charge_bytes(2 * size_of::<Bits>() as u64)?;
        Ok(self.add_chunk(hash, bits))
    }

    /// Adds a chunk that is not interned yet.
    fn add_chunk(&mut self, hash: u64, bits: Bits) -> ChunkId {
        let id = ChunkId::new(self.chunks.len());
        self.chunks.push(bits);
        self.chunk_ids.insert_unique(hash, (hash, id), |&(hash, _)| hash);
        id
    }

    /// The id of a set, given its chunks.
    pub(super) fn set(&mut self, chunks: Vec<(u32, ChunkId)>) -> Result<SetId, OverBudget> {
        let hash = hash(chunks.as_slice());
        if let Some(&id) = self.ids.find(hash, |id| *self.sets[id.index()] == *chunks) {
            return Ok(id);
        }
        self.charge_bytes(chunks.len() as u64 * 8 + 64)?;
        Ok(self.add_set(hash, chunks.into()))
    }

    /// Adds a set that is not interned yet.
    fn add_set(&mut self, hash: u64, chunks: ChunkList) -> SetId {
        let id = SetId::new(self.sets.len());
        self.sets.push(chunks);
        self.ids.insert_unique(hash, id, |id| super::chunk::hash(&*self.sets[id.index()]));
        id
    }
}
