//! Reading one item or member: from the condition on the whole to the condition on the rest.

use super::super::languages::LanguageId;
use super::super::schema::{KeyId, MembersId, SchemaId};
use super::expression::{Ex, ExId};
use super::{Algebra, OrderId, Result};
use std::rc::Rc;

/// What is known about a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in super::super) enum Letter {
    /// It is this one.
    Key(KeyId),
    /// It is any one of this language, which no pattern around divides.
    Other(LanguageId),
}

/// The order that holds around an expression, and the place in it after the key that is being read.
type Passed = Option<(OrderId, u32)>;

impl Algebra<'_, '_> {
    /// The condition on the members after one with this key. It has guards for the conditions on its value.
    pub(super) fn after_member(&mut self, id: ExId, letter: Letter, passed: Passed) -> Result<ExId> {
        self.step()?;
        let ex = self.expressions.get(id).clone();
        Ok(match &*ex {
            Ex::False | Ex::True => id,
            Ex::Not(inner) => {
                let inner = self.after_member(*inner, letter, passed)?;
                self.expressions.not(inner)
            }
            Ex::And(parts) => {
                let mut after = Vec::with_capacity(parts.len());
                for &part in parts {
                    match self.after_member(part, letter, passed)? {
                        ExId::FALSE => return Ok(ExId::FALSE),
                        part => after.push(part),
                    }
                }
                self.expressions.and(after)
            }
            Ex::Or(parts) => {
                let after = self.after_member_each(parts, letter, passed)?;
                self.expressions.or(after)
            }
            Ex::One(parts) => {
                let after = self.after_member_each(parts, letter, passed)?;
                self.expressions.one(after)
            }
            Ex::Members(members) => {
                let guards = self.guards(*members, letter)?;
                let mut parts: Vec<_> = guards.iter().map(|&schema| self.expressions.guard(schema)).collect();
                parts.push(self.rest_of_members(id, *members, passed));
                self.expressions.and(parts)
            }
            Ex::Missing(keys) => {
                let rest = keys.iter().copied().filter(|&key| letter != Letter::Key(key));
                let rest: Vec<_> = rest.collect();
                let gone = |key: &KeyId| {
                    passed.is_some_and(|(order, at)| {
                        self.ranks.get(&(order, *key)).is_some_and(|&rank| rank < at)
                    })
                };
                if rest.iter().any(gone) { ExId::FALSE } else { self.missing(rest) }
            }
            Ex::Names(names) => {
                let allowed = match letter {
                    Letter::Key(key) => self.key_in(key, *names)?,
                    Letter::Other(keys) => self.loader.languages.overlap(keys, *names)?,
                };
                if allowed { id } else { ExId::FALSE }
            }
            Ex::Count { seen, min, max } => self.count(seen + 1, *min, *max),
            Ex::Ordered { order, at, inner } => {
                let next = self.next_place(*order, *at, letter);
                let Some(next) = next else { return Ok(ExId::FALSE) };
                let inner = self.after_member(*inner, letter, Some((*order, next)))?;
                self.keep_order(*order, next, inner)
            }
            Ex::Once { order, used } => self.use_once(id, *order, used, letter),
            Ex::Guard(_) | Ex::Items { .. } | Ex::Contains { .. } | Ex::Unique { .. } => ExId::FALSE,
        })
    }

    fn after_member_each(&mut self, parts: &[ExId], letter: Letter, passed: Passed) -> Result<Vec<ExId>> {
        parts.iter().map(|&part| self.after_member(part, letter, passed)).collect()
    }

    /// The order holds for everything that the inner expression still says; guards stay inside, where splitting
    /// finds them.
    fn keep_order(&mut self, order: OrderId, at: u32, inner: ExId) -> ExId {
        if inner == ExId::FALSE { inner } else { self.expressions.leaf(Ex::Ordered { order, at, inner }) }
    }

    /// Where the order stands after a key; `None` if the key may not come any more.
    fn next_place(&self, order: OrderId, at: u32, letter: Letter) -> Option<u32> {
        let rank = match letter {
            Letter::Key(key) => self.ranks.get(&(order, key)).copied(),
            Letter::Other(_) => None,
        };
        match rank {
            Some(rank) if rank < at => None,
            Some(rank) => Some(rank + 1),
            None => Some(self.orders.get(order.0).len() as u32),
        }
    }

    fn use_once(&mut self, id: ExId, order: OrderId, used: &[KeyId], letter: Letter) -> ExId {
        let Letter::Key(key) = letter else { return id };
        if !self.ranks.contains_key(&(order, key)) {
            return id;
        }
        match used.binary_search(&key) {
            Ok(_) => ExId::FALSE,
            Err(place) => {
                let mut used = used.to_vec();
                used.insert(place, key);
                self.expressions.leaf(Ex::Once { order, used: used.into() })
            }
        }
    }

    fn key_in(&mut self, key: KeyId, language: LanguageId) -> Result<bool> {
        Ok(self.loader.languages.contains(language, self.loader.schemas.key(key))?)
    }

