//! The errors of a matcher.
//!
//! Whichever error an operation returns, the matcher is as it was before the operation.

use core::fmt;

/// The reason why an operation of a matcher failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The grammar does not allow the input here.
    Refused,
    /// The scratch is too small, even after compaction. The operation can be repeated after the matcher was
    /// [forked](crate::Matcher::fork) into a larger scratch. A commit that makes the parser stack higher fails a little
    /// before the scratch is full, so that there is room for what closes it again.
    ScratchFull,
    /// The row is too short for the mask.
    RowTooShort {
        /// The number of words that a row must have.
        needed: usize,
    },
    /// The rollback goes beyond the beginning, or beyond the `max_rollback` of the matcher.
    RollbackTooFar {
        /// The number of commits that can be rolled back.
        available: u64,
    },
    /// The buffer is too short for a saved matcher, or for a completion.
    BufferTooShort {
        /// The number of bytes that the matcher takes, or of tokens that the completion takes.
        needed: usize,
    },
    /// The bytes are not a saved matcher, or were changed after it was saved.
    NotASavedMatcher,
    /// The matcher belongs to another artifact than the engine.
    OtherArtifact,
    /// The artifact does not say what completing a text costs: it was compiled without budgets, or before version 5.2 of the
    /// format.
    NoBudgets,
    /// The budget has fewer tokens than the text needs to be completed.
    BudgetTooSmall {
        /// The number of tokens that complete the text, the end token included.
        needed: u32,
        /// Whether no fewer tokens complete it. If not, none with fewer are known.
        is_exact: bool,
    },
    /// No sequence of tokens is known to complete the text.
    CannotComplete,
    /// The call needs more work than is allowed, because the text has many readings here. The matcher can be used with other input,
    /// or rolled back.
    TooMuchWork {
        /// The most work of a call, in units ([`Matcher::set_max_work`](crate::Matcher::set_max_work)).
        most: u64,
    },
    /// Masks and lexer states are made on demand, and those of this call exceed a limit of the compilation.
    MaskOverLimit,
    /// The artifact was opened as trusted, and its tables turned out to be damaged.
    Damaged,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Refused => f.write_str("the grammar does not allow this input here"),
            Self::ScratchFull => {
                f.write_str("the scratch memory is full: fork the matcher into a larger one and try again")
            }
            Self::RowTooShort { needed } => {
                write!(f, "the mask row is too short: it must have {needed} words")
            }
            Self::RollbackTooFar { available } => {
                write!(f, "the rollback goes too far: only {available} commits can be rolled back")
            }
            Self::BufferTooShort { needed } => {
                write!(f, "the buffer is too short: {needed} elements are needed")
            }
            Self::NotASavedMatcher => f.write_str("the bytes are not a saved matcher, or they are damaged"),
            Self::OtherArtifact => f.write_str(
                "the matcher belongs to another compiled grammar: use the artifact that it was made with",
            ),
            Self::NoBudgets => f.write_str(
                "the artifact has no budgets: they were off when it was compiled, or they cannot be had for its grammar",
            ),
            Self::BudgetTooSmall { needed, is_exact } => {
                let at_most = if is_exact { "" } else { "at most " };
                let s = if needed == 1 { "" } else { "s" };
                write!(
                    f,
                    "the budget is too small: the text needs {at_most}{needed} more token{s} to be complete, the end token included"
                )
            }
            Self::CannotComplete => f.write_str("no sequence of tokens is known to complete the text"),
            Self::TooMuchWork { most } => write!(
                f,
                "the call needs more than {most} units of work, because the text has many readings here: go on with other input, raise max_work, or make the grammar less ambiguous"
            ),
            Self::MaskOverLimit => f.write_str(
                "what this call needs is made on demand, and exceeds the limits of the compilation: raise limit_work or limit_bytes",
            ),
            Self::Damaged => f.write_str("the artifact is damaged: copy or compile it again"),
        }
    }
}

impl core::error::Error for Error {}
