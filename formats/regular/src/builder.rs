//! Builds an automaton whose states are known to be pairwise inequivalent, without the search for equivalent states.
//!
//! [`Dfa::explore`] suits most automata that are computed state by state, but half of its time is the minimization. Where the caller can prove
//! that its states are minimal, a [`MinimalBuilder`] only lays out the table and makes it canonical.

use crate::dfa::{Dfa, NONE};
use crate::edge_list::{Edge, EdgeList};
use crate::limits::{Meter, RegularLimits};
use crate::minimize::minimize;
use crate::raw::RawDfa;
use gcc_grammar_limits::OverBudget;

/// The work to add a state, with its part of the passes over the table.
const WORK_PER_STATE: usize = 10;
/// The work to add a transition.
const WORK_PER_EDGE: usize = 5;
/// Estimated bytes of a state besides its row.
const BYTES_PER_STATE: usize = 24;
/// The states up to which debug builds check that an automaton is minimal: they make a table of a KB a state.
#[cfg(debug_assertions)]
const MOST_CHECKED: usize = 4096;

/// An automaton under construction. State 0 is the start.
///
/// States are described one after the other: first the transitions of a state, then [`end_state`](Self::end_state). In debug builds, the
/// result is compared with the minimal automaton.
pub struct MinimalBuilder {
    states: EdgeList,
    meter: Meter,
    limits: RegularLimits,
}

impl MinimalBuilder {
    /// A builder without states.
    #[must_use]
    pub fn new(limits: &RegularLimits) -> Self {
        Self { states: EdgeList::default(), meter: Meter::new(limits), limits: limits.clone() }
    }

    /// Adds a transition on the bytes `low..=high` to the state that is being described. Its ranges must be disjoint.
    pub fn edge(&mut self, low: u8, high: u8, target: u32) {
        self.states.edge((low, high, target));
    }

    /// Ends the description of a state.
    ///
    /// # Errors
    /// There are more states or transitions than the limits allow.
    pub fn end_state(&mut self, accepting: bool) -> Result<(), OverBudget> {
        let edges = self.states.end_state(accepting);
        self.meter.work(WORK_PER_STATE + WORK_PER_EDGE * edges)?;
        self.meter.bytes(BYTES_PER_STATE + size_of::<Edge>() * edges)?;
        self.meter.states(self.states.state_count())
    }

    /// The canonical automaton. All states must be reachable, co-accessible and pairwise inequivalent, and there must be at least one.
    ///
    /// # Errors
    /// The table exceeds the limits.
    pub fn build(mut self) -> Result<Dfa, OverBudget> {
        let dfa = self.states.canonical(0, &mut self.meter)?;
        #[cfg(debug_assertions)]
        if self.states.state_count() <= MOST_CHECKED {
            let minimal = self.minimized(&RegularLimits::default());
            assert!(minimal.is_ok_and(|minimal| minimal == dfa), "the states are not minimal");
        }
        Ok(dfa)
    }

    /// The canonical automaton, where states may be equivalent after all. All states must be reachable, and there must be at least one.
    ///
    /// # Errors
    /// The table exceeds the limits.
    pub fn minimize(mut self) -> Result<Dfa, OverBudget> {
        let cells = 256 * self.states.state_count();
        self.meter.work(cells / 2)?;
        self.meter.bytes(cells * size_of::<u32>())?;
        self.minimized(&self.limits)
    }

    fn minimized(&self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        let mut classes = Box::new([0; 256]);
        (0..=255).for_each(|byte| classes[usize::from(byte)] = byte);
        let states = 0..self.states.state_count() as u32;
        let mut table = vec![NONE; 256 * states.len()];
        for (row, state) in table.chunks_exact_mut(256).zip(states.clone()) {
            for &(low, high, target) in self.states.edges(state) {
                row[usize::from(low)..=usize::from(high)].fill(target + 1);
            }
        }
        let accepting = states.map(|state| self.states.is_accepting(state)).collect();
        let raw = RawDfa { classes, class_count: 256, table, accepting };
        minimize(raw, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Regex;

    #[test]
    fn minimal_states_become_canonical() {
        let limits = RegularLimits::default();
        let mut builder = MinimalBuilder::new(&limits);
        // a(b|c)*d, with the states in an order that is not canonical.
        builder.edge(b'a', b'a', 2);
        builder.end_state(false).unwrap();
        builder.end_state(true).unwrap();
        builder.edge(b'd', b'd', 1);
        builder.edge(b'b', b'c', 2);
        builder.end_state(false).unwrap();
        let regex = Regex::concat([
            Regex::literal("a"),
            Regex::union([Regex::literal("b"), Regex::literal("c")]).star(),
            Regex::literal("d"),
        ]);
        assert_eq!(builder.build().unwrap(), regex.to_dfa(&limits).unwrap());
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "not minimal")]
    fn equivalent_states_are_found_in_debug_builds() {
        let mut builder = MinimalBuilder::new(&RegularLimits::default());
        builder.edge(b'a', b'a', 1);
        builder.edge(b'b', b'b', 2);
        builder.end_state(false).unwrap();
        builder.end_state(true).unwrap();
        builder.end_state(true).unwrap();
        let _ = builder.build();
    }

    #[test]
    fn states_are_limited() {
        let mut builder = MinimalBuilder::new(&RegularLimits { max_states: 1, ..RegularLimits::default() });
        builder.edge(b'a', b'a', 1);
        builder.end_state(false).unwrap();
        assert!(builder.end_state(true).is_err());
    }
}
