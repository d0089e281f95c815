//! The errors of the algebra.

use gcc_grammar_ir::Code;
use gcc_grammar_ir::{Diagnostic, Location};
use gcc_grammar_limits::OverBudget;

/// The reason why the algebra refuses a schema.
#[derive(Debug)]
pub(crate) enum AlgebraError {
    /// An automaton of a language is too large.
    OverBudget(OverBudget),
    /// More than `limit` of a resource are needed.
    Limit { resource: &'static str, limit: usize },
    /// The validity of a value depends on itself, by the reference that is written here.
    Circular(String),
}

impl From<OverBudget> for AlgebraError {
    fn from(reason: OverBudget) -> Self {
        Self::OverBudget(reason)
    }
}

impl AlgebraError {
    /// Whether there is too much to do.
    pub(crate) fn is_limit(&self) -> bool {
        matches!(self, Self::OverBudget(_) | Self::Limit { .. })
    }

    /// The error message.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::OverBudget(reason) => reason.clone().into(),
            Self::Limit { resource, limit } => {
                Diagnostic::error(Code::TooLarge, format!("the schema needs more than {limit} {resource}"))
                    .help("split it into smaller ones, or combine fewer alternatives at the same place")
            }
            Self::Circular(pointer) => {
                let message = "whether a value is valid here depends on whether the same value is valid here";
                Diagnostic::error(Code::CircularReference, message)
                    .at(Location::Pointer(pointer.clone()))
                    .help("let the reference stand below properties or items")
            }
        }
    }
}

pub(super) type Result<T> = std::result::Result<T, AlgebraError>;
