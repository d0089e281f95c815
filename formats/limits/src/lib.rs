//! Limits on the work and memory of a compilation.
//!
//! In: the [`Limits`] that the caller chooses. Out: a [`Budget`] that all stages share, from the front end of a
//! notation to the tables of an artifact. They charge it in work units and in estimated bytes, before they do the
//! work; or get the error [`OverBudget`]. The charges depend on the input alone, not on a clock or an allocator, so an
//! input exceeds a limit at the same place on every machine. Only a [deadline](Limits::deadline), which is for callers
//! that cannot wait, depends on the clock, and an [`Interrupt`] on whoever sets it.
//!
//! A budget that was exceeded stays exceeded: every later charge fails with the first error, and
//! [`Budget::exceeded`] returns it. So a stage that takes an error for the answer of a smaller question, such as
//! whether an automaton is small enough, cannot hide it.

//!
//! [`Recent`] keeps what was used last for later compilations, within a bound of memory (module `recent`).

#![forbid(unsafe_code)]

mod recent;

pub use recent::Recent;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// The work units between two looks at the clock and at the interrupt: some milliseconds.
const WORK_BETWEEN_LOOKS: u64 = 100_000;

/// What it takes to add an entry to a table, most of whose memory is in no cache.
const WORK_PER_ENTRY: u64 = 4;

/// The length of a list of choices, in bytes, from which on its limits do not grow any more.
pub const MAX_CHOICES: u64 = 1 << 22;
/// The same of other inputs: more is done with their automata. The automaton of a hundred thousand random words has fewer states.
pub const MAX_LENGTH: u64 = 1 << 19;
/// What the tables of choices may take per byte of the list, if that is more than the default.
const BYTES_PER_CHOICE_BYTE: u64 = 260;

/// Bounds on one compilation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Work units of all stages, elementary steps of which a machine does about 3 * 10^7 per second.
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
    /// The time after which no more work may be spent.
    pub deadline: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            work: 500_000_000,
            // The peak of a process is at most 1.25 times this and 64 MiB (`tests/memory.rs`): less than 1 GiB.
            bytes: 800_000_000,
            lr_states: 200_000,
            lexer_states: 500_000,
            dwa_states: 1_000_000,
            terminal_states: 200_000,
            deadline: None,
        }
    }
}

impl Limits {
    /// The default limits for an input of `length` bytes. The automaton of a list of texts has at most a state per byte, so the limits on states grow with
    /// the length, up to [`MAX_LENGTH`] bytes; those on work and bytes do not.
    #[must_use]
    pub fn for_input(length: u64) -> Self {
        Self::with_states(length.min(MAX_LENGTH) + 1)
    }

    fn with_states(states: u64) -> Self {
        let default = Self::default();
        Self {
            lexer_states: default.lexer_states.max(states + 1),
            dwa_states: default.dwa_states.max(states * 2),
            terminal_states: default.terminal_states.max(states),
            ..default
        }
    }

    /// The same for a list of choices, whose limit on bytes grows, too.
    #[must_use]
    pub fn for_choices(length: u64) -> Self {
        let states = length.min(MAX_CHOICES) + 1;
        let (bytes, limits) = (states * BYTES_PER_CHOICE_BYTE, Self::with_states(states));
        Self { bytes: limits.bytes.max(bytes), ..limits }
    }
}

/// Ends a compilation from another thread, or from the handler of a signal. Clones are the same interrupt.
#[derive(Clone, Default, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends the compilations that have this interrupt, some milliseconds later, and those that begin after it. It stays set.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is set.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
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
    /// [`Limits::deadline`].
    Time,
    /// No quantity: an [`Interrupt`] was set.
    Interruption,
    /// The states of the automaton of a regular expression.
    AutomatonStates,
    /// The steps to build the automaton of a regular expression.
    AutomatonWork,
    /// The bytes of the automaton of a regular expression while it is built.
    AutomatonBytes,
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
            Self::Time => "time",
            Self::Interruption => "interruption",
            Self::AutomatonStates => "automaton states",
            Self::AutomatonWork => "construction steps",
            Self::AutomatonBytes => "bytes of tables",
            Self::Nesting => "levels of nesting",
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
    /// The limit; 0 for the time and an interruption.
    pub limit: u64,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, resource, limit } = self;
        match resource {
            Resource::AutomatonStates
            | Resource::AutomatonWork
            | Resource::AutomatonBytes
            | Resource::Nesting => {
                write!(f, "a regular expression needs more than {limit} {resource}")
            }
            Resource::Time => write!(f, "over budget in stage {stage}: the time is up"),
            Resource::Interruption => write!(f, "interrupted in stage {stage}"),
            _ => write!(f, "over budget in stage {stage}: more than {limit} {resource}"),
        }
    }
}

