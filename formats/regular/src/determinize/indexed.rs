//! A nondeterministic automaton with its transitions sorted by the state they leave.
//!
//! The subset construction follows the transitions of a state very often; here they are slices of two flat arrays.

use super::look::ByteKinds;
use crate::nfa::{Edge, Epsilon, Nfa};

/// A nondeterministic automaton, indexed by state.
pub(super) struct IndexedNfa {
    edges: Vec<Edge>,
    edge_offsets: Vec<u32>,
    epsilons: Vec<Epsilon>,
    epsilon_offsets: Vec<u32>,
    pub(super) accept: u32,
    pub(super) first_cut: u32,
    /// Whether some ε-transition carries an assertion.
    pub(super) has_looks: bool,
    pub(super) kinds: ByteKinds,
}

impl IndexedNfa {
    /// Keeps the order of the ε-transitions of each state.
    pub(super) fn new(mut nfa: Nfa) -> Self {
        let states = nfa.states as usize;
        let edge_offsets = sort_by_state(&mut nfa.edges, states, |edge| edge.from);
        let epsilon_offsets = sort_by_state(&mut nfa.epsilons, states, |epsilon| epsilon.from);
        let has_looks = nfa.epsilons.iter().any(|epsilon| epsilon.look.is_some());
        let kinds = ByteKinds::new(&nfa.epsilons);
        Self {
            edges: nfa.edges,
            edge_offsets,
            epsilons: nfa.epsilons,
            epsilon_offsets,
            accept: nfa.accept,
            first_cut: nfa.first_cut,
            has_looks,
            kinds,
        }
    }

    /// The transitions of `state` that read a byte.
    pub(super) fn edges(&self, state: u32) -> &[Edge] {
        &self.edges
            [self.edge_offsets[state as usize] as usize..self.edge_offsets[state as usize + 1] as usize]
    }

    /// The ε-transitions of `state`.
    pub(super) fn epsilons(&self, state: u32) -> &[Epsilon] {
        &self.epsilons
            [self.epsilon_offsets[state as usize] as usize..self.epsilon_offsets[state as usize + 1] as usize]
    }

    /// Whether the edges of `state` are sorted and disjoint.
    pub(super) fn is_deterministic(&self, state: u32) -> bool {
        self.edges(state).windows(2).all(|pair| pair[0].high < pair[1].low)
    }

    /// Per state, whether it is *important* in an ε-closed set (Aho, Sethi, Ullman 1986, section 3.9): it accepts, or has
    /// a transition that reads a byte or tests an assertion. All others can be left out of the set.
    pub(super) fn important_states(&self) -> Vec<bool> {
        let mut important = vec![false; self.edge_offsets.len() - 1];
        important[self.accept as usize] = true;
        self.edges.iter().for_each(|edge| important[edge.from as usize] = true);
        let looks = self.epsilons.iter().filter(|epsilon| epsilon.look.is_some());
        looks.for_each(|epsilon| important[epsilon.from as usize] = true);
        important
    }
}

/// Sorts the items stably by state. Returns the index of the first item of each state, and at the end their number.
fn sort_by_state<T: Copy>(items: &mut [T], states: usize, state: impl Fn(&T) -> u32) -> Vec<u32> {
    items.sort_by_key(&state);
    let mut offsets = vec![0u32; states + 1];
    items.iter().for_each(|item| offsets[state(item) as usize + 1] += 1);
    for index in 0..states {
        offsets[index + 1] += offsets[index];
    }
    offsets
}
