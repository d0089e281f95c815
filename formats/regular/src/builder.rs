//! Builds an automaton whose states are known to be pairwise inequivalent, without the search for equivalent states.
//!
//! [`Dfa::explore`] suits most automata that are computed state by state, but half of its time is the minimization. Where the caller can prove
//! that its states are minimal, a [`MinimalBuilder`] only lays out the table and makes it canonical.

use crate::dfa::Dfa;
use crate::limits::{Meter, RegularLimits};
#[cfg(debug_assertions)]
use crate::minimize::minimize;
use crate::raw::{RawDfa, classes_from_starts};
use gcc_grammar_limits::OverBudget;

/// The work to add a state, with its part of the passes over the table.
const WORK_PER_STATE: usize = 10;
/// The work to add a transition.
const WORK_PER_EDGE: usize = 5;
/// Estimated bytes of a state besides its row.
const BYTES_PER_STATE: usize = 24;

/// An automaton under construction. State 0 is the start.
///
/// States are described one after the other: first the transitions of a state, then [`end_state`](Self::end_state). In debug builds, the
/// result is compared with the minimal automaton.
pub struct MinimalBuilder {
    /// The transitions of all states.
    edges: Vec<(u8, u8, u32)>,
    /// The end of the transitions of each state.
    ends: Vec<usize>,
    accepting: Vec<bool>,
    meter: Meter,
    #[cfg(debug_assertions)]
    limits: RegularLimits,
}

impl MinimalBuilder {
    /// A builder without states.
    #[must_use]
    pub fn new(limits: &RegularLimits) -> Self {
        Self {
            edges: Vec::new(),
            ends: Vec::new(),
            accepting: Vec::new(),
            meter: Meter::new(limits),
            #[cfg(debug_assertions)]
            limits: RegularLimits::default(),
        }
    }

    /// Adds a transition on the bytes `low..=high` to the state that is being described. Its ranges must be disjoint.
    pub fn edge(&mut self, low: u8, high: u8, target: u32) {
        self.edges.push((low, high, target));
    }

    /// Ends the description of a state.
    ///
    /// # Errors
    /// There are more states or transitions than the limits allow.
    pub fn end_state(&mut self, accepting: bool) -> Result<(), OverBudget> {
        let edges = self.edges.len() - self.ends.last().copied().unwrap_or(0);
        self.ends.push(self.edges.len());
        self.accepting.push(accepting);
        self.meter.work(WORK_PER_STATE + WORK_PER_EDGE * edges)?;
        self.meter.bytes(BYTES_PER_STATE + size_of::<(u8, u8, u32)>() * edges)?;
        self.meter.states(self.ends.len())
    }

    /// The canonical automaton. All states must be reachable, co-accessible and pairwise inequivalent, and there must be at least one.
    ///
    /// # Errors
    /// The table exceeds the limits.
    pub fn build(mut self) -> Result<Dfa, OverBudget> {
        let raw = self.to_raw_dfa()?;
        #[cfg(debug_assertions)]
        let minimal = minimize(
            RawDfa {
                classes: raw.classes.clone(),
                class_count: raw.class_count,
                table: raw.table.clone(),
                accepting: raw.accepting.clone(),
            },
            &self.limits,
        );
        let dfa = raw.canonical(0);
        #[cfg(debug_assertions)]
        assert!(minimal.is_ok_and(|minimal| minimal == dfa), "the states are not minimal");
        Ok(dfa)
    }

    /// Lays the rows out as a table over the coarsest byte classes that fit all ranges.
    fn to_raw_dfa(&mut self) -> Result<RawDfa, OverBudget> {
        let mut starts = [false; 257];
        for &(low, high, _) in &self.edges {
            starts[usize::from(low)] = true;
            starts[usize::from(high) + 1] = true;
        }
        let (classes, class_count) = classes_from_starts(&starts);
        let cells = self.ends.len() * class_count;
        self.meter.work(cells / 2)?;
        self.meter.bytes(cells * 2 * size_of::<u32>())?;
        let mut table = vec![0; cells];
        let mut first = 0;
        for (&end, row) in self.ends.iter().zip(table.chunks_exact_mut(class_count)) {
            for &(low, high, target) in &self.edges[first..end] {
                let columns =
                    usize::from(classes[usize::from(low)])..=usize::from(classes[usize::from(high)]);
                row[columns].fill(target + 1);
            }
            first = end;
        }
        Ok(RawDfa { classes, class_count, table, accepting: std::mem::take(&mut self.accepting) })
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
