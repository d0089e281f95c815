//! The base bitmaps of a vocabulary: sets of tokens that are near to many masks of many grammars.
//!
//! They lie in the file of the vocabulary once. A grammar names its bases by number and checksum, so that it is never read with
//! other ones.
//!
//! Grammars that count the characters of strings also read how many characters each token begins: small numbers bit by bit from bitmaps, the
//! *planes*, and larger ones from lists of [`LongTokens`].

use crate::container::checksum;
use crate::ids::TokenId;
use crate::wire::U32;
use zerocopy::IntoBytes;

/// The most base bitmaps of a vocabulary.
pub const MAX_BASES: u32 = 1 << 12;

/// The number of the first plane. Smaller ones, and those behind the planes, are those of bitmaps that are near to masks.
pub const FIRST_PLANE: u32 = 149;
/// The planes for one beginning: four bits of the number of characters, and one for tokens of [`MANY`] or more.
pub const PLANES: u32 = 5;
/// The numbers of planes: those of tokens that are read between two characters, and of those that are read after `\\`.
pub const ALL_PLANES: core::ops::Range<u32> = FIRST_PLANE..FIRST_PLANE + 2 * PLANES;
/// Numbers of characters from this one on are in lists.
pub const MANY: u32 = 16;
/// The greatest number of characters of a token that is counted.
pub const MOST_CHARACTERS: u32 = u8::MAX as u32;
/// The most tokens that may begin a string with more characters than some counter allows: each is tried for a mask.
pub const MOST_ENTERING: usize = 64;

/// A token with a number of characters, as an entry of a list has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenCharacters {
    /// The token.
    pub token: TokenId,
    /// The number.
    pub characters: u32,
}

impl TokenCharacters {
    /// The bits of the token. Those above are the number.
    const TOKEN_BITS: u32 = 24;

    /// What an entry says.
    #[must_use]
    #[inline]
    pub const fn of(entry: &U32) -> Self {
        let entry = entry.get();
        Self { token: TokenId(entry & ((1 << Self::TOKEN_BITS) - 1)), characters: entry >> Self::TOKEN_BITS }
    }

    /// The entry, for a token that is less than 2^24 and a number of at most [`MOST_CHARACTERS`].
    #[must_use]
    pub const fn entry(self) -> u32 {
        self.characters << Self::TOKEN_BITS | self.token.0
    }
}

/// How many characters the tokens with [`MANY`] or more begin, as the section `long_tokens` has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LongTokens<'a> {
    words: &'a [U32],
    /// The checksum, where the words are not known.
    unknown: u64,
}

impl<'a> LongTokens<'a> {
    /// Reads a section.
    #[must_use]
    pub const fn new(words: &'a [U32]) -> Self {
        Self { words, unknown: 0 }
    }

    /// Lists with this checksum, for a reader that makes no masks.
    #[must_use]
    pub const fn unknown(checksum: u64) -> Self {
        Self { words: &[], unknown: checksum }
    }

    /// Whether the characters of all tokens of the vocabulary can be counted.
    #[must_use]
    pub fn are_countable(self) -> bool {
        self.words.get(2).is_some_and(|word| word.get() == 1)
    }

    /// The tokens that are read between two characters, or after `\\` if `escaped`: [entries](TokenCharacters::of), those with more characters first.
    #[must_use]
    pub fn list(self, escaped: bool) -> &'a [U32] {
        let [between, after_escape, _] = self.lists();
        if escaped { after_escape } else { between }
    }

    /// The tokens in which characters begin behind a quote, likewise.
    #[must_use]
    pub fn behind_quote(self) -> &'a [U32] {
        let [.., behind_quote] = self.lists();
        behind_quote
    }

    fn lists(self) -> [&'a [U32]; 3] {
        let Some(([between, after_escape, _], lists)) = self.words.split_first_chunk() else {
            return [&[]; 3];
        };
        let (between, rest) = lists.split_at(lists.len().min(between.get() as usize));
        let (after_escape, behind_quote) = rest.split_at(rest.len().min(after_escape.get() as usize));
        [between, after_escape, behind_quote]
    }

    /// The checksum by which grammars name the lists; 0 if there are none.
    #[must_use]
    pub fn checksum(self) -> u64 {
        if self.words.is_empty() { self.unknown } else { checksum(self.words.as_bytes()) }
    }
}

/// The base bitmaps of a vocabulary; by default, none.
#[derive(Clone, Copy, Debug, Default)]
pub struct VocabularyBases<'a> {
    words: &'a [U32],
    /// Per bitmap, the low and the high word.
    checksums: &'a [[U32; 2]],
    long: LongTokens<'a>,
}

impl<'a> VocabularyBases<'a> {
    /// Bitmaps of `row_words` words each, one after the other, with their checksums. `None` if the numbers of words do not fit together.
    #[must_use]
    pub fn new(words: &'a [U32], checksums: &'a [U32], row_words: usize) -> Option<Self> {
        let (checksums, rest) = checksums.as_chunks();
        let fits = rest.is_empty()
            && checksums.len() <= MAX_BASES as usize
            && checksums.len().checked_mul(row_words) == Some(words.len());
        fits.then_some(Self { words, checksums, long: LongTokens::default() })
    }

    /// The same, with the tokens of many characters.
    #[must_use]
    pub const fn with_long_tokens(self, long: LongTokens<'a>) -> Self {
        Self { long, ..self }
    }

    /// The tokens of many characters.
    #[must_use]
    pub const fn long_tokens(&self) -> LongTokens<'a> {
        self.long
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
