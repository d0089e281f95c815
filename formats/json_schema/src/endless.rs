//! Endless items: those of which infinitely many values are left wherever they have not ended.
//!
//! An array or object is endless if from each of its states, before its end, a part with infinitely many values or names can follow, or if more and more parts can. Then
//! whatever is written of it, and wherever in its parts it ends, infinitely many values begin so: those with different further parts are different.

use crate::automaton::{Automaton, Keys, Run};
use crate::content::{Content, Endless, Vertex};
use crate::languages::LanguageId;
use rustc_hash::FxHashSet;

/// Whether the arrays and objects of a node are endless, from the numbers of values of the nodes in it; those without a number have infinitely many.
pub(crate) fn endless(content: &Content, counts: &[Option<u64>], finite: &FxHashSet<LanguageId>) -> Endless {
    let is_infinite = |value: Vertex| counts[value.0 as usize].is_none();
    let is_class = |keys: Keys| keys.class().is_some_and(|class| !finite.contains(&class));
    Endless {
        arrays: content.array.as_ref().is_some_and(|array| are_arrays_endless(array, is_infinite)),
        objects: content
            .objects
            .iter()
            .all(|object| all_go_on(object, |_| true, |keys, value| is_class(keys) || is_infinite(value))),
    }
}

fn are_arrays_endless(array: &Automaton<Run, Vertex>, is_infinite: impl Fn(Vertex) -> bool) -> bool {
    // Behind an unbounded run is nothing, but within it further items can follow.
    let mut is_within = vec![true; array.states.len()];
    for (run, _, target) in array.states.iter().flat_map(|state| &state.transitions) {
        is_within[*target as usize] &= run.most.is_none();
    }
    is_within[0] = false;
    all_go_on(array, |state| !is_within[state], |run, value| run.most.is_none() || is_infinite(value))
}

/// Whether from each of these states some part follows that is infinite, or infinitely many parts.
fn all_go_on<L: Copy>(
    automaton: &Automaton<L, Vertex>,
    concerns: impl Fn(usize) -> bool,
    is_infinite: impl Fn(L, Vertex) -> bool,
) -> bool {
    let count = automaton.states.len();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut left = vec![0_usize; count];
    for (index, state) in automaton.states.iter().enumerate() {
        for target in state.transitions.iter().map(|transition| transition.2).chain(state.otherwise) {
            before[target as usize].push(index);
            left[index] += 1;
        }
    }
    // States that lead to no circle have finitely many sequences of parts.
    let mut goes_on = vec![true; count];
    let mut open: Vec<usize> = (0..count).filter(|&state| left[state] == 0).collect();
    while let Some(state) = open.pop() {
        goes_on[state] = false;
        for &from in &before[state] {
            left[from] -= 1;
            if left[from] == 0 {
                open.push(from);
            }
        }
    }
    let has_infinite = |state: &usize| {
        automaton.states[*state].transitions.iter().any(|&(letter, value, _)| is_infinite(letter, value))
    };
    open.extend((0..count).filter(has_infinite));
    open.iter().for_each(|&state| goes_on[state] = true);
    while let Some(state) = open.pop() {
        for &from in &before[state] {
            if !std::mem::replace(&mut goes_on[from], true) {
                open.push(from);
            }
        }
    }
    (0..count).all(|state| goes_on[state] || !concerns(state))
}