impl std::error::Error for OverBudget {}

/// The work and bytes that a compilation may still spend. Clones of a budget share them.
///
/// One thread at a time charges a budget. [`split`](Budget::split) gives another thread a budget of its own.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The stage that charges the budget, for errors.
    stage: &'static str,
    limits: Limits,
    interrupt: Interrupt,
    state: Arc<State>,
}

/// The counters are atomic so that a budget can be sent to another thread and stored in a value that is shared; they
/// are never changed by two threads at once.
#[derive(Debug)]
struct State {
    /// The work that is left until the next look at the clock and the interrupt.
    work: AtomicU64,
    /// The work that is left beyond `work`.
    work_beyond: AtomicU64,
    bytes: AtomicU64,
    /// The work that there was at first.
    given: u64,
    /// The bytes that there were at first.
    given_bytes: u64,
    /// The work that was left when the budget was exceeded.
    unspent: AtomicU64,
    /// The work of halves that are split off and have not come back.
    lent: AtomicU64,
    exceeded: OnceLock<OverBudget>,
}

impl State {
    fn new(work: u64, bytes: u64) -> Arc<Self> {
        let state = Self {
            work: AtomicU64::new(0),
            work_beyond: AtomicU64::new(0),
            bytes: AtomicU64::new(bytes),
            given: work,
            given_bytes: bytes,
            unspent: AtomicU64::new(0),
            lent: AtomicU64::new(0),
            exceeded: OnceLock::new(),
        };
        state.set_work(work);
        Arc::new(state)
    }

    /// All the work that is left.
    fn all_work(&self) -> u64 {
        load(&self.work) + load(&self.work_beyond)
    }

    fn set_work(&self, all: u64) {
        let near = all.min(WORK_BETWEEN_LOOKS);
        self.work.store(near, Ordering::Relaxed);
        self.work_beyond.store(all - near, Ordering::Relaxed);
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl From<Limits> for Budget {
    fn from(limits: Limits) -> Self {
        Self::new(limits)
    }
}

impl Budget {
    /// A budget of which nothing is spent.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        let state = State::new(limits.work, limits.bytes);
        Self { stage: "start", limits, interrupt: Interrupt::default(), state }
    }

    /// The same budget, of which nothing can be spent any more some milliseconds after the interrupt was set.
    #[must_use]
    pub fn until(self, interrupt: &Interrupt) -> Self {
        Self { interrupt: interrupt.clone(), ..self }
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
            deadline: None,
        };
        Self::new(limits).stage(stage)
    }

    /// The same budget, charged in the name of another stage.
    #[must_use]
    pub fn stage(&self, stage: &'static str) -> Self {
        Self { stage, ..self.clone() }
    }

    /// A budget of its own with the work and bytes that this one has left.
    #[must_use]
    pub fn fork(&self) -> Self {
        let state = State::new(self.state.all_work(), load(&self.state.bytes));
        Self { state, ..self.clone() }
    }

    /// A budget of its own with one of `parts` equal parts of the work and bytes that this budget has left.
    #[must_use]
    pub fn fork_part(&self, parts: u64) -> Self {
        let (work, bytes) = (self.state.all_work() / parts, load(&self.state.bytes) / parts);
        Self { state: State::new(work, bytes), ..self.clone() }
    }

    /// A budget of its own as [`fork`](Self::fork), but with at most so much work.
    #[must_use]
    pub fn fork_within(&self, work: u64) -> Self {
        let state = State::new(self.state.all_work().min(work), load(&self.state.bytes));
        Self { state, ..self.clone() }
    }

    /// Spends what a part spent that was [forked](Self::fork_part) off. If the part was exceeded, its tables are freed: then its work is
    /// spent, and none of its bytes. So a question may cost too much, and this budget is not exceeded.
    ///
    /// # Errors
    /// Less is left.
    pub fn settle(&self, part: &Self) -> Result<(), OverBudget> {
        let is_exceeded = part.exceeded().is_some();
        let left = if is_exceeded { load(&part.state.unspent) } else { part.state.all_work() };
        self.charge_work(part.state.given.saturating_sub(left))?;
        let bytes =
            if is_exceeded { 0 } else { part.state.given_bytes.saturating_sub(load(&part.state.bytes)) };
        self.charge_bytes(bytes)
    }

    /// Spends everything because of the error of a part that was [forked](Self::fork_part) off, for which there is no other answer. Returns the first error.
    pub fn give_up(&self, over: &OverBudget) -> OverBudget {
        self.empty();
        self.state.exceeded.get_or_init(|| over.clone()).clone()
    }

    /// The limits of the compilation.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The first error of this budget; `None` if no limit on work or bytes was exceeded.
    #[must_use]
    pub fn exceeded(&self) -> Option<&OverBudget> {
        self.state.exceeded.get()
    }

