//! Deterministic limits: every stage charges what it makes, in work units and in bytes.
//!
//! Neither clock nor allocator is asked, so the same input goes over budget at the same place on every machine.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

/// Choices that are longer, in bytes, are allowed no more than these.
pub const MAX_CHOICES: u64 = 1 << 22;

/// Bounds on one compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Elementary steps over all stages; about 10^8 a second.
    pub work: u64,
    /// Estimated bytes held by the tables of all stages.
    pub bytes: u64,
    /// States of the LR automaton.
    pub lr_states: u64,
    /// States of the lexer automaton.
    pub lexer_states: u64,
    /// States of the Parser DWA before minimization.
    pub dwa_states: u64,
    /// States of one terminal's automaton.
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
    /// For choices that are `length` bytes long. The automata of choices have a state per byte at most, so what is allowed grows
    /// with the length, up to that of [`MAX_CHOICES`] bytes.
    #[must_use]
    pub fn of_choices(length: u64) -> Self {
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

/// What a limit bounds.
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
    /// The steps that build the automaton of one terminal.
    TerminalWork,
    /// The bytes that the automaton of one terminal takes while it is built.
    TerminalBytes,
    /// The nesting of one regular expression.
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
    /// The stage that exceeded it.
    pub stage: &'static str,
    /// What the limit bounds.
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

/// What is left of the work and bytes of one compilation; clones share it.
#[derive(Clone, Debug)]
pub struct Budget {
    stage: &'static str,
    limits: Limits,
    left: Rc<Left>,
}

#[derive(Debug)]
struct Left {
    work: Cell<u64>,
    bytes: Cell<u64>,
}

impl Budget {
    /// All of `limits`, nothing spent.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let left = Left { work: Cell::new(limits.work), bytes: Cell::new(limits.bytes) };
        Self { stage: "start", limits, left: Rc::new(left) }
    }

    /// For tests.
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

    /// The limits this budget began with.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Spends work units.
    pub fn charge_work(&self, units: u64) -> Result<(), OverBudget> {
        spend(&self.left.work, units).ok_or_else(|| self.over(Resource::Work, self.limits.work))
    }

    /// Spends estimated bytes.
    pub fn charge_bytes(&self, bytes: u64) -> Result<(), OverBudget> {
        spend(&self.left.bytes, bytes).ok_or_else(|| self.over(Resource::Bytes, self.limits.bytes))
    }

    /// Checks a count against its own limit.
    pub fn check(&self, resource: Resource, count: usize, limit: u64) -> Result<(), OverBudget> {
        if count as u64 > limit { Err(self.over(resource, limit)) } else { Ok(()) }
    }

    /// Work units and bytes spent so far.
    #[must_use]
    pub fn spent(&self) -> (u64, u64) {
        (self.limits.work - self.left.work.get(), self.limits.bytes - self.left.bytes.get())
    }

    /// Half of what is left now, for a part that is done apart. Until it is given back with [`rejoin`](Self::rejoin), this budget has
    /// the other half only: both together never spend more than there is.
    pub(crate) fn apart(&self) -> Apart {
        let half = |left: &Cell<u64>| {
            let half = left.get() / 2;
            left.set(left.get() - half);
            half
        };
        let (work, bytes) = (half(&self.left.work), half(&self.left.bytes));
        Apart { stage: self.stage, limits: self.limits, work, bytes }
    }

    /// Takes back what a part has left.
    pub(crate) fn rejoin(&self, rest: Apart) {
        self.left.work.set(self.left.work.get() + rest.work);
        self.left.bytes.set(self.left.bytes.get() + rest.bytes);
    }

    /// The error that this stage exceeded a limit.
    #[must_use]
    pub fn over(&self, resource: Resource, limit: u64) -> OverBudget {
        OverBudget { stage: self.stage, resource, limit }
    }
}

/// What a part of a compilation may spend that is done apart, perhaps on another thread. Going over budget does not depend on
/// which part was faster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart {
    stage: &'static str,
    limits: Limits,
    work: u64,
    bytes: u64,
}

impl Apart {
    /// A budget that begins with it.
    pub(crate) fn budget(&self) -> Budget {
        let left = Left { work: Cell::new(self.work), bytes: Cell::new(self.bytes) };
        Budget { stage: self.stage, limits: self.limits, left: Rc::new(left) }
    }

    /// What is left of a budget made here.
    pub(crate) fn rest(self, budget: &Budget) -> Self {
        Self { work: budget.left.work.get(), bytes: budget.left.bytes.get(), ..self }
    }
}

fn spend(left: &Cell<u64>, amount: u64) -> Option<()> {
    left.set(left.get().checked_sub(amount)?);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_allowed_what_is_linear_in_their_length() {
        let default = Limits::default();
        assert_eq!(Limits::of_choices(1000), default);
        let long = Limits::of_choices(3_700_000);
        assert!(long.lexer_states > 3_700_000 && long.bytes > default.bytes && long.work > default.work);
        assert_eq!(long.lr_states, default.lr_states);
        assert_eq!(Limits::of_choices(u64::MAX), Limits::of_choices(MAX_CHOICES));
    }
}
