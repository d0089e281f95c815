//! The automata of a node: its states are the conditions that are reachable by reading items or members.

use super::alphabet::Alphabets;
use super::context::{Algebra, PART};
use super::error::{AlgebraError, Result};
use super::expression::{Expr, ExprId};
use super::terms::{Letter, NodeId};
use crate::automaton::{Automaton, Keys, Run, State};
use rustc_hash::{FxHashMap, FxHashSet};

/// Estimated bytes of a state, in the automaton and in the table of its conditions.
const BYTES_PER_STATE: usize = 80;
/// Estimated bytes of a transition.
const BYTES_PER_TRANSITION: usize = 24;

/// Objects whose states are combinations of conditions are refused before all of them are there: they may have one for so many units of work that the
/// schema may take, since what follows takes more than that for each.
const WORK_PER_STATE: u64 = 25_000;
/// And so many for each part and key of their condition, and for each member that it counts.
const STATES_PER_PART: usize = 16;

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

/// In which alternatives something holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    None,
    All,
    Some,
}

impl Algebra<'_, '_> {
    /// The automaton of the arrays of a node; `None` if no array is allowed.
    pub(crate) fn array_automaton(&mut self, node: NodeId) -> Result<Option<Automaton<Run, NodeId>>> {
        let start = self.arrays(node)?;
        if start == ExprId::FALSE {
            return Ok(None);
        }
        let mut automaton = self.items_automaton(start)?;
        if !automaton.is_distinct() {
            return Ok(Some(automaton));
        }
        match self.fewest_values(automaton.values_of_distinct())? {
            Ok(None) => {}
            // A further item is always possible where no array has more items than there are values.
            Ok(Some(most)) => {
                let most = self.count(0, 0, Some(most));
                let bounded = self.expressions.and([start, most]);
                automaton = self.items_automaton(bounded)?;
            }
            Err(()) if self.are_few_unused(&automaton)? => {}
            Err(()) => self.forget_items(start),
        }
        Ok(Some(automaton))
    }

    /// Whether arrays may meet a condition. True if that is not known.
    pub(super) fn has_some_array(&mut self, condition: ExprId) -> Result<bool> {
        let automaton = self.items_automaton(condition)?;
        let mut open = vec![0_u32];
        let mut is_reached = vec![false; automaton.states.len()];
        while let Some(state) = open.pop() {
            if std::mem::replace(&mut is_reached[state as usize], true) {
                continue;
            }
            let state = &automaton.states[state as usize];
            if state.accepting {
                return Ok(true);
            }
            for &(_, value, next) in &state.transitions {
                if !is_reached[next as usize] && !self.is_provably_nothing(value)? {
                    open.push(next);
                }
            }
        }
        Ok(false)
    }