    /// What a members constraint still says once all keys that it names have been passed: nothing, or that no
    /// further members come. That makes alternatives equal whose differences are over.
    fn rest_of_members(&mut self, id: ExId, members: MembersId, passed: Passed) -> ExId {
        let Some((order, at)) = passed else { return id };
        if self.last_rank(members, order) >= at {
            return id;
        }
        let content = self.loader.schemas.members(members);
        match content.rest {
            SchemaId::TRUE if content.patterns.is_empty() => ExId::TRUE,
            SchemaId::FALSE if content.patterns.is_empty() => self.count(0, 0, Some(0)),
            _ => id,
        }
    }

    /// The place in the order of the last key that a members constraint names; beyond all places if one has none.
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

    /// The schemas that govern the value of a key.
    pub(super) fn guards(&mut self, members: MembersId, letter: Letter) -> Result<Rc<[SchemaId]>> {
        if let Some(known) = self.guards.get(&(members, letter)) {
            return Ok(known.clone());
        }
        let mut schemas = self.governing(members, letter)?;
        for schema in &mut schemas {
            *schema = self.loader.resolved(*schema);
        }
        let schemas: Rc<[SchemaId]> = schemas.into();
        self.guards.insert((members, letter), schemas.clone());
        Ok(schemas)
    }

    fn governing(&mut self, id: MembersId, letter: Letter) -> Result<Vec<SchemaId>> {
        let members = self.loader.schemas.members(id).clone();
        if self.indexed.insert(id) {
            self.properties.extend(members.properties.iter().map(|&(key, schema)| ((id, key), schema)));
        }
        let mut schemas = Vec::new();
        if let Letter::Key(key) = letter {
            schemas.extend(self.properties.get(&(id, key)).copied());
        }
        for &(pattern, schema) in &members.patterns {
            let matches = match letter {
                Letter::Key(key) => self.key_in(key, pattern)?,
                Letter::Other(keys) => self.loader.languages.overlap(keys, pattern)?,
            };
            if matches {
                schemas.push(schema);
            }
        }
        if schemas.is_empty() {
            schemas.push(members.rest);
        }
        Ok(schemas)
    }

    /// The condition on the items after one more, with guards for that one.
    pub(super) fn after_item(&mut self, id: ExId) -> Result<ExId> {
        self.step()?;
        let ex = self.expressions.get(id).clone();
        Ok(match &*ex {
            Ex::False | Ex::True => id,
            Ex::Not(inner) => {
                let inner = self.after_item(*inner)?;
                self.expressions.not(inner)
            }
            Ex::And(parts) => {
                let after = self.after_item_each(parts)?;
                self.expressions.and(after)
            }
            Ex::Or(parts) => {
                let after = self.after_item_each(parts)?;
                self.expressions.or(after)
            }
            Ex::One(parts) => {
                let after = self.after_item_each(parts)?;
                self.expressions.one(after)
            }
            Ex::Count { seen, min, max } => self.count(seen + 1, *min, *max),
            Ex::Items { items, at } => {
                let content = self.loader.schemas.items(*items).clone();
                let schema = content.prefix.get(*at as usize).copied().unwrap_or(content.rest);
                let schema = self.loader.resolved(schema);
                let guard = self.expressions.guard(schema);
                let at = (at + 1).min(content.prefix.len() as u32);
                let unrestricted = at as usize == content.prefix.len() && content.rest == SchemaId::TRUE;
                let rest = if unrestricted {
                    ExId::TRUE
                } else {
                    self.expressions.leaf(Ex::Items { items: *items, at })
                };
                self.expressions.and([guard, rest])
            }
            Ex::Contains { schema, seen, min, max } => {
                let one_more = self.contains(*schema, seen + 1, *min, *max);
                self.if_guard(*schema, one_more, id)
            }
            Ex::Unique { constants, used } => {
                let mut otherwise = id;
                for (index, &constant) in constants.iter().enumerate().rev() {
                    let bit = 1 << index;
                    let taken = if used & bit != 0 {
                        ExId::FALSE
                    } else {
                        self.expressions.leaf(Ex::Unique { constants: constants.clone(), used: used | bit })
                    };
                    otherwise = self.if_guard(constant, taken, otherwise);
                }
                otherwise
            }
            Ex::Guard(_)
            | Ex::Members(_)
            | Ex::Missing(_)
            | Ex::Names(_)
            | Ex::Ordered { .. }
            | Ex::Once { .. } => ExId::FALSE,
        })
    }

    fn after_item_each(&mut self, parts: &[ExId]) -> Result<Vec<ExId>> {
        parts.iter().map(|&part| self.after_item(part)).collect()
    }

    fn if_guard(&mut self, schema: SchemaId, then: ExId, otherwise: ExId) -> ExId {
        let guard = self.expressions.guard(schema);
        let not = self.expressions.not(guard);
        let left = self.expressions.and([guard, then]);
        let right = self.expressions.and([not, otherwise]);
        self.expressions.or([left, right])
    }
}
