//! Generates a sample: a random grammar with a random vocabulary for it.

use super::random::Random;
use super::{grammar, regex, vocabulary};
use crate::Vocabulary;
use gcc_grammar_ir::Grammar;

/// A grammar and a vocabulary to decode with.
#[derive(Clone, Debug)]
pub struct Sample {
    /// A sound grammar, see [`is_sound`](super::is_sound).
    pub grammar: Grammar,
    /// A vocabulary. Most of its tokens are parts of texts of the language.
    pub vocabulary: Vocabulary,
}

impl Sample {
    /// Generates the sample of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let letters = regex::alphabet(&mut random);
        loop {
            let mut vocabulary = vocabulary::skeleton(&mut random);
            let grammar = grammar::grammar(&mut random, &letters, &vocabulary);
            vocabulary::fill(&mut random, &grammar, &letters, &mut vocabulary);
            // Where ordinary tokens are matched by id, which there are is known only now.
            if !vocabulary.names_ordinary(&grammar) || grammar::is_sound(&grammar, &vocabulary) {
                return Self { grammar, vocabulary };
            }
        }
    }
}
