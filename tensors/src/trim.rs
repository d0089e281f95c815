//! Drops the states that no output needs: states from which no state accepts, and, with a greatest number of tokens, states that are
//! on no output of so few.

use crate::explore::{Automaton, State};

/// The distance of a state that cannot be reached.
const NEVER: u32 = u32::MAX;

/// Drops states, and numbers the others anew in the same order. Returns how many were dropped; none if the start was.
pub(crate) fn trim(automaton: &mut Automaton, tokens: Option<u32>) -> Option<u64> {
    let (begin, end) = (from_start(automaton), to_end(automaton));
    let most = tokens.unwrap_or(NEVER - 1);
    let is_kept = |state: usize| begin[state].saturating_add(end[state]) <= most;
    if !is_kept(0) {
        return None;
    }
    let mut kept = 0;
    let numbers: Vec<Option<State>> = (0..automaton.states.len())
        .map(|state| {
            kept += State::from(is_kept(state));
            is_kept(state).then(|| kept - 1)
        })
        .collect();
    let dropped = automaton.states.len() as u64 - u64::from(kept);
    let mut index = 0;
    automaton.states.retain(|_| {
        index += 1;
        numbers[index - 1].is_some()
    });
    for state in &mut automaton.states {
        state.edges.retain(|edge| numbers[edge.target as usize].is_some());
        for edge in &mut state.edges {
            edge.target = numbers[edge.target as usize].unwrap_or_default();
        }
    }
    Some(dropped)
}

/// By state: the least number of edges from the start.
fn from_start(automaton: &Automaton) -> Vec<u32> {
    let next: Vec<Vec<State>> =
        automaton.states.iter().map(|state| state.edges.iter().map(|edge| edge.target).collect()).collect();
    distances(&next, vec![0])
}

/// By state: the least number of edges to a state that accepts.
fn to_end(automaton: &Automaton) -> Vec<u32> {
    let accepting = (0..).zip(&automaton.states).filter(|(_, state)| state.accepts);
    distances(&sources(automaton), accepting.map(|(state, _)| state).collect())
}

/// By state: the sources of its edges.
pub(crate) fn sources(automaton: &Automaton) -> Vec<Vec<State>> {
    let mut sources = vec![Vec::new(); automaton.states.len()];
    for (source, state) in (0..).zip(&automaton.states) {
        state.edges.iter().for_each(|edge| sources[edge.target as usize].push(source));
    }
    sources
}

fn distances(next: &[Vec<State>], first: Vec<State>) -> Vec<u32> {
    let mut distances = vec![NEVER; next.len()];
    first.iter().for_each(|&state| distances[state as usize] = 0);
    let mut open = std::collections::VecDeque::from(first);
    while let Some(state) = open.pop_front() {
        for &other in &next[state as usize] {
            if distances[other as usize] == NEVER {
                distances[other as usize] = distances[state as usize] + 1;
                open.push_back(other);
            }
        }
    }
    distances
}
