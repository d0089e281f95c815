//! The fixed parts of a container: header, directory entry, version, checksum and alignment.
//!
//! Writer and reader both use these declarations, and a test compares the tables of FORMAT.md with them.

/// The first four bytes of every container.
pub const MAGIC: [u8; 4] = *b"GCCG";
/// The major version that this crate writes, and the only one that it reads.
pub const MAJOR: u16 = 6;
/// The minor version that this crate writes. Readers accept every minor version.
pub const MINOR: u16 = 2;
/// Sections start at multiples of this many bytes: a cache line.
const ALIGNMENT: usize = 64;
/// The most words of scratch that a header may recommend: 4 MiB. Programs allocate as much for each output.
pub const MAX_SCRATCH: u32 = 1 << 20;
/// The required feature of a grammar that matches ordinary tokens by id: such a token is read as its symbol and as its bytes.
pub const ORDINARY_BY_ID: u64 = 1;
/// The required feature of an artifact in a [pack](crate::pack): its base bitmaps are those of the pack.
pub const PACKED: u64 = 2;
/// The required feature of a grammar that refers to [base bitmaps of its vocabulary](crate::VocabularyBases).
pub const REFERS_TO_BASES: u64 = 4;
/// The required feature of a grammar whose numbers may take one byte. All grammars have it.
pub const BYTE_NUMBERS: u64 = 8;
/// The required feature of a grammar with limits on the tokens of a lexeme.
pub const TOKEN_LIMITS: u64 = 64;
/// The required feature of tables without Parser DWA and masks, which are made on demand ([`MaskSource`](crate::grammar::MaskSource)).
pub const MASKS_ON_DEMAND: u64 = 32;
/// The required feature of a grammar in which lexer states count the characters of strings. 128 was that of version 6.1, with other sections.
pub const COUNTERS: u64 = 256;
/// The required feature of a grammar with lists whose items differ.
pub const DISTINCT_ITEMS: u64 = 512;
/// The required feature of a grammar with lists whose items differ, and have several lexemes.
pub const NESTED_ITEMS: u64 = 1024;
/// The required feature of a grammar with objects whose keys are remembered.
pub const REMEMBERED_KEYS: u64 = 2048;
/// The required feature of a grammar that has objects with names.
pub const REMEMBERED_NAMES: u64 = 4096;
/// The required feature of a grammar with objects whose keys are remembered, with facts about their values, or choices.
pub const REMEMBERED_CONDITIONS: u64 = 8192;
/// The required feature of a grammar with such lists or objects that has costs of completions: these are more where something is remembered.
pub const REMEMBERED_COSTS: u64 = 16384;
/// The required feature of a grammar that has objects with names, and neither lists whose items differ nor objects whose keys are remembered.
pub const NAMES_ALONE: u64 = 32768;
/// The required feature of a grammar with texts that are repeated.
pub const REPEATED_TEXTS: u64 = 65536;
/// The required features of a file by itself that this reader knows.
pub(super) const KNOWN_FEATURES: u64 = ORDINARY_BY_ID
    | REFERS_TO_BASES
    | BYTE_NUMBERS
    | TOKEN_LIMITS
    | COUNTERS
    | DISTINCT_ITEMS
    | NESTED_ITEMS
    | REMEMBERED_KEYS
    | REMEMBERED_NAMES
    | REMEMBERED_CONDITIONS
    | REMEMBERED_COSTS
    | NAMES_ALONE
    | REPEATED_TEXTS;

/// The kind of a container.
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

/// The SHA-256 of an input of the compiler.
pub type Fingerprint = [u8; 32];

/// The inputs that a file was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fingerprints {
    /// The fingerprint of the grammar; zero in a vocabulary file.
    pub grammar: Fingerprint,
    /// The fingerprint of the vocabulary.
    pub vocabulary: Fingerprint,
    /// The fingerprint of the options that change the output.
    pub options: Fingerprint,
    /// The content key, a digest of everything that the file is made from; zero if nobody computed it.
    pub key: Fingerprint,
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
        /// Readers accept a newer minor version: it only adds sections that need not be read.
        minor: u16,
        /// Number of entries in the directory.
        section_count: u32,
        /// Features without which the file cannot be read. Readers refuse unknown bits.
        required_features: u64,
        /// Features that readers may ignore.
        optional_features: u64,
        /// Length of the file in bytes.
        length: u64,
        /// Fingerprint of the grammar; zero in a vocabulary file.
        grammar: [u8; 32],
        /// Fingerprint of the vocabulary.
        vocabulary: [u8; 32],
        /// Fingerprint of the options that change the output.
        options: [u8; 32],
        /// Scratch that suffices for short outputs, in 32-bit words; zero in a vocabulary file.
        scratch_minimum: u32,
        /// Scratch that suffices for outputs of any length, nested up to about 16,000 levels deep, in 32-bit
        /// words; zero in a vocabulary file.
        scratch_recommended: u32,
        /// Content key of a compiled grammar: digest of everything that the file is made from. Zero if it was not computed, and in a
        /// vocabulary file.
        key: [u8; 32],
        /// XXH3-64 of the directory.
        directory_checksum: u64,
        /// XXH3-64 of the bytes before this field.
        header_checksum: u64,
    }
}

record! {
    /// One entry of the section directory.
    pub struct DirectoryEntry {
        /// The kind of the section.
        kind: u32,
        /// Bytes per element: 1 for bytes, 2 for shorts, 4 for words. Numbers take 1 if each is less than 2^8 - 1
        /// or equal to 2^32 - 1, which is then stored as 2^8 - 1; else 2 if the same holds for 2^16 - 1; else 4.
        element_size: u32,
        /// Start of the section, in bytes from the start of the file.
        offset: u64,
        /// Length of the section in bytes.
        length: u64,
        /// XXH3-64 of the section.
        checksum: u64,
    }
}

/// XXH3-64 with seed 0. It detects damage, not forgery, and is fast enough to check a whole file whenever it
/// is opened.
#[must_use]
pub fn checksum(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}

/// The next multiple of [`ALIGNMENT`]; `None` on overflow.
pub(super) const fn align(offset: u64) -> Option<u64> {
    offset.checked_next_multiple_of(ALIGNMENT as u64)
}
