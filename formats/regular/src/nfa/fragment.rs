//! Deterministic automata in a form that can be copied into a nondeterministic automaton many times.
//!
//! A [`Fragment`] lists the edges of a [`Dfa`] once, so each copy of it is a shift of state numbers.

use super::automaton::Edge;
use crate::dfa::Dfa;

/// The edges and accepting states of an automaton whose start is state 0.
pub(super) struct Fragment {
    /// The number of states.
    pub(super) states: u32,
    pub(super) edges: Vec<Edge>,
    pub(super) accepting: Vec<u32>,
    /// Whether some edge leads back to state 0.
    pub(super) reenters_start: bool,
    /// The only accepting state, if no edge leaves it.
    pub(super) sole_exit: Option<u32>,
}

impl Fragment {
    pub(super) fn new(dfa: &Dfa) -> Self {
        let states = dfa.state_count() as u32;
        let runs = class_runs(dfa.byte_classes());
        let edges: Vec<Edge> = (0..states).flat_map(|from| state_edges(dfa, from, &runs)).collect();
        let accepting: Vec<u32> = (0..states).filter(|&state| dfa.is_accepting(state)).collect();
        let reenters_start = edges.iter().any(|edge| edge.to == 0);
        let sole_exit = match accepting[..] {
            [only] if edges.iter().all(|edge| edge.from != only) => Some(only),
            _ => None,
        };
        Self { states, edges, accepting, reenters_start, sole_exit }
    }
}

/// The maximal runs of bytes of one class: `(low, high, class)`.
fn class_runs(classes: &[u8; 256]) -> Vec<(u8, u8, u8)> {
    let mut runs: Vec<(u8, u8, u8)> = Vec::new();
    for (byte, &class) in classes.iter().enumerate() {
        match runs.last_mut() {
            Some(last) if last.2 == class => last.1 = byte as u8,
            _ => runs.push((byte as u8, byte as u8, class)),
        }
    }
    runs
}

/// The edges of state `from`, adjacent ranges with the same target joined.
fn state_edges(dfa: &Dfa, from: u32, runs: &[(u8, u8, u8)]) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    for &(low, high, class) in runs {
        let Some(to) = dfa.next_by_class(from, class) else { continue };
        match edges.last_mut() {
            Some(last) if last.to == to && last.high.checked_add(1) == Some(low) => last.high = high,
            _ => edges.push(Edge { from, low, high, to }),
        }
    }
    edges
}
