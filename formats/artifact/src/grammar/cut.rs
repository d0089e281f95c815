//! Cuts: which tokens begin no more characters than a counted state has left.
//!
//! What a token begins depends on its bytes and on the place within a character, so *planes* of the vocabulary have it, bit by bit. For tokens with
//! [`MANY`] or more characters there are lists. Where a token leads to a state that needs further characters, these count as well: such states have lists of their own ([`OwnTokens`]).

use crate::bases::{ALL_PLANES, MANY, PLANES, TokenCharacters};
use crate::ids::TokenId;
use crate::wire::U32;

/// The words of a row that are cut at a time.
const BLOCK: usize = 256;

/// The tokens that begin at most this number of characters.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    pub(super) planes: &'a [U32],
    pub(super) row_words: usize,
    pub(super) own: OwnTokens<'a>,
    pub(super) left: u32,
}

/// The tokens of which a state, or the vocabulary, says itself how many characters they take: those that they begin, and those that must follow.
///
/// In the section, there is the offset of a list per state that counts, or 0. A list has the characters that tokens need by default, the length of each part, and the parts, of [`TokenCharacters`].
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnTokens<'a> {
    /// What the tokens need that are in no list.
    needed: u32,
    /// All tokens that take more than [`MANY`] and what is needed by default; those that take more come first.
    far: &'a [U32],
    /// Among the tokens that take fewer, or of which the planes say so, those that take another number than the planes say; ascending.
    near: &'a [U32],
}

impl<'a> OwnTokens<'a> {
    /// The long tokens of the vocabulary, where none needs further characters.
    pub(super) const fn of_vocabulary(long: &'a [U32]) -> Self {
        Self { needed: 0, far: long, near: &[] }
    }

    /// Those of a state; `None` if it has no list.
    pub(super) fn of_state(section: &'a [U32], state: usize) -> Option<Self> {
        let offset = section.get(state)?.get() as usize;
        if offset == 0 { None } else { Self::of_list(section.get(offset..)?) }
    }

    /// What a list says that begins here; `None` if it is empty.
    pub(super) fn of_list(list: &'a [U32]) -> Option<Self> {
        let ([needed, far, near], rest) = list.split_first_chunk()?;
        let (far, rest) = rest.split_at_checked(far.get() as usize)?;
        Some(Self { needed: needed.get(), far, near: rest.get(..near.get() as usize)? })
    }

    /// Whether the list of a state lies within the section, behind the offsets of this number of states.
    pub(super) fn are_sound(section: &'a [U32], state: usize, states: usize) -> bool {
        match section.get(state) {
            None => false,
            Some(offset) if offset.get() == 0 => true,
            Some(offset) => offset.get() as usize >= states && Self::of_state(section, state).is_some(),
        }
    }

    /// Whether only the tokens in `far` can take more than are left.
    const fn are_far(&self, left: u32) -> bool {
        left >= self.needed.saturating_add(MANY)
    }

    /// Whether no token takes more than are left.
    pub(super) fn all_fit(&self, left: u32) -> bool {
        self.are_far(left)
            && self.far.first().is_none_or(|entry| TokenCharacters::of(entry).characters <= left)
    }
}

impl PartialEq for Cut<'_> {
    fn eq(&self, other: &Self) -> bool {
        let parts = |cut: &Self| [cut.planes, cut.own.far, cut.own.near].map(<[U32]>::as_ptr_range);
        (self.left, self.own.needed) == (other.left, other.own.needed) && parts(self) == parts(other)
    }
}

impl<'a> Cut<'a> {
    /// The numbers of the planes in the vocabulary.
    pub const PLANES: core::ops::Range<u32> = ALL_PLANES;

