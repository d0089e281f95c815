//! Masks of the store as bitmaps of 32-bit words: overwrite a row with a mask, or unite a mask into a row.
//!
//! A mask is stored as a base bitmap and two deltas, lists of tokens to flip in it. Token `t` is bit `t % 32`
//! of word `t / 32` of a row. Flips belong to their mask alone: uniting a mask whose delta clears a token
//! must not clear the token in the row.

use gcc_grammar_artifact::grammar::{Delta, MAX_FLIPS, MaskParts};
use gcc_grammar_artifact::wire::U32;

/// The bit of a token within its word.
pub(crate) const fn bit(token: u32) -> u32 {
    1 << (token % 32)
}

/// The index of the word with the token's bit.
pub(crate) const fn word_of(token: u32) -> usize {
    (token / 32) as usize
}

/// Flips the bit of a token. A token beyond the row, which only a damaged file has, does nothing.
#[inline]
pub(crate) fn flip(row: &mut [u32], token: u32) {
    if let Some(word) = row.get_mut(word_of(token)) {
        *word ^= bit(token);
    }
}

/// Sets the bit of a token. A token beyond the row does nothing.
#[inline]
pub(crate) fn set(row: &mut [u32], token: u32) {
    if let Some(word) = row.get_mut(word_of(token)) {
        *word |= bit(token);
    }
}

/// Whether the row has a token.
#[inline]
fn has(row: &[u32], token: u32) -> bool {
    row.get(word_of(token)).is_some_and(|word| word & bit(token) != 0)
}

/// Words that are copied at once, see [`copy_words`].
const COPIED_AT_ONCE: usize = 512;

/// Overwrites the row with a mask.
pub(crate) fn copy_mask(row: &mut [u32], parts: &MaskParts<'_>) {
    match parts.base {
        Some(base) => copy_words(row, base),
        None => row.fill(0),
    }
    for delta in parts.deltas {
        let mut token = 0;
        for gap in delta.gaps {
            token += u32::from(gap.get());
            flip(row, token);
        }
    }
}

/// Copies piece by piece. On some processors one long copy takes up to twenty times as long when the row lies
/// a few bytes behind the base modulo 4,096, because each load is then taken to depend on the store before
/// it.
fn copy_words(row: &mut [u32], words: &[U32]) {
    for (row, words) in row.chunks_mut(COPIED_AT_ONCE).zip(words.chunks(COPIED_AT_ONCE)) {
        row.iter_mut().zip(words).for_each(|(word, other)| *word = other.get());
    }
}

/// One bit per flip of a delta.
type FlipBits = [u64; MAX_FLIPS / 64];

/// Unites a mask into the row. A token that a flip removes from the base stays in the row if it was there
/// before. So the function first notes which flipped tokens the row has, then adds the base, and then flips
/// only the other tokens.
pub(crate) fn unite_mask(row: &mut [u32], parts: &MaskParts<'_>) {
    let Some(base) = parts.base else { return unite_small(row, parts.deltas) };
    let had = parts.deltas.map(|delta| tokens_in(row, delta));
    unite_words(row, base);
    for (delta, had) in parts.deltas.into_iter().zip(&had) {
        flip_others(row, delta, had);
    }
}

/// Unites a mask without a base: the tokens of one delta are added, then those of the other are flipped.
fn unite_small(row: &mut [u32], [leader, own]: [Delta<'_>; 2]) {
    let (added, flipped) = if leader.gaps.is_empty() { (own, leader) } else { (leader, own) };
    let had = tokens_in(row, flipped);
    added.tokens().for_each(|token| set(row, token));
    flip_others(row, flipped, &had);
}

/// Finds which tokens of a delta are in the row.
fn tokens_in(row: &[u32], delta: Delta<'_>) -> FlipBits {
    let mut bits = FlipBits::default();
    let mut token = 0;
    for (bits, gaps) in bits.iter_mut().zip(delta.gaps.chunks(64)) {
        for (index, gap) in gaps.iter().enumerate() {
            token += u32::from(gap.get());
            *bits |= u64::from(has(row, token)) << index;
        }
    }
    bits
}

/// Flips the tokens of a delta whose bit is not set.
fn flip_others(row: &mut [u32], delta: Delta<'_>, bits: &FlipBits) {
    let mut token = 0;
    for (bits, gaps) in bits.iter().zip(delta.gaps.chunks(64)) {
        for (index, gap) in gaps.iter().enumerate() {
            token += u32::from(gap.get());
            if let Some(word) = row.get_mut(word_of(token)) {
                *word ^= ((!bits >> index & 1) as u32) << (token % 32);
            }
        }
    }
}

fn unite_words(row: &mut [u32], words: &[U32]) {
    row.iter_mut().zip(words).for_each(|(word, other)| *word |= other.get());
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use gcc_grammar_artifact::grammar::gaps;
    use gcc_grammar_artifact::ids::TokenId;
    use gcc_grammar_artifact::wire::U16;
    use std::vec::Vec;

    /// So few words that every token can be flipped in both deltas.
    const WORDS: u32 = MAX_FLIPS as u32 / 64;

    /// Word `index` of a pseudo-random bitmap (the finalizer of SplitMix64).
    fn word(seed: u64, index: u32) -> u32 {
        let mixed = (seed << 32 | u64::from(index)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27) as u32
    }

    /// The deltas have many flips, several per word, and some tokens are in both.
    #[test]
    fn flips_belong_to_their_mask_alone() {
        for seed in 0..200 {
            let base: Vec<U32> = (0..WORDS).map(|index| U32::new(word(seed, index))).collect();
            let row: Vec<u32> = (0..WORDS).map(|index| word(seed + 1000, index)).collect();
            let often = 1 + seed as u32 % 9;
            let delta = |seed: u64| -> Vec<U16> {
                let flips = (0..WORDS * 32).filter(|&token| word(seed, token) % 10 < often);
                gaps(flips).map(|gap| U16::new(gap as u16)).collect()
            };
            let (leader, own) = (delta(seed + 2000), delta(seed + 3000));
            for base in [None, Some(base.as_slice())] {
                let parts = MaskParts { base, deltas: [&leader, &own].map(|gaps| Delta { gaps }) };
                let mut mask = row.clone();
                copy_mask(&mut mask, &parts);
                let allowed = (0..WORDS * 32).filter(|&token| parts.contains(TokenId(token)));
                let set = (0..WORDS * 32).filter(|&token| mask[word_of(token)] & bit(token) != 0);
                assert!(allowed.eq(set), "seed {seed}");
                let expected: Vec<u32> = row.iter().zip(mask).map(|(row, mask)| row | mask).collect();
                let mut united = row.clone();
                unite_mask(&mut united, &parts);
                assert_eq!(united, expected, "seed {seed}, {} flips", leader.len() + own.len());
            }
        }
    }
}
