//! The Parser DWA: from a lexer state and the parser stack, top first, to the set of allowed tokens.
//!
//! ```text
//! Terminal DWA ∘ LR tables ──effect──▶ stack effects ──compose──▶ outcomes ──determinize──▶ DWA ──minimize──▶ DWA
//! ```
//!
//! Stack effects are elements of the polycyclic monoid: pop some states, then push some. Pasting a template automaton for every
//! terminal onto the arcs of the Terminal DWA and cancelling afterwards makes millions of states; instead the LR automaton is
//! run over the *known part* γ of the stack, the states pushed above the deepest symbol read so far. When γ is
//! used up, the run is *suspended*: a nonterminal to go to, and how many more symbols to discard before that. What was read is
//! never part of γ, so the two memo tables (a node over γ, an arc resumed on a goto) stay small.

mod compose;
mod determinize;
mod effect;
mod minimize;

pub use determinize::{Dwa, Transition};

use crate::ids::{ContextId, LexState, LrState};
use crate::lexer::{Contexts, Lexer};
use crate::limits::{Budget, OverBudget};
use crate::lr::LrTables;
use crate::sets::Sets;
use crate::terminal::TerminalDwa;

/// The Parser DWA and where it starts.
#[derive(Debug)]
pub struct ParserDwa {
    /// Minimal.
    pub dwa: Dwa,
    /// Number of states before minimization.
    pub raw_states: usize,
}

/// Builds the automaton for every lexer state that can occur together with some LR state.
pub fn build(
    tables: &LrTables,
    contexts: &Contexts,
    lexer: &Lexer,
    terminal: TerminalDwa<'_>,
    sets: &mut Sets,
    budget: &Budget,
) -> Result<(ParserDwa, (usize, usize)), OverBudget> {
    let budget = budget.stage("parser");
    let mut composer = compose::Composer::new(tables, contexts, terminal, sets, budget.clone());
    let raw = determinize::determinize(&mut composer, lexer, &budget)?;
    let size = composer.terminal.size();
    let raw_states = raw.states();
    let dwa = minimize::minimize(raw, &budget)?;
    Ok((ParserDwa { dwa, raw_states }, size))
}

/// Whether a lexer state may be met in an LR state: some terminal that is under way has an action there.
fn may_meet(lexer: &Lexer, contexts: &Contexts, tables: &LrTables, lex: LexState, lr: LrState) -> bool {
    let context: ContextId = contexts.of(lr);
    !contexts.terminals[context.index()].is_empty()
        && lexer.pending(lex).iter().any(|&t| t == crate::lexer::IGNORED || !tables.actions_on(lr, t).is_empty())
}
