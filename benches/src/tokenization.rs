//! Texts cut into tokens: as the model's own tokenizer does, and at random.

use gcc_grammar_vocabulary::{Resolved, Tokenizer, TokenizerOptions, Vocabulary};

/// Longest token taken at random: longer ones are rare.
const LONGEST: usize = 24;

/// Random numbers: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// Leaves at most `most` of the items, chosen at random, and sorts them. The order they come in does not matter.
pub fn sample<T: Ord>(items: &mut Vec<T>, most: usize, seed: u64) {
    items.sort();
    let mut random = Random(seed);
    while items.len() > most {
        items.swap_remove(random.below(items.len()));
    }
    items.sort();
}

/// The model's own tokenizer. The error is for people.
pub fn tokenizer(vocabulary: &Resolved) -> Result<Tokenizer<'_>, String> {
    vocabulary.tokenizer(TokenizerOptions::default()).map_err(|error| error.to_string())
}

/// The text cut at random: at each place a token is drawn from those that fit; none if no token fits somewhere.
#[must_use]
pub fn at_random(vocabulary: &Vocabulary, text: &[u8], random: &mut Random) -> Option<Vec<u32>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let fitting: Vec<(usize, u32)> = (1..=rest.len().min(LONGEST))
            .filter_map(|length| Some((length, vocabulary.find(&rest[..length])?)))
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let (length, token) = fitting[random.below(fitting.len())];
        tokens.push(token);
        rest = &rest[length..];
    }
    Some(tokens)
}
