//! [`Bytes`]: the bytes of an artifact, wherever they are.

use crate::artifacts::pack::Pack;
use crate::files::mapped::Mapped;
use std::ops::{Deref, Range};

/// The bytes of an artifact.
#[derive(Debug)]
pub(crate) enum Bytes {
    /// A file by itself.
    Mapped(Mapped),
    /// A copy in memory.
    Owned(Vec<u8>),
    /// An artifact in a pack.
    Packed(Pack, Range<usize>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(mapped) => &mapped.map,
            Self::Owned(bytes) => bytes,
            Self::Packed(pack, range) => &pack.bytes()[range.clone()],
        }
    }
}
