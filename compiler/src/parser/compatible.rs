//! Merges compatible states of an incompletely specified automaton.
//!
//! In: an automaton without equivalent states. Out: an automaton with fewer states and the same transitions.
//!
//! A state can only read the symbols that may lie at its place on the stack. Two states that agree on every
//! symbol that both can read are compatible: a single state with the transitions of both can replace them.
//! Programming languages lose a third of their states. To find the fewest states is NP-hard (Pfleeger, State
//! Reduction in Incompletely Specified Finite-State Machines, 1973). So each state, targets first, joins the
//! compatible state that differs least, among some that have transitions in common with it.

use super::dwa::{FullDwa, Row, Transition, most_frequent, unite};
use crate::ids::{DwaState, LrState};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// The number of states with the same default transition, the latest ones, that a state is compared with.
const SAME_DEFAULT: usize = 16;
/// The number of states with the same transition on a symbol, the latest ones, that a state is compared with.
const SAME_TRANSITION: usize = 8;
/// Number of transitions in the index per row, besides its default.
const SAMPLES: usize = 4;

/// A key of the index of states: the default, or a transition on a symbol.
type Key = (Option<LrState>, Transition);

/// Merges compatible states.
///
/// # Errors
/// The budget is spent.
pub(super) fn merge(full: FullDwa, budget: &Budget) -> Result<FullDwa, OverBudget> {
    let order = targets_first(&full.rows);
    let mut merger = Merger {
        merged_into: (0..full.rows.len()).map(DwaState::new).collect(),
        rows: full.rows,
        index: FxHashMap::default(),
        budget,
    };
    for state in order {
        merger.place(state)?;
    }
    Ok(merger.finish(full.start))
}

/// Merges states one by one.
struct Merger<'b> {
    /// Per state: its row, empty if the state was merged into another one.
    rows: Vec<Row>,
    merged_into: Vec<DwaState>,
    index: FxHashMap<Key, Vec<DwaState>>,
    budget: &'b Budget,
}

impl Merger<'_> {
    /// Merges `state` into another state, or makes it a candidate for later states.
    fn place(&mut self, state: DwaState) -> Result<(), OverBudget> {
        let mut row = std::mem::take(&mut self.rows[state.index()]);
        for (_, transition) in &mut row {
            transition.target = self.merged_into[transition.target.index()];
        }
        let Some(default) = most_frequent(&row) else { return Ok(()) };
        let keys = keys(&row, default);
        match self.nearest(&row, default, keys.clone())? {
            Some(other) => {
                self.merged_into[state.index()] = other;
                let both = row.len() + self.rows[other.index()].len();
                self.budget.charge_work(both as u64 / 2)?;
                unite(&mut self.rows[other.index()], &row);
            }
            None => {
                self.budget.charge_bytes(12 * SAMPLES as u64)?;
                keys.for_each(|key| self.index.entry(key).or_default().push(state));
                self.rows[state.index()] = row;
            }
        }
        Ok(())
    }

    /// The compatible candidate that differs least from `row`.
    fn nearest(
        &self,
        row: &Row,
        default: Transition,
        keys: impl Iterator<Item = Key>,
    ) -> Result<Option<DwaState>, OverBudget> {
        let (mut best, mut least) = (None, usize::MAX);
        for key in keys {
            let most = if key.0.is_none() { SAME_DEFAULT } else { SAME_TRANSITION };
            for &candidate in self.index.get(&key).into_iter().flatten().rev().take(most) {
                let other = &self.rows[candidate.index()];
                self.budget.charge_work((row.len() + other.len()) as u64 / 8)?;
                if let Some(difference) = difference(row, other, default, least) {
                    (best, least) = (Some(candidate), difference);
                }
                if least == 0 {
                    return Ok(best);
                }
            }
        }
        Ok(best)
    }

    /// The automaton of the remaining states.
    fn finish(self, start: Vec<DwaState>) -> FullDwa {
        let Self { rows, merged_into, .. } = self;
        let mut number = vec![DwaState(0); rows.len()];
        let mut left = Vec::new();
        for (state, row) in rows.into_iter().enumerate() {
            if merged_into[state] == DwaState::new(state) {
                number[state] = DwaState::new(left.len());
                left.push(row);
            }
        }
        let new = |state: DwaState| number[merged_into[state.index()].index()];
        // On a cycle, some states were placed before their targets.
        left.iter_mut().flatten().for_each(|(_, transition)| transition.target = new(transition.target));
        FullDwa { rows: left, start: start.into_iter().map(new).collect() }
    }
}

