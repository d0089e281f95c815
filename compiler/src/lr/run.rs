//! The simulation of the LR automaton: all reductions that a terminal asks for, then its shift.
//!
//! All stacks of a run form one graph-structured stack (Tomita 1985): a node has an LR state and the nodes below it, and stands for
//! all stacks that end with it. Equal nodes are made once, so equal stacks have equal ids. A node without nodes below is the bottom of
//! its stacks. For a stack of which only the upper part is known, that is the lowest known state; a reduction that
//! would pop it is reported, see [`Shifted::beyond`].
//!
//! Everything that simulates the parser goes through this module: traces, the analyses of ambiguity, the bounds on completions. The
//! runtime has an implementation of its own, which does not allocate; the tests of [`heads`](crate::analysis::heads) compare the two.

use super::table::{Action, LrTables};
use crate::ids::{LrState, ProductionId};
use gcc_grammar_ir::{NonterminalId, TerminalId, index_newtype};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

index_newtype! {
    /// All stacks of a run that end with the same node.
    StackId;
}

/// The tables that a run follows.
pub trait Tables {
    /// All actions of a state on a terminal.
    fn actions(&self, state: LrState, terminal: TerminalId) -> impl Iterator<Item = Action>;
    /// The target of a goto, if there is one.
    fn goto(&self, state: LrState, nonterminal: NonterminalId) -> Option<LrState>;
    /// The left-hand side and the length of a production. The length is at least 1.
    fn production(&self, production: ProductionId) -> (NonterminalId, u32);
}

impl Tables for &LrTables {
    fn actions(&self, state: LrState, terminal: TerminalId) -> impl Iterator<Item = Action> {
        self.actions_on(state, terminal).iter().map(|&(_, action)| action)
    }

    fn goto(&self, state: LrState, nonterminal: NonterminalId) -> Option<LrState> {
        LrTables::goto(self, state, nonterminal)
    }

    fn production(&self, production: ProductionId) -> (NonterminalId, u32) {
        self.productions[production.index()]
    }
}

/// The stacks of a run.
#[derive(Debug)]
pub struct Run<T> {
    tables: T,
    nodes: Vec<Node>,
    ids: FxHashMap<Node, StackId>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Node {
    state: LrState,
    /// Sorted; empty at the bottom.
    below: Rc<[StackId]>,
}

/// The stacks after a terminal.
#[derive(Clone, Debug, Default)]
pub struct Shifted {
    /// The stacks. [`Run::shift`] merges stacks with the same top, [`Run::shift_apart`] keeps every stack by itself.
    pub stacks: Vec<StackId>,
    /// Actions, links between nodes and stacks beyond those that a single stack would have taken.
    pub extra: usize,
    /// The steps that were made: `extra`, and one for each node that reductions pushed.
    pub steps: usize,
    /// The cells with several actions that were met, if more than one stack is left.
    pub conflicts: Vec<(LrState, TerminalId)>,
    /// Whether a reduction would have popped the bottom of a stack. Then other stacks may follow that depend on the states below.
    pub beyond: bool,
}

/// A state on top of a node: a node that is not made yet.
type Top = (LrState, StackId);

impl<T: Tables> Run<T> {
    /// A run without stacks.
    #[must_use]
    pub fn new(tables: T) -> Self {
        Self { tables, nodes: Vec::new(), ids: FxHashMap::default() }
    }

    /// The tables that the run follows.
    #[must_use]
    pub fn tables(&self) -> &T {
        &self.tables
    }

    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all stacks; their ids become invalid.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.ids.clear();
    }

    /// The stack that has only this state, or of which only this state is known.
    pub fn bottom(&mut self, state: LrState) -> StackId {
        self.node(state, Vec::new())
    }

