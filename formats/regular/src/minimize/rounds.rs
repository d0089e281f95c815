//! Tells states apart in rounds, as long as each round tells many more of them apart.
//!
//! Source: Moore, "Gedanken-experiments on sequential machines" (1956). A round reads all transitions in their order and divides states by the classes of their
//! successors. Remainders are the case for this: after each round, a digit more is looked at, and ten times as many states are told apart, so that a handful of rounds
//! tells 100,000 apart, while refinement moves each transition about log n times, to places far apart in memory. A chain of states, of which each round tells one
//! apart, is left to the refinement.

use super::refine::Transitions;
use crate::limits::Meter;
use gcc_grammar_limits::OverBudget;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

/// States by what they do on short strings.
pub(super) struct Rounds {
    /// Per state: its class. States of different classes are not equivalent.
    pub(super) class: Vec<u32>,
    pub(super) count: usize,
    /// Whether all states of a class are equivalent.
    pub(super) are_stable: bool,
}

impl Rounds {
    /// The classes after the last round that paid.
    pub(super) fn of(
        transitions: &Transitions,
        accepting: &[bool],
        meter: &mut Meter,
    ) -> Result<Self, OverBudget> {
        let class = accepting.iter().map(|&accepts| u32::from(accepts)).collect();
        let mut rounds = Self { class, count: 2, are_stable: false };
        loop {
            meter.work(transitions.len() + accepting.len())?;
            let next = rounds.next(transitions);
            let least = rounds.count + rounds.count / 8;
            let grows = next.count > least;
            rounds = Self { are_stable: !grows && next.is_stable(transitions, accepting), ..next };
            if !grows {
                return Ok(rounds);
            }
        }
    }

    /// The classes by those of the successors. Two of them may be one by an unlikely coincidence of hashes.
    fn next(&self, transitions: &Transitions) -> Self {
        let mut known: FxHashMap<u64, u32> = FxHashMap::default();
        let mut at = 0;
        let mut class = Vec::with_capacity(self.class.len());
        for (state, &own) in (0..).zip(&self.class) {
            let mut hasher = FxHasher::default();
            hasher.write_u32(own);
            while transitions.tail.get(at) == Some(&state) {
                hasher.write_u64(self.step(transitions, at));
                at += 1;
            }
            let fresh = known.len() as u32;
            class.push(*known.entry(hasher.finish()).or_insert(fresh));
        }
        Self { class, count: known.len(), are_stable: false }
    }

    /// The label of a transition, and the class that it leads to.
    fn step(&self, transitions: &Transitions, at: usize) -> u64 {
        u64::from(transitions.label[at]) << 32 | u64::from(self.class[transitions.head[at] as usize])
    }

    /// Whether all states of a class have the same steps, and accept or do not.
    fn is_stable(&self, transitions: &Transitions, accepting: &[bool]) -> bool {
        let mut steps: Vec<Option<(bool, usize, usize)>> = vec![None; self.count];
        let mut from = 0;
        (0..).zip(&self.class).zip(accepting).all(|((state, &class), &accepts)| {
            let mut to = from;
            while transitions.tail.get(to) == Some(&state) {
                to += 1;
            }
            let own = std::mem::replace(&mut from, to)..to;
            let known = *steps[class as usize].get_or_insert((accepts, own.start, own.end));
            let step = |at| self.step(transitions, at);
            known.0 == accepts && own.map(step).eq((known.1..known.2).map(step))
        })
    }
}
