//! [`Spelling`]: how the bytes of a token follow from its text in a `tokenizer.json`.
//!
//! The *decoder* of the file determines the bytes of a token. Two families of decoders reproduce text byte for byte, and
//! only these are supported:
//!
//! - **byte-level** (GPT-2): every character of the token is one byte, by a table of printable characters.
//! - **pieces** (SentencePiece): the token is its own text after a few replacements (U+2581 by a space). If the decoder
//!   has byte fallback, a token such as `<0x0A>` is one byte.
//!
//! A file without a decoder is byte-level if its pre-tokenizer is.

use crate::loaders::byte_fallback::fallback_byte;
use gcc_grammar_vocabulary::{ErrorKind, Place, VocabularyError};
use rustc_hash::FxHashMap;
use serde_json::Value;

/// The character that SentencePiece writes for a space.
const SPACE: &str = "\u{2581}";

/// How the bytes of a token follow from its text.
pub(super) enum Spelling {
    /// Every character is one byte.
    ByteLevel(FxHashMap<char, u8>),
    /// The token is its own text after these replacements; byte-fallback tokens are one byte if `fallback` is set.
    Pieces { replacements: Vec<(String, String)>, fallback: bool },
}

impl Spelling {
    /// Determines the spelling from the decoder, or from the rest of the file if there is none.
    ///
    /// # Errors
    /// The decoder has a step that is not supported.
    pub(super) fn from_decoder(
        decoder: &Value,
        pre_tokenizer: &Value,
        model_has_fallback: bool,
    ) -> Result<Self, VocabularyError> {
        let steps = steps(decoder, "decoders");
        if steps.is_empty() {
            let pre_tokenizers = self::steps(pre_tokenizer, "pretokenizers");
            let byte_level = pre_tokenizers.iter().any(|step| kind(step) == "ByteLevel");
            return Ok(if byte_level {
                Self::byte_level()
            } else {
                Self::Pieces { replacements: vec![by_space(SPACE)], fallback: model_has_fallback }
            });
        }
        if steps.iter().all(|step| kind(step) == "ByteLevel") {
            return Ok(Self::byte_level());
        }
        let (mut replacements, mut fallback) = (Vec::new(), false);
        for (index, step) in steps.iter().enumerate() {
            let unsupported = || unsupported_step(decoder, index);
            match kind(step) {
                "ByteFallback" => fallback = true,
                "Replace" => replacements.push(replacement(step).ok_or_else(unsupported)?),
                "Metaspace" => replacements.push(by_space(step["replacement"].as_str().unwrap_or(SPACE))),
                // These steps work on the joined text: they remove the space that encoding put in front.
                "Fuse" | "Strip" => {}
                _ => return Err(unsupported()),
            }
        }
        Ok(Self::Pieces { replacements, fallback })
    }

    fn byte_level() -> Self {
        Self::ByteLevel(bytes_to_unicode().map(|(byte, character)| (character, byte)).collect())
    }

    /// The bytes of a token of the model.
    pub(super) fn bytes(&self, text: &str) -> Vec<u8> {
        match self {
            // The reference decoder takes a token with a character outside of the table as its own text.
            Self::ByteLevel(bytes) => {
                let bytes: Option<Vec<u8>> = text.chars().map(|c| bytes.get(&c).copied()).collect();
                bytes.unwrap_or_else(|| text.into())
            }
            Self::Pieces { replacements, fallback } => match fallback_byte(text).filter(|_| *fallback) {
                Some(byte) => vec![byte],
                None => {
                    let replace = |text: String, (from, to): &(String, String)| text.replace(from, to);
                    replacements.iter().fold(text.to_owned(), replace).into()
                }
            },
        }
    }

    /// The bytes of an added token that is not in the model. The file holds its text as it is.
    pub(super) fn added(&self, text: &str) -> Vec<u8> {
        match self {
            Self::ByteLevel(_) => text.into(),
            Self::Pieces { .. } => self.bytes(text),
        }
    }
}

/// GPT-2's table `bytes_to_unicode`: printable Latin-1 characters stand for themselves, and U+0100 and the characters
/// that follow it for the other 68 bytes.
fn bytes_to_unicode() -> impl Iterator<Item = (u8, char)> {
    let mut next = 0x100u32;
    (0..=255u8).map(move |byte| match byte {
        b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff => (byte, char::from(byte)),
        _ => {
            next += 1;
            (byte, char::from_u32(next - 1).unwrap_or_default())
        }
    })
}

/// The steps of a decoder or pre-tokenizer: the members of a sequence, or else the value itself.
fn steps<'a>(value: &'a Value, members: &str) -> Vec<&'a Value> {
    match value {
        Value::Null => vec![],
        _ if kind(value) == "Sequence" => {
            value[members].as_array().map(|list| list.iter().collect()).unwrap_or_default()
        }
        _ => vec![value],
    }
}

/// The type of a step.
fn kind(step: &Value) -> &str {
    step["type"].as_str().unwrap_or_default()
}

/// The replacement of one string by another; `None` for a step with a regular expression.
fn replacement(step: &Value) -> Option<(String, String)> {
    let from = step["pattern"]["String"].as_str().filter(|from| !from.is_empty())?;
    Some((from.to_owned(), step["content"].as_str()?.to_owned()))
}

/// The replacement of `text` by a space.
fn by_space(text: &str) -> (String, String) {
    (text.to_owned(), " ".to_owned())
}

fn unsupported_step(decoder: &Value, index: usize) -> VocabularyError {
    let (step, pointer) = match decoder["decoders"].get(index) {
        Some(step) => (step, format!("/decoder/decoders/{index}")),
        None => (decoder, "/decoder".to_owned()),
    };
    let message = format!("the decoder step {:?} is not supported", kind(step));
    VocabularyError::new(ErrorKind::Unsupported, message).at(Place::Pointer(pointer)).help(
        "use a tokenizer whose decoder is ByteLevel alone, or made of Metaspace, ByteFallback, Fuse, Strip and \
         Replace with a string",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_covers_every_byte_once() {
        let table: FxHashMap<char, u8> = bytes_to_unicode().map(|(byte, c)| (c, byte)).collect();
        assert_eq!((table.len(), table[&'\u{120}'], table[&'\u{10a}']), (256, b' ', b'\n'));
    }
}
