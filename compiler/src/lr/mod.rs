//! The LR parser: LR(0) automaton, LALR(1) lookaheads, action and goto tables with all conflicts kept.
//!
//! The grammar is epsilon-free, so every reduction pops at least one state, only kernel items can be complete, and the
//! lookahead computation needs no `reads` relation. There are no default reductions: a terminal without action is
//! refused at once.

mod automaton;
mod conflict;
mod lookahead;
mod minimize;
mod run;
mod table;

pub use conflict::{Conflict, Reading, conflicts};
pub use minimize::minimize;
pub use run::{Run, Shifted, StackId, Tables};
pub use table::{Action, Entry, LrTables};

use crate::limits::{Budget, OverBudget};
use crate::normalize::Cfg;

/// Builds the tables of `cfg`.
pub fn build(cfg: &Cfg, budget: &Budget) -> Result<LrTables, OverBudget> {
    let budget = budget.stage("lr");
    let automaton = automaton::build(cfg, &budget)?;
    let lookaheads = lookahead::lookaheads(cfg, &automaton, &budget)?;
    Ok(table::build(cfg, automaton, &lookaheads))
}
