//! Builds an automaton whose states are known to be pairwise inequivalent, without the search for equivalent states.
//!
//! [`Dfa::explore`] suits most automata that are computed state by state, but half of its time is the minimization. Where the caller can prove
//! that its states are minimal, a [`MinimalBuilder`] only lays out the table and makes it canonical.

use crate::dfa::{Dfa, NONE};
use crate::limits::{Meter, RegularLimits};
use crate::range_starts::RangeStarts;
use crate::{minimize::minimize, raw::RawDfa};
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHashSet};

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
        let classes = self.classes();
        let cells = order.len() * classes.count;
        self.meter.work(cells / 2)?;
        self.meter.bytes(cells * size_of::<u32>())?;
        let mut number = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| number[old as usize] = new as u32);
        let mut table = vec![NONE; cells];
        for (&old, row) in order.iter().zip(table.chunks_exact_mut(classes.count)) {
            for &(low, high, target) in self.row(old as usize) {
                for class in classes.over(low, high) {
                    row[usize::from(class)] = number[target as usize] + 1;
                }
            }
        }
        let accepting = order.iter().map(|&old| self.accepting[old as usize]).collect();
        let dfa = Dfa::from_canonical(classes.by_byte, classes.count, table, accepting);
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

    /// The byte classes. A state tells bytes apart in the same way as another one that has transitions on the same ranges and leads to as many
    /// targets in the same order, so only one of them is looked at.
    fn classes(&self) -> Classes {
        let ranges = self.edges.iter().map(|&(low, high, _)| (low, high));
        let (runs, run_count) = RangeStarts::of(ranges).classes();
        // Per run of bytes: the patterns in which it has a target, with the place of the target among those of the pattern.
        let mut places: Vec<Vec<(u32, u32)>> = vec![Vec::new(); run_count];
        let mut known = FxHashSet::default();
        let (mut targets, mut pattern) = (Vec::new(), Vec::new());
        for state in 0..self.ends.len() {
            targets.clear();
            pattern.clear();
            for &(low, high, target) in self.row(state) {
                let place = targets.iter().position(|&known| known == target).unwrap_or(targets.len());
                if place == targets.len() {
                    targets.push(target);
                }
                pattern.push((low, high, place as u32));
            }
            if known.contains(pattern.as_slice()) {
                continue;
            }
            let number = known.len() as u32;
            for &(low, high, place) in &pattern {
                let runs = usize::from(runs[usize::from(low)])..=usize::from(runs[usize::from(high)]);
                places[runs].iter_mut().for_each(|places| places.push((number, place)));
            }
            known.insert(pattern.clone().into_boxed_slice());
        }
        Classes::new(&runs, &places)
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

/// Byte classes in the order of their least bytes.
struct Classes {
    by_byte: Box<[u8; 256]>,
    count: usize,
    /// The classes of the runs of bytes, and the run of each byte.
    of_runs: Vec<u8>,
    runs: Box<[u8; 256]>,
}

impl Classes {
    /// The classes that unite the runs with the same places.
    fn new(runs: &[u8; 256], places: &[Vec<(u32, u32)>]) -> Self {
        let mut numbers = FxHashMap::default();
        let of_runs = places.iter().map(|places| {
            let next = numbers.len() as u8;
            *numbers.entry(places).or_insert(next)
        });
        let of_runs: Vec<u8> = of_runs.collect();
        let count = numbers.len();
        let mut by_byte = Box::new([0; 256]);
        by_byte.iter_mut().zip(runs).for_each(|(class, &run)| *class = of_runs[usize::from(run)]);
        Self { by_byte, count, of_runs, runs: Box::new(*runs) }
    }

    /// The classes of the bytes `low..=high`.
    fn over(&self, low: u8, high: u8) -> impl Iterator<Item = u8> + '_ {
        let runs = self.runs[usize::from(low)]..=self.runs[usize::from(high)];
        runs.map(|run| self.of_runs[usize::from(run)])
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
