//! The states of a minimal automaton as lists of transitions, before they have a table.
//!
//! In: states that are pairwise inequivalent, one after the other. Out: the canonical automaton. Its table is written once, over the runs of
//! bytes that no transition divides, and made narrower where these are no classes.

use crate::dfa::{Dfa, NONE};
use crate::limits::Meter;
use crate::range_starts::RangeStarts;
use crate::raw::Columns;
use gcc_grammar_limits::OverBudget;

/// A byte range `low..=high` and the state that it leads to.
pub(crate) type Edge = (u8, u8, u32);

/// The states by number.
#[derive(Default)]
pub(crate) struct EdgeList {
    /// The transitions of all states.
    edges: Vec<Edge>,
    /// Per state: where its transitions end.
    ends: Vec<usize>,
    accepting: Vec<bool>,
}

impl EdgeList {
    pub(crate) fn state_count(&self) -> usize {
        self.ends.len()
    }

    /// Adds a transition of the next state.
    pub(crate) fn edge(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// Adds the next state, with the transitions since the last one, in the order of their bytes. The number of these.
    pub(crate) fn end_state(&mut self, accepting: bool) -> usize {
        let start = self.ends.last().copied().unwrap_or(0);
        self.edges[start..].sort_unstable();
        self.ends.push(self.edges.len());
        self.accepting.push(accepting);
        self.edges.len() - start
    }

    /// The transitions of a state, in the order of their bytes.
    pub(crate) fn edges(&self, state: u32) -> &[Edge] {
        let start = (state as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[start..self.ends[state as usize]]
    }

    pub(crate) fn is_accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// The states that are reachable from `root`, breadth first in the order of their bytes; and the number of each in this order, from 1 on.
    fn breadth_first(&self, root: u32) -> (Vec<u32>, Vec<u32>) {
        let mut number = vec![NONE; self.state_count()];
        let mut order = vec![root];
        number[root as usize] = 1;
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for &(.., to) in self.edges(state) {
                if number[to as usize] == NONE {
                    order.push(to);
                    number[to as usize] = order.len() as u32;
                }
            }
        }
        (order, number)
    }

    /// The canonical automaton with its start at `root`. The states that are reachable must be co-accessible and pairwise inequivalent.
    pub(crate) fn canonical(&self, root: u32, meter: &mut Meter) -> Result<Dfa, OverBudget> {
        let ranges = self.edges.iter().map(|&(low, high, _)| (low, high));
        let (runs, run_count) = RangeStarts::of(ranges).classes();
        let (order, number) = self.breadth_first(root);
        let cells = order.len() * run_count;
        meter.work(cells / 2)?;
        meter.bytes(cells * size_of::<u32>())?;
        let mut table = vec![NONE; cells];
        let mut columns = Columns::new(run_count);
        for (row, &state) in table.chunks_exact_mut(run_count).zip(&order) {
            for &(low, high, to) in self.edges(state) {
                let [first, last] = [low, high].map(|byte| usize::from(runs[usize::from(byte)]));
                row[first..=last].fill(number[to as usize]);
            }
            columns.split(row);
        }
        let accepting: Vec<bool> = order.iter().map(|&state| self.is_accepting(state)).collect();
        if columns.are_distinct() {
            return Ok(Dfa::from_canonical(runs, run_count, table, accepting));
        }
        let (classes, representatives) = columns.merged(&runs);
        // Runs and classes have the same order, so no cell is overwritten before it is moved.
        for state in 0..order.len() {
            for (class, &run) in representatives.iter().enumerate() {
                table[state * representatives.len() + class] = table[state * run_count + run];
            }
        }
        table.truncate(order.len() * representatives.len());
        table.shrink_to_fit();
        Ok(Dfa::from_canonical(classes, representatives.len(), table, accepting))
    }
}
