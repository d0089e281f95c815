//! The error of a compilation.
//!
//! A compilation fails because the grammar is wrong, with diagnostics for its author, or because a limit is
//! exceeded. The errors of the stages convert into [`CompileError`].

use crate::normalize::NormalizeError;
use gcc_grammar_ir::{Diagnostic, TerminalId};
use gcc_grammar_limits::OverBudget;
use std::fmt;

/// The error that a grammar cannot be compiled.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The grammar is wrong, or does not fit the vocabulary.
    Grammar(Vec<Diagnostic>),
    /// A limit was exceeded.
    OverBudget(OverBudget),
    /// The characters of these terminals cannot be counted: the grammar has to spell their bounds out.
    NotCounted(Vec<TerminalId>),
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grammar(diagnostics) => match diagnostics.first() {
                Some(first) => f.write_str(&first.message),
                None => f.write_str("the grammar was refused"),
            },
            Self::OverBudget(over) => over.fmt(f),
            Self::NotCounted(_) => f.write_str("the characters of some terminals cannot be counted"),
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
