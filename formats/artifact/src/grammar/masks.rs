//! Masks as the store holds them: a base bitmap, and two lists of tokens to flip in it.
//!
//! The writer turns ascending tokens into `gaps`; readers turn gaps back into tokens, or flip the bits
//! directly.

use core::iter::Peekable;

use crate::ids::TokenId;
use crate::wire::{U16, U32};

/// The widest gap.
#[cfg(feature = "write")]
const WIDEST: u32 = u16::MAX as u32;

/// The largest number of gaps that a mask may have in its delta and its leader's together.
///
/// The compiler makes at most 768 flips. In a vocabulary of 2^24 ids these take at most 1,024 gaps more, two
/// for each distance that is wider than a gap.
pub const MAX_FLIPS: usize = 2048;

/// A mask: `base` with the tokens of both `deltas` flipped. A token in both deltas is flipped twice.
#[derive(Clone, Copy, Debug)]
pub struct MaskParts<'a> {
    /// A bitmap of [`row_words`](super::Counts::row_words) words; `None` stands for all zero.
    pub base: Option<&'a [U32]>,
    /// The delta of the leader, and the mask's own.
    pub deltas: [Delta<'a>; 2],
}

impl MaskParts<'_> {
    /// Whether the mask contains a token. Takes time in the number of flips before it.
    #[must_use]
    pub fn contains(&self, token: TokenId) -> bool {
        let word = self.base.and_then(|base| base.get(token.index() / 32)).map_or(0, |word| word.get());
        let is_in = |delta: Delta<'_>| delta.tokens().find(|&flip| flip >= token.0) == Some(token.0);
        let [leader, own] = self.deltas.map(is_in);
        (word >> (token.0 % 32) & 1 == 1) ^ leader ^ own
    }

    /// Word `index` of the bitmap. Takes time in the number of flips up to it.
    #[must_use]
    pub fn word(&self, index: u32) -> u32 {
        let mut word = self.base.and_then(|base| base.get(index as usize)).map_or(0, |word| word.get());
        for delta in self.deltas {
            let flips = delta.tokens().take_while(|&token| token / 32 <= index);
            flips.filter(|&token| token / 32 == index).for_each(|token| word ^= 1 << (token % 32));
        }
        word
    }
}

/// A list of tokens to flip.
///
/// It is stored as gaps: from 0 to the first token, and from each token to the next. Where the distance is
/// wider than a gap can be, a token in between is flipped twice: the gap after it is 0. Flipping needs no
/// special case for this.
#[derive(Clone, Copy, Debug)]
pub struct Delta<'a> {
    /// The distance of each token from its predecessor.
    pub gaps: &'a [U16],
}

impl<'a> Delta<'a> {
    /// The tokens, strictly ascending, without tokens that are flipped twice.
    #[must_use]
    #[inline]
    pub fn tokens(self) -> DeltaTokens<'a> {
        DeltaTokens { gaps: self.gaps, at: 0 }
    }

    /// The last token, if there is one.
    pub(super) fn last(self) -> Option<u64> {
        let sum = self.gaps.iter().map(|gap| u64::from(gap.get())).sum();
        (!self.gaps.is_empty()).then_some(sum)
    }
}

/// An iterator over the tokens of a delta, without tokens that are flipped twice.
#[derive(Clone, Debug)]
pub struct DeltaTokens<'a> {
    gaps: &'a [U16],
    /// The previous token.
    at: u32,
}

impl Iterator for DeltaTokens<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        loop {
            let (gap, rest) = self.gaps.split_first()?;
            self.at += u32::from(gap.get());
            match rest {
                [again, rest @ ..] if again.get() == 0 => self.gaps = rest,
                _ => {
                    self.gaps = rest;
                    return Some(self.at);
                }
            }
        }
    }
}

/// The gaps of a [`Delta`] with these tokens, which ascend strictly.
#[cfg(feature = "write")]
pub fn gaps(tokens: impl IntoIterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut before = 0;
    tokens.into_iter().flat_map(move |token| {
        let way = token - before;
        before = token;
        let wide = way.saturating_sub(1) / WIDEST;
        core::iter::repeat_n([WIDEST, 0], wide as usize).flatten().chain([way - wide * WIDEST])
    })
}

/// An iterator over the tokens that are in exactly one of two deltas, strictly ascending.
#[derive(Clone, Debug)]
pub struct Flips<'a> {
    leader: Peekable<DeltaTokens<'a>>,
    own: Peekable<DeltaTokens<'a>>,
    /// Tokens are less than this.
    width: u32,
}

impl<'a> Flips<'a> {
    pub(super) fn new([leader, own]: [Delta<'a>; 2], width: u32) -> Self {
        Self { leader: leader.tokens().peekable(), own: own.tokens().peekable(), width }
    }
}

impl Iterator for Flips<'_> {
    type Item = TokenId;

    #[inline]
    fn next(&mut self) -> Option<TokenId> {
        let Self { leader, own, width } = self;
        loop {
            let next = match (leader.peek(), own.peek()) {
                (Some(a), Some(b)) if a == b => {
                    leader.next();
                    own.next();
                    continue;
                }
                (Some(a), b) if b.is_none_or(|b| a < b) => leader.next(),
                _ => own.next(),
            };
            return next.filter(|token| token < width).map(TokenId);
        }
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    extern crate std;

    use super::*;
    use std::vec::Vec;

    #[test]
    fn gaps_encode_the_tokens() {
        let lists: [&[u32]; 7] = [
            &[],
            &[0, 1, 2, 65_534, 65_535, 65_536],
            &[65_534],
            &[65_535],
            &[0],
            &[1, 65_536, 131_071, 131_072, 262_142, 300_000],
            &[5, 900_000],
        ];
        for tokens in lists {
            let written: Vec<U16> =
                gaps(tokens.iter().copied()).map(|gap| U16::new(u16::try_from(gap).unwrap())).collect();
            let delta = Delta { gaps: &written };
            assert_eq!(delta.tokens().collect::<Vec<_>>(), tokens);
            assert_eq!(delta.last(), tokens.last().map(|&last| u64::from(last)));
            for token in tokens.iter().flat_map(|&token| [token, token + 1]) {
                let parts = MaskParts { base: None, deltas: [delta, Delta { gaps: &[] }] };
                assert_eq!(parts.contains(TokenId(token)), tokens.contains(&token));
            }
        }
        let short = |tokens: &[u32]| -> Vec<U16> {
            gaps(tokens.iter().copied()).map(|gap| U16::new(gap as u16)).collect()
        };
        let (leader, own) = (short(&[3, 70_000, 200_000]), short(&[2, 70_000, 200_001]));
        let flips = Flips::new([&leader, &own].map(|gaps| Delta { gaps }), 200_001);
        assert_eq!(flips.map(|token| token.0).collect::<Vec<_>>(), [2, 3, 200_000]);
    }
}
