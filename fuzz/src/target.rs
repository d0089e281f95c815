//! A target: a kind of input, and the properties that hold for every input of that kind.

use crate::mutate::Mutate;
use std::fmt;

/// A fuzz target.
pub struct Target {
    /// The name, which is also the folder in `fuzz/corpus`.
    pub name: &'static str,
    /// The properties, in a few words.
    pub about: &'static str,
    /// Inputs to start from, beside the files of the corpus.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Makes a new input of an old one.
    pub mutate: Mutate,
    /// Checks the properties.
    ///
    /// # Panics
    /// A property does not hold: this is a finding.
    pub check: fn(&[u8]),
    /// The number of executions in ordinary tests.
    pub executions: u64,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target").field("name", &self.name).finish_non_exhaustive()
    }
}

/// No inputs to start from but the files of the corpus.
#[must_use]
pub fn no_seeds() -> Vec<Vec<u8>> {
    Vec::new()
}
