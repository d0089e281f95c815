//! Deterministic automata over letters: the arrays or objects of one node.
//!
//! An automaton reads a member or a [`Run`] of items at a time. A transition has a letter (the [`Keys`] of the member, or the
//! number of items), the values that the member or items may have, and a target. Two transitions of a
//! state never have a letter and a value in common.

use crate::languages::LanguageId;
use crate::schema::KeyId;
use crate::topological::topological;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A deterministic automaton over letters of type `L` and values of type `V`. State 0 is the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Automaton<L, V> {
    pub(crate) states: Vec<State<L, V>>,
    /// The number of states that are the start or the target of a transition, after [`trimmed`](Self::trimmed). They
    /// come first.
    pub(crate) targets: usize,
}

/// A state of an [`Automaton`].
///
/// After each of n optional keys any later key may come, so there are n²/2 transitions. Therefore a state lists its own
/// transitions only and names another state whose transitions it has, too. That state accepts if and only if this one
/// does, and reads none of the letters that this one lists. There are no circles of such states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State<L, V> {
    pub(crate) accepting: bool,
    /// Letter, value and target of each transition of its own.
    pub(crate) transitions: Vec<(L, V, u32)>,
    /// The state with the other transitions.
    pub(crate) otherwise: Option<u32>,
}

/// The letters of members. The sets of keys in one automaton are disjoint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Keys {
    /// A single key that some schema names.
    Named(KeyId),
    /// All keys of a language.
    Class(LanguageId),
}

/// The letters of items: how many items, one after the other, a transition reads. If it reads several, it is the only one of its state, and its
/// target ends the array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Run {
    /// At least 1.
    pub(crate) least: u32,
    pub(crate) most: Option<u32>,
    /// Whether they differ from each other and from the items before them.
    pub(crate) distinct: bool,
}

impl Run {
    /// A single item.
    pub(crate) const ONE: Self = Self { least: 1, most: Some(1), distinct: false };

    /// Whether it is a single item.
    pub(crate) fn is_one(self) -> bool {
        self.counted() == 1 && self.most.is_some()
    }

    /// The number of items that are told apart from more of them.
    pub(crate) fn counted(self) -> u32 {
        self.most.unwrap_or(self.least)
    }
}

impl Keys {
    /// The key, if it is a single one.
    pub(crate) fn named(self) -> Option<KeyId> {
        match self {
            Self::Named(key) => Some(key),
            Self::Class(_) => None,
        }
    }

    /// The language, if it is that of keys that no schema names.
    pub(crate) fn class(self) -> Option<LanguageId> {
        match self {
            Self::Named(_) => None,
            Self::Class(keys) => Some(keys),
        }
    }
}

impl<V: Copy> Automaton<Run, V> {
    /// The values of the items that differ from those before them.
    pub(crate) fn values_of_distinct(&self) -> impl Iterator<Item = V> + '_ {
        let transitions = self.states.iter().flat_map(|state| &state.transitions);
        transitions.filter(|(run, ..)| run.distinct).map(|&(_, value, _)| value)
    }

    /// The most items of its arrays; `None` if there is no bound.
    pub(crate) fn longest(&self) -> Option<u64> {
        let mut runs = self.states.iter().flat_map(|state| &state.transitions);
        if runs.any(|(run, ..)| run.most.is_none()) {
            return None;
        }
        self.fold(|_, transitions| {
            let longer = |(run, _, rest): (Run, V, u64)| rest.saturating_add(u64::from(run.counted()));
            transitions.map(longer).max().unwrap_or(0)
        })
    }

    /// A lower bound of the number of its arrays, if a node has so many values: items that differ count as one; `None` if there are infinitely many.
    pub(crate) fn count(&self, values: impl Fn(V) -> u64) -> Option<u64> {
        self.longest()?;
        self.fold(|accepts, transitions| {
            let count = |(run, value, rest): (Run, V, u64)| {
                let values = if run.distinct { 1 } else { values(value) };
                let power =
                    |length: u32| (0..length.min(64)).fold(1, |all: u64, _| all.saturating_mul(values));
                let lengths = run.least..=run.counted().min(run.least.saturating_add(64));
                lengths.map(power).fold(0, u64::saturating_add).saturating_mul(rest)
            };
            transitions.map(count).fold(u64::from(accepts), u64::saturating_add)
        })
    }

    /// The arrays of at most so many items; `None` if there are none.
    pub(crate) fn with_at_most(&self, most: u32) -> Option<Self> {
        let mut numbers = FxHashMap::from_iter([((0, 0), 0_u32)]);
        let mut places = vec![(0, 0)];
        let mut states = Vec::new();
        while let Some(&(state, seen)) = places.get(states.len()) {
            let mut transitions = Vec::new();
            for (run, value, target) in self.transitions(state).filter(|(run, ..)| run.least <= most - seen) {
                let most = run.most.map_or(most - seen, |longest| longest.min(most - seen));
                let place = (target, seen + run.least);
                let number = *numbers.entry(place).or_insert_with(|| {
                    places.push(place);
                    places.len() as u32 - 1
                });
                transitions.push((Run { most: Some(most), ..run }, value, number));
            }
            let accepting = self.states[state as usize].accepting;
            states.push(State { accepting, transitions, otherwise: None });
        }
        Self::new(states).trimmed(|_| true)
    }

    /// The values of all items that may be read before a state.
    pub(crate) fn values_before(&self, state: u32) -> BTreeSet<V>
    where
        V: Ord,
    {
        let mut leads_here = vec![false; self.states.len()];
        leads_here[state as usize] = true;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (index, from) in self.states.iter().enumerate().rev() {
                let leads = from.transitions.iter().any(|&(.., target)| leads_here[target as usize]);
                changed |= leads && !std::mem::replace(&mut leads_here[index], true);
            }
        }
        let transitions = self.states.iter().flat_map(|state| &state.transitions);
        transitions.filter(|&&(.., target)| leads_here[target as usize]).map(|&(_, value, _)| value).collect()
    }

    /// Whether all items are read one by one, and none need differ from another one.
    pub(crate) fn has_plain_items(&self) -> bool {
        let mut runs = self.states.iter().flat_map(|state| &state.transitions).map(|transition| transition.0);
        runs.all(|run| run.is_one() && !run.distinct)
    }

    /// Whether some items differ from those before them.
    pub(crate) fn is_distinct(&self) -> bool {
        self.states.iter().flat_map(|state| &state.transitions).any(|(run, ..)| run.distinct)
    }
}

