//! Minimization: from any deterministic automaton to *the* canonical minimal one of its language.
//!
//! ```text
//! RawDfa ──merge equal byte classes──▶ states that a cycle leads to: rounds (Moore 1956), refine (Valmari 2012)
//!                                      all others, from the last:    one pass (Revuz 1992)   ──canonical──▶ Dfa
//! ```
//! Afterwards all invariants of [`Dfa`] hold. The cost is charged: a few passes over the table, and the steps of the refinement.
//!
//! Literals, enumerations and bounded repetitions have no cycle. A language without some words has few states behind one.

mod partition;
mod refine;
mod register;
mod rounds;
mod transitions;

use crate::dfa::{Dfa, NONE};
use crate::limits::{Meter, RegularLimits};
use crate::raw::{RawDfa, renumber};
use gcc_grammar_limits::OverBudget;
use register::Register;

/// The bytes that a state takes besides its row: its place in orders, hash tables and partitions.
const BYTES_PER_STATE: usize = 40;

/// Charges what minimizing takes: the table itself, and a copy of it. All passes together take about as long as a step of work for each cell.
fn charge(raw: &RawDfa, limits: &RegularLimits) -> Result<Meter, OverBudget> {
    let mut meter = Meter::new(limits);
    meter.work(raw.table.len() / 2 + raw.accepting.len())?;
    meter.bytes(raw.table.len() * 2 * size_of::<u32>() + raw.accepting.len() * BYTES_PER_STATE)?;
    Ok(meter)
}

/// The minimal automaton of the language of `raw`.
pub(crate) fn minimize(raw: RawDfa, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let mut meter = charge(&raw, limits)?;
    let raw = raw.merge_classes();
    let order = raw.before_cycles();
    let mut register = Register::new(raw.class_count, raw.accepting.len());
    let mut number = if order.len() == raw.accepting.len() {
        vec![NONE; raw.accepting.len()]
    } else {
        refine::minimize(&raw, &order, &mut register, &mut meter)?
    };
    let mut row = vec![NONE; raw.class_count];
    for &state in order.iter().rev() {
        renumber(&mut row, raw.row(state), &number);
        let accepting = raw.accepting[state as usize];
        if accepting || row.iter().any(|&cell| cell != NONE) {
            number[state as usize] = register.state(&row, accepting) + 1;
        }
    }
    let minimal = register.into_raw(raw.classes);
    Ok(number[0].checked_sub(1).map_or_else(Dfa::never, |start| minimal.canonical(start)))
}
