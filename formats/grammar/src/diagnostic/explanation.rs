//! The explanation of a kind of diagnostic: its meaning, an example, and the remedy.

/// The explanation of a [`Code`](crate::Code).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// What the code means, in one sentence.
    pub meaning: &'static str,
    /// A small input that gives a diagnostic with this code.
    pub example: Option<Example>,
    /// What to do about it, in one or two sentences.
    pub remedy: &'static str,
}

/// An input that gives a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Example {
    /// The name of its notation, such as `json-schema`; for a command line `sh`.
    pub notation: &'static str,
    /// The input.
    pub text: &'static str,
}