    /// The tokens that take too many, where these are among the far ones.
    fn too_long(&self) -> impl Iterator<Item = TokenId> + use<'a> {
        let left = self.left;
        let far = self.own.far.iter().map(TokenCharacters::of);
        far.take_while(move |far| far.characters > left).map(|far| far.token)
    }

    /// Takes the tokens that take too many out of a row.
    pub fn apply(&self, row: &mut [u32]) {
        if self.own.are_far(self.left) {
            for TokenId(token) in self.too_long() {
                if let Some(word) = row.get_mut(token as usize / 32) {
                    *word &= !(1 << (token % 32));
                }
            }
            return;
        }
        let mut near = self.own.near;
        let mut before = [0; BLOCK];
        for (first, words) in (0..).step_by(BLOCK).zip(row.chunks_mut(BLOCK)) {
            if !near.is_empty() {
                before.iter_mut().zip(&*words).for_each(|(before, word)| *before = *word);
            }
            self.keep_fitting(words, first);
            self.correct(words, &before, first, &mut near);
        }
    }

    /// Whether a token fits.
    #[must_use]
    pub fn allows(&self, token: TokenId) -> bool {
        if self.own.are_far(self.left) {
            return self.too_long().all(|long| long != token);
        }
        self.word(token.0 / 32) >> (token.0 % 32) & 1 == 1
    }

    /// The tokens that fit, in a word of a bitmap.
    #[must_use]
    pub fn word(&self, index: u32) -> u32 {
        if self.own.are_far(self.left) {
            let here = self.too_long().filter(|token| token.0 / 32 == index);
            return !here.fold(0, |word, token| word | 1 << (token.0 % 32));
        }
        let before = self.own.near.partition_point(|entry| TokenCharacters::of(entry).token.0 / 32 < index);
        let mut word = [u32::MAX];
        self.keep_fitting(&mut word, index as usize);
        self.correct(&mut word, &[u32::MAX], index as usize, &mut &self.own.near[before..]);
        word[0]
    }

    /// Keeps the tokens that fit by the planes, in words from the one with this index on.
    fn keep_fitting(&self, words: &mut [u32], first: usize) {
        let keep = self.left.checked_sub(self.own.needed).and_then(|left| KEEP_FITTING.get(left as usize));
        match keep {
            Some(keep) => keep(words, self.rows().map(|row| row.get(first..).unwrap_or_default())),
            None => words.fill(0),
        }
    }

    /// Corrects words from the one with this index on, which were `before`, for the tokens that take another number than the planes say. `near` are those of these words and of words behind
    /// them; those of these words are taken off.
    fn correct(&self, words: &mut [u32], before: &[u32], first: usize, near: &mut &'a [U32]) {
        while let Some((entry, rest)) = near.split_first() {
            let TokenCharacters { token: TokenId(token), characters } = TokenCharacters::of(entry);
            let index = (token as usize / 32).saturating_sub(first);
            let (Some(word), Some(before)) = (words.get_mut(index), before.get(index)) else { break };
            *near = rest;
            let bit = 1 << (token % 32);
            *word = if characters <= self.left { *word | before & bit } else { *word & !bit };
        }
    }

    fn rows(&self) -> [&'a [U32]; PLANES as usize] {
        core::array::from_fn(|plane| {
            let start = plane * self.row_words;
            self.planes.get(start..start + self.row_words).unwrap_or_default()
        })
    }
}

/// Keeps the tokens of words that take at most so many characters by planes that begin with the same words.
type KeepFitting = fn(&mut [u32], [&[U32]; PLANES as usize]);

/// [`keep_at_most`], by the number of characters.
const KEEP_FITTING: [KeepFitting; MANY as usize] = [
    keep_at_most::<0>,
    keep_at_most::<1>,
    keep_at_most::<2>,
    keep_at_most::<3>,
    keep_at_most::<4>,
    keep_at_most::<5>,
    keep_at_most::<6>,
    keep_at_most::<7>,
    keep_at_most::<8>,
    keep_at_most::<9>,
    keep_at_most::<10>,
    keep_at_most::<11>,
    keep_at_most::<12>,
    keep_at_most::<13>,
    keep_at_most::<14>,
    keep_at_most::<15>,
];

/// Keeps the tokens of words that take at most `MOST` characters. The number is a constant, so that a plane costs one operation; the slices have one length, so that the
/// compiler makes vectors of them.
fn keep_at_most<const MOST: u32>(words: &mut [u32], planes: [&[U32]; PLANES as usize]) {
    let count = words.len();
    let [Some(b0), Some(b1), Some(b2), Some(b3), Some(many)] = planes.map(|plane| plane.get(..count)) else {
        return;
    };
    for index in 0..count {
        let bits = [b0, b1, b2, b3].map(|plane| plane[index].get());
        words[index] &= !(exceeding::<MOST>(bits) | many[index].get());
    }
}

/// The tokens whose numbers, bit by bit from the last one on, exceed `MOST`. So do those whose bit exceeds, and if the bits are equal, those whose bits behind it do.
#[inline]
fn exceeding<const MOST: u32>(bits: [u32; PLANES as usize - 1]) -> u32 {
    (0..).zip(bits).fold(
        0,
        |behind, (place, bit)| {
            if MOST >> place & 1 == 1 { bit & behind } else { bit | behind }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The token n of each word takes n characters.
    #[test]
    fn tokens_are_kept_up_to_each_number() {
        let tokens_with = |is_in: &dyn Fn(u32) -> bool| (0..32).filter(|&n| is_in(n)).map(|n| 1 << n).sum();
        let plane = |plane: usize| match plane {
            4 => tokens_with(&|n| n >= MANY),
            bit => tokens_with(&|n| n < MANY && n >> bit & 1 == 1),
        };
        let planes: [[U32; 3]; PLANES as usize] = core::array::from_fn(|number| [U32::new(plane(number)); 3]);
        for (most, keep) in (0..).zip(KEEP_FITTING) {
            let mut words = [u32::MAX; 3];
            keep(&mut words, planes.each_ref().map(<[U32; 3]>::as_slice));
            assert_eq!(words, [tokens_with(&|n| n <= most); 3], "{most}");
        }
    }
}
