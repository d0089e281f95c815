//! Minimization: from any deterministic automaton to *the* canonical minimal one of its language.
//!
//! ```text
//! RawDfa ──merge equal byte classes──▶ no cycle? ──yes──▶ acyclic (Revuz 1992, one pass)      ──canonical──▶ Dfa
//!                                                 └─no──▶ trim, refine (Valmari 2012)
//! ```
//! Afterwards all invariants of [`Dfa`] hold. The cost is charged: a few passes over the table, and the steps of the refinement.

mod acyclic;
mod partition;
mod refine;

use crate::dfa::Dfa;
use crate::limits::{Meter, RegularLimits};
use crate::raw::RawDfa;
use gcc_grammar_limits::OverBudget;

/// The bytes that a state takes besides its row: its place in orders, hash tables and partitions.
const BYTES_PER_STATE: usize = 40;

/// The minimal automaton of the language of `raw`.
pub(crate) fn minimize(raw: RawDfa, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let mut meter = Meter::new(limits);
    // The table itself, and a copy of it. All passes together take about as long as a step of work for each cell.
    meter.work(raw.table.len() / 2 + raw.accepting.len())?;
    meter.bytes(raw.table.len() * 2 * size_of::<u32>() + raw.accepting.len() * BYTES_PER_STATE)?;
    let raw = raw.merge_classes();
    if let Some(minimal) = acyclic::minimize(&raw) {
        let start = minimal.accepting.len().checked_sub(1);
        return Ok(start.map_or_else(Dfa::never, |start| minimal.canonical(start as u32)));
    }
    refine::minimize(&raw, &mut meter)
}
