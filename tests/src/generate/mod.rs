//! Random grammars, vocabularies and walks, all out of one seed; and failures made small.

mod grammar;
mod random;
mod regex;
pub mod shrink;
mod vocabulary;
mod walk;

pub use grammar::is_sound;
pub use random::Random;
pub use walk::Walk;

use crate::Vocabulary;
use gcc_grammar_ir::Grammar;

/// A grammar and a vocabulary to decode with.
#[derive(Clone, Debug)]
pub struct Sample {
    /// A sound grammar, see [`is_sound`].
    pub grammar: Grammar,
    /// Whose tokens are, for the most part, pieces of the grammar's texts.
    pub vocabulary: Vocabulary,
}

impl Sample {
    /// The sample of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let letters = regex::alphabet(&mut random);
        let mut vocabulary = vocabulary::skeleton(&mut random);
        let grammar = grammar::grammar(&mut random, &letters, &vocabulary);
        vocabulary::fill(&mut random, &grammar, &letters, &mut vocabulary);
        Self { grammar, vocabulary }
    }
}
