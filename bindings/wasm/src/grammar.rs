//! Grammars: artifacts that are opened with their vocabulary.

use crate::exchange::{Object, run};
use crate::exports;
use crate::library::{grammar_file, open};

exports! {
    /// Opens an artifact with a vocabulary, or with the one inside it. Input: the artifact.
    fn grammar_open(vocabulary: u32, has_vocabulary: u32) -> f64 {
        run(|exchange| {
            let vocabulary = match has_vocabulary {
                0 => None,
                _ => Some(exchange.vocabulary(vocabulary)?.clone()),
            };
            let session = open(std::mem::take(&mut exchange.input), vocabulary)?;
            Ok(exchange.keep(Object::Grammar(session)))
        })
    }

    /// The vocabulary of a grammar, as an object of its own.
    fn grammar_vocabulary(grammar: u32) -> f64 {
        run(|exchange| {
            let vocabulary = exchange.grammar(grammar)?.vocabulary().clone();
            Ok(exchange.keep(Object::Vocabulary(vocabulary)))
        })
    }

    /// The number of 32-bit words of a mask.
    fn grammar_row_words(grammar: u32) -> f64 {
        run(|exchange| Ok(exchange.grammar(grammar)?.row_words() as f64))
    }

    /// Writes the artifact.
    fn grammar_bytes(grammar: u32) -> f64 {
        run(|exchange| {
            exchange.output = grammar_file(exchange.grammar(grammar)?)?;
            Ok(0.0)
        })
    }
}
