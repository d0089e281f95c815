//! A graph-structured stack (GSS): many stacks of LR states that share their common parts.
//!
//! In: LR states, pushed on a bottom or on other stacks. Out: a [`StackId`] per stack. A node of the graph has
//! an LR state and links to the nodes below it, and stands for all stacks that end with it. Nodes are
//! hash-consed, so equal stacks have equal ids. A node without links is the bottom of its stacks.
//!
//! Source: Tomita, *Efficient parsing for natural language*, 1985.

use crate::ids::LrState;
use gcc_grammar_ir::index_newtype;
use rustc_hash::FxHashMap;
use std::sync::Arc;

index_newtype! {
    /// A node of a [`Gss`]: all stacks that end with it.
    StackId;
}

/// A graph-structured stack.
#[derive(Debug, Default)]
pub struct Gss {
    nodes: Vec<StackNode>,
    ids: FxHashMap<StackNode, StackId>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct StackNode {
    state: LrState,
    /// Sorted; empty at the bottom.
    below: Arc<[StackId]>,
}

impl Gss {
    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Removes all stacks. Their ids become invalid.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.ids.clear();
    }

    /// The stack whose lowest state, or lowest known state, is `state`, with nothing on it.
    pub fn bottom(&mut self, state: LrState) -> StackId {
        self.node(state, Vec::new())
    }

    /// The stack `below` with `state` on top.
    pub fn push(&mut self, below: StackId, state: LrState) -> StackId {
        self.node(state, vec![below])
    }

    /// The node that stands for the stacks of two nodes with the same state.
    pub fn merge(&mut self, a: StackId, b: StackId) -> StackId {
        debug_assert_eq!(self.top(a), self.top(b));
        let below = [self.below(a), self.below(b)].concat();
        self.node(self.top(a), below)
    }

    /// The state on top.
    #[must_use]
    pub fn top(&self, stack: StackId) -> LrState {
        self.nodes[stack.index()].state
    }

    /// The nodes directly below the top, sorted. Empty at the bottom.
    #[must_use]
    pub fn below(&self, stack: StackId) -> &[StackId] {
        &self.nodes[stack.index()].below
    }

    /// The states of a stack, the bottom first. If the node stands for several stacks, these are the states of
    /// the stack along the first links.
    #[must_use]
    pub fn states(&self, stack: StackId) -> Vec<LrState> {
        let below = |&stack: &StackId| self.below(stack).first().copied();
        let mut states: Vec<LrState> =
            std::iter::successors(Some(stack), below).map(|stack| self.top(stack)).collect();
        states.reverse();
        states
    }

    /// The node with this state and these links, made if it does not exist yet.
    pub(super) fn node(&mut self, state: LrState, mut below: Vec<StackId>) -> StackId {
        below.sort_unstable();
        below.dedup();
        let node = StackNode { state, below: below.into() };
        let next = StackId::new(self.nodes.len());
        let id = *self.ids.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_one_node() {
        let mut gss = Gss::default();
        let bottom = gss.bottom(LrState(0));
        let stack = gss.push(bottom, LrState(3));
        assert_eq!(gss.push(bottom, LrState(3)), stack);
        assert_eq!((gss.top(stack), gss.below(stack)), (LrState(3), &[bottom][..]));
        assert_eq!(gss.states(stack), [LrState(0), LrState(3)]);
        assert_eq!(gss.nodes(), 2);
    }

    #[test]
    fn a_merged_node_has_the_links_of_both() {
        let mut gss = Gss::default();
        let bottom = gss.bottom(LrState(0));
        let (one, two) = (gss.push(bottom, LrState(1)), gss.push(bottom, LrState(2)));
        let (left, right) = (gss.push(one, LrState(3)), gss.push(two, LrState(3)));
        let merged = gss.merge(left, right);
        assert_eq!(gss.below(merged), [one, two]);
        assert_eq!(gss.merge(right, merged), merged);
        assert_eq!(gss.merge(left, left), left);
    }

    #[test]
    fn ids_start_again_after_clear() {
        let mut gss = Gss::default();
        let bottom = gss.bottom(LrState(7));
        gss.push(bottom, LrState(8));
        gss.clear();
        assert_eq!(gss.nodes(), 0);
        let other = gss.bottom(LrState(9));
        assert_eq!((other, gss.top(other), gss.nodes()), (bottom, LrState(9), 1));
    }
}
