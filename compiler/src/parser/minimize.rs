//! Merges equivalent states: partition refinement over (output, class of the target), until stable.

use super::determinize::{Dwa, Transition};
use crate::ids::{DwaState, LrState, SetId};
use crate::limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// Output and target class of a transition.
type Signature = (SetId, u32);

/// The minimal automaton; the final state stays state 0.
pub(super) fn minimize(dwa: Dwa, budget: &Budget) -> Result<Dwa, OverBudget> {
    let mut class_of = vec![1u32; dwa.states()];
    class_of[0] = 0;
    let mut count = 2.min(dwa.states());
    loop {
        budget.charge_work(dwa.transitions() as u64 + dwa.states() as u64)?;
        let (next, now) = refine(&dwa, &class_of);
        class_of = next;
        if now == count {
            return Ok(quotient(&dwa, &class_of, now));
        }
        count = now;
    }
}

fn refine(dwa: &Dwa, class_of: &[u32]) -> (Vec<u32>, usize) {
    type Key = (u32, Option<Signature>, Vec<(LrState, Signature)>);
    let signature = |t: &Transition| (t.output, class_of[t.target.index()]);
    let mut ids: FxHashMap<Key, u32> = FxHashMap::default();
    let classes = (0..dwa.states())
        .map(|s| {
            let default = dwa.default[s].as_ref().map(signature);
            let row = dwa.exceptions[s].iter().map(|(symbol, t)| (*symbol, signature(t)));
            let row = row.filter(|(_, s)| Some(*s) != default).collect();
            let fresh = ids.len() as u32;
            *ids.entry((class_of[s], default, row)).or_insert(fresh)
        })
        .collect();
    (classes, ids.len())
}

fn quotient(dwa: &Dwa, class_of: &[u32], count: usize) -> Dwa {
    let map = |t: Transition| Transition { target: DwaState(class_of[t.target.index()]), ..t };
    let mut representative = vec![0; count];
    (0..dwa.states()).rev().for_each(|s| representative[class_of[s] as usize] = s);
    let mut out =
        Dwa { start: dwa.start.iter().map(|s| DwaState(class_of[s.index()])).collect(), ..Dwa::default() };
    for s in representative {
        let default = dwa.default[s].map(map);
        out.default.push(default);
        out.exceptions.push(
            dwa.exceptions[s]
                .iter()
                .map(|&(p, t)| (p, map(t)))
                .filter(|&(_, t)| Some(t) != default)
                .collect(),
        );
    }
    out
}
