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
//! never part of γ, so the memo tables stay small; and a terminal begins alike on all states with the same actions on it
//! ([`cells`]), whatever these are, since the state itself is read afterwards like any other.

mod cells;
mod compatible;
mod compose;
mod determinize;
mod effect;
mod meeting;
mod minimize;
mod origins;
mod outcome;
mod parts;
mod tops;

pub use determinize::{Dwa, Transition};

use crate::lexer::{Contexts, Lexer};
use crate::limits::{Budget, OverBudget};
use crate::lr::LrTables;
use crate::sets::Sets;
use crate::terminal::{Tokens, WalkTables};
use origins::Origins;

/// The Parser DWA and where it starts.
#[derive(Debug)]
pub struct ParserDwa {
    /// Minimal.
    pub dwa: Dwa,
    /// Number of states before minimization.
    pub raw_states: usize,
    /// Nodes and arcs of the Terminal DWA.
    pub terminal_size: (usize, usize),
}

/// What the automaton is made from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The parser.
    pub tables: &'a LrTables,
    /// The terminals that may start a lexeme, per LR state.
    pub contexts: &'a Contexts,
    /// The lexer.
    pub lexer: &'a Lexer,
    /// The vocabulary.
    pub tokens: &'a Tokens<'a>,
    /// What walks over the vocabulary need.
    pub walks: &'a WalkTables<'a>,
    /// Whether tokens are let through as soon as that is certain, and not only reductions resolved. In JSON schemas that leaves half of the
    /// transitions; in programming languages, where most tops leave something else open, it makes a tenth more masks.
    pub decides_early: bool,
    /// Pairs of lexer and LR states from which on it is built in two parts.
    pub two_parts_from: usize,
}

/// Builds the automaton for every lexer state that can occur together with some LR state.
pub fn build(sources: Sources<'_>, sets: &mut Sets, budget: &Budget) -> Result<ParserDwa, OverBudget> {
    let budget = budget.stage("parser");
    let origins = Origins::new(sources.lexer, sources.tables, sources.contexts, &budget)?;
    let raw = parts::build(sources, &origins, sets, &budget)?;
    let raw_states = raw.dwa.rows.len();
    let dwa = minimize::minimize(raw.dwa, &budget)?;
    Ok(ParserDwa { dwa, raw_states, terminal_size: raw.terminal_size })
}
