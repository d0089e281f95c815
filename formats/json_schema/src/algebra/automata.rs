//! The automata of a node: its states are the conditions that are reachable by reading items or members.

use super::alphabet::Alphabets;
use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::terms::{Letter, NodeId};
use crate::automaton::{Automaton, Keys, Run, State};
use rustc_hash::FxHashMap;

/// Estimated bytes of a state, in the automaton and in the table of its conditions.
const BYTES_PER_STATE: usize = 80;
/// Estimated bytes of a transition.
const BYTES_PER_TRANSITION: usize = 24;

/// From so many counts on, equal items are read as a run, so that the grammar grows with the logarithm of the count.
const LONG: u32 = 64;

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
    pub(crate) fn array_automaton(&mut self, node: NodeId) -> Result<Option<Automaton<Run, NodeId>>> {
        let start = self.arrays(node)?;
        if start == ExprId::FALSE {
            return Ok(None);
        }
        let mut found = States::default();
        found.number_of(start);
        let mut states = Vec::new();
        while let Some(&condition) = found.list.get(states.len()) {
            let transitions: Vec<_> = match self.run_of_items(condition)? {
                Some((run, value)) => vec![(run, value, found.number_of(self.count(0, 0, Some(0))))],
                None => {
                    let after = self.after_item(condition)?;
                    let letters = self.split(after)?;
                    letters.iter().map(|&(value, rest)| (Run::ONE, value, found.number_of(rest))).collect()
                }
            };
            self.keep(BYTES_PER_STATE + BYTES_PER_TRANSITION * transitions.len())?;
            let accepting = self.expressions.may_end(condition);
            states.push(State { accepting, transitions, otherwise: None });
        }
        Ok(Some(Automaton::new(states)))
    }

    /// The run of equal items that all arrays consist of from here on, if it is long. The styles that write items as tags have none.
    fn run_of_items(&mut self, condition: ExprId) -> Result<Option<(Run, NodeId)>> {
        let Some((run, rest)) = self.count_and_rest(condition) else { return Ok(None) };
        let is_long = run.counted() >= LONG && !self.loader.options.style.is_recursive();
        if !is_long || !self.expressions.may_end(rest) {
            return Ok(None);
        }
        let after = self.after_item(rest)?;
        Ok(match self.split(after)?[..] {
            [(value, same)] if same == rest => Some((run, value)),
            _ => None,
        })
    }

    /// The number of further items, if there are some, and what else holds for them, if the condition counts items once.
    fn count_and_rest(&mut self, condition: ExprId) -> Option<(Run, ExprId)> {
        let whole = self.expressions.get(condition).clone();
        let parts = match &*whole {
            Expr::And(parts) => parts,
            _ => &[condition][..],
        };
        let is_count = |&part: &ExprId| matches!(**self.expressions.get(part), Expr::Count { .. });
        let (counts, rest): (Vec<_>, Vec<_>) = parts.iter().copied().partition(is_count);
        let &[count] = &counts[..] else { return None };
        let Expr::Count { seen, min, max } = **self.expressions.get(count) else { return None };
        let run = Run { least: min.saturating_sub(seen).max(1), most: max.map(|max| max - seen) };
        Some((run, self.expressions.and(rest)))
    }

    /// The automaton of the objects that meet a condition; `None` if it has more than `most` transitions.
    pub(super) fn object_automaton(
        &mut self,
        start: ExprId,
        alphabets: &mut Alphabets,
        most: usize,
    ) -> Result<Option<Automaton<Keys, NodeId>>> {
        let mut found = States::default();
        found.number_of(start);
        let (mut states, mut count) = (Vec::new(), 0);
        while let Some(&condition) = found.list.get(states.len()) {
            let mut transitions = Vec::new();
            let alphabet = alphabets.of(&self.expressions.get(condition).clone());
            let (letters, otherwise) = self.next_letters(condition, alphabet)?;
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
            count += transitions.len();
            if count > most {
                return Ok(None);
            }
            let otherwise = otherwise.map(|rest| found.number_of(rest));
            let accepting = self.expressions.may_end(condition);
            states.push(State { accepting, transitions, otherwise });
        }
        let automaton = Automaton::new(states);
        let fits = most == usize::MAX || automaton.shared_size() <= most;
        Ok(fits.then_some(automaton))
    }
}
