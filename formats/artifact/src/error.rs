//! Everything that can be wrong with a file, each its own error.

use core::fmt;

/// Why a file cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ArtifactError {
    /// The file does not start like a container at all.
    NotAContainer,
    /// A container of another kind, such as a vocabulary where a grammar is needed.
    WrongKind {
        /// The kind that is needed.
        expected: [u8; 4],
        /// The kind the file says it is.
        found: [u8; 4],
    },
    /// The file was written in another major version of the format.
    OtherMajor {
        /// The file's major version.
        found: u16,
        /// The one that this reader knows.
        supported: u16,
    },
    /// The file needs features this reader does not have.
    UnknownFeature {
        /// The bits of the features that are not known.
        bits: u64,
    },
    /// The file ends too early.
    Truncated {
        /// Bytes the file should have, as far as can be told.
        expected: u64,
        /// Bytes it has.
        actual: u64,
    },
    /// The file goes on after its end.
    TrailingBytes {
        /// Bytes the file should have.
        expected: u64,
        /// Bytes it has.
        actual: u64,
    },
    /// The header was changed after it was written.
    HeaderChecksum,
    /// The section directory was changed after it was written.
    DirectoryChecksum,
    /// The directory is not in the one form a writer gives it: which entry, and what is wrong.
    MalformedDirectory {
        /// Position of the entry.
        entry: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A section was changed after it was written.
    SectionChecksum {
        /// Number of the section's kind.
        kind: u32,
    },
    /// A section that must be there is not.
    MissingSection {
        /// Name of the section.
        section: &'static str,
    },
    /// A table holds a value that no writer gives it. The file is intact, its maker was not.
    MalformedTable {
        /// Name of the table.
        table: &'static str,
        /// Position in the table.
        index: usize,
        /// What is wrong there.
        problem: &'static str,
    },
    /// The grammar was compiled for another vocabulary than the one given.
    WrongVocabulary {
        /// Fingerprint of the vocabulary that the grammar was compiled for.
        expected: [u8; 32],
        /// Fingerprint of the vocabulary given.
        found: [u8; 32],
    },
}

impl fmt::Display for ArtifactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotAContainer => f.write_str("not a compiled grammar or vocabulary"),
            Self::WrongKind { expected, found } => {
                write!(f, "this is a {} file, not a {} file", Kind(found), Kind(expected))
            }
            Self::OtherMajor { found, supported } => {
                write!(f, "written in format version {found}, but this reader knows version {supported}")
            }
            Self::UnknownFeature { bits } => {
                write!(f, "needs features this reader does not have (bits {bits:#x}); use a newer reader")
            }
            Self::Truncated { expected, actual } => {
                write!(f, "truncated: {actual} bytes of {expected}; fetch or compile it again")
            }
            Self::TrailingBytes { expected, actual } => {
                write!(f, "{actual} bytes where {expected} are expected: something was appended")
            }
            Self::HeaderChecksum => f.write_str("damaged: the header does not match its checksum"),
            Self::DirectoryChecksum => {
                f.write_str("damaged: the section directory does not match its checksum")
            }
            Self::MalformedDirectory { entry, problem } => {
                write!(f, "malformed section directory, entry {entry}: {problem}")
            }
            Self::SectionChecksum { kind } => {
                write!(f, "damaged: section {kind:#x} does not match its checksum")
            }
            Self::MissingSection { section } => write!(f, "section `{section}` is missing"),
            Self::MalformedTable { table, index, problem } => {
                write!(f, "malformed table `{table}` at {index}: {problem}")
            }
            Self::WrongVocabulary { expected, found } => write!(
                f,
                "compiled for another vocabulary: needs {}, given {}",
                Hex(&expected[..8]),
                Hex(&found[..8])
            ),
        }
    }
}

impl core::error::Error for ArtifactError {}

/// A file kind as text; bytes that are not printable become `.`.
struct Kind([u8; 4]);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&byte| {
            let shown = if byte.is_ascii_graphic() { byte } else { b'.' };
            write!(f, "{}", char::from(shown))
        })
    }
}

/// Bytes in hexadecimal.
struct Hex<'a>(&'a [u8]);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
