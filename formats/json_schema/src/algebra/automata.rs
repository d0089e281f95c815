//! The automata of a node: all conditions reachable by reading items or members.

use super::super::languages::{LanguageId, Languages};
use super::super::schema::{KeyId, MembersId, SchemaId};
use super::derive::Letter;
use super::expression::{Ex, ExId};
use super::{Algebra, NodeId, OrderId, Result, Trouble};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Patterns that overlap in more ways than this at one place are given up.
const MAX_CLASSES: usize = 200;

/// A deterministic automaton over letters. State 0 is the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Automaton<L, V> {
    pub(in super::super) states: Vec<State<L, V>>,
}

/// A state of an [`Automaton`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct State<L, V> {
    pub(in super::super) accepting: bool,
    /// Letter, value, target; no two agree in letter and value.
    pub(in super::super) transitions: Vec<(L, V, u32)>,
}

/// Keys of members: a set of texts, none shared by two of them in one automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in super::super) enum Keys {
    One(KeyId),
    Of(LanguageId),
}

/// Numbers the conditions met so far.
#[derive(Default)]
struct Numbering {
    number: FxHashMap<ExId, u32>,
    list: Vec<ExId>,
}

impl Numbering {
    fn of(&mut self, id: ExId) -> u32 {
        *self.number.entry(id).or_insert_with(|| {
            self.list.push(id);
            (self.list.len() - 1) as u32
        })
    }
}

impl Algebra<'_, '_> {
    /// The arrays of a node; `None` if there are none.
    pub(in super::super) fn array_automaton(
        &mut self,
        node: NodeId,
    ) -> Result<Option<Automaton<(), NodeId>>> {
        let start = self.arrays(node)?;
        if start == ExId::FALSE {
            return Ok(None);
        }
        let mut numbering = Numbering::default();
        numbering.of(start);
        let mut states = Vec::new();
        while let Some(&condition) = numbering.list.get(states.len()) {
            let after = self.after_item(condition)?;
            let letters = self.split(after)?;
            let transitions = letters.iter().map(|&(value, rest)| ((), value, numbering.of(rest))).collect();
            states.push(State { accepting: self.expressions.may_end(condition), transitions });
            self.check_states(numbering.list.len())?;
        }
        Ok(Some(Automaton { states }))
    }

    /// The objects of a node; `None` if there are none.
    pub(in super::super) fn object_automaton(
        &mut self,
        node: NodeId,
    ) -> Result<Option<Automaton<Keys, NodeId>>> {
        let start = self.objects(node)?;
        if start == ExId::FALSE {
            return Ok(None);
        }
        let mut alphabet = Alphabet::default();
        self.collect_alphabet(start, &mut alphabet, &mut FxHashSet::default());
        let mut numbering = Numbering::default();
        numbering.of(start);
        let mut states = Vec::new();
        let mut work = 0;
        while let Some(&condition) = numbering.list.get(states.len()) {
            let mut transitions = Vec::new();
            for letter in self.possible_letters(condition, &mut alphabet)? {
                let after = self.after_member(condition, letter, None)?;
                for &(value, rest) in self.split(after)?.iter() {
                    let keys = match letter {
                        Letter::Key(key) => Keys::One(key),
                        Letter::Other(language) => Keys::Of(language),
                    };
                    transitions.push((keys, value, numbering.of(rest)));
                }
            }
            work += transitions.len();
            states.push(State { accepting: self.expressions.may_end(condition), transitions });
            self.check_states(numbering.list.len().max(work / 50))?;
        }
        Ok(Some(Automaton { states }))
    }

    /// Charges the automata of all nodes together.
    pub(in super::super) fn check_size(&self, size: usize) -> Result<()> {
        let limit = self.loader.options.limits.max_transitions;
        if size > limit {
            return Err(Trouble::Limit { what: "transitions for all arrays and objects", limit });
        }
        Ok(())
    }

    fn check_states(&self, states: usize) -> Result<()> {
        let limit = self.loader.options.limits.max_states;
        if states > limit {
            return Err(Trouble::Limit { what: "states for one array or object", limit });
        }
        Ok(())
    }

    /// The letters after which the condition may still hold, perhaps more.
    fn possible_letters(&mut self, condition: ExId, alphabet: &mut Alphabet) -> Result<Vec<Letter>> {
        let mut reach = Reach::default();
        self.reach(condition, &mut reach);
        let mut letters: Vec<Letter> = match reach.any_key {
            true => alphabet.keys.iter().map(|&key| Letter::Key(key)).collect(),
            false => reach.keys.into_iter().map(Letter::Key).collect(),
        };
        if reach.others && self.admits_others(condition) {
            let classes = self.classes(alphabet)?;
            letters.extend(classes.iter().map(|&class| Letter::Other(class)));
        }
        Ok(letters)
    }

