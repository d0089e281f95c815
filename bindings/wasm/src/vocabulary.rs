//! Vocabularies: their files, and their tokens.

use crate::exchange::{Object, run};
use crate::exports;
use crate::library::{about, open_vocabulary, token, vocabulary_file};

exports! {
    /// Opens a compiled vocabulary. Input: its file.
    fn vocabulary_open() -> f64 {
        run(|exchange| {
            let vocabulary = open_vocabulary(&exchange.input)?;
            Ok(exchange.keep(Object::Vocabulary(vocabulary)))
        })
    }

    /// Writes a JSON object with width, end tokens and special tokens.
    fn vocabulary_about(vocabulary: u32) -> f64 {
        run(|exchange| {
            exchange.output = about(exchange.vocabulary(vocabulary)?).into_bytes();
            Ok(0.0)
        })
    }

    /// Writes the bytes of a token, and returns whether it is a text token.
    fn vocabulary_token(vocabulary: u32, id: u32) -> f64 {
        run(|exchange| {
            let bytes = token(exchange.vocabulary(vocabulary)?, id).map(<[u8]>::to_vec);
            let is_text = bytes.is_some();
            exchange.output = bytes.unwrap_or_default();
            Ok(f64::from(u8::from(is_text)))
        })
    }

    /// Writes the compiled file of a vocabulary.
    fn vocabulary_bytes(vocabulary: u32) -> f64 {
        run(|exchange| {
            exchange.output = vocabulary_file(exchange.vocabulary(vocabulary)?);
            Ok(0.0)
        })
    }
}
