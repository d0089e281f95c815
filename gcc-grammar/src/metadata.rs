//! Cold metadata: what people and tools may want to know about an artifact, and the runtime never reads.
//!
//! ```text
//! version byte │ zstd ( bincode ( Metadata ) )
//! ```
//! This module alone knows how it is encoded; everything hot lies in tables of its own. Nothing in it depends on the clock or the
//! machine, so equal inputs give equal bytes. Decoding is bounded, whatever the bytes claim.

use crate::files::frame;
use gcc_grammar_artifact::Fingerprint;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;
use std::io::Read;

/// The version of the compiler.
pub(crate) const COMPILER: &str = env!("CARGO_PKG_VERSION");

/// Version of the encoding.
const VERSION: u8 = 3;
/// Metadata decodes to at most this many bytes, and nothing in it claims more.
const MAX_BYTES: usize = 1 << 26;
/// Cold, so it may be slow to write.
const COMPRESSION: i32 = 12;

/// What an artifact was made from, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Metadata {
    /// Version of the compiler.
    pub compiler: String,
    /// The schema or grammar.
    pub source: Source,
    /// The vocabulary.
    pub vocabulary: VocabularyTokens,
    /// Options that change the language, by name.
    pub options: Vec<(String, String)>,
    /// Names of the terminals, by number.
    pub terminals: Vec<String>,
    /// Names of the rules of the grammar.
    pub rules: Vec<String>,
    /// What became of every keyword of the schema, or of the schemas that are embedded in the grammar, and which texts of valid values
    /// are refused.
    pub report: Vec<ReportEntry>,
    /// Warnings of the front end.
    pub warnings: Vec<String>,
    /// Sizes of all stages, by name.
    pub stats: Vec<(String, u64)>,
    /// Whether every token that a mask allows can be continued to a text of the language: `certified`, or `not certified: ` and the
    /// reason. Empty if the artifact was written by a compiler that did not ask.
    pub liveness: String,
}

/// A schema or grammar as it was given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Source {
    /// Its format, such as `lark`.
    pub format: String,
    /// Its text.
    pub text: String,
    /// The files it imports.
    pub imports: Vec<Import>,
}

/// An imported file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Import {
    /// As it is named in the source.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// How to find the vocabulary again: by its tokens, because one vocabulary can have many names. Whether it is the same is for the
/// fingerprint to say.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VocabularyTokens {
    /// Canonical hash of its text tokens.
    pub tokens: Fingerprint,
    /// Bits in a mask.
    pub width: u32,
    /// Tokens that end the output.
    pub end_tokens: Vec<u32>,
}

/// What became of one keyword of a schema, or which texts of its valid values a schema refuses.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReportEntry {
    /// JSON Pointer of the keyword, or of the schema if it is narrowed; in a Lark grammar `LINE:COLUMN#` and the pointer into the schema there.
    pub pointer: String,
    /// `enforced`, `superset`, `annotation`, `refused` or `narrowed`.
    pub coverage: String,
    /// The kind of the narrowing, such as `key-order`; empty if the coverage is another one.
    pub kind: String,
    /// Why, and what it means; empty if it is enforced.
    pub note: String,
}

impl ReportEntry {
    /// The entry as a JSON object with `pointer`, `coverage` and `note`, and with `kind` if it is a narrowing.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let Self { pointer, coverage, kind, note } = self;
        let mut entry = serde_json::json!({"pointer": pointer, "coverage": coverage, "note": note});
        if self.is_narrowing() {
            entry["kind"] = kind.as_str().into();
        }
        entry
    }

    /// Whether the entry says which texts of valid values are refused.
    #[must_use]
    pub fn is_narrowing(&self) -> bool {
        self.coverage == "narrowed"
    }
}

/// Why metadata could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MetadataError {
    /// Written by another version of the compiler, in an encoding that this one does not know.
    OtherVersion(u8),
    /// Not what this module writes.
    Malformed,
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherVersion(version) => {
                write!(f, "the metadata is in encoding {version}; this compiler knows only {VERSION}")
            }
            Self::Malformed => f.write_str("the metadata is malformed"),
        }
    }
}

impl std::error::Error for MetadataError {}

impl Source {
    /// Names the grammar: SHA-256 of format and texts. The name of its file does not matter.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let imports = self.imports.iter().flat_map(|import| [import.name.as_str(), import.text.as_str()]);
        digest("gcc-grammar source 2", [self.format.as_str(), self.text.as_str()].into_iter().chain(imports))
    }
}

impl Metadata {
    /// [`options_fingerprint`] of the version and the options in this metadata.
    #[must_use]
    pub fn options_fingerprint(&self) -> Fingerprint {
        options_fingerprint(&self.compiler, &self.options)
    }

