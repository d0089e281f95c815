//! Generates a sample: a random grammar with a random vocabulary for it.

use super::{grammar, regex, vocabulary};
use crate::Vocabulary;
use gcc_grammar_ir::Grammar;
use gcc_grammar_random::Random;

/// Generates a grammar of letters and special tokens.
type Make = fn(&mut Random, &[&[u8]], &Vocabulary) -> Grammar;

/// Generates the bytes of tokens.
type Fill = fn(&mut Random, &Grammar, &[&[u8]], &mut Vocabulary);

/// A grammar and a vocabulary to decode with.
#[derive(Clone, Debug)]
pub struct Sample {
    /// A sound grammar, see [`is_sound`](super::is_sound).
    pub grammar: Grammar,
    /// A vocabulary. Most of its tokens are parts of texts of the language.
    pub vocabulary: Vocabulary,
}

impl Sample {
    /// Generates the sample of a seed. Its tokens are parts of texts, cut anywhere.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with(seed, regex::alphabet, grammar::grammar, vocabulary::fill)
    }

    /// Generates the sample of a seed. It is under any split, and most of its terminals have limits on the tokens of their lexemes.
    #[must_use]
    pub fn with_limits(seed: u64) -> Self {
        Self::with(seed, regex::alphabet, grammar::grammar_with_limits, vocabulary::fill)
    }

    /// Generates the sample of a seed. It is in either discipline, with context rules, and most of its terminals have limits.
    #[must_use]
    pub fn with_limits_in_contexts(seed: u64) -> Self {
        Self::with(seed, regex::alphabet, grammar::contexts_with_limits, vocabulary::fill)
    }

    /// Generates the sample of a seed. It is under any split, and the characters of some of its terminals, which are JSON strings, are counted.
    #[must_use]
    pub fn with_counters(seed: u64) -> Self {
        Self::with(seed, regex::in_strings, grammar::grammar_with_counters, vocabulary::fill_for_strings)
    }

    /// Generates the sample of a seed. Its tokens are made of whole letters, of which some are missing.
    #[must_use]
    pub fn of_units(seed: u64) -> Self {
        Self::with(seed, regex::characters, grammar::grammar, vocabulary::fill_with_units)
    }

    fn with(seed: u64, alphabet: fn(&mut Random) -> Vec<&'static [u8]>, make: Make, fill: Fill) -> Self {
        let mut random = Random::new(seed);
        let letters = alphabet(&mut random);
        loop {
            let mut vocabulary = vocabulary::skeleton(&mut random);
            let grammar = make(&mut random, &letters, &vocabulary);
            fill(&mut random, &grammar, &letters, &mut vocabulary);
            // Where ordinary tokens are matched by id, which there are is known only now.
            if !vocabulary.names_ordinary(&grammar) || grammar::is_sound(&grammar, &vocabulary) {
                return Self { grammar, vocabulary };
            }
        }
    }
}
