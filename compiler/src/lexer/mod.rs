//! Builds one lexer automaton that all terminals and contexts share.
//!
//! In: the automata of the terminals and the LR tables. Out: a [`Lexer`], and the [`Contexts`], the sets of
//! terminals that may start a lexeme in each LR state. Afterwards every state but the dead state can complete
//! a lexeme, and under longest match no two states are equivalent.
//!
//! ```text
//! terminals ──symbols──▶ classes of bytes and special tokens     LR states ──context, merge──▶ contexts
//!                        └────────── subsets (subset construction over all terminals) ──────────┘
//!                             explore ──assemble──▶ Lexer ──minimize──▶ Lexer
//! ```
//!
//! A *subset* is the set of (terminal, state of its automaton) pairs in which the current lexeme may be. The
//! two lexical disciplines differ in where a lexeme may end:
//!
//! **Any split.** A lexer state is a subset. A lexeme may end wherever a terminal accepts.
//!
//! **Longest match.** A lexeme that ended is wrong if it could have been continued to accept again. Both
//! possibilities are followed: a lexer state is a pair of a subset and a *longest-match constraint* (or
//! inhibitor), a second subset with everything that the ended lexemes could have become, and a state dies
//! when its constraint accepts. One byte of lookahead would only be an approximation (`1..2`, `/*`).
//!
//! The files, in the order of the data: [`symbols`], [`context`], [`merge`] (contexts that need not be told
//! apart, after tree-sitter's token conflict map), [`followed`], [`history`], [`subsets`], [`behind`], [`explore`], [`assemble`], [`minimize`], and
//! the result, [`tables`] with [`rows`]. [`kinds`] are how the artifact stores them. [`one_by_one`] makes states when they are asked for. [`counted`] terminals have strings whose characters are counted, and [`mod@counters`] say which states count, which [`mod@count`] finds. [`mod@relabel`] serves a later stage, [`liveness`](crate::liveness). [`interpret()`] reads a text as the tables define it.

mod assemble;
mod automaton;
mod behind;
mod context;
mod count;
mod counted;
mod counters;
mod explore;
mod followed;
mod history;
mod interpret;
mod kinds;
mod merge;
mod minimize;
mod one_by_one;
mod relabel;
mod rows;
mod subsets;
mod symbols;
mod tables;

pub use automaton::TerminalAutomaton;
pub(crate) use context::distinct;
pub use context::{Contexts, kinds};
pub(crate) use count::with_counters;
pub(crate) use counted::{CountedTerminal, Distance, Lists, ambiguous, check_uncounted};
pub use counters::Counters;
pub(crate) use counters::FIRST_COUNTING;
pub use followed::FollowedTerminal;
pub use interpret::{Reading, interpret};
pub(crate) use kinds::Kinds;
pub(crate) use one_by_one::{OneByOne, are_subsets};
pub(crate) use relabel::{FilterId, Relabeling, relabel};
pub use rows::{PatternId, Rows};
pub use symbols::{Limit, Symbols};
pub use tables::{IGNORED, Lexer, Member, PendingId};

use crate::lr::LrTables;
use gcc_grammar_ir::Grammar;
use gcc_grammar_limits::{Budget, OverBudget};

/// Builds the lexer of `grammar` for the LR states of `tables`.
///
/// # Errors
/// The budget is spent.
pub fn build(
    grammar: &Grammar,
    tables: &LrTables,
    symbols: &Symbols,
    budget: &Budget,
) -> Result<(Lexer, Contexts), OverBudget> {
    build_in(distinct(grammar, tables, budget)?, grammar, tables, symbols, budget)
}

/// The same, where the [`distinct`] contexts are known.
pub(crate) fn build_in(
    (mut contexts, withheld): (Contexts, context::Withheld),
    grammar: &Grammar,
    tables: &LrTables,
    symbols: &Symbols,
    budget: &Budget,
) -> Result<(Lexer, Contexts), OverBudget> {
    let budget = budget.stage("lexer");
    let mut subsets = subsets::Subsets::new(grammar, symbols, budget.clone())?;
    if !grammar.is_any_split() {
        merge::merge(&mut contexts, &withheld, &mut subsets)?;
    }
    let explored = explore::explore(grammar, tables, &contexts, &mut subsets, &symbols.history, &budget)?;
    let raw = assemble::assemble(explored, &budget)?;
    let lexer = match grammar.is_any_split() {
        false => minimize::minimize(&raw, &budget)?,
        // Subsets are built from minimal automata. Few of them are equivalent, and to look for these costs
        // more than they do.
        true => raw,
    };
    budget.charge_bytes(lexer.rows.bytes())?;
    Ok((lexer, contexts))
}
