//! Rows of masks as sets of tokens: token t is bit t % 32 of word t / 32.

use crate::vocabulary::Vocabulary;
use std::ops::Range;

/// Whether the row has the token.
#[must_use]
pub fn has(row: &[u32], token: u32) -> bool {
    row.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1)
}

/// The tokens of the row, ascending.
pub fn tokens(row: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let is_set = |word: &u32| *word != 0;
    (0..).zip(row).flat_map(move |(at, &word)| {
        let bits = std::iter::successors(Some(word).filter(is_set), move |word| {
            Some(word & (word - 1)).filter(is_set)
        });
        bits.map(move |word| 32 * at + word.trailing_zeros())
    })
}

/// Writes a row that has one token.
pub fn only(row: &mut [u32], token: u32) {
    row.fill(0);
    if let Some(word) = row.get_mut(token as usize / 32) {
        *word = 1 << (token % 32);
    }
}

/// Writes a row that has all tokens below `width`.
pub fn all(row: &mut [u32], width: u32) {
    for (at, word) in (0..).zip(row) {
        let rest = width.saturating_sub(32 * at);
        *word = if rest >= 32 { u32::MAX } else { (1 << rest) - 1 };
    }
}

/// The tokens of the row, as ascending ranges that do not touch.
#[must_use]
pub fn ranges(row: &[u32]) -> Vec<Range<u32>> {
    let mut ranges: Vec<Range<u32>> = Vec::new();
    for token in tokens(row) {
        match ranges.last_mut() {
            Some(last) if last.end == token => last.end += 1,
            _ => ranges.push(token..token + 1),
        }
    }
    ranges
}

/// Whether all tokens of the row begin with the same byte, special tokens by their names. Without that, no text is certain to come.
#[must_use]
pub fn begin_alike(row: &[u32], vocabulary: &Vocabulary) -> bool {
    let vocabulary = vocabulary.tokens();
    let name = |token| vocabulary.special_text(token).map(str::as_bytes);
    let mut first = None;
    tokens(row)
        .map(|token| vocabulary.bytes(token).or_else(|| name(token)).and_then(<[u8]>::first))
        .all(|byte| byte.is_some() && *first.get_or_insert(byte) == byte)
}

/// Takes a token out of a row.
pub fn remove(row: &mut [u32], token: u32) {
    if let Some(word) = row.get_mut(token as usize / 32) {
        *word &= !(1 << (token % 32));
    }
}
