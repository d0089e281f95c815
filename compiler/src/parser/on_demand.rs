//! Transitions of the Parser DWA one by one, before minimization.
//!
//! A state is a set of items, and its number that of the set. [`determinize`](super::determinize) makes the same transitions for all
//! pairs of a state and a symbol that can occur.

use super::composer::Composer;
use super::dwa::Transition;
use super::item_set::{ItemSetId, Outcome, OutcomeId, Reading};
use crate::ids::{DwaState, LexState, LrState};
use crate::sets::Sets;
use gcc_grammar_limits::OverBudget;

impl Composer<'_> {
    /// The transition on the top of the stack, where reading starts in a lexer state.
    pub(crate) fn start(&mut self, state: LexState, top: LrState) -> Result<Transition, OverBudget> {
        let context = self.contexts.of(top);
        let node = self.terminal.root(&mut self.sets, state, context)?;
        let begun = self.begin_node(node, top)?;
        let outcome = self.read_top(begun, top)?;
        Ok(self.transition(outcome))
    }

    /// The transition of a state on a symbol.
    pub(crate) fn next(&mut self, state: DwaState, symbol: LrState) -> Result<Transition, OverBudget> {
        let items = ItemSetId(state.0);
        if let Reading::Goto(nonterminal) = self.outcomes.reading(items) {
            let Some(to) = self.tables.goto(symbol, nonterminal) else { return Ok(Transition::default()) };
            if let Some(outcome) = self.after_goto(items, to)? {
                return Ok(self.transition(outcome));
            }
        }
        let outcome = self.read(Sets::EMPTY, items, symbol)?;
        Ok(self.transition(outcome))
    }

    fn transition(&self, outcome: OutcomeId) -> Transition {
        let Outcome { allowed, items } = self.outcomes.get(outcome);
        Transition { output: allowed, target: DwaState(items.0) }
    }
}
