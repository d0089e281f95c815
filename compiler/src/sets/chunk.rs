//! Chunks: bitmaps of [`CHUNK`] neighbouring ranks, the unit in which sets are stored and shared.

use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// Ranks in a chunk.
pub(super) const CHUNK: usize = 64 * WORDS;
/// Words in a chunk.
pub(super) const WORDS: usize = 16;

/// The bitmap of a chunk.
pub(super) type Bits = [u64; WORDS];

/// The bitmap of the empty chunk.
pub(super) const NO_BITS: Bits = [0; WORDS];

gcc_grammar_ir::index_newtype! { vis pub(super),
    /// An interned chunk; 0 is the empty chunk.
    ChunkId;
}

impl ChunkId {
    /// The empty chunk.
    pub(super) const EMPTY: Self = Self(0);
}

/// The hash of an interned value, for a table that holds its id.
pub(crate) fn hash<T: Hash + ?Sized>(contents: &T) -> u64 {
    FxBuildHasher.hash_one(contents)
}

/// The hash of a chunk. Four independent lanes, since each multiplication has to wait for the previous one in
/// its lane.
pub(super) fn hash_bits(bits: &Bits) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut lanes = [0u64; 4];
    for words in bits.as_chunks::<4>().0 {
        lanes.iter_mut().zip(words).for_each(|(lane, word)| *lane = (*lane ^ word).wrapping_mul(ODD));
    }
    hash(&lanes)
}

/// The positions of the bits that are set, ascending.
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// Sets the bits `start..end`, a range that is not empty.
#[inline]
pub(super) fn fill(words: &mut [u64], start: usize, end: usize) {
    each_word(words, start, end, |word, bits| *word |= bits);
}

/// Clears the bits `start..end`, a range that is not empty.
#[inline]
pub(super) fn clear(words: &mut [u64], start: usize, end: usize) {
    each_word(words, start, end, |word, bits| *word &= !bits);
}

/// Calls a function with each word that has bits of a range, and with these bits.
#[inline]
fn each_word(words: &mut [u64], start: usize, end: usize, change: impl Fn(&mut u64, u64)) {
    let (first, last) = (start / 64, (end - 1) / 64);
    let head = u64::MAX << (start % 64);
    let tail = u64::MAX >> (63 - (end - 1) % 64);
    if first == last {
        return change(&mut words[first], head & tail);
    }
    change(&mut words[first], head);
    words[first + 1..last].iter_mut().for_each(|word| change(word, u64::MAX));
    change(&mut words[last], tail);
}