    /// Whether its interrupt is set. What was made within this budget may then lack what was asked within a part of it.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// Spends work units.
    ///
    /// # Errors
    /// Fewer are left.
    #[inline]
    pub fn charge_work(&self, units: u64) -> Result<(), OverBudget> {
        spend(&self.state.work, units).map_or_else(|| self.charge_after_a_look(units), Ok)
    }

    /// Spends more work units than are left until the next look at the clock and the interrupt.
    #[cold]
    fn charge_after_a_look(&self, units: u64) -> Result<(), OverBudget> {
        let left = self.state.all_work().checked_sub(units);
        let left = left.ok_or_else(|| self.exceed(Resource::Work, self.limits.work))?;
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(self.exceed(Resource::Time, 0));
        }
        if self.is_interrupted() {
            return Err(self.exceed(Resource::Interruption, 0));
        }
        self.state.set_work(left);
        Ok(())
    }

    /// Spends estimated bytes.
    ///
    /// # Errors
    /// Fewer are left.
    #[inline]
    pub fn charge_bytes(&self, bytes: u64) -> Result<(), OverBudget> {
        spend(&self.state.bytes, bytes).ok_or_else(|| self.exceed(Resource::Bytes, self.limits.bytes))
    }

    /// Charges for an entry of a table that is looked up by a hash: its bytes, and the work to find room for it.
    ///
    /// # Errors
    /// Less is left.
    #[inline]
    pub fn charge_entry(&self, bytes: u64) -> Result<(), OverBudget> {
        self.charge_work(WORK_PER_ENTRY)?;
        self.charge_bytes(bytes)
    }

    /// Gives back bytes that were charged for a table which is freed.
    pub fn release_bytes(&self, bytes: u64) {
        if self.exceeded().is_none() {
            self.state.bytes.store(load(&self.state.bytes).saturating_add(bytes), Ordering::Relaxed);
        }
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
        (self.limits.work - self.state.all_work(), self.limits.bytes - load(&self.state.bytes))
    }

    /// The share of the limit on work that is spent, from 0 to 1, for another thread that shows it. What a half that is [split](Self::split)
    /// off spends counts when it has come back.
    #[must_use]
    pub fn share(&self) -> f64 {
        let left = self.state.all_work().saturating_add(load(&self.state.lent));
        self.limits.work.saturating_sub(left) as f64 / self.limits.work.max(1) as f64
    }

    /// Splits half of the remaining budget off, for a part of the work that another thread may do. Both halves
    /// together never spend more than there is. [`rejoin`](Self::rejoin) takes the rest of the half back.
    #[must_use]
    pub fn split(&self) -> Self {
        let (work, bytes) = (self.state.all_work(), load(&self.state.bytes));
        self.state.lent.fetch_add(work / 2, Ordering::Relaxed);
        self.state.set_work(work - work / 2);
        self.state.bytes.store(bytes - bytes / 2, Ordering::Relaxed);
        Self { state: State::new(work / 2, bytes / 2), ..self.clone() }
    }

    /// Takes back the rest of a half that was [split](Self::split) off.
    pub fn rejoin(&self, half: &Self) {
        let (work, bytes) = (half.state.all_work(), load(&half.state.bytes));
        half.empty();
        self.state.lent.fetch_sub(half.state.given, Ordering::Relaxed);
        self.state.set_work(self.state.all_work() + work);
        self.state.bytes.store(load(&self.state.bytes) + bytes, Ordering::Relaxed);
    }

    /// The error that this stage exceeded a limit.
    #[must_use]
    pub fn over(&self, resource: Resource, limit: u64) -> OverBudget {
        OverBudget { stage: self.stage, resource, limit }
    }

    fn empty(&self) {
        self.state.set_work(0);
        self.state.bytes.store(0, Ordering::Relaxed);
    }

    /// Nothing is left from now on.
    #[cold]
    fn exceed(&self, resource: Resource, limit: u64) -> OverBudget {
        if self.exceeded().is_none() {
            self.state.unspent.store(self.state.all_work(), Ordering::Relaxed);
        }
        self.empty();
        self.state.exceeded.get_or_init(|| self.over(resource, limit)).clone()
    }
}

fn load(remaining: &AtomicU64) -> u64 {
    remaining.load(Ordering::Relaxed)
}

