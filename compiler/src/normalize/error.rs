//! Why a grammar could not be normalized: it is wrong, or normalizing it passes a limit.

use gcc_grammar_ir::Diagnostic;
use gcc_grammar_limits::OverBudget;
use std::fmt;

/// Why a grammar could not be normalized.
#[derive(Clone, Debug)]
pub enum NormalizeError {
    /// The grammar is wrong.
    Grammar(Diagnostic),
    /// A limit was passed.
    OverBudget(OverBudget),
}

impl fmt::Display for NormalizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grammar(diagnostic) => f.write_str(&diagnostic.message),
            Self::OverBudget(over) => over.fmt(f),
        }
    }
}

impl std::error::Error for NormalizeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Grammar(_) => None,
            Self::OverBudget(over) => Some(over),
        }
    }
}

impl From<OverBudget> for NormalizeError {
    fn from(e: OverBudget) -> Self {
        Self::OverBudget(e)
    }
}