impl<L: Copy, V: Copy> Automaton<L, V> {
    /// The automaton of these states.
    pub(crate) fn new(states: Vec<State<L, V>>) -> Self {
        Self { targets: states.len(), states }
    }

    /// The same automaton over other values.
    pub(crate) fn map<W>(self, mut value: impl FnMut(V) -> W) -> Automaton<L, W> {
        let states = self.states.into_iter().map(|state| State {
            accepting: state.accepting,
            transitions: state.transitions.into_iter().map(|(l, v, target)| (l, value(v), target)).collect(),
            otherwise: state.otherwise,
        });
        Automaton { states: states.collect(), targets: self.targets }
    }

    /// The same automaton over other values, without the transitions that have none.
    pub(crate) fn map_transitions(mut self, mut value: impl FnMut(L, V) -> Option<V>) -> Self {
        for state in &mut self.states {
            let transitions = std::mem::take(&mut state.transitions);
            let kept = transitions.into_iter().filter_map(|(l, v, target)| Some((l, value(l, v)?, target)));
            state.transitions = kept.collect();
        }
        self
    }

    /// A number for the start, from those of the states after it: `of` has for a state whether it accepts, and its transitions with the numbers of their
    /// targets. `None` if the automaton has a circle.
    pub(crate) fn fold(
        &self,
        of: impl Fn(bool, &mut dyn Iterator<Item = (L, V, u64)>) -> u64,
    ) -> Option<u64> {
        let order = topological(self.states.len(), |state| {
            let State { transitions, otherwise, .. } = &self.states[state];
            transitions.iter().map(|t| t.2).chain(*otherwise).map(|target| target as usize)
        })?;
        let mut numbers = vec![0; self.states.len()];
        for &state in order.iter().rev() {
            let mut transitions = self.transitions(state as u32).map(|(l, v, t)| (l, v, numbers[t as usize]));
            numbers[state] = of(self.states[state].accepting, &mut transitions);
        }
        Some(numbers[0])
    }

    /// The number of states and transitions.
    pub(crate) fn size(&self) -> usize {
        self.states.iter().map(|state| state.transitions.len() + 1).sum()
    }

    /// The number of transitions from all states, those that states share counted for each of them.
    pub(crate) fn shared_size(&self) -> usize {
        let mut sizes: Vec<Option<usize>> = vec![None; self.states.len()];
        for index in 0..self.states.len() {
            let (mut path, mut next) = (Vec::new(), Some(index));
            while let Some(index) = next.filter(|&index| sizes[index].is_none()) {
                path.push(index);
                next = self.states[index].otherwise.map(|index| index as usize);
            }
            let mut size = next.and_then(|index| sizes[index]).unwrap_or(0);
            for index in path.into_iter().rev() {
                size += self.states[index].transitions.len();
                sizes[index] = Some(size);
            }
        }
        let targets = self.states.iter().flat_map(|state| state.transitions.iter().map(|t| t.2));
        let mut is_target = vec![false; self.states.len()];
        is_target[0] = true;
        targets.for_each(|target| is_target[target as usize] = true);
        sizes
            .into_iter()
            .zip(is_target)
            .filter(|(_, is_target)| *is_target)
            .filter_map(|(size, _)| size)
            .sum()
    }

