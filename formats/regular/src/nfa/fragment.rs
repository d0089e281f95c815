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
        let edge = |from: u32| dfa.edges(from).map(move |(low, high, to)| Edge { from, low, high, to });
        let edges: Vec<Edge> = (0..states).flat_map(edge).collect();
        let accepting: Vec<u32> = (0..states).filter(|&state| dfa.is_accepting(state)).collect();
        let reenters_start = edges.iter().any(|edge| edge.to == 0);
        let sole_exit = match accepting[..] {
            [only] if edges.iter().all(|edge| edge.from != only) => Some(only),
            _ => None,
        };
        Self { states, edges, accepting, reenters_start, sole_exit }
    }
}
