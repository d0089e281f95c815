//! The artifact file: a compiled grammar with its metadata, as it is or compressed for shipping.
//!
//! A compressed artifact is the plain one as a single zstd frame. It cannot be mapped: whoever receives it expands it once.

use crate::metadata::Metadata;
use gcc_grammar_artifact::grammar::VOCABULARY;
use gcc_grammar_artifact::{ArtifactError, Fingerprints, GrammarView};
use gcc_grammar_compiler::pipeline::Compiled;
use gcc_grammar_vocabulary::Vocabulary;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;

/// What every zstd frame begins with.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// Compressed artifacts that expand to more are refused.
const MAX_EXPANDED: u64 = 1 << 31;

/// The bytes of the artifact, for the vocabulary that the grammar was compiled for.
#[must_use]
pub fn write(compiled: &Compiled, vocabulary: &Vocabulary, metadata: &Metadata) -> Vec<u8> {
    compiled.tables.write(fingerprints(vocabulary, metadata), metadata.encode())
}

/// The same with the tokens of the vocabulary inside: nothing else is needed to decode with it.
#[must_use]
pub fn write_self_contained(compiled: &Compiled, vocabulary: &Vocabulary, metadata: &Metadata) -> Vec<u8> {
    let fingerprints = fingerprints(vocabulary, metadata);
    compiled.tables.write_self_contained(fingerprints, metadata.encode(), vocabulary.to_small_artifact())
}

fn fingerprints(vocabulary: &Vocabulary, metadata: &Metadata) -> Fingerprints {
    Fingerprints {
        grammar: metadata.source.fingerprint(),
        vocabulary: vocabulary.fingerprint(),
        options: metadata.options_fingerprint(),
    }
}

/// The vocabulary file inside an artifact, if it is self-contained.
///
/// # Errors
/// The section is damaged.
pub fn embedded_vocabulary<'a>(grammar: &GrammarView<'a>) -> Result<Option<&'a [u8]>, ArtifactError> {
    match grammar.container().bytes(&VOCABULARY) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ArtifactError::MissingSection { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The artifact compressed for shipping, `level` from 1 (fast) to 22 (small). Equal inputs give equal bytes.
///
/// # Panics
/// Never: memory is the only source and sink.
#[must_use]
pub fn compress(artifact: &[u8], level: i32) -> Vec<u8> {
    zstd::bulk::compress(artifact, level).expect("memory to memory")
}

/// Whether [`expand`] would have to do anything.
#[must_use]
pub fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&ZSTD_MAGIC)
}

/// A compressed artifact that cannot be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpandError {
    /// Not an intact zstd frame.
    Damaged,
    /// It expands to more than any artifact has.
    TooLarge,
}

impl fmt::Display for ExpandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Damaged => f.write_str("damaged: it is compressed, and cannot be expanded"),
            Self::TooLarge => write!(f, "it expands to more than {MAX_EXPANDED} bytes"),
        }
    }
}

impl std::error::Error for ExpandError {}

/// The plain artifact: `bytes` themselves, or what they expand to.
///
/// # Errors
/// [`ExpandError`].
pub fn expand(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ExpandError> {
    if !is_compressed(bytes) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut plain = Vec::new();
    let decoder = zstd::Decoder::new(bytes).map_err(|_| ExpandError::Damaged)?;
    decoder.take(MAX_EXPANDED + 1).read_to_end(&mut plain).map_err(|_| ExpandError::Damaged)?;
    if plain.len() as u64 > MAX_EXPANDED {
        return Err(ExpandError::TooLarge);
    }
    Ok(Cow::Owned(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_and_expanded_it_is_the_same() {
        let plain: Vec<u8> = b"GCCG some artifact".repeat(100);
        let packed = compress(&plain, 19);
        assert!(packed.len() < plain.len() && is_compressed(&packed) && !is_compressed(&plain));
        assert_eq!(expand(&packed).as_deref(), Ok(plain.as_slice()));
        assert_eq!(expand(&plain).as_deref(), Ok(plain.as_slice()));
        assert_eq!(expand(&packed[..packed.len() - 1]), Err(ExpandError::Damaged));
    }
}
