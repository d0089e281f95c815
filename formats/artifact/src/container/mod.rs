//! Header, section directory, checksums.
//!
//! ```text
//! 0        ┌─────────────────────┐
//!          │ Header (192 bytes)  │  last field: checksum of the bytes before it
//! 192      ├─────────────────────┤
//!          │ directory entry 0   │  kinds ascending; covered by `Header::directory_checksum`
//!          │ …                   │
//!          ├─────────────────────┤  zeros up to the next multiple of 64
//!          │ section 0           │  covered by its entry's checksum
//!          ├─────────────────────┤  zeros up to the next multiple of 64
//!          │ …                   │
//! length   └─────────────────────┘
//! ```
//! There is one way to lay out given sections: entries ascend by kind, sections follow in the same order, each at the
//! next multiple of 64, gaps are zero, the file ends with the last section. So equal content is equal bytes, and no
//! byte of a file is outside what [`Container::verify`] checks.

mod reader;
#[cfg(feature = "write")]
mod writer;

pub use reader::Container;
#[cfg(feature = "write")]
pub use writer::ContainerWriter;

/// The first four bytes of every container.
pub const MAGIC: [u8; 4] = *b"GCCG";
/// The major version this crate writes, and the only one it reads.
pub const MAJOR: u16 = 5;
/// The minor version this crate writes. Readers accept every minor version.
pub const MINOR: u16 = 0;
/// Sections start at multiples of this many bytes: a cache line.
pub const ALIGNMENT: usize = 64;
/// Required features this reader knows. None so far.
pub const KNOWN_FEATURES: u64 = 0;

/// What a container is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// A compiled grammar, `.gcg`.
    Grammar,
    /// A compiled vocabulary, `.gcv`.
    Vocabulary,
}

impl FileKind {
    /// The four bytes after the magic.
    #[must_use]
    pub const fn tag(self) -> [u8; 4] {
        match self {
            Self::Grammar => *b"gram",
            Self::Vocabulary => *b"voca",
        }
    }
}

/// A cryptographic hash that names some input of the compiler.
pub type Fingerprint = [u8; 32];

/// Which inputs a file was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fingerprints {
    /// Of the grammar; zero in a vocabulary file.
    pub grammar: Fingerprint,
    /// Of the vocabulary.
    pub vocabulary: Fingerprint,
    /// Of the options that change the output.
    pub options: Fingerprint,
}

record! {
    /// The first bytes of a file. The first 12 bytes keep their meaning in all major versions.
    pub struct Header {
        /// `GCCG`.
        magic: [u8; 4],
        /// `gram` or `voca`.
        kind: [u8; 4],
        /// Readers refuse another major version.
        major: u16,
        /// Readers accept a newer minor version: it only adds what may be left unread.
        minor: u16,
        /// Entries in the directory.
        section_count: u32,
        /// Features without which the file cannot be read; unknown bits are refused.
        required_features: u64,
        /// Features that may be ignored.
        optional_features: u64,
        /// Bytes in the file.
        length: u64,
        /// Fingerprint of the grammar; zero in a vocabulary file.
        grammar: [u8; 32],
        /// Fingerprint of the vocabulary.
        vocabulary: [u8; 32],
        /// Fingerprint of the options that change the output.
        options: [u8; 32],
        /// The least scratch that makes sense: for short outputs, in 32-bit words; zero in a vocabulary file.
        scratch_minimum: u32,
        /// Scratch for outputs of any length that nest less than about 16,000 levels deep, in 32-bit words; zero in a vocabulary file.
        scratch_recommended: u32,
        /// Zero.
        reserved: [u8; 32],
        /// XXH3-64 of the directory.
        directory_checksum: u64,
        /// XXH3-64 of the bytes before this field.
        header_checksum: u64,
    }
}

record! {
    /// One entry of the section directory.
    pub struct DirectoryEntry {
        /// Which section this is.
        kind: u32,
        /// Bytes per element: 1 for bytes, 2 for little-endian 16-bit words (shorts), 4 for 32-bit ones, 2 or 4 for numbers: 2 if all are less than
        /// 2^16 - 1, which then stands for 2^32 - 1, or that.
        element_size: u32,
        /// Where the section starts, from the start of the file.
        offset: u64,
        /// Bytes in the section.
        length: u64,
        /// XXH3-64 of the section.
        checksum: u64,
    }
}

/// What a section is an array of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SectionElement {
    /// Bytes.
    Byte,
    /// Little-endian 16-bit words.
    Short,
    /// Little-endian 32-bit words.
    Word,
    /// Little-endian numbers of 16 or 32 bits ([`Numbers`](crate::wire::Numbers)).
    Number,
}

impl SectionElement {
    /// Whether its elements may take so many bytes.
    #[must_use]
    pub const fn may_take(self, bytes: u32) -> bool {
        match self {
            Self::Byte => bytes == 1,
            Self::Short => bytes == 2,
            Self::Word => bytes == 4,
            Self::Number => bytes == 2 || bytes == 4,
        }
    }
}

/// A kind of section, declared once by the module that writes and reads it.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// Its number. `0x01..` for what all files have, `0x1..` grammars, `0x2..` vocabularies.
    pub kind: u32,
    /// Its name in errors, in `inspect` and in FORMAT.md.
    pub name: &'static str,
    /// What it is an array of.
    pub element: SectionElement,
    /// What it holds.
    pub doc: &'static str,
}

/// XXH3-64 with seed 0: fast enough to check whole files whenever they are opened. It finds damage, not forgery.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}

/// The next multiple of [`ALIGNMENT`]; `None` on overflow.
const fn align(offset: u64) -> Option<u64> {
    offset.checked_next_multiple_of(ALIGNMENT as u64)
}
