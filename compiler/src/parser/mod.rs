//! Builds the Parser DWA: from a lexer state and the parser stack, read from the top, to the set of allowed
//! tokens.
//!
//! In: the LR tables, the lexer with its contexts, and the vocabulary with its walk tables ([`Sources`]).
//! Out: a minimized [`Dwa`], with a start state for every lexer state in which a token can end.
//!
//! Afterwards: for every viable pair of a lexer state and a stack, the union of the outputs along the stack
//! is the set of allowed tokens, and state 0 is reached only if everything is decided.
//!
//! ```text
//! Terminal DWA ∘ LR tables ──stack_effect──▶ effects ──evaluate, read──▶ outcomes ──determinize──▶ FullDwa ──minimize──▶ Dwa
//! ```
//!
//! Stack effects are elements of the polycyclic monoid: pop some states, then push some states. To paste a
//! template automaton for every terminal onto the arcs of the Terminal DWA, and to cancel pops against pushes
//! afterwards, makes millions of states. Instead the LR automaton runs over the *known part* γ of the stack,
//! the states that were pushed above the deepest symbol read so far. When γ is used up, the run is
//! *suspended* as an *item*: a nonterminal to go to, and how many more symbols to discard before that. The
//! symbol that was read is never part of γ, so the memo tables stay small.
//!
//! Sources: *Efficient grammar-constrained decoding via parser stack classification*; *Constrained decoding
//! with weighted automata*; Aycock, Horspool, Janoušek, Melichar, *Even faster generalized LR parsing*, 2001.
//! The files, in the order of the data:
//! 1. [`sources`]; [`lexeme_starts`] and [`viable_pairs`], the pairs of lexer and LR states that can occur;
//! 2. [`action_cells`], [`stack_effect`] with [`stack_memo`], and [`item_set`], the parts of the composition;
//! 3. [`composer`], with [`evaluate`] (over a known part) and [`read`] (of the next symbol);
//! 4. [`dwa`]; [`determinize`], for a [`share`] of the lexer states; [`parallel`], which builds two shares at
//!    the same time;
//! 5. [`outputs`]; [`minimize`], with [`compatible`];
//! 6. [`depth`], which bounds how far the automaton reads.
//!
//! [`on_demand`] makes transitions of [`composer`] one by one instead.
//!
//! [`interpret()`] reads the allowed tokens for a stack off the automaton.

mod action_cells;
mod compatible;
mod composer;
mod depth;
mod determinize;
mod dwa;
mod evaluate;
mod interpret;
mod item_set;
mod lexeme_starts;
mod minimize;
mod on_demand;
mod outputs;
mod parallel;
mod read;
mod share;
mod sources;
mod stack_effect;
mod stack_memo;
mod viable_pairs;

pub(crate) use composer::Composer;
pub use depth::{Bound, Depth};
pub use dwa::{Dwa, Transition};
pub use interpret::interpret;
pub use sources::Sources;

use crate::sets::Sets;
use crate::terminal::{KeptWalks, Paths};
use gcc_grammar_limits::{Budget, OverBudget};
use lexeme_starts::LexemeStarts;
use outputs::Outputs;
use parallel::Raw;

/// The Parser DWA, and the sizes of the automata behind it.
#[derive(Debug)]
pub struct ParserDwa {
    /// The automaton after minimization.
    pub dwa: Dwa,
    /// How far it reads down a stack.
    pub depth: Depth,
    /// Number of states before minimization.
    pub raw_states: usize,
    /// Number of nodes and of arcs of the Terminal DWA.
    pub terminal_size: (usize, usize),
    /// Number of distinct sets of tokens on the arcs of the Terminal DWA, over all parts.
    pub token_sets: usize,
    /// The sequences of terminals of tokens, per part that was built on its own.
    pub(crate) paths: Vec<Paths>,
}

/// Builds the automaton for every lexer state that can occur together with some LR state.
///
/// # Errors
/// The budget is spent.
pub fn build(sources: Sources<'_>, sets: &mut Sets, budget: &Budget) -> Result<ParserDwa, OverBudget> {
    build_with(sources, sets, KeptWalks::new(budget.clone()), budget).map(|(parser, _)| parser)
}

/// Builds the automaton with walks that are kept, and whose sets of tokens are in `sets`. Returns the walks, too.
pub(crate) fn build_with(
    sources: Sources<'_>,
    sets: &mut Sets,
    walks: KeptWalks,
    budget: &Budget,
) -> Result<(ParserDwa, KeptWalks), OverBudget> {
    let budget = budget.stage("parser");
    let starts = LexemeStarts::new(sources.lexer, sources.tables, sources.contexts, &budget)?;
    let mut raw = parallel::build(sources, &starts, sets, walks, &budget)?;
    let raw_states = raw.dwa.rows.len();
    let outputs = Outputs::number(&mut raw.dwa);
    let full = minimize::minimize(raw.dwa, &budget)?;
    let depth = depth::depth(&full, &sources.tables.predecessors, &budget)?;
    let mut dwa = Dwa::new(full);
    outputs.restore(&mut dwa);
    let Raw { terminal_size, token_sets, paths, walks, .. } = raw;
    Ok((ParserDwa { dwa, depth, raw_states, terminal_size, token_sets, paths }, walks))
}
