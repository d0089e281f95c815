//! A lower bound on the cost of completing a text, for a whole parser stack.
//!
//! The stacks are those of a [`Run`]. For every stack with something on it, `gotos` has the cost after a nonterminal was reduced
//! there: of the cheapest item of the state that is pushed then, and of what follows that item's own reduction, which lies at the same
//! stack or deeper.

use super::productions::{Item, Productions};
use super::{Cost, NEVER};
use crate::parser_tables::{ArtifactTables, terminal_id};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, Terminal};
use gcc_grammar_compiler::lr::{Action, Run, StackId, Tables};
use std::collections::HashMap;

/// The search on one stack: the least cost of the actions on a terminal.
struct Frame {
    stack: StackId,
    /// The actions that are still to be tried.
    actions: std::vec::IntoIter<Action>,
    least: Cost,
}

/// All stacks met so far.
pub(super) struct Stacks<'g> {
    run: Run<ArtifactTables<'g>>,
    bottom: StackId,
    /// By stack: the cost after a reduction on it; empty as long as nothing was pushed on it.
    gotos: Vec<HashMap<Nonterminal, Cost>>,
    after: HashMap<(StackId, Terminal), Cost>,
}

impl<'g> Stacks<'g> {
    pub(super) fn new(grammar: GrammarView<'g>, productions: &Productions) -> Self {
        let mut run = Run::new(ArtifactTables(grammar));
        let bottom = run.stacks.bottom(LrState::INITIAL);
        let mut stacks = Self { run, bottom, gotos: vec![HashMap::new()], after: HashMap::new() };
        stacks.fill_gotos(productions, bottom);
        stacks
    }

    /// The stack with these states, the initial one first.
    pub(super) fn find(&mut self, productions: &Productions, states: &[LrState]) -> StackId {
        let pushed = states.iter().skip(1);
        pushed.fold(self.bottom, |stack, &state| self.push(productions, stack, state))
    }

    /// The cost to accept.
    pub(super) fn rest(&self, productions: &Productions, stack: StackId) -> Cost {
        let state = self.top(stack);
        if productions.ends(state) {
            return 0;
        }
        if stack == self.bottom {
            let gotos = self.gotos[stack.index()].iter();
            let costs = gotos.map(|(&nonterminal, cost)| productions.cost(nonterminal).saturating_add(*cost));
            return costs.min().unwrap_or(NEVER);
        }
        let items = productions.items(state).iter();
        items.map(|item| self.rest_of_item(stack, item)).min().unwrap_or(NEVER)
    }

    /// The cost to accept after the terminal. As many reductions may follow each other as the stack is deep, so the search
    /// keeps frames of its own.
    pub(super) fn rest_after(
        &mut self,
        productions: &Productions,
        stack: StackId,
        terminal: Terminal,
    ) -> Cost {
        let mut frames = Vec::new();
        let mut cost = self.known_or_started(stack, terminal, &mut frames);
        while let Some(frame) = frames.last_mut() {
            frame.least = frame.least.min(cost.take().unwrap_or(NEVER));
            let stack = frame.stack;
            cost = match frame.actions.next() {
                Some(Action::Shift(target)) => {
                    let shifted = self.push(productions, stack, target);
                    Some(self.rest(productions, shifted))
                }
                Some(Action::Reduce(production)) => {
                    let reduced = self.run.reduce_unmerged(stack, production).first().copied();
                    let reduced = reduced.map(|reduced| self.known(productions, reduced));
                    reduced.and_then(|reduced| self.known_or_started(reduced, terminal, &mut frames))
                }
                None => {
                    let least = frame.least;
                    frames.pop();
                    self.after.insert((stack, terminal), least);
                    Some(least)
                }
            };
        }
        cost.unwrap_or(NEVER)
    }

    /// The cost after the terminal if it is known; otherwise a frame is added that computes it.
    fn known_or_started(
        &mut self,
        stack: StackId,
        terminal: Terminal,
        frames: &mut Vec<Frame>,
    ) -> Option<Cost> {
        if let Some(&cost) = self.after.get(&(stack, terminal)) {
            return Some(cost);
        }
        // Reductions that form a cycle find this.
        self.after.insert((stack, terminal), NEVER);
        let actions: Vec<Action> =
            self.run.tables.actions(self.run.stacks.top(stack), terminal_id(terminal)).collect();
        frames.push(Frame { stack, actions: actions.into_iter(), least: NEVER });
        None
    }

    fn push(&mut self, productions: &Productions, stack: StackId, state: LrState) -> StackId {
        self.fill_gotos(productions, stack);
        let pushed = self.run.stacks.push(stack, state);
        self.known(productions, pushed)
    }

    /// Makes room for a stack that the run made, and sees to the costs of the stack below.
    fn known(&mut self, productions: &Productions, stack: StackId) -> StackId {
        if let Some(below) = self.below(stack, 1) {
            self.fill_gotos(productions, below);
        }
        self.gotos.resize_with(self.run.stacks.nodes(), HashMap::new);
        stack
    }

    fn top(&self, stack: StackId) -> LrState {
        LrState(self.run.stacks.top(stack).0)
    }

    fn below(&self, stack: StackId, levels: u32) -> Option<StackId> {
        (0..levels).try_fold(stack, |stack, _| self.run.stacks.below(stack).first().copied())
    }

    /// The cost of an item of the topmost state, and then of the parser.
    fn rest_of_item(&self, stack: StackId, item: &Item) -> Cost {
        let Some(on) = self.below(stack, item.read) else { return NEVER };
        item.rest.saturating_add(self.goto_cost(on, item.lhs))
    }

    fn goto_cost(&self, stack: StackId, nonterminal: Nonterminal) -> Cost {
        self.gotos[stack.index()].get(&nonterminal).copied().unwrap_or(NEVER)
    }

    /// Computes the cost after each reduction on a stack; it is known for all stacks below.
    fn fill_gotos(&mut self, productions: &Productions, stack: StackId) {
        if !self.gotos[stack.index()].is_empty() {
            return;
        }
        let row: Vec<(Nonterminal, LrState)> = self.run.tables.0.gotos(self.top(stack)).collect();
        self.gotos[stack.index()] = row.iter().map(|&(nonterminal, _)| (nonterminal, NEVER)).collect();
        // An item of which one symbol was read is reduced at this stack again: repeat until nothing changes.
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for &(nonterminal, target) in &row {
                let cost = self.rest_on(productions, stack, target);
                let known = self.gotos[stack.index()].entry(nonterminal).or_insert(NEVER);
                has_changed |= cost < *known;
                *known = cost.min(*known);
            }
        }
    }

    /// The cost with `state` pushed on the stack.
    fn rest_on(&self, productions: &Productions, stack: StackId, state: LrState) -> Cost {
        if productions.ends(state) {
            return 0;
        }
        let costs = productions.items(state).iter().map(|item| {
            let on = self.below(stack, item.read - 1);
            item.rest.saturating_add(on.map_or(NEVER, |on| self.goto_cost(on, item.lhs)))
        });
        costs.min().unwrap_or(NEVER)
    }
}
