//! Unions of objects: whether one automaton reads all alternatives of `anyOf` or `oneOf`, or each alternative is *apart*.
//!
//! One automaton has one order of keys for all alternatives and follows all of them at once, so nothing forks at run time. But open objects
//! allow the keys of each other: n alternatives of k keys are at a place each, and that makes up to (k+1)ⁿ states. Alternatives that are
//! apart have an order of keys each. They are still one automaton if the keys and values that come first tell them apart, and else one
//! automaton each. These begin with the same terminal, so the parser forks, and it reads each alternative with the terminals of that
//! alternative only: the sizes add up.
//!
//! Counts decide. While the automaton for all is made, its transitions are counted. It is given up as soon as there are more than a small
//! multiple of what the alternatives have one by one, which their declared keys tell.

use super::choices::Alternative;
use super::context::Algebra;
use super::error::{AlgebraError, Result};
use super::expression::ExprId;
use super::order::Declared;
use super::record::Objects;
use super::terms::{NodeId, OtherKeys};
use super::unions::Unions;
use crate::automaton::{Automaton, Keys};
use crate::schema::{Clause, SchemaId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// If there are more alternatives, they are not apart.
const MAX_APART: usize = 512;

/// The most transitions of alternatives that are apart and have their keys in any order: half as many take 800 MB.
const MAX_IN_ANY_ORDER: usize = 40_000;

/// An alternative of a `oneOf` that is apart excludes at most so many others: with those, it is followed as in one automaton.
const MAX_EXCLUDED: usize = 2;

impl Algebra<'_, '_> {
    /// Whether a clause has alternatives that could be apart: several of them declare keys.
    pub(super) fn is_union(clause: &Clause, declared: &[Rc<Declared>]) -> bool {
        let with_keys = declared.iter().filter(|declared| !declared.keys.is_empty());
        matches!(clause, Clause::AnyOf(_) | Clause::OneOf(_)) && with_keys.count() > 1
    }

    /// Whether the alternatives of a union are apart, if this makes so many choices. Otherwise they are noted.
    pub(super) fn is_apart(
        &mut self,
        clause: &Clause,
        (branches, declared): (&[SchemaId], &[Rc<Declared>]),
        choices: usize,
    ) -> Result<bool> {
        let fits = self.unions.apart && choices <= MAX_APART;
        if fits && (matches!(clause, Clause::AnyOf(_)) || self.are_nearly_disjoint(branches)?) {
            return Ok(true);
        }
        let has_open = branches.iter().any(|&branch| !self.is_closed_schema(branch));
        self.unions.add(declared, has_open);
        Ok(false)
    }

    fn are_nearly_disjoint(&mut self, schemas: &[SchemaId]) -> Result<bool> {
        Ok(self.overlaps(schemas)?.iter().all(|others| others.len() <= MAX_EXCLUDED))
    }

    /// The automata of the objects of a node. An object is allowed if one of them reads it.
    pub(crate) fn object_automata(&mut self, node: NodeId) -> Result<Objects> {
        self.unions = Unions::default();
        let others = self.other_keys(node);
        let alternatives = self.alternatives(node, others)?;
        let whole = self.united(&alternatives);
        if whole == ExprId::FALSE {
            return Ok(Vec::new().into());
        }
        let length = alternatives.iter().flatten().map(|alternative| alternative.order.len()).max();
        let most = self.unions.most_transitions(length.unwrap_or(0));
        if most == usize::MAX {
            return self.in_states_or_remembered(whole, &alternatives);
        }
        let mut alphabet = self.alphabet(whole);
        if let Some(automaton) = self.object_automaton(whole, &mut alphabet, most)? {
            return Ok(vec![automaton].into());
        }
        // In any order, each alternative alone has a state for each set of keys.
        if self.in_any_order(length.unwrap_or(0))
            && let Some(objects) = self.remembered_keys(&alternatives)?
        {
            return Ok(objects);
        }
        Ok(self.apart(node, others, whole, most)?.into())
    }

    /// The automaton of the only alternative, or, if that would have too many states, one without the conditions on keys that the runtime can remember.
    fn in_states_or_remembered(
        &mut self,
        whole: ExprId,
        alternatives: &[Vec<Alternative>],
    ) -> Result<Objects> {
        match self.remembered_keys(alternatives)? {
            Some(objects) => Ok(objects),
            None => Ok(self.whole_automaton(whole)?.into()),
        }
    }

    /// The automata of the objects of a node with the alternatives apart: one for all if this has no more than `most` transitions, else one
    /// for each.
    fn apart(
        &mut self,
        node: NodeId,
        others: OtherKeys,
        whole: ExprId,
        most: usize,
    ) -> Result<Vec<Automaton<Keys, NodeId>>> {
        self.apart.insert(node);
        self.unions = Unions::apart();
        let alternatives = self.alternatives(node, others)?;
        let any = self.united(&alternatives);
        let keys: Vec<usize> =
            alternatives.iter().flatten().map(|alternative| alternative.order.len()).collect();
        let each = self.each_ordered(alternatives);
        if each.len() < 2 {
            return self.whole_automaton(whole);
        }
        self.check_any_order(&keys)?;
        let mut alphabets = self.alphabets(&each);
        if let Some(automaton) = self.object_automaton(any, &mut alphabets, most)? {
            return Ok(vec![automaton]);
        }
        let mut automata = Vec::with_capacity(each.len());
        for alternative in each {
            automata.extend(self.whole_automaton(alternative)?);
        }
        // What is asserted beside a union may hold alternatives together.
        let size = automata.iter().map(Automaton::shared_size).sum();
        let mut alphabet = self.alphabet(whole);
        let together = if size > most { self.object_automaton(whole, &mut alphabet, size)? } else { None };
        Ok(together.map_or(automata, |together| vec![together]))
    }

    /// Counts the transitions of alternatives with so many keys each, where keys come in any order: there is a state for each set of them.
    fn check_any_order(&self, keys: &[usize]) -> Result<()> {
        let transitions = |&keys: &usize| match self.in_any_order(keys) {
            true => {
                keys.saturating_mul(1_usize.checked_shl(keys.saturating_sub(1) as u32).unwrap_or(usize::MAX))
            }
            false => 0,
        };
        let all = keys.iter().map(transitions).fold(0, usize::saturating_add);
        match all > MAX_IN_ANY_ORDER {
            true => Err(AlgebraError::AnyOrder { limit: MAX_IN_ANY_ORDER }),
            false => Ok(()),
        }
    }

    /// Whether some object is allowed, as far as the conditions tell.
    pub(super) fn has_objects(&mut self, node: NodeId) -> Result<bool> {
        let others = self.other_keys(node);
        Ok(self.conditions(node, others)?.iter().any(|&condition| condition != ExprId::FALSE))
    }

    /// The automata of the alternatives of the objects of a node, one for each, together and apart; `None` if there are more than `most`.
    pub(crate) fn automata_of_alternatives(
        &mut self,
        node: NodeId,
        most: usize,
    ) -> Result<Option<Vec<Automaton<Keys, NodeId>>>> {
        let others = self.other_keys(node);
        self.unions = Unions::default();
        let mut alternatives = self.alternatives(node, others)?;
        if self.apart.contains(&node) {
            self.unions = Unions::apart();
            alternatives.extend(self.alternatives(node, others)?);
        }
        let each = self.each_ordered(alternatives);
        if each.len() > most {
            return Ok(None);
        }
        let mut automata = Vec::with_capacity(each.len());
        for alternative in each {
            automata.extend(self.whole_automaton(alternative)?);
        }
        Ok(Some(automata))
    }

    /// The conditions of which the objects of a node satisfy one: those of the alternatives, if these are apart.
    pub(super) fn conditions(&mut self, node: NodeId, others: OtherKeys) -> Result<Vec<ExprId>> {
        let is_apart = self.apart.contains(&node);
        self.unions = if is_apart { Unions::apart() } else { Unions::default() };
        let alternatives = self.alternatives(node, others)?;
        Ok(if is_apart { self.each_ordered(alternatives) } else { vec![self.united(&alternatives)] })
    }

    /// The conditions of alternatives, each with its order, without repetitions.
    fn each_ordered(&mut self, alternatives: Vec<Vec<Alternative>>) -> Vec<ExprId> {
        let mut each: Vec<ExprId> = Vec::new();
        let mut known = FxHashSet::from_iter([ExprId::FALSE]);
        for Alternative { order, condition } in alternatives.into_iter().flatten() {
            let ordered = self.ordered(order, condition);
            if known.insert(ordered) {
                each.push(ordered);
            }
        }
        each
    }

    /// The automaton of a condition, however many transitions it has.
    fn whole_automaton(&mut self, condition: ExprId) -> Result<Vec<Automaton<Keys, NodeId>>> {
        let mut alphabet = self.alphabet(condition);
        Ok(self.object_automaton(condition, &mut alphabet, usize::MAX)?.into_iter().collect())
    }
}
