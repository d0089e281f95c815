//! Deterministic budgets: the same input is refused on every machine, or on none.

use std::fmt;

/// What building one automaton may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegularLimits {
    /// States of any automaton on the way, nondeterministic ones included.
    pub max_states: usize,
    /// Elementary steps: transitions followed, set members visited, table cells written.
    pub max_work: u64,
    /// Bytes of tables and state sets alive on the way, estimated.
    pub max_bytes: u64,
}

impl Default for RegularLimits {
    fn default() -> Self {
        Self { max_states: 1_000_000, max_work: 400_000_000, max_bytes: 1 << 30 }
    }
}

/// What ran out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resource {
    /// [`RegularLimits::max_states`].
    States,
    /// [`RegularLimits::max_work`].
    Work,
    /// [`RegularLimits::max_bytes`].
    Bytes,
    /// Nesting of the expression.
    Depth,
}

/// An automaton was not built because it would have cost more than its limits allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    /// What ran out.
    pub resource: Resource,
    /// How much of it there was.
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

/// Counts what one construction has used.
#[derive(Debug)]
pub(super) struct Meter {
    limits: RegularLimits,
    work: u64,
    bytes: u64,
}

impl Meter {
    pub(super) fn new(limits: &RegularLimits) -> Self {
        Self { limits: *limits, work: 0, bytes: 0 }
    }

    /// There are `count` states now.
    pub(super) fn states(&self, count: usize) -> Result<(), TooLarge> {
        let limit = self.limits.max_states;
        if count > limit { Err(TooLarge { resource: Resource::States, limit: limit as u64 }) } else { Ok(()) }
    }

    /// `steps` more steps were taken.
    pub(super) fn work(&mut self, steps: usize) -> Result<(), TooLarge> {
        self.work += steps as u64;
        let limit = self.limits.max_work;
        if self.work > limit { Err(TooLarge { resource: Resource::Work, limit }) } else { Ok(()) }
    }

    /// `bytes` more bytes are in use. Nothing is ever given back: the sum over one construction is bounded.
    pub(super) fn bytes(&mut self, bytes: usize) -> Result<(), TooLarge> {
        self.bytes += bytes as u64;
        let limit = self.limits.max_bytes;
        if self.bytes > limit { Err(TooLarge { resource: Resource::Bytes, limit }) } else { Ok(()) }
    }
}
