//! Deterministic limits on the cost of a construction.
//!
//! Every construction counts its states, its elementary steps and the bytes it allocates in a [`Meter`], and fails with
//! [`TooLarge`] when a limit of [`RegularLimits`] is exceeded. Nothing depends on a clock or on the machine, so the same
//! input is refused everywhere or nowhere.

use std::fmt;

/// Limits on the construction of one automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegularLimits {
    /// The greatest number of states of any automaton on the way, including nondeterministic automata.
    pub max_states: usize,
    /// The greatest number of elementary steps: transitions followed, set members visited, table cells written.
    pub max_work: u64,
    /// The greatest number of bytes of tables and state sets (an estimate).
    pub max_bytes: u64,
}

impl Default for RegularLimits {
    fn default() -> Self {
        Self { max_states: 1_000_000, max_work: 400_000_000, max_bytes: 1 << 30 }
    }
}

/// A limited resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Resource {
    /// States, limited by [`RegularLimits::max_states`].
    States,
    /// Steps, limited by [`RegularLimits::max_work`].
    Work,
    /// Bytes, limited by [`RegularLimits::max_bytes`].
    Bytes,
    /// The nesting of the expression, limited by a constant.
    Depth,
}

/// The error of a construction that would exceed its limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// The resource that ran out.
    pub resource: Resource,
    /// The limit of that resource.
    pub limit: u64,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit;
        match self.resource {
            Resource::States => write!(f, "a regular expression needs more than {limit} automaton states"),
            Resource::Work => write!(f, "a regular expression needs more than {limit} construction steps"),
            Resource::Bytes => write!(f, "a regular expression needs more than {limit} bytes of tables"),
            Resource::Depth => write!(f, "a regular expression is nested more than {limit} levels deep"),
        }
    }
}

impl std::error::Error for TooLarge {}

/// Counts the cost of one construction.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: RegularLimits,
    work: u64,
    bytes: u64,
}

impl Meter {
    pub(crate) fn new(limits: &RegularLimits) -> Self {
        Self { limits: *limits, work: 0, bytes: 0 }
    }

    /// Checks the current number of states.
    pub(crate) fn states(&self, count: usize) -> Result<(), TooLarge> {
        let limit = self.limits.max_states;
        if count > limit { Err(TooLarge { resource: Resource::States, limit: limit as u64 }) } else { Ok(()) }
    }

    /// Adds `steps` elementary steps.
    pub(crate) fn work(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.work += steps as u64;
        let limit = self.limits.max_work;
        if self.work > limit { Err(TooLarge { resource: Resource::Work, limit }) } else { Ok(()) }
    }

    /// Adds `bytes` allocated bytes. Freed bytes are not subtracted: the limit holds for the sum over one construction.
    pub(crate) fn bytes(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.bytes += bytes as u64;
        let limit = self.limits.max_bytes;
        if self.bytes > limit { Err(TooLarge { resource: Resource::Bytes, limit }) } else { Ok(()) }
    }
}
