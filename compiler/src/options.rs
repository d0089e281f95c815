//! The options of a compilation, for [`compile`](crate::compile).

use gcc_grammar_limits::{Budget, Limits};

/// The options of a compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the compilation may spend. Every compilation with these options may spend as much.
    pub budget: Budget,
    /// The least number of pairs of lexer and LR states for which the Parser DWA is built in two parts at the
    /// same time. The masks are the same, but the automaton may have other states.
    pub two_parts_from: usize,
}

impl Default for Options {
    fn default() -> Self {
        Budget::default().into()
    }
}

impl From<Limits> for Options {
    fn from(limits: Limits) -> Self {
        Budget::new(limits).into()
    }
}

impl From<Budget> for Options {
    fn from(budget: Budget) -> Self {
        Self { budget, two_parts_from: 200_000 }
    }
}