    /// All transitions from a state.
    pub(crate) fn transitions(&self, state: u32) -> impl Iterator<Item = (L, V, u32)> + '_ {
        let mut next = Some(state);
        let states = std::iter::from_fn(move || {
            let state = &self.states[next? as usize];
            next = state.otherwise;
            Some(state)
        });
        states.flat_map(|state| state.transitions.iter().copied())
    }

    /// Whether each state can reach acceptance over values that exist (is co-accessible).
    pub(crate) fn co_accessible(&self, exists: impl Fn(V) -> bool) -> Vec<bool> {
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (index, state) in self.states.iter().enumerate() {
            let targets = state.transitions.iter().filter(|transition| exists(transition.1));
            for target in targets.map(|&(_, _, target)| target).chain(state.otherwise) {
                sources[target as usize].push(index as u32);
            }
        }
        let mut useful: Vec<bool> = self.states.iter().map(|state| state.accepting).collect();
        let mut open: Vec<u32> =
            (0..self.states.len() as u32).filter(|&index| useful[index as usize]).collect();
        while let Some(index) = open.pop() {
            for &source in &sources[index as usize] {
                if !std::mem::replace(&mut useful[source as usize], true) {
                    open.push(source);
                }
            }
        }
        useful
    }

    /// Whether from each state that goes on some way to acceptance has only values that are always there.
    pub(crate) fn always_goes_on(&self, is_always_there: impl Fn(V) -> bool) -> bool {
        let ends = self.co_accessible(&is_always_there);
        let leads_to_end = |state| {
            self.transitions(state).any(|(_, value, target)| ends[target as usize] && is_always_there(value))
        };
        (0..).zip(&self.states).all(|(index, state)| !state.goes_on() || leads_to_end(index))
    }

    /// The automaton without transitions over values that do not exist, and with reachable and co-accessible
    /// states only; `None` if it accepts nothing. States that transitions lead to are numbered in breadth-first order,
    /// states that only share their transitions with others come after them.
    pub(crate) fn trimmed(mut self, exists: impl Fn(V) -> bool) -> Option<Self> {
        let useful = self.co_accessible(&exists);
        if !useful[0] {
            return None;
        }
        for state in &mut self.states {
            state.transitions.retain(|&(_, value, target)| exists(value) && useful[target as usize]);
        }
        self.cut_otherwise();
        let mut number = vec![u32::MAX; self.states.len()];
        number[0] = 0;
        let mut order = vec![0u32];
        let mut listed = vec![false; self.states.len()];
        let mut sharing = Vec::new();
        let mut done = 0;
        while let Some(&index) = order.get(done) {
            done += 1;
            let mut next = Some(index);
            while let Some(index) =
                next.filter(|&index| !std::mem::replace(&mut listed[index as usize], true))
            {
                for &(_, _, target) in &self.states[index as usize].transitions {
                    if number[target as usize] == u32::MAX {
                        number[target as usize] = order.len() as u32;
                        order.push(target);
                    }
                }
                next = self.states[index as usize].otherwise;
                sharing.extend(next);
            }
        }
        let targets = order.len();
        for index in sharing {
            if number[index as usize] == u32::MAX {
                number[index as usize] = order.len() as u32;
                order.push(index);
            }
        }
        let states = order.iter().map(|&index| {
            let State { accepting, transitions, otherwise } = &self.states[index as usize];
            let renumbered = transitions.iter().map(|&(l, v, target)| (l, v, number[target as usize]));
            State {
                accepting: *accepting,
                transitions: renumbered.collect(),
                otherwise: otherwise.map(|index| number[index as usize]),
            }
        });
        Some(Self { states: states.collect(), targets })
    }

    /// Removes the links to states without transitions.
    fn cut_otherwise(&mut self) {
        let mut goes_on: Vec<Option<bool>> =
            self.states.iter().map(|state| (!state.transitions.is_empty()).then_some(true)).collect();
        for index in 0..self.states.len() {
            let (mut path, mut next) = (Vec::new(), Some(index as u32));
            while let Some(index) = next.filter(|&index| goes_on[index as usize].is_none()) {
                path.push(index);
                next = self.states[index as usize].otherwise;
            }
            let result = next.and_then(|index| goes_on[index as usize]).unwrap_or(false);
            path.into_iter().for_each(|index| goes_on[index as usize] = Some(result));
        }
        for state in &mut self.states {
            state.otherwise = state.otherwise.filter(|&index| goes_on[index as usize] == Some(true));
        }
    }
}

impl<V> State<Keys, V> {
    /// Whether all transitions of its own are over single keys.
    pub(crate) fn has_named_only(&self) -> bool {
        self.transitions.iter().all(|(keys, ..)| keys.named().is_some())
    }
}

impl<L, V> State<L, V> {
    /// Whether there are transitions from the state of a trimmed automaton.
    pub(crate) fn goes_on(&self) -> bool {
        !self.transitions.is_empty() || self.otherwise.is_some()
    }
}
