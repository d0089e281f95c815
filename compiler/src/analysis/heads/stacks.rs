//! Parser stacks as one graph, as the runtime has them (Tomita 1985): stacks with the same top share it.
//!
//! A node has a state and the nodes that may lie below it. Equal nodes are made once, so what a terminal does to one is remembered.

use crate::ids::LrState;
use crate::lr::{Action, LrTables};
use gcc_grammar_ir::{TerminalId, index_newtype};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

index_newtype! {
    vis pub(super),
    /// All parser stacks that end with a node.
    StackId;
}

/// What a terminal makes of the stacks of a node.
#[derive(Debug, Default)]
pub(super) struct Shifted {
    /// The nodes on top, of different states.
    pub(super) tops: Vec<StackId>,
    /// Actions, links between nodes and tops beyond those that a single stack would have taken.
    pub(super) extra: usize,
    /// Conflicts that were met, if more than one stack is left.
    pub(super) forks: Vec<(LrState, TerminalId)>,
}

/// The graph.
pub(super) struct Stacks<'a> {
    lr: &'a LrTables,
    nodes: Vec<Node>,
    ids: FxHashMap<Node, StackId>,
    shifted: FxHashMap<(StackId, TerminalId), Rc<Shifted>>,
    /// Actions and links so far.
    work: usize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    state: LrState,
    /// Sorted; none at the bottom.
    below: Rc<[StackId]>,
}

impl<'a> Stacks<'a> {
    pub(super) fn new(lr: &'a LrTables) -> Self {
        Self { lr, nodes: Vec::new(), ids: FxHashMap::default(), shifted: FxHashMap::default(), work: 0 }
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Actions and links so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// The stack at the beginning of a text.
    pub(super) fn start(&mut self) -> StackId {
        self.node(LrState(0), Vec::new())
    }

    fn node(&mut self, state: LrState, mut below: Vec<StackId>) -> StackId {
        below.sort_unstable();
        below.dedup();
        let node = Node { state, below: below.into() };
        let next = StackId::new(self.nodes.len());
        let id = *self.ids.entry(node.clone()).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    /// The state on top.
    pub(super) fn top(&self, stack: StackId) -> LrState {
        self.nodes[stack.index()].state
    }

    /// The stacks of both nodes, which have the same state.
    pub(super) fn merge(&mut self, a: StackId, b: StackId) -> StackId {
        let (a, b) = (self.nodes[a.index()].clone(), &self.nodes[b.index()]);
        let below = [&a.below[..], &b.below[..]].concat();
        self.node(a.state, below)
    }

    /// What a terminal makes of the stacks: all reductions, then the shifts.
    pub(super) fn shift(&mut self, stack: StackId, terminal: TerminalId) -> Rc<Shifted> {
        if let Some(shifted) = self.shifted.get(&(stack, terminal)) {
            return Rc::clone(shifted);
        }
        let shifted = Rc::new(self.shift_anew(stack, terminal));
        self.shifted.insert((stack, terminal), Rc::clone(&shifted));
        shifted
    }

    fn shift_anew(&mut self, stack: StackId, terminal: TerminalId) -> Shifted {
        let lr = self.lr;
        let mut shifted = Shifted::default();
        let reduced = self.reduce(stack, terminal, &mut shifted.extra);
        self.work += shifted.extra + reduced.len() + 1;
        let mut tops = vec![stack];
        tops.extend(self.nodes_of(reduced));
        let mut pushed = Vec::new();
        for stack in tops {
            let top = self.top(stack);
            let actions = lr.actions_on(top, terminal);
            if actions.len() > 1 {
                shifted.forks.push((top, terminal));
            }
            for &(_, action) in actions {
                if let Action::Shift(state) = action {
                    pushed.push((state, stack));
                }
            }
        }
        let ways: usize = pushed.iter().map(|&(_, on)| self.nodes[on.index()].below.len().max(1)).sum();
        if ways < 2 {
            shifted.forks.clear();
        }
        shifted.extra += pushed.len().saturating_sub(1);
        shifted.tops = self.nodes_of(pushed);
        shifted
    }

    /// States that reductions push, each with the node it is pushed on. No production is empty, so that is an old one.
    fn reduce(&self, stack: StackId, terminal: TerminalId, extra: &mut usize) -> Vec<(LrState, StackId)> {
        let Node { state, below } = &self.nodes[stack.index()];
        let mut open: Vec<(LrState, StackId)> = below.iter().map(|&below| (*state, below)).collect();
        let (mut seen, mut reduced) = (FxHashSet::default(), Vec::new());
        *extra += open.len().saturating_sub(1);
        while let Some((state, below)) = open.pop() {
            let actions = self.lr.actions_on(state, terminal);
            *extra += actions.len().saturating_sub(1);
            for &(_, action) in actions {
                let Action::Reduce(production) = action else { continue };
                let (lhs, length) = self.lr.productions[production.index()];
                for on in self.ancestors(below, length - 1, extra) {
                    if let Some(state) = self.lr.goto(self.top(on), lhs)
                        && seen.insert((state, on))
                    {
                        reduced.push((state, on));
                        open.push((state, on));
                    }
                }
            }
        }
        reduced
    }

    /// The nodes that lie `levels` below.
    fn ancestors(&self, from: StackId, levels: u32, extra: &mut usize) -> Vec<StackId> {
        let mut nodes = vec![from];
        for _ in 0..levels {
            let below = nodes.iter().flat_map(|node| self.nodes[node.index()].below.iter().copied());
            let mut below: Vec<StackId> = below.collect();
            *extra += below.len() - nodes.len().min(below.len());
            below.sort_unstable();
            below.dedup();
            nodes = below;
        }
        nodes
    }

    /// One node per state, in their order.
    fn nodes_of(&mut self, mut pushed: Vec<(LrState, StackId)>) -> Vec<StackId> {
        pushed.sort_unstable();
        pushed
            .chunk_by(|a, b| a.0 == b.0)
            .map(|group| self.node(group[0].0, group.iter().map(|&(_, on)| on).collect()))
            .collect()
    }
}
