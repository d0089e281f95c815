//! Builds automata within an allowance.
//!
//! Every automaton is limited on its own, and all automata together have a number of steps that they may take and of bytes that they may
//! fill. When these are used up or an automaton would be too large, none is built. The automaton of a list of literals may be larger,
//! because it is linear in their length, and as terminals of their own they would cost more.

use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::cell::Cell;
use std::sync::Arc;

/// The largest number of states of a terminal that is joined from others.
const MAX_STATES: usize = 20_000;
/// The steps that one automaton may take.
const MAX_WORK: u64 = 50_000_000;
/// The steps that all automata together may take.
const MAX_TOTAL_WORK: u64 = 200_000_000;
/// The bytes that all automata together may fill.
const MAX_TOTAL_BYTES: u64 = 1 << 28;
/// The bytes of an automaton besides its table.
const BYTES_PER_AUTOMATON: u64 = 512;
/// An estimate of the steps for each cell of the transition table of an automaton.
const STEPS_PER_CELL: u64 = 20;

/// Builds automata as long as steps are left.
pub(super) struct Allowance {
    limits: RegularLimits,
    /// The limits on the automaton of a list of literals.
    of_literals: RegularLimits,
    /// The steps that are left for all automata together.
    left: Cell<u64>,
    /// The bytes that are left for all automata together.
    bytes_left: Cell<u64>,
}

impl Drop for Allowance {
    fn drop(&mut self) {
        self.limits.budget.release_bytes(MAX_TOTAL_BYTES - self.bytes_left.get());
    }
}

impl Allowance {
    /// The whole allowance, for automata within these limits.
    pub(super) fn new(limits: &RegularLimits) -> Self {
        let of_literals = RegularLimits { max_work: limits.max_work.min(MAX_WORK), ..limits.clone() };
        let limits = RegularLimits {
            max_states: limits.max_states.min(MAX_STATES),
            max_work: limits.max_work.min(MAX_WORK),
            ..limits.clone()
        };
        Self { limits, of_literals, left: Cell::new(MAX_TOTAL_WORK), bytes_left: Cell::new(MAX_TOTAL_BYTES) }
    }

    /// The automaton of an expression, if it is small enough and steps are left.
    pub(super) fn dfa(&self, regex: &Regex) -> Option<Arc<Dfa>> {
        if let Regex::Automaton(dfa) = regex {
            return Some(Arc::clone(dfa));
        }
        let grant = self.limits.max_work.min(self.left.get());
        let is_of_literals = is_of_literals(regex);
        let limits = if is_of_literals { &self.of_literals } else { &self.limits };
        let steps = if is_of_literals { 1 } else { STEPS_PER_CELL };
        let dfa = regex.to_dfa(&RegularLimits { max_work: grant, ..limits.clone() });
        // Where a list of literals is too long, its parts are, too: they are not tried one by one.
        let lost = if is_of_literals { MAX_TOTAL_WORK } else { grant };
        let spent = dfa.as_ref().map_or(lost, |dfa| (1 + dfa.cells() as u64) * steps);
        self.left.set(self.left.get().saturating_sub(spent));
        let dfa = dfa.ok()?;
        let bytes = dfa.cells() as u64 * 4 + dfa.state_count() as u64 + BYTES_PER_AUTOMATON;
        let bytes_left = self.bytes_left.get().checked_sub(bytes)?;
        limits.budget.charge_bytes(bytes).ok()?;
        self.bytes_left.set(bytes_left);
        Some(Arc::new(dfa))
    }

    /// The automaton without the empty string, if it is small enough.
    pub(super) fn without_empty(&self, dfa: &Dfa) -> Option<Arc<Dfa>> {
        dfa.without_empty(&self.limits).ok().map(Arc::new)
    }
}

/// Whether an expression is a literal or a choice of literals.
fn is_of_literals(regex: &Regex) -> bool {
    match regex {
        Regex::Literal(_) => true,
        Regex::Union(parts) => parts.iter().all(|part| matches!(part, Regex::Literal(_))),
        _ => false,
    }
}
