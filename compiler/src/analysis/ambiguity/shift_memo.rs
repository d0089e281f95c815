//! Simulates the parser with the effect of every terminal on every stack memoized.
//!
//! In: a stack and a terminal. Out: the stacks after it, as [`Run::shift`] gives them. Each pair is simulated
//! once; only then its steps count as work.

use crate::ids::LrState;
use crate::lr::{LrTables, Run, Shifted, StackId};
use gcc_grammar_ir::TerminalId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A run of the LR automaton with a memo.
pub(super) struct ShiftMemo<'a> {
    run: Run<&'a LrTables>,
    shifted: FxHashMap<(StackId, TerminalId), Rc<Shifted>>,
    /// The steps of all simulations so far.
    work: usize,
}

impl<'a> ShiftMemo<'a> {
    pub(super) fn new(lr: &'a LrTables) -> Self {
        Self { run: Run::new(lr), shifted: FxHashMap::default(), work: 0 }
    }

    /// The number of nodes of the graph-structured stack.
    pub(super) fn nodes(&self) -> usize {
        self.run.stacks.nodes()
    }

    /// The steps of all simulations so far.
    pub(super) fn work(&self) -> usize {
        self.work
    }

    /// The stack at the beginning of a text.
    pub(super) fn start(&mut self) -> StackId {
        self.run.stacks.bottom(LrState(0))
    }

    /// The state on top.
    pub(super) fn top(&self, stack: StackId) -> LrState {
        self.run.stacks.top(stack)
    }

    /// The node that stands for the stacks of two nodes with the same state.
    pub(super) fn merge(&mut self, a: StackId, b: StackId) -> StackId {
        self.run.stacks.merge(a, b)
    }

    /// The stacks after a terminal.
    pub(super) fn shift(&mut self, stack: StackId, terminal: TerminalId) -> Rc<Shifted> {
        if let Some(shifted) = self.shifted.get(&(stack, terminal)) {
            return Rc::clone(shifted);
        }
        let shifted = Rc::new(self.run.shift(stack, terminal));
        self.work += shifted.steps;
        self.shifted.insert((stack, terminal), Rc::clone(&shifted));
        shifted
    }
}
