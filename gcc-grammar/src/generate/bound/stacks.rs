//! What the parser needs to accept, for a whole stack.
//!
//! Stacks are kept as paths from the bottom in a tree that they share. For every node with something on it, `gotos` says what is
//! needed once a nonterminal was reduced there: the cheapest item of the state that is pushed then, and what is
//! needed after that item's own reduction, which lies at the same node or deeper.

use super::productions::{Item, Productions};
use super::{Cost, NEVER};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, Terminal};
use gcc_grammar_artifact::wire::U32;
use std::collections::HashMap;

/// A stack: its topmost node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Stack(usize);

struct Node {
    parent: Option<Stack>,
    state: LrState,
    /// What is needed after a reduction on this node; empty as long as nothing was pushed on it.
    gotos: HashMap<Nonterminal, Cost>,
}

/// The search on one stack: what the actions on a terminal come to.
struct Frame<'g> {
    stack: Stack,
    /// Those that are still to be tried.
    actions: std::slice::Iter<'g, U32>,
    least: Cost,
}

/// All stacks met so far.
pub(super) struct Stacks {
    nodes: Vec<Node>,
    children: HashMap<(Stack, LrState), Stack>,
    after: HashMap<(Stack, Terminal), Cost>,
}

const BOTTOM: Stack = Stack(0);

impl Stacks {
    pub(super) fn new(grammar: &GrammarView<'_>, productions: &Productions) -> Self {
        let bottom = Node { parent: None, state: LrState::INITIAL, gotos: HashMap::new() };
        let mut stacks = Self { nodes: vec![bottom], children: HashMap::new(), after: HashMap::new() };
        stacks.fill_gotos(grammar, productions, BOTTOM);
        stacks
    }

    /// The stack with these states, the initial one first.
    pub(super) fn find(
        &mut self,
        grammar: &GrammarView<'_>,
        productions: &Productions,
        states: &[LrState],
    ) -> Stack {
        let pushed = states.iter().skip(1);
        pushed.fold(BOTTOM, |stack, &state| self.push(grammar, productions, stack, state))
    }

    /// What is needed to accept.
    pub(super) fn rest(&self, productions: &Productions, stack: Stack) -> Cost {
        let Node { state, gotos, .. } = &self.nodes[stack.0];
        if productions.ends(*state) {
            return 0;
        }
        if stack == BOTTOM {
            let costs =
                gotos.iter().map(|(&nonterminal, cost)| productions.cost(nonterminal).saturating_add(*cost));
            return costs.min().unwrap_or(NEVER);
        }
        let items = productions.items(*state).iter();
        items.map(|item| self.rest_of_item(stack, item)).min().unwrap_or(NEVER)
    }

    /// What is needed to accept after the terminal. As many reductions may follow each other as the stack is deep, so the search
    /// keeps frames of its own.
    pub(super) fn rest_after(
        &mut self,
        grammar: &GrammarView<'_>,
        productions: &Productions,
        stack: Stack,
        terminal: Terminal,
    ) -> Cost {
        let mut frames = Vec::new();
        let mut cost = self.known_or_started(grammar, stack, terminal, &mut frames);
        while let Some(frame) = frames.last_mut() {
            frame.least = frame.least.min(cost.take().unwrap_or(NEVER));
            let stack = frame.stack;
            cost = match frame.actions.next().map(|&code| Action::decode(code)) {
                Some(Action::Shift(target)) => {
                    let shifted = self.push(grammar, productions, stack, target);
                    Some(self.rest(productions, shifted))
                }
                Some(Action::Reduce(production)) => {
                    let (lhs, length) = grammar.production(production);
                    let reduced = self.reduce(grammar, productions, stack, lhs, length);
                    reduced.and_then(|reduced| self.known_or_started(grammar, reduced, terminal, &mut frames))
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

    /// What is needed after the terminal, if that is known; otherwise a frame is added that finds it out.
    fn known_or_started<'g>(
        &mut self,
        grammar: &GrammarView<'g>,
        stack: Stack,
        terminal: Terminal,
        frames: &mut Vec<Frame<'g>>,
    ) -> Option<Cost> {
        if let Some(&cost) = self.after.get(&(stack, terminal)) {
            return Some(cost);
        }
        // Reductions that go round in a circle find this.
        self.after.insert((stack, terminal), NEVER);
        let actions = grammar.actions(self.nodes[stack.0].state, terminal).iter();
        frames.push(Frame { stack, actions, least: NEVER });
        None
    }

    fn reduce(
        &mut self,
        grammar: &GrammarView<'_>,
        productions: &Productions,
        stack: Stack,
        lhs: Nonterminal,
        length: u32,
    ) -> Option<Stack> {
        let on = self.below(stack, length)?;
        let state = grammar.goto(self.nodes[on.0].state, lhs)?;
        Some(self.push(grammar, productions, on, state))
    }

    fn push(
        &mut self,
        grammar: &GrammarView<'_>,
        productions: &Productions,
        stack: Stack,
        state: LrState,
    ) -> Stack {
        if let Some(&child) = self.children.get(&(stack, state)) {
            return child;
        }
        self.fill_gotos(grammar, productions, stack);
        let child = Stack(self.nodes.len());
        self.nodes.push(Node { parent: Some(stack), state, gotos: HashMap::new() });
        self.children.insert((stack, state), child);
        child
    }

    fn below(&self, stack: Stack, levels: u32) -> Option<Stack> {
        (0..levels).try_fold(stack, |stack, _| self.nodes[stack.0].parent)
    }

    /// What an item of the topmost state needs, and then the parser.
    fn rest_of_item(&self, stack: Stack, item: &Item) -> Cost {
        let Some(on) = self.below(stack, item.read) else { return NEVER };
        let then = self.nodes[on.0].gotos.get(&item.lhs).copied().unwrap_or(NEVER);
        item.rest.saturating_add(then)
    }

    /// Finds out what is needed after each reduction on a node; all nodes below know it already.
    fn fill_gotos(&mut self, grammar: &GrammarView<'_>, productions: &Productions, stack: Stack) {
        if !self.nodes[stack.0].gotos.is_empty() {
            return;
        }
        let row: Vec<(Nonterminal, LrState)> = grammar.gotos(self.nodes[stack.0].state).collect();
        self.nodes[stack.0].gotos = row.iter().map(|&(nonterminal, _)| (nonterminal, NEVER)).collect();
        // An item of which one symbol was read is reduced at this node again: repeat until nothing changes.
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for &(nonterminal, target) in &row {
                let cost = self.rest_on(productions, stack, target);
                let known = self.nodes[stack.0].gotos.entry(nonterminal).or_insert(NEVER);
                has_changed |= cost < *known;
                *known = cost.min(*known);
            }
        }
    }

    /// What is needed with `state` pushed on the stack.
    fn rest_on(&self, productions: &Productions, stack: Stack, state: LrState) -> Cost {
        if productions.ends(state) {
            return 0;
        }
        let costs = productions.items(state).iter().map(|item| {
            let on = self.below(stack, item.read - 1);
            let then = on.and_then(|on| self.nodes[on.0].gotos.get(&item.lhs).copied());
            item.rest.saturating_add(then.unwrap_or(NEVER))
        });
        costs.min().unwrap_or(NEVER)
    }
}
