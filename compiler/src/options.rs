//! The options of a compilation, for [`compile`](crate::compile).

use crate::terminal::Shortcuts;
use gcc_grammar_ir::words;
use gcc_grammar_limits::{Budget, Limits};

/// What the artifact says about the tokens that complete a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TokenBudgets {
    /// Nothing: there are no token budgets.
    Off,
    /// Upper bounds of the fewest tokens.
    #[default]
    Bounded,
    /// The fewest tokens, if the limits allow to compute them, else upper bounds.
    Exact,
}

words!(TokenBudgets is "budgets" { Off = "off", Bounded = "bounded", Exact = "exact" });

/// The options of a compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the compilation may spend. Every compilation with these options may spend as much.
    pub budget: Budget,
    /// The least number of pairs of lexer and LR states for which the Parser DWA is built in two parts at the
    /// same time. The masks are the same, but the automaton may have other states.
    pub two_parts_from: usize,
    /// What the artifact says about the tokens that complete a text.
    pub budgets: TokenBudgets,
    /// Whether masks may refer to base bitmaps of the vocabulary. Such an artifact is smaller, and needs the compiled vocabulary.
    pub refers: bool,
    /// Which shortcuts walks of the vocabulary take, for measurements.
    #[doc(hidden)]
    pub shortcuts: Shortcuts,
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
        Self {
            budget,
            two_parts_from: 200_000,
            budgets: TokenBudgets::default(),
            refers: true,
            shortcuts: Shortcuts::default(),
        }
    }
}
