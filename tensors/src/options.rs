//! [`TensorOptions`]: how much of the language is wanted.

/// How much of the language is wanted, and what finding it may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TensorOptions {
    /// Only parser stacks with at most this nesting depth: the greatest number of times that a stack has the same LR state. Without
    /// recursion, it is 1.
    pub depth: Option<u32>,
    /// Only states on outputs of at most this number of tokens, the end token included.
    pub tokens: Option<u32>,
    /// States of the automaton before minimization.
    pub max_states: u64,
    /// Work units.
    pub max_work: u64,
    /// Estimated bytes.
    pub max_bytes: u64,
}

impl Default for TensorOptions {
    fn default() -> Self {
        Self {
            depth: None,
            tokens: None,
            max_states: 100_000,
            max_work: 4_000_000_000,
            max_bytes: 2_000_000_000,
        }
    }
}
