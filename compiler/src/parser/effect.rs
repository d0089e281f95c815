//! Stack effects: running the LR automaton on one terminal over the known part of the stack.

use crate::ids::LrState;
use crate::limits::{Budget, OverBudget};
use crate::lr::{Action, LrTables};
use gcc_grammar_frontends::{NonterminalId, TerminalId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// How one run ends that does not end in error.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Effect {
    /// The terminal was shifted; the known part is now this.
    Shifted(Rc<[LrState]>),
    /// The known part is used up: discard so many more states, then go on with goto(state read, nonterminal).
    Suspended(NonterminalId, u32),
}

/// Effects by known part and terminal, computed once.
#[derive(Default)]
pub(super) struct Effects {
    memo: FxHashMap<(Rc<[LrState]>, TerminalId), Rc<[Effect]>>,
}

impl Effects {
    /// All runs of `terminal` over `known` (not empty; top last).
    pub(super) fn of(
        &mut self,
        tables: &LrTables,
        known: &Rc<[LrState]>,
        terminal: TerminalId,
        budget: &Budget,
    ) -> Result<Rc<[Effect]>, OverBudget> {
        let key = (known.clone(), terminal);
        if let Some(effects) = self.memo.get(&key) {
            return Ok(effects.clone());
        }
        let effects: Rc<[Effect]> = run(tables, known, terminal, budget)?.into();
        budget.charge_bytes(64 + known.len() as u64 * 4)?;
        self.memo.insert(key, effects.clone());
        Ok(effects)
    }
}

/// Explores all actions. It ends because a reduction never makes the stack higher and there are no unit cycles.
fn run(
    tables: &LrTables,
    known: &[LrState],
    terminal: TerminalId,
    budget: &Budget,
) -> Result<Vec<Effect>, OverBudget> {
    let mut effects = Vec::new();
    let mut open = vec![known.to_vec()];
    while let Some(mut stack) = open.pop() {
        let Some(&top) = stack.last() else { continue };
        let actions = tables.actions_on(top, terminal);
        budget.charge_work(actions.len() as u64 + 1)?;
        for (i, &(_, action)) in actions.iter().enumerate() {
            // The last action may take the stack itself.
            let mut stack = if i + 1 == actions.len() { std::mem::take(&mut stack) } else { stack.clone() };
            match action {
                Action::Shift(to) => {
                    stack.push(to);
                    effects.push(Effect::Shifted(stack.into()));
                }
                Action::Reduce(production) => {
                    let (lhs, length) = tables.productions[production.index()];
                    match stack.len().checked_sub(length as usize) {
                        None | Some(0) => effects.push(Effect::Suspended(lhs, length - stack.len() as u32)),
                        Some(left) => {
                            stack.truncate(left);
                            if let Some(to) = tables.goto(stack[left - 1], lhs) {
                                stack.push(to);
                                open.push(stack);
                            }
                        }
                    }
                }
            }
        }
    }
    effects.sort_unstable();
    effects.dedup();
    Ok(effects)
}
