//! Objects whose keys the runtime remembers, where states would multiply.
//!
//! Whether a condition on the keys of an object holds depends on the set of keys that have been read, and there are 2ⁿ sets of n keys. So if the automaton has too many
//! states, the conditions are taken out of it, and the runtime remembers the keys ([`Record`]). This is possible where the conditions are Horn clauses:
//! required keys, keys that others require, and keys that must not all be there. From these it follows at each place which keys may still come. What remains says
//! for each key which values it may have, so it has one state.

use super::choices::Alternative;
use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::terms::{Letter, NodeId};
use crate::automaton::{Automaton, Keys, State};
use crate::options::PropertyOrder;
use crate::record::{Clause, Record};
use crate::schema::KeyId;
use crate::style::Style;
use gcc_grammar_ir::KeyRecord;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The most transitions of an automaton of keys: artifacts of more are megabytes. 11 keys in any order have 11 · 2¹⁰.
const MOST_TRANSITIONS: usize = 12 << 10;

/// The most transitions of all automata of keys together, where all keys come in any order: artifacts of more are megabytes, too. The first automaton counts alone.
const MOST_TOGETHER: usize = 4 << 10;

/// The objects of a node: one automaton that reads all of them, or several of which one does.
pub(crate) struct Objects {
    pub(crate) automata: Vec<Automaton<Keys, NodeId>>,
    /// If there is one automaton, the conditions on the keys that are not in it.
    pub(crate) record: Option<Record>,
}

impl From<Vec<Automaton<Keys, NodeId>>> for Objects {
    fn from(automata: Vec<Automaton<Keys, NodeId>>) -> Self {
        Self { automata, record: None }
    }
}

/// The most parts of a condition in conjunctive normal form.
const MOST_DISJUNCTIONS: usize = 1 << 12;

/// One of some keys is absent, or one of others is there.
#[derive(Clone, Default)]
struct Disjunction {
    absent: BTreeSet<KeyId>,
    present: BTreeSet<KeyId>,
}

impl Disjunction {
    /// This or another one holds; `None` if that is so anyway.
    fn or(&self, other: &Self) -> Option<Self> {
        let absent = &self.absent | &other.absent;
        let present = &self.present | &other.present;
        absent.is_disjoint(&present).then_some(Self { absent, present })
    }
}

/// A condition on objects as conditions on the set of keys, and one on each member.
pub(super) struct Split {
    record: Record,
    members: ExprId,
}

impl Algebra<'_, '_> {
    /// The conditions of the only alternative of the objects of a node; `None` if the runtime cannot remember what they need, or if an automaton is small.
    pub(super) fn split_keys(&mut self, alternatives: &[Vec<Alternative>]) -> Result<Option<Split>> {
        let mut all = alternatives.iter().flatten();
        let (Some(only), None) = (all.next(), all.next()) else { return Ok(None) };
        if !matches!(self.loader.options.style, Style::Json | Style::Marked(_)) {
            return Ok(None);
        }
        let is_ordered = !self.in_any_order(only.order.len());
        let parts = self.parts(only.condition);
        let is_plain = |&part: &ExprId| {
            matches!(**self.expressions.get(part), Expr::Members(_) | Expr::Names(_) | Expr::Required(_))
        };
        if is_ordered && parts.iter().all(is_plain) {
            return Ok(None);
        }
        let (mut members, mut clauses) = (Vec::new(), Vec::new());
        for part in parts {
            if let Expr::Members(_) | Expr::Names(_) = **self.expressions.get(part) {
                members.push(part);
            } else if !self.add_horn_clauses(part, &mut clauses)? {
                return Ok(None);
            }
        }
        let multiply = |clause: &Clause| !clause.keys.is_empty();
        if is_ordered && !clauses.iter().any(multiply) {
            return Ok(None);
        }
        clauses.sort_unstable();
        clauses.dedup();
        let keys = self.recorded_keys(only, &clauses)?;
        let record = Record { keys, is_ordered, clauses };
        let fits = !record.keys.is_empty() && record.keys.len() <= KeyRecord::MOST_KEYS as usize;
        if !fits || !self.has_many_states(&record)? {
            return Ok(None);
        }
        let members = self.expressions.and(members);
        Ok(Some(Split { record, members }))
    }

    /// Whether an automaton in place of a record would have too many transitions. They are counted; those of others before it count as well where keys come in any order.
    fn has_many_states(&mut self, record: &Record) -> Result<bool> {
        let options = self.loader.options;
        let count_together =
            options.property_order == PropertyOrder::Any && options.any_order_up_to.is_none();
        let mut most = options.limits.max_key_transitions.unwrap_or(MOST_TRANSITIONS);
        if count_together && self.key_transitions > 0 {
            most = most.min(MOST_TOGETHER.saturating_sub(self.key_transitions));
        }
        let mut count = 0;
        for transitions in record.states() {
            self.step(record.clauses.len())?;
            count += transitions;
            if count > most {
                return Ok(true);
            }
        }
        self.key_transitions += count;
        Ok(false)
    }

