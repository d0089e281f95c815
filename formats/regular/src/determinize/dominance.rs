//! Removes dominated states from subsets: those whose future is contained in that of another member.
//!
//! A counted repetition copies an automaton many times ([`Chain`]). Of the copies of one state, the first or the last
//! accepts everything that the others accept, so a subset that keeps only that copy accepts the same strings. This keeps
//! the subsets of nested counted repetitions, such as `(a{0,50}b?){0,60}`, small and few.

use super::visited::Visited;
use crate::nfa::{Chain, Dominant};

/// The groups of copies of one state, each with its dominant copy.
pub(super) struct DominatedCopies {
    /// Per state: its group, + 1; 0 if it has no copies.
    group: Vec<u32>,
    /// Per group: which copy dominates.
    dominant: Vec<Dominant>,
    /// The sides that occur in `dominant`.
    sides: Vec<Dominant>,
    seen: Visited,
}

impl DominatedCopies {
    /// The groups of an automaton of `states` states; `None` if there are no copies.
    pub(super) fn new(chains: &[Chain], states: usize) -> Option<Self> {
        let group_count = chains.iter().map(|chain| chain.period as usize).sum::<usize>();
        let sides = [Dominant::First, Dominant::Last];
        let occurs = |side: &Dominant| chains.iter().any(|chain| chain.dominant == *side);
        let mut groups = Self {
            group: vec![0; states],
            dominant: Vec::new(),
            sides: sides.into_iter().filter(occurs).collect(),
            seen: Visited::new(group_count + 1),
        };
        for chain in chains {
            let base = groups.dominant.len() as u32 + 1;
            for offset in 0..chain.copies * chain.period {
                groups.group[(chain.first + offset) as usize] = base + offset % chain.period;
            }
            groups.dominant.extend(std::iter::repeat_n(chain.dominant, chain.period as usize));
        }
        (!chains.is_empty()).then_some(groups)
    }

    /// Removes from a sorted set the states whose dominant copy in the set is another one. Returns the steps taken.
    pub(super) fn prune(&mut self, set: &mut Vec<u32>) -> usize {
        let steps = set.len() * self.sides.len();
        for &side in &self.sides {
            self.seen.clear();
            let mut keep = |state: &u32| {
                let group = self.group[*state as usize];
                group == 0 || self.dominant[group as usize - 1] != side || self.seen.insert(group)
            };
            if side == Dominant::Last {
                set.reverse();
            }
            set.retain(&mut keep);
            if side == Dominant::Last {
                set.reverse();
            }
        }
        steps
    }
}
