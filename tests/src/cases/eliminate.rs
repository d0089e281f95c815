//! Turns an automaton into a regular expression by elimination of states (Brzozowski and McCluskey 1963).

use gcc_grammar_regular::ByteSet;
use gcc_grammar_regular::{Dfa, Regex};
use std::collections::BTreeMap;

/// Labelled edges between states.
type Edges = BTreeMap<(u32, u32), Regex>;

/// A regular expression for the language of the automaton.
pub(super) fn expression(automaton: &Dfa) -> Regex {
    let count = u32::try_from(automaton.state_count()).expect("a small automaton");
    // There are two more states: one before the start and one after the end.
    let (first, last) = (count, count + 1);
    let mut edges = Edges::from([((first, 0), Regex::empty())]);
    for state in 0..count {
        for (low, high, target) in automaton.edges(state) {
            add(&mut edges, (state, target), Regex::Bytes(byte_range(low, high)));
        }
        if automaton.is_accepting(state) {
            add(&mut edges, (state, last), Regex::empty());
        }
    }
    for state in (0..count).rev() {
        eliminate(&mut edges, state);
    }
    edges.remove(&(first, last)).unwrap_or_else(Regex::never)
}

/// Replaces all paths through `state` by edges.
fn eliminate(edges: &mut Edges, state: u32) {
    let around = edges.remove(&(state, state)).map_or_else(Regex::empty, Regex::star);
    let (touching, mut rest): (Edges, Edges) =
        std::mem::take(edges).into_iter().partition(|((from, to), _)| *from == state || *to == state);
    for ((from, _), into) in touching.iter().filter(|(edge, _)| edge.1 == state) {
        for ((_, to), out) in touching.iter().filter(|(edge, _)| edge.0 == state) {
            add(&mut rest, (*from, *to), Regex::concat([into.clone(), around.clone(), out.clone()]));
        }
    }
    *edges = rest;
}

fn add(edges: &mut Edges, edge: (u32, u32), label: Regex) {
    let label = match edges.remove(&edge) {
        Some(known) => Regex::union([known, label]),
        None => label,
    };
    edges.insert(edge, label);
}

fn byte_range(low: u8, high: u8) -> ByteSet {
    (low..=high).collect()
}
