//! Packs: many artifacts for one vocabulary in one file, with their base bitmaps once.
//!
//! ```text
//! 0             ┌────────────────┐
//!               │ `PackHeader`   │
//!               ├────────────────┤
//!               │ artifacts      │  each at a multiple of 64, with the required feature of packs
//! bases_offset  ├────────────────┤  a multiple of 4096
//!               │ base bitmaps   │  those of all artifacts, without repetitions
//! index_offset  ├────────────────┤
//!               │ `PackEntry` …  │  the keys ascend strictly
//! length        └────────────────┘
//! ```
//! A pack is written in this order, the header last. Bitmaps before the artifacts are read as well. Opening checks header and index. The base bitmaps have a checksum, and so have the sections of each artifact.

use crate::container::{Fingerprint, checksum};
use crate::error::ArtifactError;

/// The first four bytes of a pack.
pub const PACK_MAGIC: [u8; 4] = *b"GCCP";
/// The version of packs.
pub const PACK_VERSION: u32 = 1;

record! {
    /// The first bytes of a pack.
    pub struct PackHeader {
        /// `GCCP`.
        magic: [u8; 4],
        /// 1.
        version: u32,
        /// Fingerprint of the vocabulary of all artifacts.
        vocabulary: [u8; 32],
        /// Number of artifacts.
        artifacts: u32,
        /// Number of base bitmaps.
        bases: u32,
        /// Start of the base bitmaps.
        bases_offset: u64,
        /// Length of the base bitmaps.
        bases_length: u64,
        /// Start of the index.
        index_offset: u64,
        /// Length of the file in bytes.
        length: u64,
        /// XXH3-64 of the base bitmaps.
        bases_checksum: u64,
        /// XXH3-64 of the index.
        index_checksum: u64,
        /// XXH3-64 of the bytes before this field.
        header_checksum: u64,
    }
}

record! {
    /// An entry of the index.
    pub struct PackEntry {
        /// The content key of the artifact.
        key: [u8; 32],
        /// Start of the artifact.
        offset: u64,
        /// Length of the artifact in bytes.
        length: u64,
    }
}

/// A pack whose header and index were checked.
#[derive(Clone, Copy, Debug)]
pub struct PackView<'a> {
    bytes: &'a [u8],
    header: PackHeader,
    /// The ranges of all entries lie in `bytes`, and the keys ascend.
    index: &'a [[u8; PackEntry::SIZE]],
}

impl<'a> PackView<'a> {
    /// Opens the bytes of a pack.
    ///
    /// # Errors
    /// The bytes are no pack of this version, or header or index are damaged.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ArtifactError> {
        let header = read_header(bytes)?;
        let malformed = |problem| ArtifactError::MalformedDirectory { entry: 0, problem };
        let index = part(bytes, header.index_offset, header.length.saturating_sub(header.index_offset));
        let index = index.ok_or(malformed("the index lies outside"))?;
        if checksum(index) != header.index_checksum {
            return Err(ArtifactError::DirectoryChecksum);
        }
        let (index, rest) = index.as_chunks();
        if index.len() != header.artifacts as usize || !rest.is_empty() {
            return Err(malformed("the index has another number of entries"));
        }
        part(bytes, header.bases_offset, header.bases_length).ok_or(malformed("the bitmaps lie outside"))?;
        let view = Self { bytes, header, index };
        view.check_entries()?;
        Ok(view)
    }

    fn check_entries(&self) -> Result<(), ArtifactError> {
        let mut before = None;
        for (entry, PackEntry { key, offset, length }) in self.entries().enumerate() {
            let bad = |problem| Err(ArtifactError::MalformedDirectory { entry, problem });
            if before.is_some_and(|before| before >= key) {
                return bad("the keys do not ascend");
            }
            if part(self.bytes, offset, length).is_none() {
                return bad("the artifact lies outside");
            }
            before = Some(key);
        }
        Ok(())
    }

    /// Compares the base bitmaps with their checksum.
    ///
    /// # Errors
    /// They are damaged.
    pub fn verify_bases(&self) -> Result<(), ArtifactError> {
        match checksum(self.bases()) == self.header.bases_checksum {
            true => Ok(()),
            false => Err(ArtifactError::SectionChecksum { kind: 0 }),
        }
    }

    /// The header.
    #[must_use]
    pub const fn header(&self) -> &PackHeader {
        &self.header
    }

    /// The entries of the index.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = PackEntry> + use<'a> {
        self.index.iter().map(PackEntry::read)
    }

    /// The bytes of the artifact with this key, for [`GrammarView::open_packed`](crate::GrammarView::open_packed).
    #[must_use]
    pub fn artifact(&self, key: &Fingerprint) -> Option<&'a [u8]> {
        let found = self.index.binary_search_by(|entry| entry[..key.len()].cmp(key)).ok()?;
        let PackEntry { offset, length, .. } = PackEntry::read(self.index.get(found)?);
        part(self.bytes, offset, length)
    }

    /// The base bitmaps of all artifacts.
    #[must_use]
    pub fn bases(&self) -> &'a [u8] {
        part(self.bytes, self.header.bases_offset, self.header.bases_length).unwrap_or_default()
    }
}

fn read_header(bytes: &[u8]) -> Result<PackHeader, ArtifactError> {
    if !bytes.starts_with(&PACK_MAGIC) {
        return Err(ArtifactError::NotAContainer);
    }
    let actual = bytes.len() as u64;
    let Some((raw, _)) = bytes.split_first_chunk::<{ PackHeader::SIZE }>() else {
        return Err(ArtifactError::Truncated { expected: PackHeader::SIZE as u64, actual });
    };
    let header = PackHeader::read(raw);
    if header.version != PACK_VERSION {
        return Err(ArtifactError::OtherMajor {
            found: header.version as u16,
            supported: PACK_VERSION as u16,
        });
    }
    if checksum(&raw[..PackHeader::SIZE - size_of::<u64>()]) != header.header_checksum {
        return Err(ArtifactError::HeaderChecksum);
    }
    let expected = header.length;
    match actual.cmp(&expected) {
        core::cmp::Ordering::Less => Err(ArtifactError::Truncated { expected, actual }),
        core::cmp::Ordering::Equal => Ok(header),
        core::cmp::Ordering::Greater => Err(ArtifactError::TrailingBytes { expected, actual }),
    }
}

fn part(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let (start, end) = (usize::try_from(offset).ok()?, usize::try_from(offset.checked_add(length)?).ok()?);
    bytes.get(start..end)
}
