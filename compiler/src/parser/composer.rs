//! The composition of the Terminal DWA with the LR automaton: its state, and outcomes under construction.
//!
//! In: the [`Sources`]. Out: a [`Composer`], which computes the outcome of the tokens of a node on the top of
//! a stack ([`evaluate`](super::evaluate)), and the outcome of reading the next symbol in suspended items
//! ([`read`](super::read)). This file collects the weights and items of an outcome: it unites the weights,
//! and drops items that cannot allow any further token.

use super::action_cells::{CellId, Cells};
use super::item_set::{Item, ItemSetId, Outcome, OutcomeId, Outcomes};
use super::sources::Sources;
use super::stack_effect::Effects;
use super::stack_memo::StackMemo;
use crate::ids::{ArcId, LrState, NodeId, SetId};
use crate::lexer::Contexts;
use crate::lr::LrTables;
use crate::sets::Sets;
use crate::terminal::{KeptWalks, Lexemes, TerminalDwa};
use gcc_grammar_ir::NonterminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

/// Composes the Terminal DWA with the LR tables, and remembers all results.
pub(crate) struct Composer<'a> {
    pub(super) tables: &'a LrTables,
    pub(super) contexts: &'a Contexts,
    pub(super) decides_early: bool,
    pub(super) terminal: TerminalDwa<'a>,
    pub(crate) sets: Sets,
    pub(super) outcomes: Outcomes,
    pub(crate) budget: Budget,
    pub(super) effects: Effects,
    pub(super) cells: Cells,
    pub(super) memos: Memos,
    pub(super) stack: KnownPart,
    pub(super) draft: Draft,
    pub(super) reading: Reading,
    /// Number of calls of [`certain`](Self::certain) under way.
    pub(super) depth: usize,
}

/// Results that were computed before.
#[derive(Default)]
pub(super) struct Memos {
    /// Of [`evaluate`](Composer::evaluate), by node and known part.
    pub(super) evaluated: StackMemo<NodeId, OutcomeId>,
    /// Of [`begin`](Composer::begin).
    pub(super) begun: FxHashMap<(ArcId, CellId), OutcomeId>,
    /// Of [`certain`](Composer::certain).
    pub(super) certain: FxHashMap<(ArcId, NonterminalId), Option<OutcomeId>>,
    /// Of [`resume`](Composer::resume).
    pub(super) resumed: FxHashMap<(ItemSetId, LrState), OutcomeId>,
    /// Of [`discarded`](Composer::discarded).
    discarded: FxHashMap<ItemSetId, ItemSetId>,
    /// Of [`outcome`](Composer::outcome).
    united: FxHashMap<(SetId, ItemSetId), OutcomeId>,
}

/// The part of the stack that a run knows.
#[derive(Default)]
pub(super) struct KnownPart {
    /// Its states, top last. Effects change it, and it is restored afterwards.
    pub(super) known: Vec<LrState>,
    /// The states that were popped, to be restored.
    pub(super) popped: Vec<LrState>,
}

/// The weights and items of the outcomes under construction, the innermost outcome last.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) allowed: Vec<SetId>,
    pub(super) items: Vec<Item>,
}

/// The item sets that are still to be read, and the mixed ones that were split, while a symbol is read.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) open: Vec<ItemSetId>,
    pub(super) seen: FxHashSet<ItemSetId>,
}

/// The start of an outcome under construction: the numbers of weights and of items before it.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) allowed: usize,
    pub(super) items: usize,
}

impl<'a> Composer<'a> {
    pub(crate) fn new(
        Sources { tables, contexts, lexer: whole, tokens, walks: tables_of_walks, decides_early, .. }: Sources<'a>,
        lexer: Lexemes<'a>,
        sets: Sets,
        walks: KeptWalks,
        budget: Budget,
    ) -> Self {
        Self {
            tables,
            contexts,
            decides_early,
            terminal: TerminalDwa::with_walks(lexer, whole, tokens, tables_of_walks, walks, &budget),
            sets,
            outcomes: Outcomes::new(budget.clone()),
            budget,
            effects: Effects::default(),
            cells: Cells::new(tables),
            memos: Memos::default(),
            stack: KnownPart::default(),
            draft: Draft::default(),
            reading: Reading::default(),
            depth: 0,
        }
    }

    /// Begins an outcome under construction.
    pub(super) fn mark(&self) -> Mark {
        Mark { allowed: self.draft.allowed.len(), items: self.draft.items.len() }
    }

    /// Adds an outcome to the outcome under construction.
    pub(super) fn add(&mut self, outcome: OutcomeId) {
        let Outcome { allowed, items } = self.outcomes.get(outcome);
        self.draft.allowed.push(allowed);
        self.draft.items.extend_from_slice(self.outcomes.items(items));
    }

    /// The outcome of all weights and items since `mark`. An item is dropped if all of its tokens are allowed
    /// already.
    pub(super) fn finish(&mut self, mark: Mark) -> Result<OutcomeId, OverBudget> {
        let allowed = self.sets.union_all(&mut self.draft.allowed[mark.allowed..])?;
        self.draft.allowed.truncate(mark.allowed);
        let items = &mut self.draft.items[mark.items..];
        self.budget.charge_work(items.len() as u64 / 2 + 1)?;
        items.sort_unstable();
        let mut count = 0;
        for i in 0..items.len() {
            let item = items[i];
            let is_repeated = count > 0 && items[count - 1] == item;
            if !is_repeated && !self.sets.is_subset(self.terminal.arc(item.arc).tokens, allowed) {
                items[count] = item;
                count += 1;
            }
        }
        let set = self.outcomes.set(&items[..count])?;
        self.draft.items.truncate(mark.items);
        self.outcomes.intern(Outcome { allowed, items: set })
    }

    /// The outcome with this weight, and with the items of `set` that it leaves open.
    pub(super) fn outcome(&mut self, allowed: SetId, set: ItemSetId) -> Result<OutcomeId, OverBudget> {
        if let Some(&outcome) = self.memos.united.get(&(allowed, set)) {
            return Ok(outcome);
        }
        let mark = self.mark();
        self.draft.allowed.push(allowed);
        self.draft.items.extend_from_slice(self.outcomes.items(set));
        let outcome = self.finish(mark)?;
        self.budget.charge_entry(32)?;
        self.memos.united.insert((allowed, set), outcome);
        Ok(outcome)
    }

    /// The items of `set` after each of them has discarded a symbol.
    pub(super) fn discarded(&mut self, set: ItemSetId) -> Result<ItemSetId, OverBudget> {
        if let Some(&less) = self.memos.discarded.get(&set) {
            return Ok(less);
        }
        let items = self.outcomes.items(set).iter();
        let items: Vec<Item> = items.map(|item| Item { discard: item.discard - 1, ..*item }).collect();
        let less = self.outcomes.set(&items)?;
        self.budget.charge_entry(24)?;
        self.memos.discarded.insert(set, less);
        Ok(less)
    }
}
