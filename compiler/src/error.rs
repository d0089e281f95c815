//! Why a compilation failed.

use crate::limits::OverBudget;
use crate::normalize::NormalizeError;
use gcc_grammar_ir::Diagnostic;
use std::fmt;

/// Why a grammar was not compiled.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The grammar is wrong, or does not fit the vocabulary.
    Grammar(Vec<Diagnostic>),
    /// A limit was passed.
    OverBudget(OverBudget),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grammar(diagnostics) => match diagnostics.first() {
                Some(first) => f.write_str(&first.message),
                None => f.write_str("the grammar was refused"),
            },
            Self::OverBudget(over) => over.fmt(f),
        }
    }
}

impl std::error::Error for CompileError {}

impl From<OverBudget> for CompileError {
    fn from(over: OverBudget) -> Self {
        Self::OverBudget(over)
    }
}

impl From<NormalizeError> for CompileError {
    fn from(error: NormalizeError) -> Self {
        match error {
            NormalizeError::Grammar(diagnostic) => Self::Grammar(vec![diagnostic]),
            NormalizeError::OverBudget(over) => Self::OverBudget(over),
        }
    }
}
