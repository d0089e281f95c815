//! Evaluates nodes of the Terminal DWA over the top of a stack.
//!
//! In: a node, and either the cell of actions of the top state, or a known part of the stack. Out: an
//! [`Outcome`]: the tokens that are allowed whatever lies below, and the items that are suspended because the
//! known part is used up.
//!
//! A symbol that was read is never part of the known part, so the memo tables stay small. A terminal begins
//! alike on all states with the same cell.

use super::action_cells::{After, CellId};
use super::composer::Composer;
use super::item_set::{Item, Outcome, OutcomeId, Reading};
use super::stack_effect::{Effect, EffectId};
use crate::ids::{ArcId, LrState, NodeId};
use crate::lr::Action;
use crate::sets::Sets;
use gcc_grammar_ir::NonterminalId;
use gcc_grammar_limits::OverBudget;

/// Deepest recursion of [`Composer::certain`].
const MAX_DEPTH: usize = 64;

impl Composer<'_> {
    /// The outcome of the tokens of `node` on the top `state`, of which only the actions are used. The state
    /// itself is still to be read ([`read_top`](Self::read_top)).
    pub(super) fn begin_node(&mut self, node: NodeId, state: LrState) -> Result<OutcomeId, OverBudget> {
        let mark = self.mark();
        self.draft.allowed.push(self.terminal.node(node).always);
        self.budget.charge_work(self.terminal.node(node).arcs.len() as u64 / 4)?;
        let mut cells = self.cells.span(state);
        for i in 0..self.terminal.node(node).arcs.len() {
            let arc = self.terminal.node(node).arcs[i];
            if let Some(cell) = self.cells.find(&mut cells, self.terminal.arc(arc).terminal) {
                let outcome = self.begin(arc, cell)?;
                self.add(outcome);
            }
        }
        self.finish(mark)
    }

    /// The outcome of the actions of a cell on the terminal of an arc, for all states with this cell. The
    /// state itself is still to be read: a reduction pops it, or its goto is needed when the states above it
    /// are reduced.
    pub(super) fn begin(&mut self, arc: ArcId, cell: CellId) -> Result<OutcomeId, OverBudget> {
        if let Some(&outcome) = self.memos.begun.get(&(arc, cell)) {
            return Ok(outcome);
        }
        let mark = self.mark();
        let data = self.terminal.arc(arc);
        for i in 0..self.cells.actions(cell).len() {
            match self.cells.actions(cell)[i] {
                Action::Reduce(production) => {
                    let (nonterminal, discard) = self.tables.productions[production.index()];
                    self.suspend(Item { discard, nonterminal, arc })?;
                }
                Action::Shift(to) => {
                    self.draft.allowed.push(data.weight);
                    let context = self.contexts.of(to);
                    if let Some(rest) = self.terminal.after(&mut self.sets, data.cut, context)? {
                        self.stack.known.clear();
                        self.stack.known.push(to);
                        let (outcome, _) = self.evaluate(rest)?;
                        self.add(outcome);
                    }
                }
            }
        }
        let outcome = self.finish(mark)?;
        self.budget.charge_entry(32)?;
        self.memos.begun.insert((arc, cell), outcome);
        Ok(outcome)
    }

    /// Adds an item to the outcome under construction, or the outcome of the item if that is certain already.
    fn suspend(&mut self, item: Item) -> Result<(), OverBudget> {
        let Some(outcome) = self.certain(item.arc, item.nonterminal)? else {
            self.draft.items.push(item);
            return Ok(());
        };
        let Outcome { allowed, items } = self.outcomes.get(outcome);
        self.draft.allowed.push(allowed);
        let items = self.outcomes.items(items).iter();
        self.draft.items.extend(items.map(|later| Item { discard: item.discard + later.discard, ..*later }));
        Ok(())
    }

    /// The outcome of the terminal of `arc` after a goto on `nonterminal`, if it is the same whatever state
    /// the goto leads to and whatever state lies below; else `None`. The state below is still to be read.
    ///
    /// After most nonterminals, most terminals lead to the same reduction in all states, or are shifted to
    /// the same state. So items with different nonterminals become equal, and tokens are allowed before more
    /// of the stack is read.
    fn certain(&mut self, arc: ArcId, nonterminal: NonterminalId) -> Result<Option<OutcomeId>, OverBudget> {
        let cell = match self.cells.after(nonterminal, self.terminal.arc(arc).terminal) {
            After::Empty => return Ok(Some(OutcomeId::NOTHING)),
            After::Cell(cell) => cell,
            After::Depends => return Ok(None),
        };
        if let Some(&known) = self.memos.certain.get(&(arc, nonterminal)) {
            return Ok(known);
        }
        if self.depth == MAX_DEPTH {
            return Ok(None);
        }
        self.depth += 1;
        self.budget.charge_entry(32)?;
        // A recursive call for the same pair finds this entry, so the recursion ends.
        self.memos.certain.insert((arc, nonterminal), None);
        let known = std::mem::take(&mut self.stack.known);
        let begun = self.begin(arc, cell)?;
        self.stack.known = known;
        let outcome = self.without_top(begun)?;
        self.memos.certain.insert((arc, nonterminal), outcome);
        self.depth -= 1;
        Ok(outcome)
    }

    /// The outcome after reading the top, if all items of `begun` discard it, and if its tokens may be
    /// allowed already.
    fn without_top(&mut self, begun: OutcomeId) -> Result<Option<OutcomeId>, OverBudget> {
        let Outcome { allowed, items } = self.outcomes.get(begun);
        if allowed != Sets::EMPTY && !self.decides_early {
            return Ok(None);
        }
        match self.outcomes.reading(items) {
            Reading::Nothing => Ok(Some(begun)),
            Reading::Discard => {
                let items = self.discarded(items)?;
                self.outcomes.intern(Outcome { allowed, items }).map(Some)
            }
            Reading::Goto(_) | Reading::Mixed => Ok(None),
        }
    }

    /// The outcome of the tokens of `node` over the known part, and the number of states that it depends on
    /// (see [`StackMemo::get`](super::stack_memo::StackMemo::get)).
    ///
    /// Recursion is as deep as a token has lexemes, which the length of the longest token bounds.
    fn evaluate(&mut self, node: NodeId) -> Result<(OutcomeId, usize), OverBudget> {
        if let Some(result) = self.memos.evaluated.get(node, &self.stack.known) {
            return Ok(result);
        }
        let top = self.stack.known[self.stack.known.len() - 1];
        let mut used = 1;
        let mark = self.mark();
        self.draft.allowed.push(self.terminal.node(node).always);
        self.budget.charge_work(self.terminal.node(node).arcs.len() as u64 / 4)?;
        let mut cells = self.cells.span(top);
        for i in 0..self.terminal.node(node).arcs.len() {
            let arc = self.terminal.node(node).arcs[i];
            if self.cells.find(&mut cells, self.terminal.arc(arc).terminal).is_some() {
                used = used.max(self.arc(arc)?);
            }
        }
        let outcome = self.finish(mark)?;
        self.budget.charge_entry(32 + used as u64 * 32)?;
        self.memos.evaluated.insert(node, &self.stack.known, used, outcome);
        Ok((outcome, used))
    }

    /// Runs the terminal of `arc` over the known part, then the rest of the tokens. Returns the number of
    /// states that the result depends on.
    fn arc(&mut self, arc: ArcId) -> Result<usize, OverBudget> {
        let data = self.terminal.arc(arc);
        let (effects, mut used) =
            self.effects.of(self.tables, &self.stack.known, data.terminal, &self.budget)?;
        for effect in effects {
            match self.effects.get(effect) {
                &Effect::Suspended(nonterminal, discard) => {
                    self.suspend(Item { discard, nonterminal, arc })?;
                }
                Effect::Shifted(_, pushed) => {
                    self.draft.allowed.push(data.weight);
                    let context = self.contexts.of(pushed[pushed.len() - 1]);
                    if let Some(rest) = self.terminal.after(&mut self.sets, data.cut, context)? {
                        used = used.max(self.rest(rest, effect)?);
                    }
                }
            }
        }
        Ok(used)
    }

    /// Evaluates `node` after a shift. Returns the number of states of the known part, as it was before, that
    /// the result depends on.
    fn rest(&mut self, node: NodeId, shift: EffectId) -> Result<usize, OverBudget> {
        let Effect::Shifted(pops, pushed) = self.effects.get(shift) else { return Ok(0) };
        let height = self.stack.known.len();
        let kept = height - *pops as usize;
        let from = self.stack.popped.len();
        self.stack.popped.extend(self.stack.known.drain(kept..));
        self.stack.known.extend_from_slice(pushed);
        let (outcome, used) = self.evaluate(node)?;
        let grown = self.stack.known.len();
        self.stack.known.truncate(kept);
        self.stack.known.extend(self.stack.popped.drain(from..));
        self.add(outcome);
        Ok(match grown.checked_sub(used) {
            None => height + 1,
            Some(lowest) if lowest < kept => height - lowest,
            Some(_) => 0,
        })
    }
}
