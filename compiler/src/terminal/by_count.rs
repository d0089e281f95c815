//! Tokens of nothing but counted characters, by the least count that can take them.

use crate::sets::Range;

/// Tokens found, as bitmaps over ranks.
pub(super) struct ByCount<'a> {
    /// Characters by rank.
    characters: &'a [u32],
    /// How many counts there are.
    counts: usize,
    /// Per pending set and count; empty where there are none.
    tokens: Vec<(u32, Vec<Vec<u64>>)>,
}

impl<'a> ByCount<'a> {
    /// None, so far.
    pub(super) fn new(characters: &'a [u32], counts: usize) -> Self {
        Self { characters, counts, tokens: Vec::new() }
    }

    /// Adds tokens that end in a state with this pending set; `least` is of the characters of a token.
    pub(super) fn add(&mut self, range: Range, pending: u32, least: impl Fn(i32) -> i32) {
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

    /// By count and pending set.
    pub(super) fn into_bitmaps(self) -> impl Iterator<Item = (usize, u32, Vec<u64>)> {
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
        let mut found = ByCount::new(&characters, 3);
        found.add((0, 5), 7, |characters| characters.max(1));
        found.add((64, 70), 7, |characters| characters.max(2) - 2);
        found.add((1, 2), 8, |characters| characters);
        let found: Vec<(usize, u32, Vec<u64>)> = found.into_bitmaps().collect();
        let expected = [(0, 7, vec![0, 0b1110]), (1, 7, vec![0b11, 1 << 4]), (2, 7, vec![0b100, 0b10_0001])];
        assert_eq!(found[..3], expected);
        assert_eq!(found[3..], [(1, 8, vec![0b10, 0])]);
    }
}
