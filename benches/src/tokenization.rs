//! Splits texts into tokens: as the model's own tokenizer does, or at random.

pub use gcc_grammar_compiler::random::Random;

use crate::Result;
use gcc_grammar::Vocabulary;
use gcc_grammar_tokenizers::{Tokenizer, TokenizerOptions};

/// The most bytes of a token that is chosen at random. Longer tokens are rare.
const LONGEST: usize = 24;

/// The model's own tokenizer.
///
/// # Errors
/// The vocabulary has no usable tokenizer.
pub fn tokenizer(vocabulary: &Vocabulary) -> Result<Tokenizer> {
    Ok(vocabulary.resolved().tokenizer(TokenizerOptions::default())?)
}

/// Splits a text at random: each token is drawn from all tokens that are a prefix of the rest. `None` if there is no such token somewhere.
#[must_use]
pub fn at_random(
    vocabulary: &gcc_grammar_vocabulary::Vocabulary,
    text: &[u8],
    random: &mut Random,
) -> Option<Vec<u32>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let prefixes: Vec<(usize, u32)> = (1..=rest.len().min(LONGEST))
            .filter_map(|length| Some((length, vocabulary.find(&rest[..length])?)))
            .collect();
        if prefixes.is_empty() {
            return None;
        }
        let (length, token) = prefixes[random.below(prefixes.len())];
        tokens.push(token);
        rest = &rest[length..];
    }
    Some(tokens)
}
