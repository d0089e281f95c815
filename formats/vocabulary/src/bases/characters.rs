//! How many characters of a JSON string each token begins: planes of bits for small numbers, a list for large ones.

use crate::trie::Trie;
use gcc_grammar_artifact::bases::{MANY, MOST_CHARACTERS, PLANES, TokenCharacters};
use gcc_grammar_artifact::ids::TokenId;
use gcc_grammar_artifact::json_string::{Place, characters, is_regular};
use std::cmp::Reverse;

/// The numbers of characters of all tokens.
pub(super) struct Characters {
    /// Per plane: the ranks of its tokens, as ranges.
    pub(super) planes: Vec<Vec<(u32, u32)>>,
    /// The section `long_tokens`.
    pub(super) long: Vec<u32>,
}

impl Characters {
    /// Counts the characters of the tokens `order`, which are those of the trie.
    pub(super) fn new(trie: &Trie, order: &[u32]) -> Self {
        let mut planes = vec![Vec::new(); 2 * PLANES as usize];
        let mut long = [const { Vec::new() }; 3];
        let mut is_countable = true;
        let mut text = Vec::new();
        for node in 1..trie.len() {
            let entry = &trie.nodes()[node as usize];
            text.truncate(usize::from(entry.depth) - 1);
            text.push(entry.byte);
            let ranks = trie.tokens_at(node);
            if ranks.is_empty() {
                continue;
            }
            let counts = [characters(&text), Place::Escape.characters(&text).unwrap_or(0)];
            let behind_quote = behind_quote(&text);
            is_countable &=
                is_regular(&text) && counts.iter().all(|count| behind_quote.max(*count) <= MOST_CHARACTERS);
            let entry = |count: u32, rank: u32| TokenCharacters {
                token: TokenId(order[rank as usize]),
                characters: count.min(MOST_CHARACTERS),
            };
            if behind_quote > 0 {
                long[2].extend(ranks.clone().map(|rank| entry(behind_quote, rank)));
            }
            for (place, count) in counts.into_iter().enumerate() {
                let first = place * PLANES as usize;
                for (plane, bit) in (first..).zip([1, 2, 4, 8, MANY]) {
                    let is_set = if count >= MANY { bit == MANY } else { count & bit != 0 };
                    if is_set {
                        add(&mut planes[plane], (ranks.start, ranks.end));
                    }
                }
                if count >= MANY {
                    long[place].extend(ranks.clone().map(|rank| entry(count, rank)));
                }
            }
        }
        let mut words = vec![long[0].len() as u32, long[1].len() as u32, u32::from(is_countable)];
        for mut tokens in long {
            tokens.sort_unstable_by_key(|entry| (Reverse(entry.characters), entry.token));
            words.extend(tokens.into_iter().map(TokenCharacters::entry));
        }
        Self { planes, long: words }
    }
}

/// The most characters that begin behind a quote in a token.
fn behind_quote(text: &[u8]) -> u32 {
    let quotes = (1..).zip(text).filter(|(_, byte)| **byte == b'"');
    quotes.filter_map(|(behind, _)| Place::Between.characters(&text[behind..])).max().unwrap_or(0)
}

/// Adds a range behind the others.
fn add(ranges: &mut Vec<(u32, u32)>, range: (u32, u32)) {
    match ranges.last_mut() {
        Some(last) if last.1 == range.0 => last.1 = range.1,
        _ => ranges.push(range),
    }
}
