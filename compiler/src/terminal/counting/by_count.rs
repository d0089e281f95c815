//! Collects tokens that consist of counted characters, by the least count that has them.
//!
//! In: ranges of tokens, and the least count as a function of a token's characters. Out: per count and
//! pending set a bitmap of tokens.

use crate::lexer::PendingId;
use crate::sets::Range;

/// Tokens by least count, as bitmaps over ranks.
pub(in crate::terminal) struct TokensByCount<'a> {
    /// Per rank: the number of characters of the token.
    characters: &'a [u32],
    /// Number of counts.
    counts: usize,
    /// Per pending set and count: a bitmap, empty if there is no token.
    tokens: Vec<(PendingId, Vec<Vec<u64>>)>,
}

impl<'a> TokensByCount<'a> {
    /// No tokens.
    pub(in crate::terminal) fn new(characters: &'a [u32], counts: usize) -> Self {
        Self { characters, counts, tokens: Vec::new() }
    }

    /// Adds tokens that end in a state with this pending set. `least` gives the least count that has so many
    /// characters.
    pub(in crate::terminal) fn add(&mut self, range: Range, pending: PendingId, least: impl Fn(i32) -> i32) {
        let known = self.tokens.iter().position(|(known, _)| *known == pending);
        let at = known.unwrap_or_else(|| {
            self.tokens.push((pending, Vec::new()));
            self.tokens.len() - 1
        });
        let rows = &mut self.tokens[at].1;
        let words = self.characters.len().div_ceil(64);
        let tokens = range.0 as usize..range.1 as usize;
        for (token, &characters) in tokens.clone().zip(&self.characters[tokens]) {
            let least = least(characters as i32) as usize;
            if least >= self.counts {
                continue;
            }
            if least >= rows.len() {
                rows.resize(least + 1, Vec::new());
            }
            let row = &mut rows[least];
            if row.is_empty() {
                row.resize(words, 0);
            }
            row[token / 64] |= 1 << (token % 64);
        }
    }

    /// The count, the pending set and the bitmap of all tokens.
    pub(in crate::terminal) fn into_bitmaps(self) -> impl Iterator<Item = (usize, PendingId, Vec<u64>)> {
        self.tokens.into_iter().flat_map(|(pending, rows)| {
            let rows = rows.into_iter().enumerate().filter(|(_, row)| !row.is_empty());
            rows.map(move |(count, row)| (count, pending, row))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_go_where_their_characters_fit() {
        let characters: Vec<u32> = (0..70).map(|rank| rank % 5).collect();
        let mut found = TokensByCount::new(&characters, 3);
        found.add((0, 5), PendingId(7), |characters| characters.max(1));
        found.add((64, 70), PendingId(7), |characters| characters.max(2) - 2);
        found.add((1, 2), PendingId(8), |characters| characters);
        let found: Vec<(usize, PendingId, Vec<u64>)> = found.into_bitmaps().collect();
        let expected = [(0, vec![0, 0b1110]), (1, vec![0b11, 1 << 4]), (2, vec![0b100, 0b10_0001])]
            .map(|(count, bitmap)| (count, PendingId(7), bitmap));
        assert_eq!(found[..3], expected);
        assert_eq!(found[3..], [(1, PendingId(8), vec![0b10, 0])]);
    }
}
