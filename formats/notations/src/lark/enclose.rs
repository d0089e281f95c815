//! The brackets of `%enclose`: pairs of terminals between which line breaks are ignored.

use super::key::Key;
use super::lexemes::Lexemes;
use super::program::{Enclose, Program};

/// The pairs of terminals of all `%enclose` directives.
pub(super) struct Brackets {
    pairs: Vec<(Key, Key)>,
}

impl Brackets {
    /// Looks up the terminals. Names must have been checked.
    pub(super) fn new(program: &Program, lexemes: &Lexemes<'_>) -> Self {
        let pair = |enclose: &Enclose| {
            let Enclose { module, open, close } = enclose;
            Some((lexemes.identity(open, *module)?, lexemes.identity(close, *module)?))
        };
        Self { pairs: program.enclose.iter().filter_map(pair).collect() }
    }

    /// Whether this terminal opens brackets.
    pub(super) fn opens(&self, terminal: &Key) -> bool {
        self.pairs.iter().any(|(open, _)| open == terminal)
    }

    /// Whether this terminal closes brackets.
    pub(super) fn closes(&self, terminal: &Key) -> bool {
        self.pairs.iter().any(|(_, close)| close == terminal)
    }

    /// Whether the two terminals are a pair.
    pub(super) fn matches(&self, open: &Key, close: &Key) -> bool {
        self.pairs.iter().any(|pair| (&pair.0, &pair.1) == (open, close))
    }
}
