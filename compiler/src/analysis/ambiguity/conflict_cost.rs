//! Bounds how long each conflict of the parser keeps two stacks.
//!
//! In: the LR tables. Out: a [`ConflictCost`] per conflict. Two stacks that part at a conflict and read the same
//! text form a graph of finitely many [`stack_pairs`](super::stack_pairs), with a terminal per edge. The longest
//! path in it bounds the cost of the conflict; if there is a cycle, no bound is found.
//!
//! A bound always holds, with one exception: both stacks of a pair take the same terminals, so stacks may last
//! longer where the next lexeme is one terminal for the first stack and another for the second. A cycle may need
//! a text that does not exist.

use super::stack_pairs::{PairId, StackPairs};
use crate::ids::LrState;
use crate::lr::LrTables;

/// How long the runtime may follow two stacks that part at a conflict.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ConflictCost {
    /// For at most this number of terminals, the terminal of the conflict included. It is 0 if only one of the
    /// actions ever leads to a shift of this terminal.
    Terminals(usize),
    /// No bound was found.
    Unbounded,
}

/// The cost of every conflict, in the order of states and terminals.
#[must_use]
pub fn conflict_costs(lr: &LrTables) -> Vec<ConflictCost> {
    let mut pairs = StackPairs::new(lr);
    let mut roots = Vec::new();
    for state in (0..lr.states()).map(LrState::new) {
        roots.extend(lr.conflicts_of(state).map(|cell| pairs.after_conflict(state, cell)));
    }
    let lengths = longest_paths(&pairs.successors());
    let bound = |root: &Option<Vec<PairId>>| {
        let mut lengths = root.as_ref()?.iter().map(|pair| lengths[pair.index()]);
        lengths.try_fold(0, |most: usize, length| Some(most.max(length?)))
    };
    let cost = |root| bound(root).map_or(ConflictCost::Unbounded, ConflictCost::Terminals);
    roots.iter().map(cost).collect()
}

/// Per node of a graph: the number of nodes on the longest path from it; `None` if there is no bound. `None` as
/// successors means that they are not known.
///
/// A node is finished when all its successors are. Nodes that reach a cycle or unknown successors never are.
fn longest_paths(successors: &[Option<Vec<PairId>>]) -> Vec<Option<usize>> {
    let mut predecessors = vec![Vec::new(); successors.len()];
    let mut unfinished = vec![0; successors.len()];
    for (node, successors) in successors.iter().enumerate() {
        // A node with unknown successors has a successor that is never finished.
        unfinished[node] = successors.as_ref().map_or(1, Vec::len);
        successors.iter().flatten().for_each(|successor| predecessors[successor.index()].push(node));
    }
    let mut lengths = vec![1; successors.len()];
    let mut finished: Vec<usize> = (0..successors.len()).filter(|&node| unfinished[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = finished.get(next) {
        next += 1;
        for &predecessor in &predecessors[node] {
            lengths[predecessor] = lengths[predecessor].max(lengths[node] + 1);
            unfinished[predecessor] -= 1;
            if unfinished[predecessor] == 0 {
                finished.push(predecessor);
            }
        }
    }
    lengths.into_iter().zip(unfinished).map(|(length, left)| (left == 0).then_some(length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nodes_that_reach_no_cycle_have_a_longest_path() {
        let ids = |ids: &[usize]| Some(ids.iter().map(|&id| PairId::new(id)).collect());
        // 0 -> 1 -> 2, 0 -> 2; 3 -> 4 -> 3; 5 -> 6, whose successors are unknown.
        let graph = [ids(&[1, 2]), ids(&[2]), ids(&[]), ids(&[4]), ids(&[3]), ids(&[6]), None];
        assert_eq!(longest_paths(&graph), [Some(3), Some(2), Some(1), None, None, None, None]);
    }
}
