//! The two hashes of a vocabulary: the canonical hash of its tokens, and the fingerprint of all its parts.
//!
//! Both are SHA-256. Every part is preceded by its length, so that different descriptions are different inputs.

use sha2::{Digest, Sha256};

/// Hashes tokens, which must come by ascending id: id and number of bytes as 32 bits little-endian, and bytes.
#[must_use]
pub fn canonical_hash<'a>(tokens: impl Iterator<Item = (u32, &'a [u8])>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for (id, bytes) in tokens {
        hash.update(id.to_le_bytes());
        hash.update((bytes.len() as u32).to_le_bytes());
        hash.update(bytes);
    }
    hash.finalize().into()
}

/// Hashes the canonical hash, the width, the special tokens (id and name) and the end tokens.
pub(super) fn fingerprint<'a>(
    canonical: &[u8; 32],
    width: u32,
    specials: impl ExactSizeIterator<Item = (u32, &'a str)>,
    end_tokens: &[u32],
) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"gcc-grammar vocabulary 1\0");
    hash.update(canonical);
    for number in [width, specials.len() as u32, end_tokens.len() as u32] {
        hash.update(number.to_le_bytes());
    }
    for (id, name) in specials {
        hash.update(id.to_le_bytes());
        hash.update((name.len() as u32).to_le_bytes());
        hash.update(name);
    }
    end_tokens.iter().for_each(|id| hash.update(id.to_le_bytes()));
    hash.finalize().into()
}
