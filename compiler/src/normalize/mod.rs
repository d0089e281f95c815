//! Normalizes a grammar: rules with regular right parts become an epsilon-free, trimmed context-free grammar.
//!
//! In: a [`Grammar`], and for each of its terminals whether it matches any text. Out: a [`Cfg`].
//!
//! Afterwards:
//! - no production is empty, none is `A -> A`, and no cycle of unit productions exists;
//! - every symbol occurs in a derivation of some text, so that no mask can lead into a dead end;
//! - the start production is `start' -> start END`, and also `start' -> END` if the language has the empty
//!   text.
//!
//! Removing empty productions and useless symbols is textbook material (Hopcroft and Ullman 1979, section
//! 4.4). The files, in the order of the data:
//! 1. [`check::nullable`] finds the rules that derive the empty string.
//! 2. [`layout`] turns every right part into productions: [`expression`] lowers expressions, where lists
//!    become left-recursive helpers and the parser stack stays flat, and long counted repetitions become
//!    [`blocks`]; [`automaton`] makes left-linear
//!    productions of automata, so that alternatives with a common prefix do not fork; [`unions`] writes a
//!    common beginning of many productions once. All of them add to a [`builder`].
//! 3. [`trim`] removes unproductive and unreachable symbols; [`unit_cycles`] removes cycles of unit
//!    productions.
//!
//! The result is described in [`mod@cfg`], and [`interpret()`] is its definition as a recognizer.

mod automaton;
mod blocks;
mod builder;
mod cfg;
mod error;
mod expression;
mod interpret;
mod layout;
mod nullable;
mod trim;
mod unions;
mod unit_cycles;

pub use cfg::{Cfg, Helper, Origin, Production};
pub use error::NormalizeError;
pub use interpret::interpret;

use gcc_grammar_ir::{Grammar, check};
use gcc_grammar_limits::Budget;

/// Normalizes `grammar`; `usable[t]` tells whether terminal `t` matches any text.
///
/// # Errors
/// The grammar derives no text, a written rule derives itself without reading anything, an expression is
/// nested too deep, or the budget is spent.
pub fn normalize(grammar: &Grammar, usable: &[bool], budget: &Budget) -> Result<Cfg, NormalizeError> {
    let budget = budget.stage("normalize");
    let nullable = check::nullable(&grammar.rules);
    let laid_out = layout::lay_out(grammar, &nullable, &budget)?;
    let mut cfg = trim::trim(laid_out, usable)?;
    unit_cycles::remove(&mut cfg, &budget)?;
    Ok(cfg)
}
