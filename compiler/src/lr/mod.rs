//! Builds the LR tables: the LR(0) automaton, LALR(1) lookaheads, and the action and goto tables with all
//! conflicts.
//!
//! In: a [`Cfg`] without empty productions. Out: [`LrTables`]. Afterwards the parser that follows all actions
//! of a cell (GLR) accepts the language of the productions, and a terminal is shifted if and only if the text
//! up to it is a viable prefix. [`minimize`] merges equivalent states and keeps this.
//!
//! Because no production is empty, every reduction pops at least one state, only kernel items can be complete,
//! and the lookahead computation needs no `reads` relation. There are no default reductions: a terminal
//! without an action is refused at once.
//!
//! The files, in the order of the data: [`automaton`], [`lookahead`] (DeRemer and Pennello 1982), [`table`], [`units`],
//! and [`mod@minimize`]. [`gss`] and [`run`] simulate the tables on stacks.

mod automaton;
mod copies;
mod gss;
mod lookahead;
mod minimize;
mod run;
mod table;
mod units;

pub(crate) use automaton::{Automaton, Items, build as build_automaton};
pub(crate) use copies::{Copies, Plain};
pub use gss::{Gss, StackId};
pub use minimize::minimize;
pub(crate) use minimize::{by_entry, merge};
pub use run::{Run, Shifted, Tables};
pub use table::{Action, Entry, LrTables};
pub(crate) use units::without_units;

use crate::normalize::Cfg;
use gcc_grammar_limits::{Budget, OverBudget};

/// Builds the tables of `cfg`, not minimized.
///
/// # Errors
/// The budget is spent, or there are too many states.
pub fn build(cfg: &Cfg, budget: &Budget) -> Result<LrTables, OverBudget> {
    let budget = budget.stage("lr");
    let automaton = automaton::build(cfg, &budget)?;
    tables(cfg, &automaton, &Plain(cfg), &budget)
}

/// Builds the tables of `cfg` for its LR(0) automaton.
pub(crate) fn tables(
    cfg: &Cfg,
    automaton: &Automaton,
    copies: &impl Copies,
    budget: &Budget,
) -> Result<LrTables, OverBudget> {
    let lookaheads = lookahead::lookaheads(cfg, automaton, copies, budget)?;
    Ok(table::build(cfg, automaton, copies, &lookaheads))
}
