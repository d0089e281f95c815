//! Reads the next symbol of the stack in sets of suspended items.
//!
//! In: a set of items and a symbol, the next LR state from the top of the stack down. Out: an [`Outcome`]:
//! the tokens that become allowed, and the items that are open below the symbol. An item either discards the
//! symbol, or resumes with its goto, which may suspend it again on the same symbol.

use super::composer::Composer;
use super::item_set::{ItemSetId, Outcome, OutcomeId, Reading};
use crate::ids::{LrState, SetId};
use gcc_grammar_ir::NonterminalId;
use gcc_grammar_limits::OverBudget;

/// The work to look up what follows from a goto.
const GOTO_WORK: u64 = 2;
/// The steps of a binary search that are a unit of work.
const SEARCH_STEPS: u64 = 3;
/// The work to resume an item: to look up its cell and what follows from it, and to add that.
const RESUME_WORK: u64 = 3;

impl Composer<'_> {
    /// The outcome after reading the top of the stack, which `begun` has not read yet.
    pub(super) fn read_top(&mut self, begun: OutcomeId, top: LrState) -> Result<OutcomeId, OverBudget> {
        let Outcome { allowed, items } = self.outcomes.get(begun);
        if items == ItemSetId::EMPTY { Ok(begun) } else { self.read(allowed, items, top) }
    }

    /// The outcome of reading `symbol` in the items of `set`, until no item needs `symbol` any more. The
    /// tokens of `allowed` are allowed already.
    ///
    /// Recursion is as deep as a token has lexemes: items that resume have consumed a lexeme.
    pub(super) fn read(
        &mut self,
        allowed: SetId,
        set: ItemSetId,
        symbol: LrState,
    ) -> Result<OutcomeId, OverBudget> {
        let mark = self.mark();
        self.draft.allowed.push(allowed);
        let mut open = std::mem::take(&mut self.reading.open);
        let mut seen = std::mem::take(&mut self.reading.seen);
        open.push(set);
        let mut left = ItemSetId::EMPTY;
        // Each set is resumed once. There are finitely many: after a goto there are fewer unit reductions or
        // fewer lexemes of the tokens ahead.
        while let Some(set) = open.pop() {
            self.budget.charge_work(1)?;
            match self.outcomes.reading(set) {
                Reading::Nothing => {}
                Reading::Goto(nonterminal) => {
                    let Some(to) = self.goto(symbol, nonterminal)? else { continue };
                    let Outcome { allowed, items } = self.resume(set, to)?;
                    self.draft.allowed.push(allowed);
                    open.push(items);
                }
                Reading::Discard => {
                    let set = self.discarded(set)?;
                    let earlier = std::mem::replace(&mut left, set);
                    self.draft.items.extend_from_slice(self.outcomes.items(earlier));
                }
                Reading::Mixed if seen.insert(set) => self.split(set, &mut open)?,
                Reading::Mixed => {}
            }
        }
        seen.clear();
        (self.reading.open, self.reading.seen) = (open, seen);
        if self.draft.items.len() > mark.items {
            self.draft.items.extend_from_slice(self.outcomes.items(left));
            return self.finish(mark);
        }
        let allowed = self.sets.union_all(&mut self.draft.allowed[mark.allowed..])?;
        self.draft.allowed.truncate(mark.allowed);
        self.outcome(allowed, left)
    }

    /// The goto of `state` on `nonterminal`. Rows of gotos can have thousands of entries, which are searched.
    pub(super) fn goto(
        &mut self,
        state: LrState,
        nonterminal: NonterminalId,
    ) -> Result<Option<LrState>, OverBudget> {
        let entries = self.tables.gotos.row(state.index()).len() as u64;
        let steps = u64::from(entries.checked_ilog2().unwrap_or(0));
        self.budget.charge_work(GOTO_WORK + steps / SEARCH_STEPS)?;
        Ok(self.tables.goto(state, nonterminal))
    }

    /// The outcome of reading a symbol in the items of `set`, all of which continue with its goto, which is
    /// `to`. `None` if the symbol is needed again after that.
    pub(super) fn after_goto(
        &mut self,
        set: ItemSetId,
        to: LrState,
    ) -> Result<Option<OutcomeId>, OverBudget> {
        let Outcome { allowed, items } = self.resume(set, to)?;
        match self.outcomes.reading(items) {
            Reading::Nothing | Reading::Discard => {
                let left = self.discarded(items)?;
                self.outcome(allowed, left).map(Some)
            }
            Reading::Goto(_) | Reading::Mixed => Ok(None),
        }
    }

    /// The outcome of resuming the terminals of all items of `set` after a goto to `state`, which is pushed
    /// and read.
    fn resume(&mut self, set: ItemSetId, state: LrState) -> Result<Outcome, OverBudget> {
        if let Some(&outcome) = self.memos.resumed.get(&(set, state)) {
            return Ok(self.outcomes.get(outcome));
        }
        let items = self.outcomes.items(set).clone();
        self.budget.charge_work(items.len() as u64 * RESUME_WORK)?;
        let mark = self.mark();
        for item in items.iter() {
            let terminal = self.terminal.arc(item.arc).terminal;
            if let Some(cell) = self.cells.find(&mut self.cells.span(state), terminal) {
                let outcome = self.begin(item.arc, cell)?;
                self.add(outcome);
            }
        }
        let begun = self.finish(mark)?;
        let outcome = self.read_top(begun, state)?;
        self.budget.charge_entry(32)?;
        self.memos.resumed.insert((set, state), outcome);
        Ok(self.outcomes.get(outcome))
    }

    /// Splits a mixed set into sets of items that read the next symbol alike, and adds them to `parts`.
    fn split(&mut self, set: ItemSetId, parts: &mut Vec<ItemSetId>) -> Result<(), OverBudget> {
        let items = self.outcomes.items(set).clone();
        let resuming = items.partition_point(|item| item.discard == 0);
        self.budget.charge_work(items.len() as u64)?;
        for group in items[..resuming].chunk_by(|a, b| a.nonterminal == b.nonterminal) {
            parts.push(self.outcomes.set(group)?);
        }
        parts.push(self.outcomes.set(&items[resuming..])?);
        Ok(())
    }
}
