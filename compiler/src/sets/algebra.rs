//! Operations on interned sets: union, difference with ranges, inclusion. Unions are remembered.

use super::chunk::{CHUNK, ChunkId, clear};
use super::interner::{Range, Sets};
use crate::ids::SetId;
use gcc_grammar_limits::OverBudget;

impl Sets {
    /// `a ∪ b`.
    pub fn union(&mut self, a: SetId, b: SetId) -> Result<SetId, OverBudget> {
        self.union_all(&mut [a, b])
    }

    /// The union of many sets. The order of `sets` is lost.
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
            [only] => return Ok(*only),
            many => {
                if let Some(&id) = self.unions.get(many) {
                    return Ok(id);
                }
            }
        }
        let lists = sets.iter().map(|set| &self.sets[set.index()]);
        self.budget.charge_work(lists.clone().map(|chunks| chunks.len() as u64).sum())?;
        let positions = lists.filter_map(|chunks| chunks.last()).map(|&(at, _)| at as usize + 1);
        let mut united = vec![ChunkId::EMPTY; positions.max().unwrap_or(0)];
        for set in sets {
            for i in 0..self.sets[set.index()].len() {
                let (at, chunk) = self.sets[set.index()][i];
                let into = united[at as usize];
                if into == ChunkId::EMPTY {
                    united[at as usize] = chunk;
                } else if into != chunk {
                    united[at as usize] = self.chunk_union(into.min(chunk), into.max(chunk))?;
                }
            }
        }
        let chunks = (0..).zip(united).filter(|&(_, chunk)| chunk != ChunkId::EMPTY).collect();
        let id = self.set(chunks)?;
        let many: Box<[SetId]> = sets.into();
        self.charge_bytes(many.len() as u64 * 4 + 32)?;
        self.unions.insert(many, id);
        Ok(id)
    }

    fn chunk_union(&mut self, a: ChunkId, b: ChunkId) -> Result<ChunkId, OverBudget> {
        if let Some(&id) = self.chunk_unions.get(&(a, b)) {
            return Ok(id);
        }
        let (left, right) = (&self.chunks[a.index()], &self.chunks[b.index()]);
        let id = self.chunk(std::array::from_fn(|i| left[i] | right[i]))?;
        self.charge_bytes(24)?;
        self.chunk_unions.insert((a, b), id);
        Ok(id)
    }

    /// The set without the ranks in `ranges`.
    pub fn without(&mut self, set: SetId, ranges: &[Range]) -> Result<SetId, OverBudget> {
        let mut chunks = self.sets[set.index()].to_vec();
        self.budget.charge_work(chunks.len() as u64)?;
        for &(start, end) in ranges.iter().filter(|(start, end)| start < end) {
            let (start, end) = (start as usize, end as usize);
            let first = chunks.partition_point(|&(at, _)| (at as usize + 1) * CHUNK <= start);
            for (at, chunk) in &mut chunks[first..] {
                let low = *at as usize * CHUNK;
                if low >= end {
                    break;
                }
                let mut bits = self.chunks[chunk.index()];
                clear(&mut bits, start.max(low) - low, end.min(low + CHUNK) - low);
                *chunk = self.chunk(bits)?;
            }
        }
        chunks.retain(|&(_, chunk)| chunk != ChunkId::EMPTY);
        self.set(chunks)
    }

    /// `a` without the ranks of `b`.
    pub fn difference(&mut self, a: SetId, b: SetId) -> Result<SetId, OverBudget> {
        if a == b || a == Self::EMPTY || b == Self::EMPTY {
            return Ok(if a == b { Self::EMPTY } else { a });
        }
        let mut chunks = self.sets[a.index()].to_vec();
        self.budget.charge_work(chunks.len() as u64)?;
        for (at, chunk) in &mut chunks {
            let other = &self.sets[b.index()];
            if let Ok(found) = other.binary_search_by_key(at, |&(at, _)| at) {
                let gone = self.chunks[other[found].1.index()];
                let left = &self.chunks[chunk.index()];
                *chunk = self.chunk(std::array::from_fn(|word| left[word] & !gone[word]))?;
            }
        }
        chunks.retain(|&(_, chunk)| chunk != ChunkId::EMPTY);
        self.set(chunks)
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

    fn chunk_is_subset(&self, a: ChunkId, b: ChunkId) -> bool {
        a == b || self.chunks[a.index()].iter().zip(&self.chunks[b.index()]).all(|(a, b)| a & !b == 0)
    }
}
