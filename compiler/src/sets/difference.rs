//! Symmetric differences of interned sets, and their sizes.

use super::chunk::{CHUNK, ChunkId, WORDS, bits};
use super::interner::Sets;
use crate::ids::SetId;

impl Sets {
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
                        return Some((a.0, [a.1, ChunkId::EMPTY]));
                    }
                    (_, Some((b, rest))) => {
                        right = rest;
                        return Some((b.0, [ChunkId::EMPTY, b.1]));
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

    /// The number of ranks in which `a` and `b` differ, or `None` if it is above `limit`.
    pub fn distance(&self, a: SetId, b: SetId, limit: u32) -> Option<u32> {
        self.differing_chunks(a, b).try_fold(0, |sum: u32, (_, chunks)| {
            let [a, b] = chunks.map(|chunk| &self.chunks[chunk.index()]);
            let sum = sum + a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones()).sum::<u32>();
            (sum <= limit).then_some(sum)
        })
    }
}
