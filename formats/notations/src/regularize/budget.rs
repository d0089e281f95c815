//! Builds automata within a budget.
//!
//! Every automaton is limited on its own, and all automata together have a number of steps that they may take. When the steps are used up
//! or an automaton would be too large, none is built.

use gcc_grammar_regular::{Dfa, Regex, RegularLimits};
use std::cell::Cell;
use std::sync::Arc;

/// The largest number of states of a terminal that is joined from others.
const MAX_STATES: usize = 20_000;
/// The steps that one automaton may take.
const MAX_WORK: u64 = 50_000_000;
/// The steps that all automata together may take.
const MAX_TOTAL_WORK: u64 = 200_000_000;
/// An estimate of the steps for each cell of the transition table of an automaton.
const STEPS_PER_CELL: u64 = 20;

/// Builds automata as long as steps are left.
pub(super) struct Budget {
    limits: RegularLimits,
    /// The steps that are left for all automata together.
    left: Cell<u64>,
}

impl Budget {
    /// The whole budget, for automata within these limits.
    pub(super) fn new(limits: &RegularLimits) -> Self {
        let limits = RegularLimits {
            max_states: limits.max_states.min(MAX_STATES),
            max_work: limits.max_work.min(MAX_WORK),
            ..limits.clone()
        };
        Self { limits, left: Cell::new(MAX_TOTAL_WORK) }
    }

    /// The automaton of an expression, if it is small enough and steps are left.
    pub(super) fn dfa(&self, regex: &Regex) -> Option<Arc<Dfa>> {
        if let Regex::Automaton(dfa) = regex {
            return Some(Arc::clone(dfa));
        }
        let grant = self.limits.max_work.min(self.left.get());
        let dfa = regex.to_dfa(&RegularLimits { max_work: grant, ..self.limits.clone() });
        let cells = |dfa: &Dfa| dfa.state_count() as u64 * dfa.class_count() as u64;
        let spent = dfa.as_ref().map_or(grant, |dfa| (1 + cells(dfa)) * STEPS_PER_CELL);
        self.left.set(self.left.get().saturating_sub(spent));
        dfa.ok().map(Arc::new)
    }

    /// The automaton without the empty string, if it is small enough.
    pub(super) fn without_empty(&self, dfa: &Dfa) -> Option<Arc<Dfa>> {
        dfa.without_empty(&self.limits).ok().map(Arc::new)
    }
}
