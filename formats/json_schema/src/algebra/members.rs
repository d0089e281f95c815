//! The derivative of an expression by a member: from the condition on all members to the condition on the
//! members that follow (Brzozowski 1964).
//!
//! The derivative contains guards, which are conditions on the value of the member. `split` removes them.

use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::key_sets::KeySetId;
use super::terms::{Letter, OrderId};
use crate::schema::{KeyId, MembersId, SchemaId};

/// The order around an expression, and the places in it before and after the key that is being read.
#[derive(Clone, Copy)]
pub(super) struct Passing {
    order: OrderId,
    from: u32,
    to: u32,
}

/// Nothing for an expression that is in no order.
type Passed = Option<Passing>;

impl Algebra<'_, '_> {
    /// The derivative of an expression by a member with this key.
    pub(super) fn after_member(&mut self, id: ExprId, letter: Letter, passed: Passed) -> Result<ExprId> {
        let ex = self.expressions.get(id).clone();
        self.step(ex.part_count())?;
        Ok(match &*ex {
            Expr::False | Expr::True => id,
            Expr::And(parts) => {
                let mut after = Vec::with_capacity(parts.len());
                for &part in parts {
                    match self.after_member(part, letter, passed)? {
                        ExprId::FALSE => return Ok(ExprId::FALSE),
                        part => after.push(part),
                    }
                }
                self.expressions.and(after)
            }
            Expr::Members(members) => self.members_after(id, *members, letter, passed)?,
            Expr::Required(keys) => self.required_after(*keys, letter, passed)?,
            Expr::Names(names) => {
                let allowed = self.letter_overlaps(letter, *names)?;
                if allowed { id } else { ExprId::FALSE }
            }
            Expr::Count { seen, min, max } => self.count(seen + 1, *min, *max),
            Expr::Ordered { order, at, inner } => {
                let next = self.next_place(*order, *at, letter);
                let Some(next) = next else { return Ok(ExprId::FALSE) };
                let passed = Passing { order: *order, from: *at, to: next };
                let inner = self.after_member(*inner, letter, Some(passed))?;
                self.keep_order(*order, next, inner)
            }
            Expr::AtMostOnce { order, used } => self.use_once(id, *order, used, letter),
            // Conditions on arrays are met by no object.
            whole => self
                .map_parts(whole, |algebra, part| algebra.after_member(part, letter, passed))?
                .unwrap_or(ExprId::FALSE),
        })
    }

    /// The derivative of a members constraint, with the guards of the member.
    fn members_after(
        &mut self,
        id: ExprId,
        members: MembersId,
        letter: Letter,
        passed: Passed,
    ) -> Result<ExprId> {
        let guards = self.guards(members, letter)?;
        let mut parts: Vec<_> = guards.iter().map(|&schema| self.expressions.guard(schema)).collect();
        parts.push(self.rest_of_members(id, members, passed));
        Ok(self.expressions.and(parts))
    }

    /// The derivative of a set of required keys. It is false if the order has passed one of the others.
    fn required_after(&mut self, keys: KeySetId, letter: Letter, passed: Passed) -> Result<ExprId> {
        let rest = match letter {
            Letter::Named(key) => self.key_sets.without(keys, key),
            Letter::Class(_) => keys,
        };
        let is_missed = match passed {
            Some(passed) => self.passes_one_of(passed, rest)?,
            None => false,
        };
        Ok(if is_missed { ExprId::FALSE } else { self.required_set(rest) })
    }

    /// Whether the order passes a key of a set. Keys before the place have been passed already, and none of them is
    /// in the set.
    fn passes_one_of(&self, passed: Passing, keys: KeySetId) -> Result<bool> {
        let Passing { order, from, to } = passed;
        let places = (to - from) as usize;
        if places <= self.key_sets.size(keys) {
            self.step(places)?;
            let passed = &self.orders.get(order.0)[from as usize..to as usize];
            return Ok(passed.iter().any(|&key| self.key_sets.contains(keys, key)));
        }
        self.step(self.key_sets.size(keys))?;
        let is_passed = |key: KeyId| self.ranks.get(&(order, key)).is_some_and(|&rank| rank < to);
        Ok(self.key_sets.keys(keys).into_iter().any(is_passed))
    }

    /// The inner expression with its order. Guards stay inside, where splitting finds them.
    pub(super) fn keep_order(&mut self, order: OrderId, at: u32, inner: ExprId) -> ExprId {
        if inner == ExprId::FALSE { inner } else { self.expressions.leaf(Expr::Ordered { order, at, inner }) }
    }

    /// The place in the order after a key; `None` if the key must not follow any more.
    fn next_place(&self, order: OrderId, at: u32, letter: Letter) -> Option<u32> {
        let rank = match letter {
            Letter::Named(key) => self.ranks.get(&(order, key)).copied(),
            Letter::Class(_) => None,
        };
        match rank {
            Some(rank) if rank < at => None,
            Some(rank) => Some(rank + 1),
            None => Some(self.orders.get(order.0).len() as u32),
        }
    }

    /// The derivative of the condition that each key of an order follows at most once.
    fn use_once(&mut self, id: ExprId, order: OrderId, used: &[KeyId], letter: Letter) -> ExprId {
        let Letter::Named(key) = letter else { return id };
        if !self.ranks.contains_key(&(order, key)) {
            return id;
        }
        match used.binary_search(&key) {
            Ok(_) => ExprId::FALSE,
            Err(place) => {
                let mut used = used.to_vec();
                used.insert(place, key);
                self.expressions.leaf(Expr::AtMostOnce { order, used: used.into() })
            }
        }
    }

    /// A members constraint for the members that follow. If the order has passed all keys that it names, this
    /// is true, or that no members follow. So alternatives become equal once their differences have been
    /// read.
    fn rest_of_members(&mut self, id: ExprId, members: MembersId, passed: Passed) -> ExprId {
        let Some(Passing { order, to, .. }) = passed else { return id };
        if self.last_rank(members, order) >= to {
            return id;
        }
        let content = self.loader.schemas.members(members);
        match content.rest {
            SchemaId::TRUE if content.patterns.is_empty() => ExprId::TRUE,
            SchemaId::FALSE if content.patterns.is_empty() => self.count(0, 0, Some(0)),
            _ => id,
        }
    }

    /// The place in the order of the last key that a members constraint names; beyond all places if some key
    /// has none.
    fn last_rank(&mut self, members: MembersId, order: OrderId) -> u32 {
        if let Some(&known) = self.last_ranks.get(&(members, order)) {
            return known;
        }
        let properties = &self.loader.schemas.members(members).properties;
        let rank = |key: KeyId| self.ranks.get(&(order, key)).copied().unwrap_or(u32::MAX);
        let last = properties.iter().map(|&(key, _)| rank(key)).max().unwrap_or(0);
        self.last_ranks.insert((members, order), last);
        last
    }
}
