//! The place of an artifact in a store: `v1/<vocabulary>/<first two digits of the key>/<key>.gcg`.
//!
//! Two digits make 256 folders, so that no folder has very many files. The `1` counts layouts.

use gcc_grammar::{Error, ErrorKind, Key, Vocabulary};
use gcc_grammar_artifact::Fingerprint;
use gcc_grammar_ir::{Code, Diagnostic};
use std::fmt;

/// The first folder of each path.
pub(crate) const LAYOUT: &str = "v1";

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

/// The error that a store does not have a key.
pub(crate) fn missing(store: &str, key: Key) -> Error {
    let diagnostic = Diagnostic::error(Code::Io, format!("the store has no artifact with the key {key}"))
        .help("compile it into the store with `gcc-grammar compile --store` or `gcc-grammar batch`");
    Error::new(ErrorKind::NotFound, store, diagnostic)
}

/// The error that a store needs a cache, and there is no folder for one.
#[cfg(feature = "stores")]
pub(crate) fn no_cache(store: &str) -> Error {
    let diagnostic = Diagnostic::error(Code::Usage, "there is no folder for copies of the artifacts")
        .help("set HOME or XDG_DATA_HOME, or name a folder with --cache");
    Error::new(ErrorKind::NotFound, store, diagnostic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_paths() {
        let place = Place { vocabulary: [0xab; 32], key: Key([0x0f; 32]) };
        assert_eq!(place.to_string(), format!("v1/{}/0f/{}.gcg", "ab".repeat(32), "0f".repeat(32)));
    }
}
