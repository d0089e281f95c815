//! Unions of objects: whether their alternatives are read by one automaton or apart.
//!
//! One automaton follows all alternatives of `anyOf` or `oneOf` at once, with one order of keys for all of them. So nothing forks at run
//! time. But of open objects, each alternative is at a place of its own: n alternatives of k keys have up to (k+1)ⁿ states. Therefore the
//! transitions of that automaton are counted while it is made. If there are more than a small multiple of what the alternatives have one
//! by one, these are *apart*, each with its own order of keys. Then they are one automaton where the first keys tell them apart, by the same
//! count, and else an automaton each, between which the parser forks.

use super::choices::Alternative;
use super::context::Algebra;
use super::error::Result;
use super::expression::ExprId;
use super::order::Declared;
use super::terms::NodeId;
use crate::automaton::{Automaton, Keys};
use crate::schema::{Clause, KeyId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// One automaton may have so many transitions for each key of each alternative.
const PER_KEY: usize = 3;

/// One automaton may have so many transitions besides.
const LEAST: usize = 256;

/// If there are more alternatives, they are not apart.
pub(super) const MAX_APART: usize = 512;

/// The unions in the objects of a node.
#[derive(Default)]
pub(super) struct Unions {
    /// Whether alternatives are apart.
    pub(super) apart: bool,
    /// The alternatives that are not apart.
    alternatives: usize,
    /// The keys of all alternatives, a key once for each of them.
    keys: usize,
    /// The keys of all alternatives, each once.
    different_keys: FxHashSet<KeyId>,
}

impl Unions {
    /// Whether the alternatives of a clause may have to be apart: several of them declare keys.
    pub(super) fn concerns(clause: &Clause, declared: &[Rc<Declared>]) -> bool {
        let with_keys = declared.iter().filter(|declared| !declared.keys.is_empty());
        matches!(clause, Clause::AnyOf(_) | Clause::OneOf(_)) && with_keys.count() > 1
    }

    /// Notes the alternatives of a clause that are not apart.
    pub(super) fn add(&mut self, declared: &[Rc<Declared>]) {
        self.alternatives += declared.len();
        self.keys += declared.iter().map(|declared| declared.keys.len() + 1).sum::<usize>();
        self.different_keys.extend(declared.iter().flat_map(|declared| &declared.keys));
    }

    /// The transitions that one automaton may have; `None` if there are no alternatives that could be apart. `declared` is the number of keys in the order.
    fn most_transitions(&self, declared: usize) -> Option<usize> {
        let around = declared.saturating_sub(self.different_keys.len());
        (self.alternatives > 0).then(|| LEAST + PER_KEY * (self.keys + self.alternatives * around))
    }
}

impl Algebra<'_, '_> {
    /// The automata of the objects of a node. An object is allowed if one of them reads it.
    pub(crate) fn object_automata(&mut self, node: NodeId) -> Result<Vec<Automaton<Keys, NodeId>>> {
        self.unions = Unions::default();
        let alternatives = self.alternatives(node)?;
        let whole = self.united(&alternatives);
        if whole == ExprId::FALSE {
            return Ok(Vec::new());
        }
        let declared = alternatives.iter().flatten().map(|alternative| alternative.order.len()).max();
        let most = self.unions.most_transitions(declared.unwrap_or(0)).unwrap_or(usize::MAX);
        let mut alphabet = self.alphabet(whole);
        match self.object_automaton(whole, &mut alphabet, most)? {
            Some(automaton) => Ok(vec![automaton]),
            None => self.apart(node, whole, most),
        }
    }

    /// The automata of the objects of a node whose alternatives have too many states together: one for all if this has no more than `most`
    /// transitions, else one for each.
    fn apart(&mut self, node: NodeId, whole: ExprId, most: usize) -> Result<Vec<Automaton<Keys, NodeId>>> {
        self.unions = Unions { apart: true, ..Unions::default() };
        let alternatives = self.alternatives(node)?;
        let any = self.united(&alternatives);
        let each = self.each_ordered(alternatives);
        if each.len() < 2 {
            return self.whole_automaton(whole);
        }
        let mut alphabets = self.alphabets(&each);
        if let Some(automaton) = self.object_automaton(any, &mut alphabets, most)? {
            return Ok(vec![automaton]);
        }
        let mut automata = Vec::with_capacity(each.len());
        for alternative in each {
            automata.extend(self.whole_automaton(alternative)?);
        }
        Ok(automata)
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