    /// Which keys an expression may read next.
    fn reach(&self, id: ExId, reach: &mut Reach) {
        match &**self.expressions.get(id) {
            Ex::Ordered { order, at, inner } => {
                let keys = &self.orders.get(order.0)[*at as usize..];
                let last = keys.iter().position(|&key| self.must_come(*inner, key));
                let keys = &keys[..last.map_or(keys.len(), |last| last + 1)];
                for &key in keys {
                    if reach.seen.insert(key) {
                        reach.keys.push(key);
                    }
                }
                if last.is_none() {
                    // Keys that no order knows may come once all that must come have.
                    reach.any_key |= !self.is_declared_only(*inner, *order);
                    reach.others = true;
                }
            }
            Ex::Or(parts) => parts.iter().for_each(|&part| self.reach(part, reach)),
            Ex::False => {}
            _ => {
                reach.any_key = true;
                reach.others = true;
            }
        }
    }

    /// Are all keys that may come keys of the order?
    fn is_declared_only(&self, inner: ExId, order: OrderId) -> bool {
        match &**self.expressions.get(inner) {
            Ex::And(parts) => parts.iter().any(|&part| self.is_declared_only(part, order)),
            Ex::Or(parts) => parts.iter().all(|&part| self.is_declared_only(part, order)),
            Ex::Members(members) => {
                let properties = &self.loader.schemas.members(*members).properties;
                self.is_closed(*members)
                    && properties.iter().all(|&(key, _)| self.ranks.contains_key(&(order, key)))
            }
            _ => false,
        }
    }

    fn is_closed(&self, members: MembersId) -> bool {
        let members = self.loader.schemas.members(members);
        members.rest == SchemaId::FALSE && members.patterns.is_empty()
    }

    fn must_come(&self, id: ExId, key: KeyId) -> bool {
        match &**self.expressions.get(id) {
            Ex::And(parts) => parts.iter().any(|&part| self.must_come(part, key)),
            Ex::Missing(keys) => keys.binary_search(&key).is_ok(),
            _ => false,
        }
    }

    /// May a key come that no schema names?
    fn admits_others(&self, id: ExId) -> bool {
        match &**self.expressions.get(id) {
            Ex::False => false,
            Ex::And(parts) => parts.iter().all(|&part| self.admits_others(part)),
            Ex::Or(parts) | Ex::One(parts) => parts.iter().any(|&part| self.admits_others(part)),
            Ex::Ordered { inner, .. } => self.admits_others(*inner),
            Ex::Members(members) => !self.is_closed(*members),
            _ => true,
        }
    }

    fn collect_alphabet(&self, id: ExId, alphabet: &mut Alphabet, seen: &mut FxHashSet<ExId>) {
        if !seen.insert(id) {
            return;
        }
        match &**self.expressions.get(id) {
            Ex::Not(inner) => self.collect_alphabet(*inner, alphabet, seen),
            Ex::And(parts) | Ex::Or(parts) | Ex::One(parts) => {
                parts.iter().for_each(|&part| self.collect_alphabet(part, alphabet, seen));
            }
            Ex::Ordered { order, inner, .. } => {
                alphabet.add_keys(self.orders.get(order.0).iter().copied());
                self.collect_alphabet(*inner, alphabet, seen);
            }
            Ex::Once { order, .. } => alphabet.add_keys(self.orders.get(order.0).iter().copied()),
            Ex::Members(members) => {
                let members = self.loader.schemas.members(*members);
                alphabet.add_keys(members.properties.iter().map(|&(key, _)| key));
                alphabet.patterns.extend(members.patterns.iter().map(|&(pattern, _)| pattern));
            }
            Ex::Missing(keys) => alphabet.add_keys(keys.iter().copied()),
            Ex::Names(names) => {
                alphabet.patterns.insert(*names);
            }
            _ => {}
        }
    }

    /// All texts but the named keys, divided so that no pattern divides a class.
    fn classes(&mut self, alphabet: &mut Alphabet) -> Result<Vec<LanguageId>> {
        if let Some(classes) = &alphabet.classes {
            return Ok(classes.clone());
        }
        let schemas = &self.loader.schemas;
        let languages = &mut self.loader.languages;
        let named = languages.of_texts(alphabet.keys.iter().map(|&key| schemas.key(key)))?;
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
                return Err(Trouble::Limit { what: "kinds of keys in one object", limit: MAX_CLASSES });
            }
        }
        alphabet.classes = Some(classes.clone());
        Ok(classes)
    }
}

/// The letters of one object.
#[derive(Default)]
struct Alphabet {
    /// Keys that some schema names, in the order in which they were met.
    keys: Vec<KeyId>,
    known: FxHashSet<KeyId>,
    /// Languages that tell other keys apart.
    patterns: BTreeSet<LanguageId>,
    classes: Option<Vec<LanguageId>>,
}

impl Alphabet {
    fn add_keys(&mut self, keys: impl Iterator<Item = KeyId>) {
        for key in keys {
            if self.known.insert(key) {
                self.keys.push(key);
            }
        }
    }
}

/// What may be read next.
#[derive(Default)]
struct Reach {
    keys: Vec<KeyId>,
    seen: FxHashSet<KeyId>,
    any_key: bool,
    others: bool,
}
