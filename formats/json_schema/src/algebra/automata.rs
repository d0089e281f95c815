//! The automata of a node: its states are the conditions that are reachable by reading items or members.

use super::alphabet::Alphabet;
use super::context::Algebra;
use super::error::Result;
use super::expression::ExprId;
use super::terms::{Letter, NodeId};
use crate::automaton::{Automaton, Keys, State};
use rustc_hash::{FxHashMap, FxHashSet};

/// Estimated bytes of a state, in the automaton and in the table of its conditions.
const BYTES_PER_STATE: usize = 80;
/// Estimated bytes of a transition.
const BYTES_PER_TRANSITION: usize = 24;

/// The states found so far: each is a condition.
#[derive(Default)]
struct States {
    number: FxHashMap<ExprId, u32>,
    list: Vec<ExprId>,
}

impl States {
    /// The number of a condition.
    fn number_of(&mut self, id: ExprId) -> u32 {
        *self.number.entry(id).or_insert_with(|| {
            self.list.push(id);
            (self.list.len() - 1) as u32
        })
    }
}

impl Algebra<'_, '_> {
    /// The automaton of the arrays of a node; `None` if no array is allowed.
    pub(crate) fn array_automaton(&mut self, node: NodeId) -> Result<Option<Automaton<(), NodeId>>> {
        let start = self.arrays(node)?;
        if start == ExprId::FALSE {
            return Ok(None);
        }
        let mut found = States::default();
        found.number_of(start);
        let mut states = Vec::new();
        while let Some(&condition) = found.list.get(states.len()) {
            let after = self.after_item(condition)?;
            let letters = self.split(after)?;
            let transitions: Vec<_> =
                letters.iter().map(|&(value, rest)| ((), value, found.number_of(rest))).collect();
            self.keep(BYTES_PER_STATE + BYTES_PER_TRANSITION * transitions.len())?;
            let accepting = self.expressions.may_end(condition);
            states.push(State { accepting, transitions, otherwise: None });
        }
        Ok(Some(Automaton::new(states)))
    }

    /// The automaton of the objects of a node; `None` if no object is allowed.
    pub(crate) fn object_automaton(&mut self, node: NodeId) -> Result<Option<Automaton<Keys, NodeId>>> {
        let start = self.objects(node)?;
        if start == ExprId::FALSE {
            return Ok(None);
        }
        let mut alphabet = Alphabet::default();
        self.collect_alphabet(start, &mut alphabet, &mut FxHashSet::default());
        let mut found = States::default();
        found.number_of(start);
        let mut states = Vec::new();
        while let Some(&condition) = found.list.get(states.len()) {
            let mut transitions = Vec::new();
            let (letters, otherwise) = self.next_letters(condition, &mut alphabet)?;
            for letter in letters {
                self.step(0)?;
                let after = self.after_member(condition, letter, None)?;
                for &(value, rest) in self.split(after)?.iter() {
                    let keys = match letter {
                        Letter::Named(key) => Keys::Named(key),
                        Letter::Class(language) => Keys::Class(language),
                    };
                    transitions.push((keys, value, found.number_of(rest)));
                }
            }
            self.keep(BYTES_PER_STATE + BYTES_PER_TRANSITION * transitions.len())?;
            let otherwise = otherwise.map(|rest| found.number_of(rest));
            let accepting = self.expressions.may_end(condition);
            states.push(State { accepting, transitions, otherwise });
        }
        Ok(Some(Automaton::new(states)))
    }
}
