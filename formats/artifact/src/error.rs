//! The errors of opening a file, one variant for each thing that can be wrong with it.
//!
//! None of them has a source: the file itself is the cause.

use core::fmt;

/// The reason why a file cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArtifactError {
    /// The file does not start with the magic bytes of a container.
    NotAContainer,
    /// The container is of another kind: a vocabulary where a grammar is needed, for example.
    WrongKind {
        /// The kind that is needed.
        expected: [u8; 4],
        /// The kind in the header of the file.
        found: [u8; 4],
    },
    /// The file has another major version of the format.
    OtherMajor {
        /// The major version of the file.
        found: u16,
        /// The major version that this reader supports.
        supported: u16,
    },
    /// The file needs features that this reader does not have.
    UnknownFeature {
        /// The bits of the unknown features.
        bits: u64,
    },
    /// The file is shorter than its header says.
    Truncated {
        /// The length that the file should have, in bytes; a lower bound if the header is incomplete.
        expected: u64,
        /// The length of the file in bytes.
        actual: u64,
    },
    /// The file is longer than its header says.
    TrailingBytes {
        /// The length that the file should have, in bytes.
        expected: u64,
        /// The length of the file in bytes.
        actual: u64,
    },
    /// The header does not match its checksum.
    HeaderChecksum,
    /// The section directory does not match its checksum.
    DirectoryChecksum,
    /// The section directory does not have the form that the writer gives it.
    MalformedDirectory {
        /// The index of the entry.
        entry: usize,
        /// The fault.
        problem: &'static str,
    },
    /// A section does not match its checksum.
    SectionChecksum {
        /// The kind of the section.
        kind: u32,
    },
    /// A required section is missing.
    MissingSection {
        /// The name of the section.
        section: &'static str,
    },
    /// A table holds a value that no correct writer gives it, although the file matches its checksums.
    MalformedTable {
        /// The name of the table.
        table: &'static str,
        /// The index in the table.
        index: usize,
        /// The fault.
        problem: &'static str,
    },
    /// The grammar refers to a base bitmap that the vocabulary does not have.
    MissingBase {
        /// The number of the bitmap.
        number: u32,
    },
    /// The vocabulary has another base bitmap than the one to which the grammar refers.
    WrongBase {
        /// The number of the bitmap.
        number: u32,
    },
    /// The vocabulary counts the characters of its tokens in another way than the grammar.
    WrongLongTokens,
    /// The grammar was compiled for another vocabulary than the given one.
    WrongVocabulary {
        /// The fingerprint of the vocabulary that the grammar was compiled for.
        expected: [u8; 32],
        /// The fingerprint of the given vocabulary.
        found: [u8; 32],
    },
}

impl fmt::Display for ArtifactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotAContainer => f.write_str("this is not a compiled grammar or vocabulary"),
            Self::WrongKind { expected, found } => {
                write!(f, "this is a {} file, not a {} file", Kind(found), Kind(expected))
            }
            Self::OtherMajor { found, supported } => {
                write!(
                    f,
                    "the file has format {found}, this reader needs format {supported}: compile it again"
                )
            }
            Self::UnknownFeature { bits } => {
                write!(
                    f,
                    "the file needs features that this reader lacks (bits {bits:#x}): use a newer reader"
                )
            }
            Self::Truncated { expected, actual } => {
                write!(
                    f,
                    "the file is truncated: it has {actual} bytes of {expected}; copy or compile it again"
                )
            }
            Self::TrailingBytes { expected, actual } => {
                write!(f, "the file has {actual} bytes instead of {expected}: something was appended to it")
            }
            Self::HeaderChecksum => {
                f.write_str("the file is damaged: the header does not match its checksum")
            }
            Self::DirectoryChecksum => {
                f.write_str("the file is damaged: the section directory does not match its checksum")
            }
            Self::MalformedDirectory { entry, problem } => {
                write!(f, "the section directory is malformed at entry {entry}: {problem}")
            }
            Self::SectionChecksum { kind } => {
                write!(f, "the file is damaged: section {kind:#x} does not match its checksum")
            }
            Self::MissingSection { section } => write!(f, "the section `{section}` is missing"),
            Self::MalformedTable { table, index, problem } => {
                write!(f, "the table `{table}` is malformed at index {index}: {problem}")
            }
            Self::MissingBase { number } => write!(
                f,
                "the grammar refers to base bitmap {number} of its vocabulary, which is not there: compile the vocabulary with this version"
            ),
            Self::WrongBase { number } => write!(
                f,
                "base bitmap {number} of the vocabulary is not the one to which the grammar refers: compile the grammar again"
            ),
            Self::WrongLongTokens => f.write_str(
                "the vocabulary counts the characters of its tokens in another way than the grammar: compile the grammar again",
            ),
            Self::WrongVocabulary { expected, found } => write!(
                f,
                "the grammar was compiled for another vocabulary: it needs {}, but {} was given",
                Hex(&expected[..8]),
                Hex(&found[..8])
            ),
        }
    }
}

impl core::error::Error for ArtifactError {}

/// Displays a file kind; bytes that are not printable become `.`.
struct Kind([u8; 4]);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&byte| {
            let shown = if byte.is_ascii_graphic() { byte } else { b'.' };
            write!(f, "{}", char::from(shown))
        })
    }
}

/// Displays bytes in hexadecimal.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
