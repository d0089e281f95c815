//! Certifies that whatever the parser expects can be spelled.
//!
//! In: the LR tables, the contexts and the lexer. Out: the places at which an expected terminal has no text. If there is
//! none, every head is live: complete the lexeme to the terminal that the parser takes; by theorem 2 the terminals so
//! far are a prefix of a sentence; and each terminal of the rest can be spelled, one after the other.
//!
//! A place is an LR state in which a lexeme starts, and an end class with which the lexeme before it may have ended.
//! Places are found by a search from the start of the text: the next state is any that a shift of the terminal leads to.
//! So there may be places that no text has, and a certificate may be missing, but it is never wrong.

use super::lexemes::Lexemes;
use crate::ids::{EndClass, LrState};
use crate::lexer::Contexts;
use crate::lr::{Action, LrTables};
use gcc_grammar_ir::TerminalId;
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashSet;

/// A place at which the parser expects terminals that cannot be spelled.
pub(super) struct Unspelled {
    /// The LR state on top of the stack.
    pub(super) state: LrState,
    /// The terminals that the parser expects and that no text spells, sorted.
    pub(super) terminals: Vec<TerminalId>,
}

/// Finds the places at which an expected terminal cannot be spelled, in the order of the search.
pub(super) fn unspelled(
    lr: &LrTables,
    contexts: &Contexts,
    lexemes: &mut Lexemes<'_>,
    budget: &Budget,
) -> Result<Vec<Unspelled>, OverBudget> {
    let after = states_after(lr);
    let start = (LrState(0), EndClass(0));
    let mut seen: FxHashSet<(LrState, EndClass)> = FxHashSet::from_iter([start]);
    let mut open = vec![start];
    // The ends of lexemes whose places are among those that were found.
    let mut ended: FxHashSet<(TerminalId, EndClass)> = FxHashSet::default();
    let mut found = Vec::new();
    while let Some((state, end)) = open.pop() {
        let next = lexemes.next((end, contexts.of(state)))?;
        open.extend(next.ignored.iter().map(|&end| (state, end)).filter(|&place| seen.insert(place)));
        let mut missing = Vec::new();
        for cell in lr.actions.row(state.index()).chunk_by(|a, b| a.0 == b.0) {
            let terminal = cell[0].0;
            let from = next.lexemes.partition_point(|&(t, _)| t < terminal);
            let ends = next.lexemes[from..].iter().take_while(|&&(t, _)| t == terminal);
            budget.charge_work(ends.clone().count() as u64 + 1)?;
            if ends.clone().count() == 0 {
                missing.push(terminal);
            }
            for &exit in ends.filter(|&&exit| ended.insert(exit)) {
                let after = &after[terminal.index()];
                budget.charge_work(after.len() as u64)?;
                open.extend(after.iter().map(|&to| (to, exit.1)).filter(|&place| seen.insert(place)));
            }
        }
        if !missing.is_empty() {
            found.push(Unspelled { state, terminals: missing });
        }
    }
    budget.charge_bytes((seen.len() + ended.len()) as u64 * 16)?;
    Ok(found)
}

/// Per terminal: the states that a shift of it leads to.
fn states_after(lr: &LrTables) -> Vec<Vec<LrState>> {
    let mut after = vec![Vec::new(); lr.terminals];
    for &(terminal, action) in lr.actions.items() {
        if let Action::Shift(to) = action {
            after[terminal.index()].push(to);
        }
    }
    for states in &mut after {
        states.sort_unstable();
        states.dedup();
    }
    after
}
