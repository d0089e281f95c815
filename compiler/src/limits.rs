//! Limits on the work and memory of a compilation.
//!
//! In: the [`Limits`] that the caller chooses. Out: a [`Budget`] that all stages share and charge for the tables
//! that they build, in work units and in estimated bytes; or the error [`OverBudget`]. The charges depend on the
//! input alone, not on a clock or an allocator, so an input exceeds a limit at the same place on every machine.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

/// The length of choices, in bytes, from which on the limits do not grow any more.
pub const MAX_CHOICES: u64 = 1 << 22;

/// Bounds on one compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Work units of all stages, elementary steps of which a machine does about 10^8 per second.
    pub work: u64,
    /// Estimated bytes of the tables of all stages.
    pub bytes: u64,
    /// States of the LR automaton.
    pub lr_states: u64,
    /// States of the lexer automaton.
    pub lexer_states: u64,
    /// States of the Parser DWA before minimization.
    pub dwa_states: u64,
    /// States of the automaton of a terminal.
    pub terminal_states: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            work: 500_000_000,
            bytes: 1 << 30,
            lr_states: 200_000,
            lexer_states: 500_000,
            dwa_states: 1_000_000,
            terminal_states: 200_000,
        }
    }
}

impl Limits {
    /// The default limits for choices of `length` bytes in total. An automaton of choices has at most a state per
    /// byte, so the limits grow with the length, up to [`MAX_CHOICES`] bytes.
    #[must_use]
    pub fn for_choices(length: u64) -> Self {
        let states = length.min(MAX_CHOICES) + 1;
        let default = Self::default();
        Self {
            work: default.work.max(states * 256),
            bytes: default.bytes.max(states * 1024),
            lexer_states: default.lexer_states.max(states + 1),
            dwa_states: default.dwa_states.max(states * 2),
            terminal_states: default.terminal_states.max(states),
            ..default
        }
    }
}

/// A quantity that a limit bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Resource {
    /// [`Limits::work`].
    Work,
    /// [`Limits::bytes`].
    Bytes,
    /// [`Limits::lr_states`].
    LrStates,
    /// [`Limits::lexer_states`].
    LexerStates,
    /// [`Limits::dwa_states`].
    DwaStates,
    /// [`Limits::terminal_states`].
    TerminalStates,
    /// The steps to build the automaton of a terminal.
    TerminalWork,
    /// The bytes of the automaton of a terminal while it is built.
    TerminalBytes,
    /// The levels of nesting in a regular expression.
    Nesting,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Work => "work units",
            Self::Bytes => "bytes",
            Self::LrStates => "LR states",
            Self::LexerStates => "lexer states",
            Self::DwaStates => "Parser DWA states",
            Self::TerminalStates => "states of one terminal's automaton",
            Self::TerminalWork => "steps for one terminal's automaton",
            Self::TerminalBytes => "bytes for one terminal's automaton",
            Self::Nesting => "levels of nesting in a regular expression",
        })
    }
}

/// The error that a limit was exceeded.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OverBudget {
    /// The stage that exceeded the limit.
    pub stage: &'static str,
    /// The quantity that the limit bounds.
    pub resource: Resource,
    /// The limit.
    pub limit: u64,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "over budget in stage {}: more than {} {}", self.stage, self.limit, self.resource)
    }
}

impl std::error::Error for OverBudget {}

/// The work and bytes that a compilation may still spend. Clones of a budget share them.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The stage that charges the budget, for errors.
    stage: &'static str,
    limits: Limits,
    remaining: Rc<Remaining>,
}

#[derive(Debug)]
struct Remaining {
    work: Cell<u64>,
    bytes: Cell<u64>,
}

