//! The letters of an object: the keys that schemas name, and classes of all other keys.
//!
//! Every key is in exactly one letter, and no pattern of the object divides a class. So all keys of a letter
//! have the same derivatives.

use super::context::Algebra;
use super::error::{AlgebraError, Result};
use super::expression::{Expr, ExprId};
use super::terms::{Letter, OrderId};
use crate::languages::{LanguageId, Languages};
use crate::schema::{KeyId, MembersId, SchemaId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A schema whose patterns divide the keys of one object into more classes is refused.
const MAX_CLASSES: usize = 200;

/// The letters of one object.
#[derive(Default)]
pub(super) struct Alphabet {
    /// The keys that some schema names, in the order in which they were found.
    keys: Vec<KeyId>,
    known: FxHashSet<KeyId>,
    /// The languages that divide the other keys.
    patterns: BTreeSet<LanguageId>,
    /// The classes, once they are computed.
    classes: Option<Vec<LanguageId>>,
    /// For each order, the keys that are not in it.
    outside: FxHashMap<OrderId, Vec<KeyId>>,
}

impl Alphabet {
    /// The keys that some schema names.
    pub(super) fn named(&self) -> &[KeyId] {
        &self.keys
    }

    pub(super) fn add_keys(&mut self, keys: impl Iterator<Item = KeyId>) {
        for key in keys {
            if self.known.insert(key) {
                self.keys.push(key);
            }
        }
    }
}

/// The letters of the objects that some conditions describe.
pub(super) struct Alphabets {
    all: Alphabet,
    /// The letters of the conditions with an order, if each order has its own.
    by_order: FxHashMap<OrderId, Alphabet>,
}

impl Alphabets {
    /// The letters of all conditions.
    pub(super) fn all_mut(&mut self) -> &mut Alphabet {
        &mut self.all
    }

    /// The keys that some schema names.
    pub(super) fn named(&self) -> &[KeyId] {
        self.all.named()
    }

    /// The letters of a condition and of what follows it.
    pub(super) fn of(&mut self, condition: &Expr) -> &mut Alphabet {
        let of_order = match condition {
            Expr::Ordered { order, .. } => self.by_order.get_mut(order),
            _ => None,
        };
        of_order.unwrap_or(&mut self.all)
    }
}

/// The letters that may be read next.
#[derive(Default)]
struct Reach {
    keys: Vec<KeyId>,
    seen: FxHashSet<KeyId>,
    /// All named keys may be read.
    any_key: bool,
    /// The classes of other keys may be read.
    others: bool,
}

impl Algebra<'_, '_> {
    /// The letters that may be read next, and a condition whose letters may be read besides, with the same derivatives.
    /// Some of the letters may make the condition false.
    ///
    /// In an order of keys, the next letter is the next key of the order. If it is not required, the order may pass it,
    /// which is the other condition.
    pub(super) fn next_letters(
        &mut self,
        condition: ExprId,
        alphabet: &mut Alphabet,
    ) -> Result<(Vec<Letter>, Option<ExprId>)> {
        let Expr::Ordered { order, at, inner } = **self.expressions.get(condition) else {
            return Ok((self.possible_letters(condition, alphabet)?, None));
        };
        let Some(&key) = self.orders.get(order.0).get(at as usize) else {
            return Ok((self.letters_after(condition, order, alphabet)?, None));
        };
        let otherwise = if self.must_come(inner, key) {
            None
        } else {
            let inner = self.without_key(inner, key)?;
            Some(self.keep_order(order, at + 1, inner))
        };
        Ok((vec![Letter::Named(key)], otherwise.filter(|&rest| rest != ExprId::FALSE)))
    }

    /// The letters that may be read when an order has passed all its keys.
    fn letters_after(
        &mut self,
        condition: ExprId,
        order: OrderId,
        alphabet: &mut Alphabet,
    ) -> Result<Vec<Letter>> {
        let mut reach = Reach::default();
        self.reach(condition, &mut reach);
        let mut letters = Vec::new();
        if reach.any_key {
            let outside = alphabet.outside.entry(order).or_insert_with(|| {
                let is_outside = |key: &KeyId| !self.ranks.contains_key(&(order, *key));
                alphabet.keys.iter().copied().filter(is_outside).collect()
            });
            letters.extend(outside.iter().map(|&key| Letter::Named(key)));
        }
        if reach.others && self.admits_others(condition) {
            letters.extend(self.classes(alphabet)?.into_iter().map(Letter::Class));
        }
        Ok(letters)
    }

    /// An expression under the condition that a key does not follow any more.
    fn without_key(&mut self, id: ExprId, key: KeyId) -> Result<ExprId> {
        let ex = self.expressions.get(id).clone();
        self.step(ex.part_count())?;
        if matches!(&*ex, Expr::Required(keys) if self.key_sets.contains(*keys, key)) {
            return Ok(ExprId::FALSE);
        }
        Ok(self.map_parts(&ex, |algebra, part| algebra.without_key(part, key))?.unwrap_or(id))
    }

    /// All letters after which the condition may still hold; some of them may make it false.
    fn possible_letters(&mut self, condition: ExprId, alphabet: &mut Alphabet) -> Result<Vec<Letter>> {
        let mut reach = Reach::default();
        self.reach(condition, &mut reach);
        let mut letters: Vec<Letter> = match reach.any_key {
            true => alphabet.keys.iter().map(|&key| Letter::Named(key)).collect(),
            false => reach.keys.into_iter().map(Letter::Named).collect(),
        };
        if reach.others && self.admits_others(condition) {
            let classes = self.classes(alphabet)?;
            letters.extend(classes.iter().map(|&class| Letter::Class(class)));
        }
        Ok(letters)
    }

    /// Adds the letters that an expression may read next.
    fn reach(&self, id: ExprId, reach: &mut Reach) {
        match &**self.expressions.get(id) {
            Expr::Ordered { order, at, inner } => {
                let keys = &self.orders.get(order.0)[*at as usize..];
                let last = keys.iter().position(|&key| self.must_come(*inner, key));
                let keys = &keys[..last.map_or(keys.len(), |last| last + 1)];
                for &key in keys {
                    if reach.seen.insert(key) {
                        reach.keys.push(key);
                    }
                }
                if last.is_none() {
                    // Keys that are not in the order may follow once all required keys of the order have been
                    // read.
                    reach.any_key |= !self.is_declared_only(*inner, *order);
                    reach.others = true;
                }
            }
            Expr::Or(parts) => parts.iter().for_each(|&part| self.reach(part, reach)),
            Expr::False => {}
            _ => {
                reach.any_key = true;
                reach.others = true;
            }
        }
    }

    /// Whether only keys of the order may follow.
    pub(super) fn is_declared_only(&self, inner: ExprId, order: OrderId) -> bool {
        match &**self.expressions.get(inner) {
            Expr::And(parts) => parts.iter().any(|&part| self.is_declared_only(part, order)),
            Expr::Or(parts) => parts.iter().all(|&part| self.is_declared_only(part, order)),
            Expr::Members(members) => {
                let properties = &self.loader.schemas.members(*members).properties;
                self.is_closed(*members)
                    && properties.iter().all(|&(key, _)| self.ranks.contains_key(&(order, key)))
            }
            _ => false,
        }
    }

    /// Whether only named keys are allowed.
    pub(super) fn is_closed(&self, members: MembersId) -> bool {
        let members = self.loader.schemas.members(members);
        members.rest == SchemaId::FALSE && members.patterns.is_empty()
    }

    /// Whether a key is required.
    fn must_come(&self, id: ExprId, key: KeyId) -> bool {
        match &**self.expressions.get(id) {
            Expr::And(parts) => parts.iter().any(|&part| self.must_come(part, key)),
            Expr::Required(keys) => self.key_sets.contains(*keys, key),
            _ => false,
        }
    }

    /// Whether a key may follow that no schema names.
    pub(super) fn admits_others(&self, id: ExprId) -> bool {
        match &**self.expressions.get(id) {
            Expr::False => false,
            Expr::And(parts) => parts.iter().all(|&part| self.admits_others(part)),
            Expr::Or(parts) | Expr::ExactlyOne(parts) => parts.iter().any(|&part| self.admits_others(part)),
            Expr::Ordered { inner, .. } => self.admits_others(*inner),
            Expr::Members(members) => !self.is_closed(*members),
            _ => true,
        }
    }

    /// The letters of a condition.
    pub(super) fn alphabet(&self, condition: ExprId) -> Alphabets {
        let mut all = Alphabet::default();
        self.collect_alphabet(condition, &mut all, &mut FxHashSet::default());
        Alphabets { all, by_order: FxHashMap::default() }
    }

    /// The letters of alternatives. As soon as one alternative is left, keys that only others name are not told apart.
    pub(super) fn alphabets(&self, alternatives: &[ExprId]) -> Alphabets {
        let (mut all, mut by_order) = (Alphabet::default(), FxHashMap::default());
        for &alternative in alternatives {
            self.collect_alphabet(alternative, &mut all, &mut FxHashSet::default());
            if let Expr::Ordered { order, .. } = **self.expressions.get(alternative) {
                let own: &mut Alphabet = by_order.entry(order).or_default();
                self.collect_alphabet(alternative, own, &mut FxHashSet::default());
            }
        }
        Alphabets { all, by_order }
    }

    /// Adds all keys and patterns of an expression.
    pub(super) fn collect_alphabet(&self, id: ExprId, alphabet: &mut Alphabet, seen: &mut FxHashSet<ExprId>) {
        if !seen.insert(id) {
            return;
        }
        match &**self.expressions.get(id) {
            Expr::Not(inner) => self.collect_alphabet(*inner, alphabet, seen),
            Expr::And(parts) | Expr::Or(parts) | Expr::ExactlyOne(parts) => {
                parts.iter().for_each(|&part| self.collect_alphabet(part, alphabet, seen));
            }
            Expr::Ordered { order, inner, .. } => {
                alphabet.add_keys(self.orders.get(order.0).iter().copied());
                self.collect_alphabet(*inner, alphabet, seen);
            }
            Expr::AtMostOnce { order, .. } => alphabet.add_keys(self.orders.get(order.0).iter().copied()),
            Expr::Members(members) => {
                let members = self.loader.schemas.members(*members);
                alphabet.add_keys(members.properties.iter().map(|&(key, _)| key));
                alphabet.patterns.extend(members.patterns.iter().map(|&(pattern, _)| pattern));
            }
            Expr::Required(keys) => alphabet.add_keys(self.key_sets.keys(*keys).into_iter()),
            Expr::Names(names) => {
                alphabet.patterns.insert(*names);
            }
            _ => {}
        }
    }

    /// All texts except the named keys, divided so that no pattern divides a class.
    pub(super) fn classes(&mut self, alphabet: &mut Alphabet) -> Result<Vec<LanguageId>> {
        if let Some(classes) = &alphabet.classes {
            return Ok(classes.clone());
        }
        let schemas = &self.loader.schemas;
        let languages = &mut self.loader.languages;
        let named = languages.add_texts(alphabet.keys.iter().map(|&key| schemas.key(key)))?;
        let mut classes = vec![languages.difference(Languages::TEXTS, named)?];
        for &pattern in &alphabet.patterns {
            let mut divided = Vec::new();
            for class in classes {
                divided.push(languages.intersect(class, pattern)?);
                divided.push(languages.difference(class, pattern)?);
            }
            divided.retain(|&class| class != Languages::NOTHING);
            classes = divided;
            if classes.len() > MAX_CLASSES {
                return Err(AlgebraError::Kinds { limit: MAX_CLASSES });
            }
        }
        alphabet.classes = Some(classes.clone());
        Ok(classes)
    }
}
