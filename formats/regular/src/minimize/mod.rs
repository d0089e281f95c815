//! Minimization: from any deterministic automaton to *the* canonical minimal one of its language.
//!
//! ```text
//! RawDfa ──merge equal byte classes──▶ no cycle? ──yes──▶ acyclic (Revuz 1992, one pass)      ──canonical──▶ Dfa
//!                                                 └─no──▶ trim, refine (Valmari 2012)
//! ```
//! Afterwards all invariants of [`Dfa`] hold.

mod acyclic;
mod partition;
mod refine;

use crate::dfa::Dfa;
use crate::raw::RawDfa;

pub(crate) use refine::BYTES_PER_TRANSITION;

/// The minimal automaton of the language of `raw`.
pub(crate) fn minimize(raw: RawDfa) -> Dfa {
    let raw = raw.merge_classes();
    if let Some(minimal) = acyclic::minimize(&raw) {
        let start = minimal.accepting.len().checked_sub(1);
        return start.map_or_else(Dfa::never, |start| minimal.canonical(start as u32));
    }
    refine::minimize(&raw)
}
