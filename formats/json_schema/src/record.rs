//! Objects whose keys the runtime remembers: conditions on the set of keys, apart from the automaton.
//!
//! The automaton of such objects has one state: it tells the values of each key, and nothing else. The order of keys, that each comes once, and all conditions
//! on the set of keys are up to the [`KeyRecord`].

use crate::automaton::{Automaton, Keys};
use crate::schema::KeyId;
use gcc_grammar_ir::{KeyClause, KeyRecord};
use rustc_hash::{FxHashMap, FxHashSet};

/// If all keys of a set are there, then so is another one; or not all keys of the set are there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Clause {
    pub(crate) keys: Vec<KeyId>,
    pub(crate) then: Option<KeyId>,
}

/// The conditions on the keys of objects.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// All keys that are declared or in a condition, in their order.
    pub(crate) keys: Vec<KeyId>,
    /// Whether they come in this order, and other keys after them.
    pub(crate) is_ordered: bool,
    pub(crate) clauses: Vec<Clause>,
}

impl Record {
    /// The conditions by numbers, in objects whose keys an automaton lists: keys that it does not have must not come.
    pub(crate) fn numbered<V: Copy>(
        &self,
        automaton: &Automaton<Keys, V>,
    ) -> (KeyRecord, FxHashMap<KeyId, u32>) {
        let (mut record, numbers) = self.by_number();
        let mut is_there = vec![false; self.keys.len()];
        let mut is_open = false;
        for (keys, ..) in automaton.transitions(0) {
            match keys {
                Keys::Named(key) => is_there[numbers[&key] as usize] = true,
                Keys::Class(_) => is_open = true,
            }
        }
        let missing = (0..).zip(&is_there).filter(|(_, is_there)| !**is_there);
        record.clauses.extend(missing.map(|(key, _)| KeyClause { keys: vec![key], then: None }));
        record.is_open = is_open;
        (record, numbers)
    }

    fn by_number(&self) -> (KeyRecord, FxHashMap<KeyId, u32>) {
        let numbers: FxHashMap<KeyId, u32> = self.keys.iter().copied().zip(0..).collect();
        let clause = |clause: &Clause| KeyClause {
            keys: clause.keys.iter().map(|key| numbers[key]).collect(),
            then: clause.then.map(|key| numbers[&key]),
        };
        let clauses = self.clauses.iter().map(clause).collect();
        let record =
            KeyRecord { keys: self.keys.len() as u32, is_ordered: self.is_ordered, is_open: false, clauses };
        (record, numbers)
    }
}

/// The states that an automaton in place of a record would have, one after the other, each by the number of its own transitions.
pub(crate) struct States {
    record: KeyRecord,
    /// The states whose transitions are not counted yet.
    open: Vec<(u32, Vec<bool>)>,
    known: FxHashSet<(u32, Vec<bool>)>,
}

impl Record {
    /// The states of an automaton of these keys.
    pub(crate) fn states(&self) -> States {
        let (record, _) = self.by_number();
        let first = (
            0,
            vec![self.is_ordered; if self.is_ordered { record.clauses.len() } else { record.keys as usize }],
        );
        States { record, known: FxHashSet::from_iter([first.clone()]), open: vec![first] }
    }
}

impl Iterator for States {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let (next, state) = self.open.pop()?;
        Some(if self.record.is_ordered { self.at_place(next, &state) } else { self.after_set(next, &state) })
    }
}

impl States {
    fn add(&mut self, next: u32, state: Vec<bool>) {
        if self.known.insert((next, state.clone())) {
            self.open.push((next, state));
        }
    }

    /// In an order, a state is a place and the clauses that may still forbid something: the next key comes, or it is passed.
    fn at_place(&mut self, place: u32, alive: &[bool]) -> usize {
        if place == self.record.keys {
            return 0;
        }
        let after = |comes: bool| {
            let mut after = alive.to_vec();
            for (alive, KeyClause { keys, then }) in after.iter_mut().zip(&self.record.clauses) {
                let is_passed = |key: &u32| *key <= place;
                let has_ended = keys.iter().all(is_passed) && then.as_ref().is_none_or(is_passed);
                *alive &= if comes { *then != Some(place) } else { !keys.contains(&place) };
                if *alive && has_ended {
                    return None;
                }
            }
            Some(after)
        };
        let (with, without) = (after(true), after(false));
        let transitions = usize::from(with.is_some());
        with.into_iter().chain(without).for_each(|state| self.add(place + 1, state));
        transitions
    }

    /// In any order, a state is a set of keys. Sets are found by adding keys in ascending order.
    fn after_set(&mut self, next: u32, keys: &[bool]) -> usize {
        let mut transitions = 0;
        for key in (0..self.record.keys).filter(|&key| !keys[key as usize]) {
            let mut with = keys.to_vec();
            with[key as usize] = true;
            if self.record.can_be_completed(&with) {
                transitions += 1;
                if key >= next {
                    self.open.push((key + 1, with));
                }
            }
        }
        transitions
    }
}
