//! Why a pattern is refused.

/// Why there is no language of a pattern.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    /// Where the pattern is wrong, in characters from its start.
    pub(crate) position: usize,
    pub(crate) message: &'static str,
    /// The pattern is correct, but no automaton of an acceptable size recognizes its language.
    pub(crate) unsupported: bool,
}

impl PatternError {
    /// The pattern is not a correct regular expression.
    pub(super) fn syntax(position: usize, message: &'static str) -> Self {
        Self { position, message, unsupported: false }
    }

    /// The pattern is correct but not supported.
    pub(super) fn unsupported(position: usize, message: &'static str) -> Self {
        Self { position, message, unsupported: true }
    }
}
