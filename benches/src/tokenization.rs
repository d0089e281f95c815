//! Texts cut into tokens: as the model's own tokenizer does, and at random.

pub use gcc_grammar_compiler::random::Random;

use gcc_grammar_vocabulary::{Resolved, Tokenizer, TokenizerOptions, Vocabulary};

/// Longest token taken at random: longer ones are rare.
const LONGEST: usize = 24;

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
