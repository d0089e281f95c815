//! The options of a compilation, for [`compile`](crate::compile).

use crate::limits::Limits;

/// The options of a compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Bounds on work and memory.
    pub limits: Limits,
    /// The least number of pairs of lexer and LR states for which the Parser DWA is built in two parts at the
    /// same time. The masks are the same, but the automaton may have other states.
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