    /// The stack with another state on top.
    pub fn push(&mut self, below: StackId, state: LrState) -> StackId {
        self.node(state, vec![below])
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
    #[must_use]
    pub fn top(&self, stack: StackId) -> LrState {
        self.nodes[stack.index()].state
    }

    /// The stacks below the top: one for every stack that the node stands for, none at the bottom.
    #[must_use]
    pub fn below(&self, stack: StackId) -> &[StackId] {
        &self.nodes[stack.index()].below
    }

    /// The states of a stack, the bottom first. If the node stands for several stacks, it is the first of them.
    #[must_use]
    pub fn states(&self, stack: StackId) -> Vec<LrState> {
        let below = |&stack: &StackId| self.below(stack).first().copied();
        let mut states: Vec<LrState> =
            std::iter::successors(Some(stack), below).map(|stack| self.top(stack)).collect();
        states.reverse();
        states
    }

    /// The node that stands for the stacks of two nodes with the same state.
    pub fn merge(&mut self, a: StackId, b: StackId) -> StackId {
        debug_assert_eq!(self.top(a), self.top(b));
        let below = [self.below(a), self.below(b)].concat();
        self.node(self.top(a), below)
    }

    /// The stacks after a terminal, with those merged that have the same top.
    pub fn shift(&mut self, stack: StackId, terminal: TerminalId) -> Shifted {
        let mut shifted = Shifted::default();
        let reduced = self.reductions(self.tops_of(stack), terminal, &mut shifted);
        shifted.steps = shifted.extra + reduced.len() + 1;
        let mut tops = vec![stack];
        tops.extend(self.merged(reduced));
        let mut pushed = Vec::new();
        for stack in tops {
            let top = self.top(stack);
            let actions: Vec<Action> = self.tables.actions(top, terminal).collect();
            if actions.len() > 1 {
                shifted.conflicts.push((top, terminal));
            }
            let shifts = actions.into_iter().filter_map(Action::shift);
            pushed.extend(shifts.map(|state| (state, stack)));
        }
        let ways: usize = pushed.iter().map(|&(_, on)| self.below(on).len().max(1)).sum();
        if ways < 2 {
            shifted.conflicts.clear();
        }
        shifted.extra += pushed.len().saturating_sub(1);
        shifted.stacks = self.merged(pushed);
        shifted
    }

    /// The stacks after a terminal, every stack by itself.
    pub fn shift_apart(&mut self, stack: StackId, terminal: TerminalId) -> Shifted {
        let actions: Vec<Action> = self.tables.actions(self.top(stack), terminal).collect();
        self.shift_apart_by(stack, &actions, terminal)
    }

    /// The stacks after a terminal, every stack by itself, if the first action is one of `first`.
    pub fn shift_apart_by(&mut self, stack: StackId, first: &[Action], terminal: TerminalId) -> Shifted {
        let mut shifted = Shifted { steps: 1, ..Shifted::default() };
        let tops = self.tops_of(stack);
        let mut reduced = Vec::new();
        for &action in first {
            match action {
                Action::Shift(state) => shifted.stacks.push(self.push(stack, state)),
                Action::Reduce(production) => {
                    shifted.beyond |= tops.is_empty();
                    reduced.extend(self.reduce_all(&tops, production, &mut shifted));
                }
            }
        }
        reduced.extend(self.reductions(reduced.clone(), terminal, &mut shifted));
        reduced.sort_unstable();
        reduced.dedup();
        shifted.steps += reduced.len();
        for (state, on) in reduced {
            let targets: Vec<LrState> =
                self.tables.actions(state, terminal).filter_map(Action::shift).collect();
            let stack = if targets.is_empty() { continue } else { self.push(on, state) };
            shifted.stacks.extend(targets.into_iter().map(|target| self.push(stack, target)));
        }
        shifted.stacks.sort_unstable();
        shifted.stacks.dedup();
        shifted
    }

    /// The stacks after one reduction of a stack, every stack by itself.
    pub fn reduce_apart(&mut self, stack: StackId, production: ProductionId) -> Vec<StackId> {
        let reduced = self.reduce_all(&self.tops_of(stack), production, &mut Shifted::default());
        reduced.into_iter().map(|(state, on)| self.push(on, state)).collect()
    }

    /// Whether the automaton accepts a sequence of terminals. `end` is the end of text.
    pub fn accepts(&mut self, text: &[TerminalId], end: TerminalId) -> bool {
        let mut stacks = vec![self.bottom(LrState(0))];
        for &terminal in text.iter().chain([&end]) {
            stacks = stacks.into_iter().flat_map(|stack| self.shift(stack, terminal).stacks).collect();
        }
        !stacks.is_empty()
    }

    fn tops_of(&self, stack: StackId) -> Vec<Top> {
        self.below(stack).iter().map(|&below| (self.top(stack), below)).collect()
    }

    /// The tops that reductions push, starting with `open`, in the order in which they are found. The tops of `open` are not among them.
    fn reductions(&self, mut open: Vec<Top>, terminal: TerminalId, shifted: &mut Shifted) -> Vec<Top> {
        let (mut seen, mut reduced) = (FxHashSet::default(), Vec::new());
        shifted.extra += open.len().saturating_sub(1);
        while let Some(top) = open.pop() {
            let mut actions = 0;
            for action in self.tables.actions(top.0, terminal) {
                actions += 1;
                let Action::Reduce(production) = action else { continue };
                for pushed in self.reduce(top, production, shifted) {
                    if seen.insert(pushed) {
                        reduced.push(pushed);
                        open.push(pushed);
                    }
                }
            }
            shifted.extra += usize::saturating_sub(actions, 1);
        }
        reduced
    }

    fn reduce_all(&self, tops: &[Top], production: ProductionId, shifted: &mut Shifted) -> Vec<Top> {
        tops.iter().flat_map(|&top| self.reduce(top, production, shifted)).collect()
    }

    /// The tops after one reduction.
    fn reduce(&self, (_, below): Top, production: ProductionId, shifted: &mut Shifted) -> Vec<Top> {
        let (lhs, length) = self.tables.production(production);
        let on = self.ancestors(below, length - 1, shifted).into_iter();
        on.filter_map(|on| Some((self.tables.goto(self.top(on), lhs)?, on))).collect()
    }

    /// The nodes that lie `levels` below a node.
    fn ancestors(&self, from: StackId, levels: u32, shifted: &mut Shifted) -> Vec<StackId> {
        let mut nodes = vec![from];
        for _ in 0..levels {
            shifted.beyond |= nodes.iter().any(|&node| self.below(node).is_empty());
            let mut below: Vec<StackId> =
                nodes.iter().flat_map(|&node| self.below(node).iter().copied()).collect();
            shifted.extra += below.len() - nodes.len().min(below.len());
            below.sort_unstable();
            below.dedup();
            nodes = below;
        }
        nodes
    }

    /// One node for each state, in the order of states.
    fn merged(&mut self, mut tops: Vec<Top>) -> Vec<StackId> {
        tops.sort_unstable();
        let groups = tops.chunk_by(|a, b| a.0 == b.0);
        groups.map(|group| self.node(group[0].0, group.iter().map(|&(_, on)| on).collect())).collect()
    }
}

#[cfg(test)]
impl LrTables {
    /// Whether the automaton accepts a sequence of terminals.
    pub(crate) fn accepts(&self, text: &[TerminalId]) -> bool {
        Run::new(self).accepts(text, self.end)
    }
}
