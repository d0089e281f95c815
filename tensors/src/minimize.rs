//! Merges states with the same future, by partition refinement.
//!
//! A partition of the states is refined until the states of a block agree: whether they accept, and which words lead to which block.
//! States are looked at again only if a state that they have an edge to changed its block, and the largest part of a block that is
//! split keeps its number, so a state changes its block at most log S times (Hopcroft 1971). Blocks are then numbered breadth first
//! from the start, the edges of a block in the order of their least words: the result is canonical.

use crate::explore::{Automaton, Edge, State, StateEdges};
use crate::labels::Labels;
use crate::trim::sources;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The number of a block.
type Block = u32;

/// The smallest automaton with the same language, in canonical order.
pub(crate) fn minimize(
    automaton: &Automaton,
    labels: &mut Labels,
    budget: &Budget,
) -> Result<Automaton, OverBudget> {
    let blocks = Partition::new(automaton).refine(automaton, labels, budget)?;
    Ok(quotient(automaton, &blocks, labels))
}

struct Partition {
    /// By state.
    blocks: Vec<Block>,
    members: Vec<Vec<State>>,
}

impl Partition {
    /// The states that accept, and the others.
    fn new(automaton: &Automaton) -> Self {
        let mut partition = Self { blocks: Vec::new(), members: vec![Vec::new(), Vec::new()] };
        for (number, state) in (0..).zip(&automaton.states) {
            partition.blocks.push(Block::from(state.accepts));
            partition.members[usize::from(state.accepts)].push(number);
        }
        partition
    }

    /// Refines the partition. Invariant: the states of a block that are not to be looked at have the same edges to blocks.
    fn refine(
        mut self,
        automaton: &Automaton,
        labels: &mut Labels,
        budget: &Budget,
    ) -> Result<Vec<Block>, OverBudget> {
        let sources = sources(automaton);
        let mut open: Vec<State> = (0..automaton.states.len() as State).collect();
        while !open.is_empty() {
            let mut groups: BTreeMap<Block, Vec<State>> = BTreeMap::new();
            for state in std::mem::take(&mut open) {
                groups.entry(self.blocks[state as usize]).or_default().push(state);
            }
            let mut split = Vec::new();
            for (block, states) in groups {
                let mut classes: FxHashMap<Vec<Edge>, Vec<State>> = FxHashMap::default();
                for state in states {
                    let edges = edges_to_blocks(&automaton.states[state as usize], &self.blocks, labels);
                    budget.charge_work(1 + automaton.states[state as usize].edges.len() as u64)?;
                    classes.entry(edges).or_default().push(state);
                }
                split.push((block, classes.into_values().collect::<Vec<_>>()));
            }
            for (block, classes) in split {
                for state in self.split(block, classes) {
                    open.extend(&sources[state as usize]);
                }
            }
            open.sort_unstable();
            open.dedup();
        }
        Ok(self.blocks)
    }

    /// Splits a block into the given classes and the other members, and returns the states that have a new block.
    fn split(&mut self, block: Block, mut classes: Vec<Vec<State>>) -> Vec<State> {
        let looked_at: usize = classes.iter().map(Vec::len).sum();
        let members = &mut self.members[block as usize];
        if looked_at < members.len() {
            let mut others = std::mem::take(members);
            let looked_at: rustc_hash::FxHashSet<State> = classes.iter().flatten().copied().collect();
            others.retain(|state| !looked_at.contains(state));
            classes.push(others);
        }
        // The order of a hash map must have no influence: the classes are ordered by size, then by their least state.
        classes.iter_mut().for_each(|class| class.sort_unstable());
        classes.sort_unstable_by_key(|class| (std::cmp::Reverse(class.len()), class[0]));
        let mut moved = Vec::new();
        let mut classes = classes.into_iter();
        self.members[block as usize] = classes.next().unwrap_or_default();
        for class in classes {
            let new = self.members.len() as Block;
            class.iter().for_each(|&state| self.blocks[state as usize] = new);
            moved.extend(&class);
            self.members.push(class);
        }
        moved
    }
}

/// The edges of a state to blocks, sorted by block, with one edge for each block.
fn edges_to_blocks(state: &StateEdges, blocks: &[Block], labels: &mut Labels) -> Vec<Edge> {
    let to_block = |edge: &Edge| Edge { target: blocks[edge.target as usize], ..*edge };
    let mut edges: Vec<Edge> = state.edges.iter().map(to_block).collect();
    edges.sort_unstable_by_key(|edge| (edge.target, edge.label));
    let join = |group: &[Edge]| {
        let label = group.iter().map(|edge| edge.label).reduce(|a, b| labels.union(a, b));
        label.map(|label| Edge { target: group[0].target, label })
    };
    edges.chunk_by(|a, b| a.target == b.target).filter_map(join).collect()
}

/// The automaton of the blocks, numbered breadth first.
fn quotient(automaton: &Automaton, blocks: &[Block], labels: &mut Labels) -> Automaton {
    let mut numbers: FxHashMap<Block, State> = FxHashMap::from_iter([(blocks[0], 0)]);
    let mut representatives = vec![0];
    let mut states = Vec::new();
    while let Some(&representative) = representatives.get(states.len()) {
        let state = &automaton.states[representative as usize];
        let mut edges = edges_to_blocks(state, blocks, labels);
        edges.sort_by_key(|edge| labels.words(edge.label).first().copied());
        for edge in &mut edges {
            let block = edge.target;
            let next = representatives.len() as State;
            edge.target = *numbers.entry(block).or_insert(next);
            if edge.target == next {
                let member = state.edges.iter().map(|edge| edge.target);
                representatives.extend(member.filter(|&member| blocks[member as usize] == block).take(1));
            }
        }
        edges.sort_unstable_by_key(|edge| edge.target);
        states.push(StateEdges { accepts: state.accepts, edges });
    }
    Automaton { states, cut: automaton.cut }
}