/// Takes an amount off, if there is as much. A load and a store cost what they cost for an ordinary number.
#[inline]
fn spend(remaining: &AtomicU64, amount: u64) -> Option<()> {
    remaining.store(load(remaining).checked_sub(amount)?, Ordering::Relaxed);
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
        assert!(long.lexer_states > 3_700_000 && long.bytes > default.bytes);
        assert_eq!(long.lr_states, default.lr_states);
        let short = Limits::for_choices(250_000);
        assert_eq!(Limits::for_input(250_000), Limits { bytes: default.bytes, ..short });
        assert_eq!(Limits::for_input(u64::MAX), Limits::for_input(MAX_LENGTH));
        assert_eq!(Limits::for_choices(u64::MAX), Limits::for_choices(MAX_CHOICES));
    }

    #[test]
    fn a_budget_and_its_half_never_spend_more_than_there_is() {
        let limits = Limits { work: 10, bytes: 7, ..Limits::default() };
        let budget = Budget::new(limits).stage("test");
        let half = budget.split();
        assert!(half.charge_work(4).is_ok() && half.charge_bytes(2).is_ok());
        assert!(budget.share() == 0.0, "what the half spends is not known here");
        budget.rejoin(&half);
        assert!(budget.share() == 0.4);
        assert_eq!(budget.spent(), (4, 2));
        assert!(budget.charge_work(6).is_ok() && budget.charge_bytes(5).is_ok());
        assert_eq!(
            half.charge_work(1),
            Err(OverBudget { stage: "test", resource: Resource::Work, limit: 10 })
        );
    }

    #[test]
    fn a_part_that_is_exceeded_costs_its_work_only() {
        let limits = Limits { work: 100, bytes: 80, ..Limits::default() };
        let budget = Budget::new(limits);
        let part = budget.fork_part(2);
        assert!(part.charge_work(7).is_ok() && part.charge_bytes(30).is_ok());
        assert!(part.charge_bytes(11).is_err() && part.charge_work(1).is_err());
        assert!(budget.settle(&part).is_ok() && budget.exceeded().is_none());
        assert_eq!(budget.spent(), (7, 0));
        let part = budget.fork_part(2);
        assert!(part.charge_work(3).is_ok() && part.charge_bytes(40).is_ok());
        part.release_bytes(15);
        assert!(budget.settle(&part).is_ok());
        assert_eq!(budget.spent(), (10, 25));
    }

    #[test]
    fn nothing_is_spent_after_the_deadline() {
        let now = Instant::now();
        let later =
            Limits { deadline: Some(now + std::time::Duration::from_secs(3600)), ..Limits::default() };
        let budget = Budget::new(Limits { work: 1_000_000, ..later });
        (0..10).for_each(|_| budget.charge_work(70_000).expect("time enough"));
        let half = budget.split();
        assert_eq!((budget.spent().0 + half.spent().0, half.charge_work(150_000).is_ok()), (1_700_000, true));
        budget.rejoin(&half);
        assert_eq!((budget.spent().0, half.spent().0), (850_000, 1_000_000));
        let error = budget.charge_work(150_001).expect_err("too many");
        assert_eq!((error.resource, error.limit), (Resource::Work, 1_000_000));

        let past = Budget::new(Limits { deadline: Some(now), ..Limits::default() }).stage("test");
        past.charge_work(WORK_BETWEEN_LOOKS).expect("before the first look");
        let error = past.charge_work(1).expect_err("too late");
        assert_eq!(error, OverBudget { stage: "test", resource: Resource::Time, limit: 0 });
        assert_eq!((past.charge_bytes(1), past.fork().charge_work(1).is_err()), (Err(error), true));
    }

    #[test]
    fn nothing_is_spent_after_an_interrupt() {
        let interrupt = Interrupt::default();
        let budget = Budget::default().until(&interrupt).stage("test");
        let half = budget.split();
        (0..10).for_each(|_| budget.charge_work(70_000).expect("not set"));
        interrupt.set();
        for part in [budget, half] {
            let error = part.charge_work(WORK_BETWEEN_LOOKS).and_then(|()| part.charge_work(1));
            let error = error.expect_err("set");
            assert_eq!(
                (error.resource, error.to_string().as_str()),
                (Resource::Interruption, "interrupted in stage test")
            );
            assert_eq!((part.charge_bytes(1), part.exceeded()), (Err(error.clone()), Some(&error)));
        }
    }

    #[test]
    fn an_exceeded_budget_stays_exceeded() {
        let budget = Budget::new(Limits { work: 10, bytes: 7, ..Limits::default() }).stage("first");
        budget.charge_bytes(3).expect("enough");
        budget.release_bytes(3);
        assert_eq!((budget.spent(), budget.exceeded()), ((0, 0), None));
        let error = budget.charge_bytes(8).expect_err("too many");
        assert_eq!(budget.stage("second").charge_work(1), Err(error.clone()));
        budget.release_bytes(100);
        assert_eq!(budget.fork().charge_work(1).map_err(|error| error.resource), Err(Resource::Work));
        assert_eq!((budget.charge_bytes(1), budget.exceeded()), (Err(error.clone()), Some(&error)));
    }
}

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
