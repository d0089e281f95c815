//! What a caller may choose.

use crate::limits::Limits;

/// Options of one compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Bounds on work and memory.
    pub limits: Limits,
    /// Pairs of lexer and LR states from which on the Parser DWA is built in two parts at the same time. It allows the same, but its states
    /// may be others.
    pub two_parts_from: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { limits: Limits::default(), two_parts_from: 200_000 }
    }
}

impl From<Limits> for Options {
    fn from(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }
}
