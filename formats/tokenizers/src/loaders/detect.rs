//! Detects the format of a tokenizer file from its content.
//!
//! The input is the whole file, not compressed. The four formats are tried in this order:
//!
//! 1. SentencePiece: the file starts with field 1 of a message, which starts with field 1 of a piece.
//! 2. JSON: the file starts with `{`; the first key that only one of the two JSON formats has decides between them.
//! 3. tiktoken: the first line holds base64 and a rank.
//!
//! Only the beginning of the file is looked at, so a damaged file can still have a format.

use super::format::Format;
use super::{json, sentencepiece, tiktoken};
use gcc_grammar_vocabulary::{ErrorKind, VocabularyError};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;

impl Format {
    /// Detects the format from the content, which must not be compressed.
    ///
    /// # Errors
    /// The content has no known format, or is a JSON document that does not hold a complete tokenizer.
    pub fn detect(data: &[u8]) -> Result<Self, VocabularyError> {
        if data.is_empty() {
            return Err(unknown("the file is empty"));
        }
        if sentencepiece::looks_like(data) {
            return Ok(Self::SentencePiece);
        }
        if data.trim_ascii_start().first() == Some(&b'{') {
            return detect_json(data);
        }
        if tiktoken::looks_like(data) {
            return Ok(Self::Tiktoken);
        }
        Err(unknown("the file has no known tokenizer format"))
    }
}

fn unknown(message: &str) -> VocabularyError {
    VocabularyError::new(ErrorKind::UnknownFormat, message).help(
        "use a Hugging Face tokenizer.json, a Mistral tekken.json, a SentencePiece .model or a file of tiktoken \
         ranks; each may be compressed with gzip",
    )
}

/// Distinguishes `tokenizer.json` from `tekken.json`.
fn detect_json(data: &[u8]) -> Result<Format, VocabularyError> {
    let mut found = None;
    let result = FirstKey(&mut found).deserialize(&mut serde_json::Deserializer::from_slice(data));
    match (found, result) {
        (Some(format), _) => Ok(format),
        (None, Err(error)) => Err(json::malformed(error)),
        (None, Ok(())) => Err(unknown("this JSON file does not hold a complete tokenizer")),
    }
}

/// Reads an object up to the first key that determines the format, and then stops with an error.
struct FirstKey<'a>(&'a mut Option<Format>);

impl<'de> DeserializeSeed<'de> for FirstKey<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FirstKey<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            *self.0 = match key.as_str() {
                "added_tokens" | "model" | "normalizer" | "padding" | "pre_tokenizer" | "truncation" => {
                    Some(Format::HuggingFace)
                }
                "audio" | "config" | "image" | "special_tokens" => Some(Format::Tekken),
                _ => None,
            };
            if self.0.is_some() {
                return Err(A::Error::custom("the format is known, so the rest need not be read"));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_determines_the_format() {
        let detect = |data: &[u8]| Format::detect(data).map_err(|error| error.kind);
        assert_eq!(detect(br#"{"version":"1.0","added_tokens":[]}"#), Ok(Format::HuggingFace));
        assert_eq!(detect(br#" {"vocab":[{"rank":0}],"config":{}}"#), Ok(Format::Tekken));
        assert_eq!(detect(b"IQ== 0\nIg== 1\n"), Ok(Format::Tiktoken));
        assert_eq!(detect(b"\n\x0e\n\x05<unk>\x15\0\0\0\0\x18\x02"), Ok(Format::SentencePiece));
        for other in [&b""[..], b"hello", br#"{"a":1}"#, br#"{"!":0,"\"":1}"#, b"\xff\xfe\0", b"[]"] {
            assert_eq!(detect(other), Err(ErrorKind::UnknownFormat), "{other:?}");
        }
        assert_eq!(detect(b"{"), Err(ErrorKind::Malformed));
    }
}
