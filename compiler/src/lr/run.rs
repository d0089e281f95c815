//! Simulates the LR automaton on stacks: all reductions that are possible before a terminal, then its shift.
//!
//! In: the tables, a stack of the run and the next terminal. Out: the stacks after it ([`Shifted`]), with the
//! number of steps and the conflicts that were met. All stacks of a run live in one graph-structured stack
//! ([`Gss`]). [`Run::shift`] merges stacks with the same top, as a GLR parser does; [`Run::shift_unmerged`]
//! keeps every stack as a node of its own.
//!
//! A stack may be known only above some state. This state is then the bottom; a reduction that would pop it is
//! reported as an underflow, and has no result.
//!
//! Traces, the analyses of ambiguity and the bounds on completions all simulate the parser with this module.
//! The runtime has an implementation of its own, which does not allocate; the tests of
//! [`ambiguity`](crate::analysis::ambiguity) compare the two.

use super::gss::{Gss, StackId};
use super::table::{Action, LrTables};
use crate::ids::{LrState, ProductionId};
use gcc_grammar_ir::{NonterminalId, TerminalId};
use rustc_hash::FxHashSet;

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

/// A simulation of the LR automaton.
#[derive(Debug)]
pub struct Run<T> {
    /// The tables that the run follows.
    pub tables: T,
    /// The stacks of the run.
    pub stacks: Gss,
}

/// The stacks after a terminal.
#[derive(Clone, Debug, Default)]
pub struct Shifted {
    /// The stacks; none if the terminal is refused.
    pub stacks: Vec<StackId>,
    /// The work beyond that of a deterministic parser: further actions, further links between nodes, and
    /// further stacks.
    pub extra: usize,
    /// The number of steps: `extra`, and a step for each node that reductions pushed.
    pub steps: usize,
    /// The cells with several actions that were met, if more than one stack is left.
    pub conflicts: Vec<(LrState, TerminalId)>,
    /// Whether a reduction would have popped the bottom of a stack. Then there may be further stacks, which
    /// depend on the states below the bottom. [`Run::shift`] does not try reductions at the bottom itself.
    pub underflow: bool,
}

/// A state on top of a stack: a node that is not made yet.
type Top = (LrState, StackId);

impl<T: Tables> Run<T> {
    /// A run without stacks.
    #[must_use]
    pub fn new(tables: T) -> Self {
        Self { tables, stacks: Gss::default() }
    }

    /// The stacks after a terminal. Stacks with the same top are merged.
    pub fn shift(&mut self, stack: StackId, terminal: TerminalId) -> Shifted {
        let mut shifted = Shifted::default();
        let reduced = self.reductions(self.tops_of(stack), terminal, &mut shifted);
        shifted.steps = shifted.extra + reduced.len() + 1;
        let mut tops = vec![stack];
        tops.extend(self.merged(reduced));
        let mut pushed = Vec::new();
        for stack in tops {
            let top = self.stacks.top(stack);
            let actions: Vec<Action> = self.tables.actions(top, terminal).collect();
            if actions.len() > 1 {
                shifted.conflicts.push((top, terminal));
            }
            let shifts = actions.into_iter().filter_map(Action::shift);
            pushed.extend(shifts.map(|state| (state, stack)));
        }
        let paths: usize = pushed.iter().map(|&(_, on)| self.stacks.below(on).len().max(1)).sum();
        if paths < 2 {
            shifted.conflicts.clear();
        }
        shifted.extra += pushed.len().saturating_sub(1);
        shifted.stacks = self.merged(pushed);
        shifted
    }

    /// The stacks after a terminal. No stacks are merged.
    pub fn shift_unmerged(&mut self, stack: StackId, terminal: TerminalId) -> Shifted {
        let actions: Vec<Action> = self.tables.actions(self.stacks.top(stack), terminal).collect();
        self.shift_unmerged_by(stack, &actions, terminal)
    }

    /// The stacks after a terminal if the first action is one of `first`. No stacks are merged.
    pub fn shift_unmerged_by(&mut self, stack: StackId, first: &[Action], terminal: TerminalId) -> Shifted {
        let mut shifted = Shifted { steps: 1, ..Shifted::default() };
        let tops = self.tops_of(stack);
        let mut reduced = Vec::new();
        for &action in first {
            match action {
                Action::Shift(state) => shifted.stacks.push(self.stacks.push(stack, state)),
                Action::Reduce(production) => {
                    shifted.underflow |= tops.is_empty();
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
            let stack = if targets.is_empty() { continue } else { self.stacks.push(on, state) };
            shifted.stacks.extend(targets.into_iter().map(|target| self.stacks.push(stack, target)));
        }
        shifted.stacks.sort_unstable();
        shifted.stacks.dedup();
        shifted
    }

    /// The top of a stack with each of its links. The bottom has none: no reduction pops it.
    fn tops_of(&self, stack: StackId) -> Vec<Top> {
        self.stacks.below(stack).iter().map(|&below| (self.stacks.top(stack), below)).collect()
    }

    /// The tops that reductions push before `terminal`, starting from `open`, in the order in which they are
    /// found. The tops of `open` are not among them.
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

    /// The tops after one reduction of each of these tops.
    fn reduce_all(&self, tops: &[Top], production: ProductionId, shifted: &mut Shifted) -> Vec<Top> {
        tops.iter().flat_map(|&top| self.reduce(top, production, shifted)).collect()
    }

    /// The tops after one reduction.
    fn reduce(&self, (_, below): Top, production: ProductionId, shifted: &mut Shifted) -> Vec<Top> {
        let (lhs, length) = self.tables.production(production);
        let on = self.ancestors(below, length - 1, shifted).into_iter();
        on.filter_map(|on| Some((self.tables.goto(self.stacks.top(on), lhs)?, on))).collect()
    }

    /// The nodes that lie `levels` below a node, sorted.
    fn ancestors(&self, from: StackId, levels: u32, shifted: &mut Shifted) -> Vec<StackId> {
        let mut nodes = vec![from];
        for _ in 0..levels {
            shifted.underflow |= nodes.iter().any(|&node| self.stacks.below(node).is_empty());
            let mut below: Vec<StackId> =
                nodes.iter().flat_map(|&node| self.stacks.below(node).iter().copied()).collect();
            shifted.extra += below.len() - nodes.len().min(below.len());
            below.sort_unstable();
            below.dedup();
            nodes = below;
        }
        nodes
    }

    /// A node for each state, in the order of states.
    fn merged(&mut self, mut tops: Vec<Top>) -> Vec<StackId> {
        tops.sort_unstable();
        let groups = tops.chunk_by(|a, b| a.0 == b.0);
        groups.map(|group| self.stacks.node(group[0].0, group.iter().map(|&(_, on)| on).collect())).collect()
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
impl LrTables {
    /// Whether the automaton accepts a sequence of terminals and then the end of text.
    pub(crate) fn accepts(&self, text: &[TerminalId]) -> bool {
        let mut run = Run::new(self);
        let mut stacks = vec![run.stacks.bottom(LrState(0))];
        for &terminal in text.iter().chain([&self.end]) {
            stacks = stacks.into_iter().flat_map(|stack| run.shift(stack, terminal).stacks).collect();
        }
        !stacks.is_empty()
    }
}
