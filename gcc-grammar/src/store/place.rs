//! The place of an artifact in a store: `v1/<vocabulary>/<first two digits of the key>/<key>.gcg`.
//!
//! Two digits make 256 folders, so that no folder has very many files. The `1` counts layouts.

use crate::error::{Error, ErrorKind};
use crate::key::Key;
use crate::vocabulary::Vocabulary;
use gcc_grammar_artifact::Fingerprint;
use gcc_grammar_ir::{Code, Diagnostic};
use std::fmt;
use std::str::FromStr;

/// The first folder of each path.
pub(super) const LAYOUT: &str = "v1";

/// The place of an artifact in a store. It is written as a path with `/`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The fingerprint of the vocabulary.
    pub vocabulary: Fingerprint,
    /// The key of the artifact.
    pub key: Key,
}

impl Place {
    /// The place of the artifact with this key, which is for this vocabulary.
    #[must_use]
    pub fn new(key: Key, vocabulary: &Vocabulary) -> Self {
        Self { vocabulary: vocabulary.tokens().fingerprint(), key }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = self.key.to_string();
        write!(f, "{LAYOUT}/{}/{}/{key}.gcg", Key(self.vocabulary), &key[..2])
    }
}

impl FromStr for Key {
    type Err = Error;

    /// Reads 64 hexadecimal digits, as a key is written.
    fn from_str(text: &str) -> Result<Self, Error> {
        hexadecimal(text).map(Self).ok_or_else(|| {
            let message = "this is no key: a key has 64 hexadecimal digits, in lower case";
            let diagnostic =
                Diagnostic::error(Code::Usage, message).help("`gcc-grammar key` shows the key of an input");
            Error::new(ErrorKind::NotFound, text, diagnostic)
        })
    }
}

/// The bytes that 64 digits stand for.
pub(super) fn hexadecimal(text: &str) -> Option<Fingerprint> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let mut bytes = Fingerprint::default();
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

/// The error that a store does not have a key.
pub(super) fn missing(store: &str, key: Key) -> Error {
    let diagnostic = Diagnostic::error(Code::Io, format!("the store has no artifact with the key {key}"))
        .help("compile it into the store with `gcc-grammar compile --store` or `gcc-grammar batch`");
    Error::new(ErrorKind::NotFound, store, diagnostic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written() {
        let key = Key(std::array::from_fn(|index| index as u8 * 8 + 1));
        assert_eq!(key.to_string().parse::<Key>().ok(), Some(key));
        let written = key.to_string();
        for wrong in ["", &written[1..], &format!("{written}0"), &written.to_uppercase(), &"é".repeat(32)] {
            assert!(wrong.parse::<Key>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn places_are_paths() {
        let place = Place { vocabulary: [0xab; 32], key: Key([0x0f; 32]) };
        assert_eq!(place.to_string(), format!("v1/{}/0f/{}.gcg", "ab".repeat(32), "0f".repeat(32)));
    }
}
