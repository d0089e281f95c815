//! The options of a compilation, for [`compile`](crate::compile).

use crate::terminal::Shortcuts;
use gcc_grammar_limits::{Budget, Limits};
use std::fmt;
use std::str::FromStr;

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

impl TokenBudgets {
    /// The name, as it is given on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Bounded => "bounded",
            Self::Exact => "exact",
        }
    }
}

impl fmt::Display for TokenBudgets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error that a name is not one of [`TokenBudgets`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownTokenBudgets(String);

impl fmt::Display for UnknownTokenBudgets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no kind of budgets: use `exact`, `bounded` or `off`", self.0)
    }
}

impl std::error::Error for UnknownTokenBudgets {}

impl FromStr for TokenBudgets {
    type Err = UnknownTokenBudgets;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let all = [Self::Off, Self::Bounded, Self::Exact];
        let found = all.into_iter().find(|budgets| budgets.as_str() == text);
        found.ok_or_else(|| UnknownTokenBudgets(text.to_owned()))
    }
}

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
