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
    /// Patterns of keys divide the keys of one object into more than `limit` kinds.
    Kinds { limit: usize },
    /// More than `limit` transitions are needed, since keys come in any order.
    AnyOrder { limit: usize },
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
        matches!(self, Self::OverBudget(_) | Self::Limit { .. } | Self::AnyOrder { .. } | Self::Kinds { .. })
    }

    /// The error message.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        match self {
            Self::OverBudget(reason) => reason.clone().into(),
            Self::Limit { resource, limit } => {
                Diagnostic::error(Code::TooLarge, format!("the schema needs more than {limit} {resource}"))
                    .help("split it into smaller ones, or combine fewer alternatives at the same place")
            }
            Self::Kinds { limit } => {
                let message = format!(
                    "the patterns of keys divide the keys of one object into more than {limit} kinds"
                );
                Diagnostic::error(Code::TooLarge, message)
                    .help("let fewer patterns match the same key, by anchors and fixed beginnings, or join patterns with the same schema by |")
            }
            Self::AnyOrder { limit } => {
                let message = format!(
                    "the alternatives need more than {limit} transitions, since their keys come in any order"
                );
                Diagnostic::error(Code::TooLarge, message)
                    .help("let keys come in the declared order (--property-order declared), or let a required key with other values in each alternative tell at most 31 of them apart")
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
