//! Deterministic limits on the cost of a construction.
//!
//! Every construction counts its states, its elementary steps and the bytes it allocates in a [`Meter`], and fails with
//! [`OverBudget`] when a limit of [`RegularLimits`] or the budget of the whole compilation is exceeded. Nothing depends
//! on a clock or on the machine, so the same input is refused everywhere or nowhere.

use gcc_grammar_limits::{Budget, Limits, OverBudget, Resource};

/// How many times more states the automata may have from which the automaton of a terminal is made.
const STATES_ON_THE_WAY: u64 = 5;

/// Limits on the construction of one automaton, and the budget that all constructions share.
#[derive(Clone, Debug)]
pub struct RegularLimits {
    /// The greatest number of states of any automaton on the way, including nondeterministic automata.
    pub max_states: usize,
    /// The greatest number of elementary steps: transitions followed, set members visited, table cells written.
    pub max_work: u64,
    /// The greatest number of bytes of tables and state sets (an estimate).
    pub max_bytes: u64,
    /// What the whole compilation may still spend. The bytes of a construction are given back at its end.
    pub budget: Budget,
}

impl Default for RegularLimits {
    /// The limits of one automaton, with a budget of its own.
    fn default() -> Self {
        Self::within(&Budget::default())
    }
}

impl RegularLimits {
    /// The default limits of one automaton, within a budget.
    #[must_use]
    pub fn within(budget: &Budget) -> Self {
        let budget = budget.clone();
        let &Limits { work, bytes, terminal_states, .. } = budget.limits();
        let states = terminal_states.saturating_mul(STATES_ON_THE_WAY);
        let max_states = usize::try_from(states).unwrap_or(usize::MAX);
        Self { max_states, max_work: work, max_bytes: bytes, budget }
    }
}

/// Counts the cost of one construction.
#[derive(Debug)]
pub(crate) struct Meter {
    limits: RegularLimits,
    work: u64,
    bytes: u64,
}

impl Meter {
    pub(crate) fn new(limits: &RegularLimits) -> Self {
        Self { limits: limits.clone(), work: 0, bytes: 0 }
    }

    /// Checks the current number of states.
    pub(crate) fn states(&self, count: usize) -> Result<(), OverBudget> {
        let limit = self.limits.max_states as u64;
        self.limits.budget.check(Resource::AutomatonStates, count, limit)
    }

    /// Adds `steps` elementary steps.
    pub(crate) fn work(&mut self, steps: usize) -> Result<(), OverBudget> {
        self.limits.budget.charge_work(steps as u64)?;
        self.work += steps as u64;
        if self.work > self.limits.max_work {
            return Err(self.limits.budget.over(Resource::AutomatonWork, self.limits.max_work));
        }
        Ok(())
    }

    /// Adds `bytes` allocated bytes. Freed bytes are not subtracted: the limit holds for the sum over one construction.
    pub(crate) fn bytes(&mut self, bytes: usize) -> Result<(), OverBudget> {
        self.limits.budget.charge_bytes(bytes as u64)?;
        self.bytes += bytes as u64;
        if self.bytes > self.limits.max_bytes {
            return Err(self.limits.budget.over(Resource::AutomatonBytes, self.limits.max_bytes));
        }
        Ok(())
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.limits.budget.release_bytes(self.bytes);
    }
}
