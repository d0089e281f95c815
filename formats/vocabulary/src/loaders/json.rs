//! What the JSON formats share: telling them apart by their first telling key, and errors with line and column.

use super::{Format, unknown};
use crate::{Place, VocabularyError};
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// Reads a typed document.
pub(super) fn parse<T: DeserializeOwned>(data: &[u8]) -> Result<T, VocabularyError> {
    serde_json::from_slice(data).map_err(malformed)
}

/// A syntax or type error, where it is.
fn malformed(error: serde_json::Error) -> VocabularyError {
    // serde_json appends the place to its message; here it has a field of its own.
    let text = error.to_string();
    let what = text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what);
    super::malformed(format!("not as the format has it: {what}"))
        .at(Place::Line(error.line(), error.column()))
        .caused_by(error)
}

/// Tells `tokenizer.json` and `tekken.json` apart.
pub(super) fn detect(data: &[u8]) -> Result<Format, VocabularyError> {
    let mut found = None;
    let result = FirstKey(&mut found).deserialize(&mut serde_json::Deserializer::from_slice(data));
    match (found, result) {
        (Some(format), _) => Ok(format),
        (None, Err(error)) => Err(malformed(error)),
        (None, Ok(())) => Err(unknown("this JSON file is not a whole tokenizer")),
    }
}

/// Reads an object up to the first key that tells the format, then stops with an error.
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
                return Err(A::Error::custom("the format is known, the rest need not be read"));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
