//! Automata given state by state.

use super::Dfa;
use super::acyclic::classes_from_starts;
use super::minimize::Draft;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// What one state of an automaton does: may the string end here, and the disjoint byte ranges `low..=high` that
/// lead on.
pub type Step<S> = (bool, Vec<(u8, u8, S)>);

impl Dfa {
    /// The minimal automaton of the states reachable from `start`, each asked once what it does. `None` if there
    /// are more than `max_states` of them.
    pub fn explore<S: Clone + Eq + Hash>(
        start: S,
        max_states: usize,
        mut step: impl FnMut(&S) -> Step<S>,
    ) -> Option<Self> {
        let mut number = FxHashMap::from_iter([(start.clone(), 0u32)]);
        let mut states = vec![start];
        let mut rows: Vec<Vec<(u8, u8, u32)>> = Vec::new();
        let mut accepting = Vec::new();
        while rows.len() < states.len() {
            let (accepts, edges) = step(&states[rows.len()]);
            let row = edges.into_iter().map(|(low, high, target)| {
                let id = *number.entry(target).or_insert_with_key(|target| {
                    states.push(target.clone());
                    (states.len() - 1) as u32
                });
                (low, high, id)
            });
            rows.push(row.collect());
            accepting.push(accepts);
            if states.len() > max_states {
                return None;
            }
        }
        Some(draft(&rows, accepting).minimize())
    }
}

/// Lays the rows out as a table over the coarsest byte classes that fit all ranges.
fn draft(rows: &[Vec<(u8, u8, u32)>], accepting: Vec<bool>) -> Draft {
    let mut starts = [false; 257];
    for &(low, high, _) in rows.iter().flatten() {
        starts[usize::from(low)] = true;
        starts[usize::from(high) + 1] = true;
    }
    let (classes, class_count) = classes_from_starts(&starts);
    let mut table = vec![0; rows.len() * class_count];
    for (row, cells) in rows.iter().zip(table.chunks_exact_mut(class_count)) {
        for &(low, high, target) in row {
            let columns = usize::from(classes[usize::from(low)])..=usize::from(classes[usize::from(high)]);
            cells[columns].fill(target + 1);
        }
    }
    Draft { classes, class_count, table, accepting }
}
