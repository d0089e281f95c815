//! The syntax tree of a pattern.

use gcc_grammar_regular::{CharSet, Look};

/// A pattern that has been parsed.
pub(super) enum PatternTree {
    Empty,
    Chars(CharSet),
    /// An anchor or a word boundary.
    Look(Look),
    /// Lookahead or lookbehind.
    Around {
        behind: bool,
        negative: bool,
        inner: Box<PatternTree>,
    },
    Concat(Vec<PatternTree>),
    Alternatives(Vec<PatternTree>),
    Repeat {
        inner: Box<PatternTree>,
        min: u32,
        max: Option<u32>,
    },
}

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

/// The first bracket behind a place that closes no class, if there is one.
pub(super) struct SingleBracket {
    pub(super) from: usize,
    pub(super) at: Option<usize>,
}
