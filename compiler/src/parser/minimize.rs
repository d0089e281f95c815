//! Minimizes the Parser DWA.
//!
//! In: an incompletely specified automaton. Out: one with fewer states, the same on every symbol that a state
//! can read. States from which nothing is put out become the final state: no token is left to decide, so the
//! stack need not be read any further. Then equivalent states are merged, by partition refinement over (output, class of the
//! target); a symbol that a state can never read takes its most frequent transition. Then [`compatible`]
//! states are merged.

use super::compatible;
use super::dwa::{FullDwa, Row, Transition, most_frequent};
use crate::csr::Csr;
use crate::ids::DwaState;
use crate::partition::Partition;
use crate::sets::Sets;
use gcc_grammar_limits::{Budget, OverBudget};

/// Minimizes an automaton. The final state stays state 0.
///
/// # Errors
/// The budget is spent.
pub(super) fn minimize(full: FullDwa, budget: &Budget) -> Result<FullDwa, OverBudget> {
    compatible::merge(merge_equivalent(full, budget)?, budget)
}

/// The automaton with a single state per class of equivalent states.
fn merge_equivalent(mut full: FullDwa, budget: &Budget) -> Result<FullDwa, OverBudget> {
    let is_open = can_put_out(&full.rows);
    let silent = full.rows.iter_mut().zip(&is_open).filter(|(_, is_open)| !**is_open);
    silent.for_each(|(row, _)| row.clear());
    let rows = &full.rows;
    let transitions: usize = rows.iter().map(Vec::len).sum();
    let bytes = (transitions * 8 + rows.len() * 40) as u64;
    budget.charge_bytes(bytes)?;
    let defaults: Vec<Option<Transition>> = rows.iter().map(most_frequent).collect();
    let class_of = is_open.into_iter().map(u32::from).collect();
    let mut partition = Partition::new(class_of, predecessors(rows));
    while partition.dirty() > 0 {
        budget.charge_work(partition.dirty() as u64)?;
        partition.round(|state, class_of, signature| {
            describe(&rows[state as usize], defaults[state as usize], class_of, signature);
        });
    }
    let minimal = quotient(full, partition.class_of(), partition.classes());
    budget.release_bytes(bytes);
    Ok(minimal)
}

/// Per state: whether a path from it puts out a token.
fn can_put_out(rows: &[Row]) -> Vec<bool> {
    let predecessors = predecessors(rows);
    let puts_out = |row: &Row| row.iter().any(|(_, transition)| transition.output != Sets::EMPTY);
    let mut is_open: Vec<bool> = rows.iter().map(puts_out).collect();
    let mut open: Vec<usize> = (0..rows.len()).filter(|&state| is_open[state]).collect();
    while let Some(state) = open.pop() {
        for &from in predecessors.row(state) {
            if !std::mem::replace(&mut is_open[from as usize], true) {
                open.push(from as usize);
            }
        }
    }
    is_open
}

/// Per state: the states with a transition to it. None for the final state, whose class never changes.
fn predecessors(rows: &[Row]) -> Csr<u32> {
    let edges = (0..).zip(rows).flat_map(|(from, row)| {
        let targets = row.iter().map(|(_, t)| t.target.index()).filter(|&target| target != 0);
        targets.map(move |to| (from, to))
    });
    Csr::inverse(rows.len(), edges)
}

/// Appends the signature of a state, with classes in place of targets: its default, then the other
/// transitions.
fn describe(row: &Row, default: Option<Transition>, class_of: &[u32], text: &mut Vec<u32>) {
    let class = |t: Transition| (t.output.0, class_of[t.target.index()]);
    let default = default.map(class);
    text.extend(default.map_or([u32::MAX; 2], |(output, target)| [output, target]));
    for &(symbol, transition) in row {
        let (output, target) = class(transition);
        if default != Some((output, target)) {
            text.extend([symbol.0, output, target]);
        }
    }
}

/// Merges the states of each class. They agree on every symbol that several of them can read.
fn quotient(full: FullDwa, class_of: &[u32], count: usize) -> FullDwa {
    let map = |state: DwaState| DwaState(class_of[state.index()]);
    let mut rows = vec![Row::new(); count];
    for (state, row) in full.rows.into_iter().enumerate() {
        let row = row.into_iter().map(|(symbol, t)| (symbol, Transition { target: map(t.target), ..t }));
        match &mut rows[class_of[state] as usize] {
            first if first.is_empty() => *first = row.collect(),
            others => others.extend(row),
        }
    }
    // Sorted once per class: many states may be one.
    for row in &mut rows {
        row.sort_by_key(|&(symbol, _)| symbol);
        row.dedup_by_key(|&mut (symbol, _)| symbol);
        row.shrink_to_fit();
    }
    FullDwa { rows, start: full.start.into_iter().map(map).collect() }
}
