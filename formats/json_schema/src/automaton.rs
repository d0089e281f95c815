//! Deterministic automata over letters: the arrays or objects of one node.
//!
//! An automaton reads an item or member at a time. A transition has a letter (nothing for an item, the
//! [`Keys`] of a member), the values that the item or member may have, and a target. Two transitions of a
//! state never have a letter and a value in common.

use crate::languages::LanguageId;
use crate::schema::KeyId;

/// A deterministic automaton over letters of type `L` and values of type `V`. State 0 is the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Automaton<L, V> {
    pub(crate) states: Vec<State<L, V>>,
}

/// A state of an [`Automaton`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State<L, V> {
    pub(crate) accepting: bool,
    /// Letter, value and target of each transition.
    pub(crate) transitions: Vec<(L, V, u32)>,
}

/// The letters of members. The sets of keys in one automaton are disjoint.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Keys {
    /// A single key that some schema names.
    Named(KeyId),
    /// All keys of a language.
    Class(LanguageId),
}

impl<L: Copy, V: Copy> Automaton<L, V> {
    /// The same automaton over other values.
    pub(crate) fn map<W>(self, mut value: impl FnMut(V) -> W) -> Automaton<L, W> {
        let states = self.states.into_iter().map(|state| State {
            accepting: state.accepting,
            transitions: state.transitions.into_iter().map(|(l, v, target)| (l, value(v), target)).collect(),
        });
        Automaton { states: states.collect() }
    }

    /// The number of states and transitions.
    pub(crate) fn size(&self) -> usize {
        self.states.iter().map(|state| state.transitions.len() + 1).sum()
    }

    /// Whether each state can reach acceptance over values that exist (is co-accessible).
    pub(crate) fn co_accessible(&self, exists: impl Fn(V) -> bool) -> Vec<bool> {
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (index, state) in self.states.iter().enumerate() {
            for &(_, value, target) in &state.transitions {
                if exists(value) {
                    sources[target as usize].push(index as u32);
                }
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

    /// The automaton without transitions over values that do not exist, and with reachable and co-accessible
    /// states only, numbered in breadth-first order; `None` if it accepts nothing.
    pub(crate) fn trimmed(self, exists: impl Fn(V) -> bool) -> Option<Self> {
        let useful = self.co_accessible(&exists);
        if !useful[0] {
            return None;
        }
        let keep = |&(_, value, target): &(L, V, u32)| exists(value) && useful[target as usize];
        let mut number = vec![u32::MAX; self.states.len()];
        number[0] = 0;
        let mut order = vec![0usize];
        let mut states: Vec<State<L, V>> = Vec::new();
        while let Some(&index) = order.get(states.len()) {
            let state = &self.states[index];
            let mut transitions = Vec::new();
            for transition in state.transitions.iter().filter(|transition| keep(transition)) {
                let target = transition.2 as usize;
                if number[target] == u32::MAX {
                    number[target] = order.len() as u32;
                    order.push(target);
                }
                transitions.push((transition.0, transition.1, number[target]));
            }
            states.push(State { accepting: state.accepting, transitions });
        }
        Some(Self { states })
    }
}
