//! Builds an automaton whose states are known to be pairwise inequivalent, without the search for equivalent states.
//!
//! [`Dfa::explore`] suits most automata that are computed state by state, but half of its time is the minimization. Where the caller can prove
//! that its states are minimal, a [`MinimalBuilder`] only lays out the table and makes it canonical.

use crate::dfa::{Dfa, NONE};
use crate::limits::{Meter, RegularLimits};
use crate::range_starts::RangeStarts;
use crate::{
    minimize::minimize,
    raw::{Columns, RawDfa},
};
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
    /// The transitions of all states.
    edges: Vec<(u8, u8, u32)>,
    /// The end of the transitions of each state.
    ends: Vec<usize>,
    accepting: Vec<bool>,
    meter: Meter,
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
            limits: limits.clone(),
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
        #[cfg(debug_assertions)]
        let minimal = (self.ends.len() <= MOST_CHECKED).then(|| self.minimized(&RegularLimits::default()));
        let order = self.breadth_first();
        let ranges = self.edges.iter().map(|&(low, high, _)| (low, high));
        let (runs, run_count) = RangeStarts::of(ranges).classes();
        let mut row = vec![NONE; run_count];
        let mut columns = Columns::new(run_count);
        for &state in &order {
            self.write(state, &runs, &mut row);
            columns.split(&row);
        }
        let (classes, representatives) = columns.merged(&runs);
        let cells = order.len() * representatives.len();
        self.meter.work(cells / 2)?;
        self.meter.bytes(cells * size_of::<u32>())?;
        let mut number = vec![NONE; order.len()];
        order.iter().zip(1..).for_each(|(&old, new)| number[old as usize] = new);
        let mut table = Vec::with_capacity(cells);
        for &state in &order {
            self.write(state, &runs, &mut row);
            let targets = representatives.iter().map(|&run| row[run].checked_sub(1));
            table.extend(targets.map(|target| target.map_or(NONE, |target| number[target as usize])));
        }
        let accepting = order.iter().map(|&old| self.accepting[old as usize]).collect();
        let dfa = Dfa::from_canonical(classes, representatives.len(), table, accepting);
        #[cfg(debug_assertions)]
        assert!(
            minimal.is_none_or(|minimal| minimal.is_ok_and(|minimal| minimal == dfa)),
            "the states are not minimal"
        );
        Ok(dfa)
    }

    /// The canonical automaton, where states may be equivalent after all. All states must be reachable, and there must be at least one.
    ///
    /// # Errors
    /// The table exceeds the limits.
    pub fn minimize(mut self) -> Result<Dfa, OverBudget> {
        let cells = 256 * self.ends.len();
        self.meter.work(cells / 2)?;
        self.meter.bytes(cells * size_of::<u32>())?;
        self.minimized(&self.limits)
    }

    /// The transitions of a state.
    fn row(&self, state: usize) -> &[(u8, u8, u32)] {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.edges[start..self.ends[state]]
    }

    /// Sorts the transitions of each state by their bytes. The states breadth first in this order.
    fn breadth_first(&mut self) -> Vec<u32> {
        let mut start = 0;
        for &end in &self.ends {
            self.edges[start..end].sort_unstable();
            start = end;
        }
        let mut seen = vec![false; self.ends.len()];
        seen[0] = true;
        let (mut order, mut next) = (vec![0], 0);
        while let Some(&state) = order.get(next) {
            next += 1;
            for &(_, _, target) in self.row(state as usize) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    order.push(target);
                }
            }
        }
        order
    }

    /// Writes the row of a state over runs of bytes: target + 1, or [`NONE`].
    fn write(&self, state: u32, runs: &[u8; 256], row: &mut [u32]) {
        row.fill(NONE);
        for &(low, high, target) in self.row(state as usize) {
            let [first, last] = [low, high].map(|byte| usize::from(runs[usize::from(byte)]));
            row[first..=last].fill(target + 1);
        }
    }

    fn minimized(&self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        let mut classes = Box::new([0; 256]);
        (0..=255).for_each(|byte| classes[usize::from(byte)] = byte);
        let mut table = vec![NONE; 256 * self.ends.len()];
        for state in 0..self.ends.len() {
            for &(low, high, target) in self.row(state) {
                table[256 * state..][usize::from(low)..=usize::from(high)].fill(target + 1);
            }
        }
        let raw = RawDfa { classes, class_count: 256, table, accepting: self.accepting.clone() };
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
