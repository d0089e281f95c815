//! Tells states apart in rounds, where each round tells many more of them apart.
//!
//! Source: Moore, "Gedanken-experiments on sequential machines" (1956). A round reads all transitions in their order, and divides states by the classes of their
//! successors. Remainders are the case for this: each round looks at one digit more and tells ten times as many states apart, so that a handful of rounds tells
//! 100,000 apart, while refinement moves each transition several times, to places far apart in memory. A chain of states, of which each round tells one apart, is
//! left to the refinement.

use super::transitions::Transitions;
use crate::limits::Meter;
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// The most rounds.
const MOST_ROUNDS: usize = 24;
/// The transitions and states that a round passes in a unit of work.
const PER_WORK: usize = 8;

/// States by what they do on short strings.
pub(super) struct Classes {
    /// Per state: its class.
    pub(super) of: Vec<u32>,
    pub(super) count: usize,
}

/// The classes of equivalent states; `None` if too many rounds would tell them apart.
pub(super) fn equivalent(
    transitions: &Transitions,
    accepting: &[bool],
    meter: &mut Meter,
) -> Result<Option<Classes>, OverBudget> {
    let mut classes = Classes { of: accepting.iter().map(|&accepts| u32::from(accepts)).collect(), count: 2 };
    for _ in 0..MOST_ROUNDS {
        meter.work((transitions.len() + accepting.len()) / PER_WORK)?;
        let next = classes.next(transitions);
        if next.count == classes.count {
            return Ok(next.are_stable(transitions, accepting).then_some(next));
        }
        let are_many_more = next.count >= classes.count + classes.count / 2;
        if !are_many_more && next.count < accepting.len() / 4 {
            return Ok(None);
        }
        classes = next;
    }
    Ok(None)
}

impl Classes {
    /// The classes by those of the successors. Two of them may be one by an unlikely coincidence of hashes.
    fn next(&self, transitions: &Transitions) -> Self {
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut at = 0;
        let mut of = Vec::with_capacity(self.of.len());
        for (state, &own) in (0..).zip(&self.of) {
            let mut hasher = FxHasher::default();
            hasher.write_u32(own);
            while transitions.tail.get(at) == Some(&state) {
                hasher.write_u64(self.step(transitions, at));
                at += 1;
            }
            let fresh = known.len() as u32;
            of.push(*known.entry(hasher.finish()).or_insert(fresh));
        }
        Self { of, count: known.len() }
    }

    /// The label of a transition, and the class that it leads to.
    fn step(&self, transitions: &Transitions, at: usize) -> u64 {
        u64::from(transitions.label[at]) << 32 | u64::from(self.of[transitions.head[at] as usize])
    }

    /// Whether all states of a class have the same steps, and accept or do not.
    fn are_stable(&self, transitions: &Transitions, accepting: &[bool]) -> bool {
        let mut first: Vec<Option<(bool, usize, usize)>> = vec![None; self.count];
        let mut from = 0;
        (0..).zip(&self.of).zip(accepting).all(|((state, &class), &accepts)| {
            let mut to = from;
            while transitions.tail.get(to) == Some(&state) {
                to += 1;
            }
            let own = std::mem::replace(&mut from, to)..to;
            let known = *first[class as usize].get_or_insert((accepts, own.start, own.end));
            let step = |at| self.step(transitions, at);
            known.0 == accepts && own.map(step).eq((known.1..known.2).map(step))
        })
    }
}
