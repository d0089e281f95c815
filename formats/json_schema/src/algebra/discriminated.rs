//! Unions of objects as conditions on keys: those of closed objects, and those whose alternatives are told apart by the value of a key.
//!
//! *One of n alternatives* has as parts all combinations of theirs, kⁿ. But if each alternative requires a key with values that no other one has there, it says:
//! the key comes, with a value of some alternative; and if it has one of the first, all parts of the first hold, and so on. That is as large as the sum.

use super::choices::Alternative;
use super::conditions::Disjunction;
use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use crate::record::Atom;
use crate::schema::{Clause, KeyId, Members, MembersId, Schema, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The most alternatives: their discriminators are compared with each other, and each is a fact of the key.
const MOST_ALTERNATIVES: usize = 31;
/// The most keys that are tried as a discriminator.
const MOST_TRIED: usize = 8;

impl Algebra<'_, '_> {
    /// The parts of the condition of an alternative. If only named keys may come, closed objects in unions say so key by key, and no other key comes at all.
    pub(super) fn parts_by_key(&mut self, alternative: &Alternative) -> Result<Vec<ExprId>> {
        let mut parts = self.parts(alternative.condition);
        let mut closed = FxHashSet::default();
        for &part in &parts {
            if !matches!(**self.expressions.get(part), Expr::Members(_)) {
                self.closed_members(part, &mut closed)?;
            }
        }
        if closed.is_empty() || self.admits_others(alternative.condition) {
            return Ok(parts);
        }
        let alphabet = self.alphabet(alternative.condition);
        let mut keys: Vec<KeyId> = alternative.order.iter().chain(alphabet.named()).copied().collect();
        keys.sort_unstable();
        keys.dedup();
        let mut by_key = FxHashMap::default();
        for members in closed {
            self.step(keys.len())?;
            by_key.insert(members, self.forbidding(members, &keys));
        }
        let replaced = |part: &Expr| match part {
            Expr::Members(members) => by_key.get(members).copied(),
            _ => None,
        };
        for part in &mut parts {
            if !matches!(**self.expressions.get(*part), Expr::Members(_)) {
                *part = self.replace(*part, &replaced)?;
            }
        }
        let properties = keys.into_iter().map(|key| (key, SchemaId::TRUE)).collect();
        let all = Members { properties, patterns: Vec::new(), rest: SchemaId::FALSE };
        let all = self.loader.schemas.add_members(all);
        parts.push(self.expressions.leaf(Expr::Members(all)));
        Ok(parts)
    }

    /// Adds the constraints in a condition that allow named keys only.
    fn closed_members(&self, condition: ExprId, closed: &mut FxHashSet<MembersId>) -> Result<()> {
        let (mut open, mut seen) = (vec![condition], FxHashSet::default());
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let part = self.expressions.get(id);
            self.step(part.part_count())?;
            match &**part {
                Expr::Members(members) if self.is_closed(*members) => drop(closed.insert(*members)),
                Expr::Not(inner) => open.push(*inner),
                Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => open.extend_from_slice(parts),
                _ => {}
            }
        }
        Ok(())
    }

    /// A constraint that allows some keys only, where no other than these may come.
    fn forbidding(&mut self, members: MembersId, keys: &[KeyId]) -> ExprId {
        let mut properties = self.loader.schemas.members(members).properties.clone();
        let named: FxHashSet<KeyId> = properties.iter().map(|&(key, _)| key).collect();
        properties.extend(keys.iter().filter(|key| !named.contains(key)).map(|&key| (key, SchemaId::FALSE)));
        let members = Members { properties, patterns: Vec::new(), rest: SchemaId::TRUE };
        let members = self.loader.schemas.add_members(members);
        self.expressions.leaf(Expr::Members(members))
    }

    /// One of some conditions holds, if the value of a key tells which; `None` if there is no such key, or if a condition has no such form.
    pub(super) fn told_apart_by_key(&mut self, parts: &[ExprId]) -> Result<Option<Vec<Disjunction>>> {
        let Some((key, values)) = self.discriminator(parts)? else { return Ok(None) };
        let mut each: Vec<BTreeSet<Disjunction>> = Vec::with_capacity(parts.len());
        for &part in parts {
            let Some(of_part) = self.disjunctions(part, true)? else { return Ok(None) };
            each.push(of_part.into_iter().collect());
        }
        // What holds in each alternative needs no condition; that the values of a key are valid holds also where the key is forbidden.
        let holds_in = |part: &Disjunction, of_part: &BTreeSet<Disjunction>| {
            let forbids = |fact: Atom| of_part.contains(&Disjunction::not([Atom::Key(fact.key())]));
            of_part.contains(part) || part.always().is_some_and(forbids)
        };
        self.step(parts.len() * each.iter().map(BTreeSet::len).sum::<usize>())?;
        let all_parts: BTreeSet<Disjunction> = each.iter().flatten().cloned().collect();
        let is_common = |part: &Disjunction| each.iter().all(|of_part| holds_in(part, of_part));
        let common: BTreeSet<Disjunction> = all_parts.into_iter().filter(is_common).collect();
        let any = Schema { clauses: vec![Clause::AnyOf(values.clone())], ..Schema::anything() };
        let any = self.loader.schemas.add(any);
        let there = Disjunction::not([Atom::Key(key)]);
        let comes = Disjunction::all_of([Atom::Key(key)]);
        let mut all = vec![comes, there.or(&Disjunction::all_of([Atom::Fact(key, any, true)]))];
        for (of_part, value) in each.iter().zip(values) {
            let another = Disjunction::not([Atom::Fact(key, value, true)]);
            self.step(of_part.len())?;
            let own = of_part.difference(&common).map(|part| another.or(part));
            all.extend(own.filter_map(|part| part.reduced(&BTreeSet::new())));
        }
        all.extend(common);
        Ok(Some(all))
    }

    /// A key that all conditions require, with the schema of its values in each: no two of them have a value in common.
    fn discriminator(&mut self, parts: &[ExprId]) -> Result<Option<(KeyId, Vec<SchemaId>)>> {
        if parts.len() < 2 || parts.len() > MOST_ALTERNATIVES {
            return Ok(None);
        }
        for key in self.required_keys(parts[0]).into_iter().take(MOST_TRIED) {
            let mut values = Vec::with_capacity(parts.len());
            for &part in parts {
                self.step(0)?;
                values.extend(self.only_values(part, key));
            }
            let mut are_apart = values.len() == parts.len();
            for (place, &first) in values.iter().enumerate() {
                for &second in values.iter().take(place) {
                    are_apart = are_apart && self.excludes(first, second)?;
                }
            }
            if are_apart {
                return Ok(Some((key, values)));
            }
        }
        Ok(None)
    }

    /// The keys that a conjunction requires.
    fn required_keys(&self, condition: ExprId) -> Vec<KeyId> {
        let keys = self.parts(condition).into_iter().filter_map(|part| match **self.expressions.get(part) {
            Expr::Required(keys) => Some(self.key_sets.keys(keys)),
            _ => None,
        });
        keys.flatten().collect()
    }

    /// The schema of the values of a key that a conjunction requires, if it is one.
    fn only_values(&self, condition: ExprId, key: KeyId) -> Option<SchemaId> {
        if !self.required_keys(condition).contains(&key) {
            return None;
        }
        let members =
            self.parts(condition).into_iter().filter_map(|part| match **self.expressions.get(part) {
                Expr::Members(members) => Some(self.loader.schemas.members(members)),
                _ => None,
            });
        let mut values = members.flat_map(|members| &members.properties).filter(|&&(known, _)| known == key);
        match (values.next(), values.next()) {
            (Some(&(_, schema)), None) => Some(schema),
            _ => None,
        }
    }
}
