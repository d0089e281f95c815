//! The automata of a node: its states are the conditions that are reachable by reading items or members.

use super::alphabet::Alphabet;
use super::context::Algebra;
use super::error::{AlgebraError, Result};
use super::expression::ExprId;
use super::terms::{Letter, NodeId};
use crate::automaton::{Automaton, Keys, State};
use rustc_hash::{FxHashMap, FxHashSet};

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
            let transitions =
                letters.iter().map(|&(value, rest)| ((), value, found.number_of(rest))).collect();
            states.push(State { accepting: self.expressions.may_end(condition), transitions });
            self.check_states(found.list.len())?;
        }
        Ok(Some(Automaton { states }))
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
        let mut work = 0;
        while let Some(&condition) = found.list.get(states.len()) {
            let mut transitions = Vec::new();
            for letter in self.possible_letters(condition, &mut alphabet)? {
                let after = self.after_member(condition, letter, None)?;
                for &(value, rest) in self.split(after)?.iter() {
                    let keys = match letter {
                        Letter::Named(key) => Keys::Named(key),
                        Letter::Class(language) => Keys::Class(language),
                    };
                    transitions.push((keys, value, found.number_of(rest)));
                }
            }
            work += transitions.len();
            states.push(State { accepting: self.expressions.may_end(condition), transitions });
            self.check_states(found.list.len().max(work / 50))?;
        }
        Ok(Some(Automaton { states }))
    }

    /// Checks the size of the automata of all nodes together against the limit.
    pub(crate) fn check_size(&self, size: usize) -> Result<()> {
        let limit = self.loader.options.limits.max_transitions;
        if size > limit {
            return Err(AlgebraError::Limit { resource: "transitions for all arrays and objects", limit });
        }
        Ok(())
    }

    /// Checks the size of one automaton against the limit.
    fn check_states(&self, states: usize) -> Result<()> {
        let limit = self.loader.options.limits.max_states;
        if states > limit {
            return Err(AlgebraError::Limit { resource: "states for one array or object", limit });
        }
        Ok(())
    }
}