    /// Whether a node has no values. False if that is not known.
    pub(super) fn is_provably_nothing(&mut self, node: NodeId) -> Result<bool> {
        for conjunction in &self.node(node).0 {
            if !self.is_provably_empty(conjunction)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The automaton of a condition on items.
    fn items_automaton(&mut self, start: ExprId) -> Result<Automaton<Run, NodeId>> {
        let mut found = States::default();
        found.number_of(start);
        let mut states = Vec::new();
        while let Some(&condition) = found.list.get(states.len()) {
            let transitions: Vec<_> = match self.run_of_items(condition)? {
                Some((run, value)) => vec![(run, value, found.number_of(self.count(0, 0, Some(0))))],
                None => {
                    let after = self.after_item(condition)?;
                    let letters = self.split(after)?;
                    let mut transitions = Vec::with_capacity(letters.len());
                    for &(value, rest) in letters.iter() {
                        let distinct = self.is_distinct(rest);
                        transitions.push((Run { distinct, ..Run::ONE }, value, found.number_of(rest)));
                    }
                    transitions
                }
            };
            self.keep_state(transitions.len())?;
            let accepting = self.expressions.may_end(condition);
            states.push(State { accepting, transitions, otherwise: None });
        }
        Ok(Automaton::new(states))
    }

    /// Whether the items before a condition and those after it differ from each other. Where this depends on what follows, they cannot be remembered.
    fn is_distinct(&mut self, condition: ExprId) -> bool {
        let part = self.distinct_in(condition);
        if part == Part::Some {
            self.forget_items(condition);
        }
        part == Part::All
    }

    /// In which alternatives of a condition items differ.
    fn distinct_in(&self, condition: ExprId) -> Part {
        match &**self.expressions.get(condition) {
            Expr::Distinct(_) => Part::All,
            Expr::And(parts) => parts.iter().map(|&part| self.distinct_in(part)).max().unwrap_or(Part::None),
            Expr::Or(parts) => {
                let mut parts = parts.iter().map(|&part| self.distinct_in(part));
                let first = parts.next().unwrap_or(Part::None);
                if parts.all(|part| part == first) { first } else { Part::Some }
            }
            Expr::ExactlyOne(parts) if parts.iter().any(|&part| self.distinct_in(part) != Part::None) => {
                Part::Some
            }
            Expr::Not(inner) if self.distinct_in(*inner) != Part::None => Part::Some,
            _ => Part::None,
        }
    }

    /// The run of equal items that all arrays consist of from here on, if it is long. The styles that write items as tags have none.
    fn run_of_items(&mut self, condition: ExprId) -> Result<Option<(Run, NodeId)>> {
        let Some((run, rest)) = self.count_and_rest(condition) else { return Ok(None) };
        let is_long = run.counted() >= LONG && !self.loader.options.style.has_tags_inside();
        if !is_long || !self.expressions.may_end(rest) {
            return Ok(None);
        }
        let after = self.after_item(rest)?;
        Ok(match self.split(after)?[..] {
            [(value, same)] if same == rest => Some((Run { distinct: self.is_distinct(rest), ..run }, value)),
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
        let mut run: Option<Run> = None;
        for count in counts {
            let Expr::Count { seen, min, max } = **self.expressions.get(count) else { return None };
            let known = run.unwrap_or(Run { least: 1, most: None, distinct: false });
            let most = max.map(|max| max - seen).into_iter().chain(known.most).min();
            run = Some(Run { least: min.saturating_sub(seen).max(known.least), most, ..known });
        }
        Some((run?, self.expressions.and(rest)))
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
        let most_states = self.most_states(start, alphabets.named().len())?;
        let (mut states, mut count, mut passed) = (Vec::new(), 0, 0);
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
            self.keep_state(transitions.len())?;
            count += transitions.len();
            if count > most {
                return Ok(None);
            }
            let otherwise = otherwise.map(|rest| found.number_of(rest));
            passed += usize::from(transitions.is_empty());
            if found.list.len() - passed > most_states {
                let over = AlgebraError::Limit { resource: "states of one object", limit: most_states };
                return if most == usize::MAX { Err(over) } else { Ok(None) };
            }
            let accepting = self.expressions.may_end(condition);
            states.push(State { accepting, transitions, otherwise });
        }
        let automaton = Automaton::new(states);
        let fits = most == usize::MAX || automaton.shared_size() <= most;
        Ok(fits.then_some(automaton))
    }

    /// Spends the bytes of a state with so many transitions.
    pub(super) fn keep_state(&self, transitions: usize) -> Result<()> {
        self.keep(BYTES_PER_STATE + BYTES_PER_TRANSITION * transitions)
    }

    /// How many states the automaton of a condition with so many named keys may have, without those that only pass a key which cannot come: many more than
    /// the condition has parts.
    fn most_states(&self, start: ExprId, keys: usize) -> Result<usize> {
        let (mut open, mut seen, mut size) = (vec![start], FxHashSet::from_iter([start]), keys);
        while let Some(id) = open.pop() {
            let parts = match &**self.expressions.get(id) {
                Expr::Not(inner) | Expr::Ordered { inner, .. } => std::slice::from_ref(inner),
                Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => parts,
                &Expr::Count { min, max, .. } => {
                    size = size.saturating_add(max.unwrap_or(0).max(min) as usize);
                    &[]
                }
                _ => &[],
            };
            size = size.saturating_add(parts.len());
            open.extend(parts.iter().filter(|&&part| seen.insert(part)));
        }
        self.step(seen.len())?;
        let part = if self.loader.hindsight.leaves_out { PART } else { 1 };
        let least = self.loader.budget.limits().work / part / WORK_PER_STATE;
        Ok(STATES_PER_PART.saturating_mul(size).saturating_add(usize::try_from(least).unwrap_or(usize::MAX)))
    }
}
