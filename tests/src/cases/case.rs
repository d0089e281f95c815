//! A case: a grammar and a vocabulary, and the masks along a walk or the error.

use crate::compare::Step;
use crate::generate::Sample;

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// A sentence that says what the case shows.
    pub name: String,
    /// The grammar and the vocabulary.
    pub sample: Sample,
    /// The expected outcome.
    pub expected: Expected,
}

/// The expected outcome of a case.
#[derive(Clone, Debug)]
pub enum Expected {
    /// The compiler refuses the grammar with a diagnostic of this code.
    Error(String),
    /// These masks, one for each step.
    Steps(Vec<Expectation>),
}

/// A step of a walk, with the expected mask before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// The ids of the allowed tokens, sorted.
    pub allowed: Vec<u32>,
    /// Whether the text may end; none if that is not checked.
    pub accepting: Option<bool>,
    /// The next step; none at the end of the walk.
    pub then: Option<Step>,
}