    /// The parts of a conjunction.
    fn parts(&self, condition: ExprId) -> Vec<ExprId> {
        match &**self.expressions.get(condition) {
            Expr::And(parts) => parts.to_vec(),
            Expr::True => Vec::new(),
            _ => vec![condition],
        }
    }

    /// The keys in their order, then those that only conditions name.
    fn recorded_keys(&self, alternative: &Alternative, clauses: &[Clause]) -> Result<Vec<KeyId>> {
        let alphabets = self.alphabet(alternative.condition);
        let named = alphabets.named().iter().copied();
        let in_clauses = clauses.iter().flat_map(|clause| clause.keys.iter().copied().chain(clause.then));
        let mut keys = alternative.order.clone();
        let mut known: FxHashSet<KeyId> = keys.iter().copied().collect();
        let mut others: Vec<KeyId> = named.chain(in_clauses).filter(|&key| known.insert(key)).collect();
        self.step(keys.len() + others.len())?;
        others.sort_unstable();
        keys.extend(others);
        Ok(keys)
    }

    /// Adds a condition as Horn clauses. False if it is none.
    fn add_horn_clauses(&self, condition: ExprId, clauses: &mut Vec<Clause>) -> Result<bool> {
        let Some(all) = self.disjunctions(condition, true)? else { return Ok(false) };
        for Disjunction { absent, present } in all {
            if present.len() > 1 {
                return Ok(false);
            }
            clauses.push(Clause { keys: absent.into_iter().collect(), then: present.into_iter().next() });
        }
        Ok(true)
    }

    /// A condition, or its complement, in conjunctive normal form; `None` if it is about more than keys, or has too many parts.
    fn disjunctions(&self, condition: ExprId, holds: bool) -> Result<Option<Vec<Disjunction>>> {
        let ex = self.expressions.get(condition).clone();
        self.step(ex.part_count())?;
        Ok(match (&*ex, holds) {
            (Expr::Required(keys), true) => {
                let keys = self.key_sets.keys(*keys);
                self.step(keys.len())?;
                let of = |key| Disjunction { present: BTreeSet::from([key]), ..Disjunction::default() };
                Some(keys.into_iter().map(of).collect())
            }
            (Expr::Required(keys), false) => {
                let absent = self.key_sets.keys(*keys).into_iter().collect();
                Some(vec![Disjunction { absent, ..Disjunction::default() }])
            }
            (Expr::Not(inner), _) => self.disjunctions(*inner, !holds)?,
            (Expr::And(parts), true) | (Expr::Or(parts), false) => {
                let mut all = Vec::new();
                for &part in parts {
                    let Some(of_part) = self.disjunctions(part, holds)? else { return Ok(None) };
                    all.extend(of_part);
                }
                Some(all)
            }
            (Expr::Or(parts), true) | (Expr::And(parts), false) => {
                let mut all = vec![Disjunction::default()];
                for &part in parts {
                    let Some(of_part) = self.disjunctions(part, holds)? else { return Ok(None) };
                    if all.len() * of_part.len() > MOST_DISJUNCTIONS {
                        return Ok(None);
                    }
                    self.step(all.len() * of_part.len())?;
                    let either = all.iter().flat_map(|a| of_part.iter().filter_map(|b| a.or(b)));
                    all = either.collect();
                }
                Some(all)
            }
            _ => None,
        })
    }

    /// The objects with a record; `None` if the values of a member depend on other members.
    pub(super) fn remembered(&mut self, split: Split) -> Result<Option<Objects>> {
        let Split { record, members } = split;
        let mut alphabets = self.alphabet(members);
        let alphabet = alphabets.all_mut();
        alphabet.add_keys(record.keys.iter().copied());
        let mut letters: Vec<Letter> = record.keys.iter().map(|&key| Letter::Named(key)).collect();
        letters.extend(self.classes(alphabet)?.into_iter().map(Letter::Class));
        let mut transitions = Vec::with_capacity(letters.len());
        for letter in letters {
            let after = self.after_member(members, letter, None)?;
            for &(value, rest) in self.split(after)?.iter() {
                if rest != members {
                    return Ok(None);
                }
                let keys = match letter {
                    Letter::Named(key) => Keys::Named(key),
                    Letter::Class(language) => Keys::Class(language),
                };
                transitions.push((keys, value, 0));
            }
        }
        let state = State { accepting: true, transitions, otherwise: None };
        Ok(Some(Objects { automata: vec![Automaton::new(vec![state])], record: Some(record) }))
    }
}
