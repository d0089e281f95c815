//! The base bitmaps of a vocabulary: sets of tokens that are near to many masks of many grammars.
//!
//! They lie in the file of the vocabulary once. A grammar names those that it refers to by number and checksum, so that it is never read with
//! other ones.

use crate::container::checksum;
use crate::wire::U32;
use zerocopy::IntoBytes;

/// The most base bitmaps of a vocabulary.
pub const MAX_BASES: u32 = 1 << 12;

/// The base bitmaps of a vocabulary; by default, none.
#[derive(Clone, Copy, Debug, Default)]
pub struct VocabularyBases<'a> {
    words: &'a [U32],
    /// Per bitmap, the low and the high word.
    checksums: &'a [[U32; 2]],
}

impl<'a> VocabularyBases<'a> {
    /// Bitmaps of `row_words` words each, one after the other, with their checksums. `None` if the numbers of words do not fit together.
    #[must_use]
    pub fn new(words: &'a [U32], checksums: &'a [U32], row_words: usize) -> Option<Self> {
        let (checksums, rest) = checksums.as_chunks();
        let fits = rest.is_empty()
            && checksums.len() <= MAX_BASES as usize
            && checksums.len().checked_mul(row_words) == Some(words.len());
        fits.then_some(Self { words, checksums })
    }

    /// The bitmaps, one after the other.
    #[must_use]
    pub const fn words(&self) -> &'a [U32] {
        self.words
    }

    /// The number of bitmaps.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.checksums.len()
    }

    /// The checksum of a bitmap; `None` if there is no bitmap with this number.
    #[must_use]
    pub fn checksum(&self, number: u32) -> Option<u64> {
        let [low, high] = self.checksums.get(number as usize)?;
        Some(u64::from(low.get()) | u64::from(high.get()) << 32)
    }

    /// The first bitmap that does not have its checksum.
    pub(crate) fn first_damaged(&self) -> Option<usize> {
        let row_words = self.words.len().checked_div(self.count()).unwrap_or(0);
        let bitmap = |number: usize| &self.words[number * row_words..][..row_words];
        let is_damaged =
            |&number: &usize| self.checksum(number as u32) != Some(checksum(bitmap(number).as_bytes()));
        (0..self.count()).find(is_damaged)
    }
}
