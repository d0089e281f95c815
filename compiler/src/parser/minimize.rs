//! Merges equivalent states: partition refinement over (output, class of the target), until stable.

use super::determinize::{Dwa, Transition};
use crate::ids::DwaState;
use crate::limits::{Budget, OverBudget};
use crate::partition::Partition;

/// The minimal automaton; the final state stays state 0.
pub(super) fn minimize(dwa: Dwa, budget: &Budget) -> Result<Dwa, OverBudget> {
    let mut class_of = vec![1u32; dwa.states()];
    class_of[0] = 0;
    let mut partition = Partition::new(class_of, predecessors(&dwa));
    budget.charge_bytes((dwa.transitions() * 8 + dwa.states() * 40) as u64)?;
    while partition.dirty() > 0 {
        budget.charge_work(partition.dirty() as u64)?;
        partition.round(|state, class_of, signature| describe(&dwa, state as usize, class_of, signature));
    }
    Ok(quotient(&dwa, partition.class_of(), partition.classes()))
}

/// Per state: the states with a transition to it. Nothing ever changes for the final state.
fn predecessors(dwa: &Dwa) -> Vec<Vec<u32>> {
    let mut predecessors: Vec<Vec<u32>> = vec![Vec::new(); dwa.states()];
    for from in 0..dwa.states() {
        let row = dwa.exceptions[from].iter().map(|(_, t)| t);
        for target in dwa.default[from].iter().chain(row).map(|t| t.target.index()) {
            if target != 0 && predecessors[target].last() != Some(&(from as u32)) {
                predecessors[target].push(from as u32);
            }
        }
    }
    predecessors
}

/// Appends what the state does, with classes for targets: its default, then what differs from that.
fn describe(dwa: &Dwa, state: usize, class_of: &[u32], text: &mut Vec<u32>) {
    let class = |t: Transition| (t.output.0, class_of[t.target.index()]);
    let default = dwa.default[state].map(class);
    text.extend(default.map_or([u32::MAX; 2], |(output, target)| [output, target]));
    for &(symbol, transition) in &dwa.exceptions[state] {
        let (output, target) = class(transition);
        if default != Some((output, target)) {
            text.extend([symbol.0, output, target]);
        }
    }
}

fn quotient(dwa: &Dwa, class_of: &[u32], count: usize) -> Dwa {
    let map = |t: Transition| Transition { target: DwaState(class_of[t.target.index()]), ..t };
    let mut representative = vec![0; count];
    (0..dwa.states()).rev().for_each(|s| representative[class_of[s] as usize] = s);
    let mut out =
        Dwa { start: dwa.start.iter().map(|s| DwaState(class_of[s.index()])).collect(), ..Dwa::default() };
    for s in representative {
        let default = dwa.default[s].map(map);
        out.default.push(default);
        out.exceptions.push(
            dwa.exceptions[s]
                .iter()
                .map(|&(p, t)| (p, map(t)))
                .filter(|&(_, t)| Some(t) != default)
                .collect(),
        );
    }
    out
}
