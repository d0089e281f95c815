//! What can go wrong while matching. None of these changes the matcher.

use core::fmt;

/// Why an operation was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The grammar does not allow this here.
    Refused,
    /// The scratch is too small, even after everything that is no longer needed was dropped.
    ScratchFull,
    /// The row is too short for the mask.
    RowTooShort {
        /// Words a row must have.
        needed: usize,
    },
    /// Rolling back further than to the beginning, or further than was promised.
    RollbackTooFar {
        /// Commits that can be rolled back.
        available: u64,
    },
    /// The buffer is too short for a saved matcher.
    BufferTooShort {
        /// Bytes it needs.
        needed: usize,
    },
    /// The bytes are not a saved matcher, or were changed.
    NotASavedMatcher,
    /// The matcher belongs to another artifact than the engine.
    OtherArtifact,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Refused => f.write_str("the grammar does not allow this here"),
            Self::ScratchFull => f.write_str("the scratch memory is full; give the matcher more"),
            Self::RowTooShort { needed } => write!(f, "the mask row is too short: {needed} words are needed"),
            Self::RollbackTooFar { available } => {
                write!(f, "only {available} commits can be rolled back")
            }
            Self::BufferTooShort { needed } => {
                write!(f, "the buffer is too short: {needed} bytes are needed")
            }
            Self::NotASavedMatcher => f.write_str("not a saved matcher, or damaged"),
            Self::OtherArtifact => f.write_str("the matcher belongs to another compiled grammar"),
        }
    }
}

impl core::error::Error for Error {}
