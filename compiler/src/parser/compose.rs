//! Evaluates nodes of the Terminal DWA over known stacks.

use super::effect::{Effect, Effects};
use crate::ids::{ArcId, LrState, NodeId, SetId};
use crate::lexer::Contexts;
use crate::limits::{Budget, OverBudget};
use crate::lr::LrTables;
use crate::sets::Sets;
use crate::terminal::TerminalDwa;
use gcc_grammar_frontends::NonterminalId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A suspended run of an arc's terminal: discard `discard` more states, then go on with goto(state read, nonterminal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Item {
    pub(super) discard: u32,
    pub(super) nonterminal: NonterminalId,
    pub(super) arc: ArcId,
}

/// What is known about a token set after reading some of the stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Outcome {
    /// Tokens that are allowed whatever lies below.
    pub(super) fired: SetId,
    /// What is still open; sorted.
    pub(super) items: Vec<Item>,
}

/// Composes the Terminal DWA with the LR tables.
pub(super) struct Composer<'a, 's> {
    pub(super) tables: &'a LrTables,
    pub(super) contexts: &'a Contexts,
    pub(super) terminal: TerminalDwa<'a>,
    pub(super) sets: &'s mut Sets,
    budget: Budget,
    effects: Effects,
    evaluated: FxHashMap<(NodeId, Rc<[LrState]>), Rc<Outcome>>,
    resumed: FxHashMap<(ArcId, LrState), Rc<Outcome>>,
}

/// Collects parts of an outcome.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) fired: Vec<SetId>,
    pub(super) items: Vec<Item>,
}

impl<'a, 's> Composer<'a, 's> {
    pub(super) fn new(
        tables: &'a LrTables,
        contexts: &'a Contexts,
        terminal: TerminalDwa<'a>,
        sets: &'s mut Sets,
        budget: Budget,
    ) -> Self {
        Self {
            tables,
            contexts,
            terminal,
            sets,
            budget,
            effects: Effects::default(),
            evaluated: FxHashMap::default(),
            resumed: FxHashMap::default(),
        }
    }

    /// The outcome of reading the tokens of `node` over the known part `known`.
    ///
    /// Recursion is as deep as a token has lexemes, which the length of the longest token bounds.
    pub(super) fn evaluate(
        &mut self,
        node: NodeId,
        known: &Rc<[LrState]>,
    ) -> Result<Rc<Outcome>, OverBudget> {
        let key = (node, known.clone());
        if let Some(outcome) = self.evaluated.get(&key) {
            return Ok(outcome.clone());
        }
        let top = known[known.len() - 1];
        let mut collected = Collected { fired: vec![self.terminal.node(node).always], items: Vec::new() };
        for i in 0..self.terminal.node(node).arcs.len() {
            let arc = self.terminal.node(node).arcs[i];
            if !self.tables.actions_on(top, self.terminal.arc(arc).terminal).is_empty() {
                self.arc(arc, known, &mut collected)?;
            }
        }
        let outcome = Rc::new(self.finish(collected)?);
        self.budget.charge_bytes(96 + outcome.items.len() as u64 * 12)?;
        self.evaluated.insert(key, outcome.clone());
        Ok(outcome)
    }

    /// The outcome of resuming an arc's terminal when goto led to `state`.
    pub(super) fn resume(&mut self, arc: ArcId, state: LrState) -> Result<Rc<Outcome>, OverBudget> {
        if let Some(outcome) = self.resumed.get(&(arc, state)) {
            return Ok(outcome.clone());
        }
        let mut collected = Collected::default();
        self.arc(arc, &[state].into(), &mut collected)?;
        let outcome = Rc::new(self.finish(collected)?);
        self.budget.charge_bytes(80 + outcome.items.len() as u64 * 12)?;
        self.resumed.insert((arc, state), outcome.clone());
        Ok(outcome)
    }

    /// Runs the terminal of `arc` over `known`, then the rest of the tokens.
    fn arc(&mut self, arc: ArcId, known: &Rc<[LrState]>, into: &mut Collected) -> Result<(), OverBudget> {
        let data = self.terminal.arc(arc);
        let effects = self.effects.of(self.tables, known, data.terminal, &self.budget)?;
        for effect in effects.iter() {
            match effect {
                Effect::Suspended(nonterminal, discard) => {
                    into.items.push(Item { discard: *discard, nonterminal: *nonterminal, arc });
                }
                Effect::Shifted(known) => {
                    into.fired.push(data.weight);
                    let context = self.contexts.of(known[known.len() - 1]);
                    if let Some(rest) = self.terminal.after(self.sets, data.cut, context)? {
                        let outcome = self.evaluate(rest, known)?;
                        into.fired.push(outcome.fired);
                        into.items.extend_from_slice(&outcome.items);
                    }
                }
            }
        }
        Ok(())
    }

    /// United and sorted; items all of whose tokens are allowed already are dropped.
    pub(super) fn finish(&mut self, mut collected: Collected) -> Result<Outcome, OverBudget> {
        let fired = self.sets.union_all(&mut collected.fired)?;
        let mut items = collected.items;
        items.sort_unstable();
        items.dedup();
        let (sets, terminal) = (&*self.sets, &self.terminal);
        items.retain(|item| !sets.is_subset(terminal.arc(item.arc).tokens, fired));
        Ok(Outcome { fired, items })
    }
}
