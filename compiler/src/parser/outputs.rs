//! Numbers the sets that an automaton puts out in the order of their first occurrence.
//!
//! In: an automaton whose outputs are sets of an interner. The numbers of sets depend on what the interner had before,
//! and minimization decides ties by numbers. Out: the same automaton with the numbers 1, 2, … in their place, and the
//! sets, which take their places again at the end. The empty set stays 0.

use super::dwa::{Dwa, FullDwa, Transition};
use crate::ids::SetId;
use crate::sets::Sets;
use rustc_hash::FxHashMap;

/// The sets, by number.
pub(super) struct Outputs(Vec<SetId>);

impl Outputs {
    /// Numbers the outputs of an automaton.
    pub(super) fn number(dwa: &mut FullDwa) -> Self {
        let mut sets = vec![Sets::EMPTY];
        let mut numbers = FxHashMap::from_iter([(Sets::EMPTY, Sets::EMPTY)]);
        for (_, transition) in dwa.rows.iter_mut().flatten() {
            let fresh = SetId::new(sets.len());
            let number = *numbers.entry(transition.output).or_insert(fresh);
            if number == fresh {
                sets.push(transition.output);
            }
            transition.output = number;
        }
        Self(sets)
    }

    /// Puts the sets in the places of their numbers.
    pub(super) fn restore(&self, dwa: &mut Dwa) {
        let restore = |transition: &mut Transition| transition.output = self.0[transition.output.index()];
        dwa.default.iter_mut().flatten().for_each(restore);
        dwa.exceptions.iter_mut().flatten().for_each(|(_, transition)| restore(transition));
    }
}
