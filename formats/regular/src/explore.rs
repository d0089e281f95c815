//! Builds an automaton from a transition function over states of the caller's own type.
//!
//! The caller gives a start state and a function that says, for a state, whether it accepts and where byte ranges lead.
//! [`Dfa::explore`] visits the reachable states breadth first, lays them out as a table and minimizes it. This suits
//! languages that are easier to compute than to write as a regular expression, such as the multiples of a number.

use crate::dfa::Dfa;
use crate::limits::{Meter, RegularLimits};
use crate::minimize::minimize;
use crate::range_starts::RangeStarts;
use crate::raw::RawDfa;
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// The work to visit a state.
const WORK_PER_STATE: usize = 10;
/// The work to follow a transition.
const WORK_PER_EDGE: usize = 10;
/// Estimated bytes of a state besides the state of the caller, which is kept twice.
const BYTES_PER_STATE: usize = 64;
/// Estimated bytes of a transition.
const BYTES_PER_EDGE: usize = 12;

/// The result of a transition function for a state: whether the state accepts, and its transitions `(low, high, target)` on
/// the bytes `low..=high`, whose ranges must be disjoint.
pub type Step<S> = (bool, Vec<(u8, u8, S)>);

impl Dfa {
    /// The minimal automaton of the states reachable from `start`. Calls `step` once for each of them.
    ///
    /// ```
    /// use gcc_grammar_regular::{Dfa, RegularLimits};
    /// // Decimal numerals divisible by 3; a state is the remainder so far, or None before the first digit.
    /// let step = |state: &Option<u8>| {
    ///     let digits = (0..10).map(|d| (b'0' + d, b'0' + d, Some((state.unwrap_or(0) + d) % 3)));
    ///     (*state == Some(0), digits.collect())
    /// };
    /// let dfa = Dfa::explore(None, &RegularLimits::default(), step).expect("four states");
    /// assert!(dfa.accepts(b"123") && !dfa.accepts(b"124") && !dfa.accepts(b""));
    /// ```
    ///
    /// # Errors
    /// There are more states or transitions than the limits allow.
    pub fn explore<S: Clone + Eq + Hash>(
        start: S,
        limits: &RegularLimits,
        mut step: impl FnMut(&S) -> Step<S>,
    ) -> Result<Self, OverBudget> {
        let (raw, _) = explored(start, limits, |state| Ok(step(state)))?;
        minimize(raw, limits)
    }
}

/// The automaton of the states reachable from `start`, and these states. Calls `step` once for each of them.
pub(crate) fn explored<S: Clone + Eq + Hash>(
    start: S,
    limits: &RegularLimits,
    mut step: impl FnMut(&S) -> Result<Step<S>, OverBudget>,
) -> Result<(RawDfa, Vec<S>), OverBudget> {
    let mut meter = Meter::new(limits);
    let mut number = FxHashMap::from_iter([(start.clone(), 0u32)]);
    let mut states = vec![start];
    let mut rows: Vec<Vec<(u8, u8, u32)>> = Vec::new();
    let mut accepting = Vec::new();
    while rows.len() < states.len() {
        let (accepts, edges) = step(&states[rows.len()])?;
        meter.work(WORK_PER_STATE + WORK_PER_EDGE * edges.len())?;
        meter.bytes(2 * size_of::<S>() + BYTES_PER_STATE + BYTES_PER_EDGE * edges.len())?;
        let row = edges.into_iter().map(|(low, high, target)| {
            let id = *number.entry(target).or_insert_with_key(|target| {
                states.push(target.clone());
                (states.len() - 1) as u32
            });
            (low, high, id)
        });
        rows.push(row.collect());
        accepting.push(accepts);
        meter.states(states.len())?;
    }
    Ok((to_raw_dfa(&rows, accepting, &mut meter)?, states))
}

/// Lays the rows out as a table over the coarsest byte classes that fit all ranges.
fn to_raw_dfa(
    rows: &[Vec<(u8, u8, u32)>],
    accepting: Vec<bool>,
    meter: &mut Meter,
) -> Result<RawDfa, OverBudget> {
    let ranges = rows.iter().flatten().map(|&(low, high, _)| (low, high));
    let (classes, class_count) = RangeStarts::of(ranges).classes();
    meter.work(rows.len() * class_count)?;
    meter.bytes(rows.len() * class_count * size_of::<u32>())?;
    let mut table = vec![0; rows.len() * class_count];
    for (row, cells) in rows.iter().zip(table.chunks_exact_mut(class_count)) {
        for &(low, high, target) in row {
            let columns = usize::from(classes[usize::from(low)])..=usize::from(classes[usize::from(high)]);
            cells[columns].fill(target + 1);
        }
    }
    Ok(RawDfa { classes, class_count, table, accepting })
}