    /// The bytes of the metadata section.
    ///
    /// # Panics
    /// Never: the values here have nothing that can fail to encode, and memory is the only sink.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let plain = bincode::serde::encode_to_vec(self, bincode::config::standard()).expect("plain data");
        let packed = frame::pack(&plain, COMPRESSION);
        [&[VERSION], packed.as_slice()].concat()
    }

    /// Reads a metadata section.
    ///
    /// # Errors
    /// The bytes are not what [`encode`](Self::encode) gives.
    pub fn decode(bytes: &[u8]) -> Result<Self, MetadataError> {
        let (&version, packed) = bytes.split_first().ok_or(MetadataError::Malformed)?;
        if version != VERSION {
            return Err(MetadataError::OtherVersion(version));
        }
        // The writer announces the length.
        let length = frame::content_size(packed);
        if length.is_none_or(|length| length > MAX_BYTES as u64) {
            return Err(MetadataError::Malformed);
        }
        let mut plain = Vec::new();
        let decoder = frame::reader(packed).map_err(|_| MetadataError::Malformed)?;
        decoder.take(MAX_BYTES as u64 + 1).read_to_end(&mut plain).map_err(|_| MetadataError::Malformed)?;
        if plain.len() > MAX_BYTES {
            return Err(MetadataError::Malformed);
        }
        let config = bincode::config::standard().with_limit::<MAX_BYTES>();
        match bincode::serde::decode_from_slice(&plain, config) {
            Ok((metadata, read)) if read == plain.len() => Ok(metadata),
            _ => Err(MetadataError::Malformed),
        }
    }
}

/// Names options: SHA-256 of them and of the compiler's version.
#[must_use]
pub fn options_fingerprint(compiler: &str, options: &[(String, String)]) -> Fingerprint {
    let options = options.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]);
    digest("gcc-grammar options 1", std::iter::once(compiler).chain(options))
}

/// SHA-256 of the parts, each after its length, so that no two lists coincide.
pub(crate) fn digest<T: AsRef<[u8]>>(domain: &str, parts: impl IntoIterator<Item = T>) -> Fingerprint {
    let mut hash = Sha256::new();
    let mut update = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    update(domain.as_bytes());
    parts.into_iter().for_each(|part| update(part.as_ref()));
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata() -> Metadata {
        Metadata {
            compiler: "1.2.3".into(),
            source: Source { format: "lark".into(), text: "start: \"a\"".into(), imports: vec![] },
            vocabulary: VocabularyTokens {
                tokens: [7; 32],
                width: 128_256,
                end_tokens: vec![128_001, 128_009],
            },
            options: vec![("start".into(), "start".into())],
            stats: vec![("lr states".into(), 12)],
            liveness: "certified".into(),
            ..Metadata::default()
        }
    }

    #[test]
    fn written_and_read_it_is_the_same() {
        assert_eq!(Metadata::decode(&metadata().encode()), Ok(metadata()));
        assert_eq!(metadata().encode(), metadata().encode());
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let bytes = metadata().encode();
        for length in 0..bytes.len() {
            assert!(Metadata::decode(&bytes[..length]).is_err(), "{length} bytes");
        }
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 0x55;
            // Some changes are other valid metadata: there is no checksum here, the section has one.
            let _ = Metadata::decode(&changed);
        }
        assert_eq!(Metadata::decode(&[9]), Err(MetadataError::OtherVersion(9)));
    }

    #[test]
    fn bombs_do_not_go_off() {
        let zeros = zstd::encode_all(std::io::repeat(0).take(MAX_BYTES as u64 * 2), 1).unwrap();
        assert_eq!(Metadata::decode(&[&[VERSION], zeros.as_slice()].concat()), Err(MetadataError::Malformed));
        let zeros = zstd::bulk::compress(&vec![0; MAX_BYTES + 1], 1).unwrap();
        assert_eq!(Metadata::decode(&[&[VERSION], zeros.as_slice()].concat()), Err(MetadataError::Malformed));
        // A string that claims 2^60 bytes.
        let claim = zstd::bulk::compress([253, 0, 0, 0, 0, 0, 0, 0, 16].as_slice(), 1).unwrap();
        assert_eq!(Metadata::decode(&[&[VERSION], claim.as_slice()].concat()), Err(MetadataError::Malformed));
    }

    #[test]
    fn fingerprints_tell_texts_apart() {
        let source = metadata().source;
        let imports = vec![Import { name: "x".into(), text: String::new() }];
        let imported = Source { imports, ..source.clone() };
        assert_ne!(source.fingerprint(), imported.fingerprint());
        let other = Metadata { options: vec![("star".into(), "tstart".into())], ..metadata() };
        assert_ne!(metadata().options_fingerprint(), other.options_fingerprint());
    }
}