impl Budget {
    /// A budget of which nothing is spent.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let remaining = Remaining { work: Cell::new(limits.work), bytes: Cell::new(limits.bytes) };
        Self { stage: "start", limits, remaining: Rc::new(remaining) }
    }

    /// A budget without limits, for tests.
    #[must_use]
    pub fn unlimited(stage: &'static str) -> Self {
        let max = u64::MAX;
        let limits = Limits {
            work: max,
            bytes: max,
            lr_states: max,
            lexer_states: max,
            dwa_states: max,
            terminal_states: max,
        };
        Self::new(limits).stage(stage)
    }

    /// The same budget, charged in the name of another stage.
    #[must_use]
    pub fn stage(&self, stage: &'static str) -> Self {
        Self { stage, ..self.clone() }
    }

    /// The limits of the compilation.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Spends work units.
    ///
    /// # Errors
    /// Fewer are left.
    pub fn charge_work(&self, units: u64) -> Result<(), OverBudget> {
        spend(&self.remaining.work, units).ok_or_else(|| self.over(Resource::Work, self.limits.work))
    }

    /// Spends estimated bytes.
    ///
    /// # Errors
    /// Fewer are left.
    pub fn charge_bytes(&self, bytes: u64) -> Result<(), OverBudget> {
        spend(&self.remaining.bytes, bytes).ok_or_else(|| self.over(Resource::Bytes, self.limits.bytes))
    }

    /// Checks that a count does not exceed its own limit.
    ///
    /// # Errors
    /// It does.
    pub fn check(&self, resource: Resource, count: usize, limit: u64) -> Result<(), OverBudget> {
        if count as u64 > limit { Err(self.over(resource, limit)) } else { Ok(()) }
    }

    /// Work units and bytes spent so far.
    #[must_use]
    pub fn spent(&self) -> (u64, u64) {
        (self.limits.work - self.remaining.work.get(), self.limits.bytes - self.remaining.bytes.get())
    }

    /// Splits half of the remaining budget off, for a part of the work that another thread may do. Both halves
    /// together never spend more than there is. [`rejoin`](Self::rejoin) returns the rest of the half.
    pub(crate) fn split(&self) -> BudgetShare {
        let half = |remaining: &Cell<u64>| {
            let half = remaining.get() / 2;
            remaining.set(remaining.get() - half);
            half
        };
        let (work, bytes) = (half(&self.remaining.work), half(&self.remaining.bytes));
        BudgetShare { stage: self.stage, limits: self.limits, work, bytes }
    }

    /// Takes the rest of a share back.
    pub(crate) fn rejoin(&self, rest: BudgetShare) {
        self.remaining.work.set(self.remaining.work.get() + rest.work);
        self.remaining.bytes.set(self.remaining.bytes.get() + rest.bytes);
    }

    /// The error that this stage exceeded a limit.
    #[must_use]
    pub fn over(&self, resource: Resource, limit: u64) -> OverBudget {
        OverBudget { stage: self.stage, resource, limit }
    }
}

/// A share of a budget that can be sent to another thread. Whether a share is exceeded does not depend on which
/// thread is faster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BudgetShare {
    stage: &'static str,
    limits: Limits,
    work: u64,
    bytes: u64,
}

impl BudgetShare {
    /// A budget that begins with this share.
    pub(crate) fn budget(&self) -> Budget {
        let remaining = Remaining { work: Cell::new(self.work), bytes: Cell::new(self.bytes) };
        Budget { stage: self.stage, limits: self.limits, remaining: Rc::new(remaining) }
    }

    /// The share with the rest of a budget that began with it.
    pub(crate) fn rest(self, budget: &Budget) -> Self {
        Self { work: budget.remaining.work.get(), bytes: budget.remaining.bytes.get(), ..self }
    }
}

fn spend(remaining: &Cell<u64>, amount: u64) -> Option<()> {
    remaining.set(remaining.get().checked_sub(amount)?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_for_choices_are_linear_in_their_length() {
        let default = Limits::default();
        assert_eq!(Limits::for_choices(1000), default);
        let long = Limits::for_choices(3_700_000);
        assert!(long.lexer_states > 3_700_000 && long.bytes > default.bytes && long.work > default.work);
        assert_eq!(long.lr_states, default.lr_states);
        assert_eq!(Limits::for_choices(u64::MAX), Limits::for_choices(MAX_CHOICES));
    }

    #[test]
    fn a_budget_and_its_share_never_spend_more_than_there_is() {
        let limits = Limits { work: 10, bytes: 7, ..Limits::default() };
        let budget = Budget::new(limits).stage("test");
        let share = budget.split();
        let half = share.budget();
        assert!(half.charge_work(5).is_ok() && half.charge_bytes(2).is_ok());
        let error = OverBudget { stage: "test", resource: Resource::Work, limit: 10 };
        assert_eq!(half.charge_work(1), Err(error.clone()));
        assert_eq!(budget.charge_work(6), Err(error));
        budget.rejoin(share.rest(&half));
        assert_eq!(budget.spent(), (5, 2));
        assert!(budget.charge_work(5).is_ok() && budget.charge_bytes(5).is_ok());
    }
}