/// The keys of a row that is not empty: its default, and transitions spread over it.
fn keys(row: &Row, default: Transition) -> impl Iterator<Item = Key> + Clone + use<> {
    let sample = |i: usize| {
        let (symbol, transition) = row[i * (row.len() - 1) / (SAMPLES - 1)];
        (Some(symbol), transition)
    };
    let samples: [Key; SAMPLES] = std::array::from_fn(sample);
    [(None, default)].into_iter().chain(samples)
}

/// The number of transitions other than `default` that only one of two rows has. `None` if it is `limit` or
/// more, or if the rows disagree on a symbol.
fn difference(a: &Row, b: &Row, default: Transition, limit: usize) -> Option<usize> {
    let (mut a, mut b, mut count) = (a.as_slice(), b.as_slice(), 0);
    while let (Some((first, rest_a)), Some((second, rest_b))) = (a.split_first(), b.split_first()) {
        if first.0 == second.0 {
            if first.1 != second.1 {
                return None;
            }
            (a, b) = (rest_a, rest_b);
            continue;
        }
        let only = if first.0 < second.0 {
            a = rest_a;
            first
        } else {
            b = rest_b;
            second
        };
        count += usize::from(only.1 != default);
        if count >= limit {
            return None;
        }
    }
    count += a.iter().chain(b).filter(|(_, transition)| *transition != default).count();
    (count < limit).then_some(count)
}

/// All states except the final state, each after the states that it leads to, as far as cycles permit
/// (depth-first postorder).
fn targets_first(rows: &[Row]) -> Vec<DwaState> {
    let mut order = Vec::with_capacity(rows.len());
    let mut met = vec![false; rows.len()];
    met[0] = true;
    // A state, and how many of its transitions were followed.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in 0..rows.len() {
        if !std::mem::replace(&mut met[root], true) {
            path.push((root, 0));
        }
        while let Some((state, followed)) = path.last_mut() {
            let Some(&(_, Transition { target, .. })) = rows[*state].get(*followed) else {
                order.push(DwaState::new(*state));
                path.pop();
                continue;
            };
            *followed += 1;
            if !std::mem::replace(&mut met[target.index()], true) {
                path.push((target.index(), 0));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::SetId;
    use crate::random::Random;

    /// Rows with transitions on some of 6 symbols. Few outputs and targets, so that many states are
    /// compatible.
    fn rows(seed: u64, states: u32) -> Vec<Row> {
        let mut random = Random(seed);
        let mut next = |bound: u32| random.below(bound as usize) as u32;
        let mut row = |state: u32| {
            let mut row = Row::new();
            for symbol in (0..6).map(LrState) {
                let ring = next(8) == 0;
                let target = DwaState(if ring { next(states) } else { next(state) / 8 });
                if next(3) == 0 {
                    row.push((symbol, Transition { output: SetId(next(2)), target }));
                }
            }
            row
        };
        [Row::new()].into_iter().chain((1..states).map(&mut row)).collect()
    }

    /// Where every state ends up, and the automaton left.
    fn merged(rows: &[Row]) -> FullDwa {
        let start = (0..rows.len()).map(DwaState::new).collect();
        merge(FullDwa { rows: rows.to_vec(), start }, &Budget::unlimited("test")).expect("unlimited")
    }

    #[test]
    fn states_do_what_they_did() {
        let (mut before, mut after) = (0, 0);
        for seed in 0..200 {
            let rows = rows(seed, 40);
            let FullDwa { rows: left, start: new } = merged(&rows);
            assert_eq!(new[0], DwaState(0));
            for (row, state) in rows.iter().zip(&new) {
                for &(symbol, Transition { output, target }) in row {
                    let expected = (symbol, Transition { output, target: new[target.index()] });
                    assert!(left[state.index()].contains(&expected), "seed {seed}");
                }
            }
            let sorted = |row: &Row| row.is_sorted_by(|a, b| a.0 < b.0);
            assert!(left.iter().all(sorted));
            (before, after) = (before + rows.len(), after + left.len());
        }
        assert!(after * 3 < before * 2, "{before} states, {after} left");
    }

    #[test]
    fn of_compatible_states_the_nearest_is_joined() {
        let to = |output| Transition { output: SetId(output), target: DwaState(0) };
        let row = |cells: &[(u32, u32)]| {
            cells.iter().map(|&(symbol, output)| (LrState(symbol), to(output))).collect()
        };
        let rows: Vec<Row> = vec![
            Row::new(),
            row(&[(0, 1), (1, 1), (2, 2), (3, 3)]),
            row(&[(0, 1), (1, 1), (2, 3)]),
            row(&[(0, 1), (2, 2), (3, 3), (4, 1)]),
            row(&[(1, 1), (2, 3), (5, 1)]),
        ];
        let FullDwa { rows: left, start } = merged(&rows);
        assert_eq!(start, [0, 1, 2, 1, 2].map(DwaState));
        assert_eq!(left[1].len() + left[2].len(), 5 + 4);
    }
}
