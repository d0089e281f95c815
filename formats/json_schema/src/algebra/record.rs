//! Objects whose keys the runtime remembers, where states would multiply.
//!
//! Whether a condition on the keys of an object holds depends on the set of keys that have been read, and there are 2ⁿ sets of n keys. So if the automaton has too many
//! states, the conditions are taken out of it, and the runtime remembers the keys ([`Record`]). Most conditions are Horn clauses:
//! required keys, keys that others require, and keys that must not all be there. From these it follows at each place which keys may still come. Where one of several things has
//! to come, there is a choice, and few choices may depend on each other. What remains says for each key which values it may have, so it has one state.
//!
//! The automaton counts members, where no key forbids others, so that there are always enough left: it has a state for each number of members. If some keys are always
//! required and others must not be too many, it counts both apart, so that there is a place for those that are required.
//!
//! A condition may ask for values: if the value of a key is `"x"`, another key is there, or its value is an integer. Then the key has [variants](Variant), each for the
//! values of which the same is asked.

use super::choices::Alternative;
use super::context::Algebra;
use super::error::Result;
use super::expression::{Expr, ExprId};
use super::terms::{Letter, NodeId};
use crate::automaton::{Automaton, Keys, State};
use crate::options::PropertyOrder;
use crate::record::{Atom, Choice, Clause, MemberCount, Record, Variant, has_few_sets};
use crate::schema::{KeyId, Members, SchemaId};
use crate::style::Style;
use gcc_grammar_ir::KeyRecord;
use rustc_hash::{FxHashMap, FxHashSet};
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

/// The facts that clauses ask for, the variants of keys, and the values of each.
type Variants = (Vec<Atom>, Vec<Variant>, Vec<(KeyId, NodeId)>);

/// A variant of a key, with its values.
type OfVariant = (Variant, Vec<NodeId>);

/// The most schemas that clauses ask the values of one key for.
const MOST_ASKED: usize = 32;

/// The most variants of a key: each has terminals of its own.
const MOST_VARIANTS: usize = 32;

/// A condition on objects as conditions on the set of keys, and one on each member.
pub(super) struct Split {
    record: Record,
    members: ExprId,
    /// The values of the variants of keys, if conditions ask for values.
    values: Vec<(KeyId, NodeId)>,
}

impl Algebra<'_, '_> {
    /// The objects of a node with a record; `None` if there is none, or if an automaton is small.
    pub(super) fn remembered_keys(&mut self, alternatives: &[Vec<Alternative>]) -> Result<Option<Objects>> {
        match self.split_keys(alternatives)? {
            Some(split) => self.remembered(split),
            None => Ok(None),
        }
    }

    /// The conditions of the only alternative of the objects of a node; `None` if the runtime cannot remember what they need, or if an automaton is small.
    fn split_keys(&mut self, alternatives: &[Vec<Alternative>]) -> Result<Option<Split>> {
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
        let parts = self.parts_by_key(only)?;
        let (mut members, mut conditions, mut count) = (Vec::new(), Vec::new(), MemberCount::default());
        for part in parts {
            match **self.expressions.get(part) {
                Expr::Members(_) | Expr::Names(_) => {
                    members.push(part);
                    continue;
                }
                Expr::Count { seen: 0, min, max } => {
                    count.least = count.least.max(min);
                    count.most = count.most.into_iter().chain(max).min();
                    continue;
                }
                _ => {}
            }
            let Some(all) = self.disjunctions(part, true)? else { return Ok(None) };
            conditions.extend(all);
        }
        let (clauses, choices, always) = self.clauses(conditions)?;
        if is_ordered && choices.is_empty() && clauses.iter().all(|clause| clause.atoms.is_empty()) {
            return Ok(None);
        }
        members.extend(always.into_iter().filter_map(|fact| self.always(fact)));
        let atoms = clauses.iter().flat_map(Clause::all).chain(choices.iter().flat_map(Choice::all));
        let atoms: Vec<Atom> = atoms.collect();
        self.step(atoms.len())?;
        let keys = self.recorded_keys(only, &atoms)?;
        let members = self.expressions.and(members);
        let Some((facts, variants, values)) = self.variants(&keys, &atoms, members)? else {
            return Ok(None);
        };
        let record = Record { keys, is_ordered, facts, variants, clauses, choices, count };
        if !record.may_count() {
            return Ok(None);
        }
        let most = KeyRecord::MOST_KEYS as usize;
        let atoms = record.keys.len() + record.facts.len();
        let fits = !record.keys.is_empty() && atoms <= most && record.variants.len() <= most;
        let Some(ways) = fits.then(|| record.ways()).flatten() else { return Ok(None) };
        let has_many_states = self.has_many_states(&record, ways)?;
        Ok(has_many_states.then_some(Split { record, members, values }))
    }

    /// Whether an automaton in place of a record would have too many transitions. They are counted; those of others before it count as well where keys come in any order.
    fn has_many_states(&mut self, record: &Record, ways: usize) -> Result<bool> {
        let options = self.loader.options;
        let count_together =
            options.property_order == PropertyOrder::Any && options.any_order_up_to.is_none();
        let mut most = options.limits.max_key_transitions.unwrap_or(MOST_TRANSITIONS);
        if count_together && self.key_transitions > 0 {
            most = most.min(MOST_TOGETHER.saturating_sub(self.key_transitions));
        }
        self.step(record.variants.len() * record.clauses.len())?;
        if record.least_transitions() > most {
            return Ok(true);
        }
        let mut count = 0;
        for transitions in record.states() {
            self.step(record.clauses.len() * (1 + ways))?;
            count += transitions;
            if count > most {
                return Ok(true);
            }
        }
        self.key_transitions += count;
        Ok(false)
    }

    /// The parts of a conjunction.
    pub(super) fn parts(&self, condition: ExprId) -> Vec<ExprId> {
        match &**self.expressions.get(condition) {
            Expr::And(parts) => parts.to_vec(),
            Expr::True => Vec::new(),
            _ => vec![condition],
        }
    }

    /// The keys in their order, then those that only conditions name.
    fn recorded_keys(&self, alternative: &Alternative, atoms: &[Atom]) -> Result<Vec<KeyId>> {
        let alphabets = self.alphabet(alternative.condition);
        let named = alphabets.named().iter().copied();
        let in_clauses = atoms.iter().map(|atom| atom.key());
        let mut keys = alternative.order.clone();
        let mut known: FxHashSet<KeyId> = keys.iter().copied().collect();
        let mut others: Vec<KeyId> = named.chain(in_clauses).filter(|&key| known.insert(key)).collect();
        self.step(keys.len() + others.len())?;
        others.sort_unstable();
        keys.extend(others);
        Ok(keys)
    }

    /// The condition that all values of a key are valid.
    fn always(&mut self, fact: Atom) -> Option<ExprId> {
        let Atom::Fact(key, schema, true) = fact else { return None };
        let properties = vec![(key, schema)];
        let members = Members { properties, patterns: Vec::new(), rest: SchemaId::TRUE };
        let members = self.loader.schemas.add_members(members);
        Some(self.expressions.leaf(Expr::Members(members)))
    }

    /// The facts among atoms, and the variants of all keys with their values; `None` if there are too many, or if values of a member depend on other members. Without facts,
    /// there are no variants.
    fn variants(&mut self, keys: &[KeyId], atoms: &[Atom], members: ExprId) -> Result<Option<Variants>> {
        let mut asked: FxHashMap<KeyId, BTreeSet<Atom>> = FxHashMap::default();
        for &fact in atoms.iter().filter(|atom| matches!(atom, Atom::Fact(..))) {
            asked.entry(fact.key()).or_default().insert(fact);
        }
        let (mut facts, mut variants, mut values) = (Vec::new(), Vec::new(), Vec::new());
        if asked.is_empty() {
            return Ok(Some((facts, variants, values)));
        }
        for &key in keys {
            let of_key: Vec<Atom> = asked.remove(&key).into_iter().flatten().collect();
            let Some(found) = self.variants_of(key, &of_key, members)? else { return Ok(None) };
            for (variant, nodes) in found {
                values.extend(nodes.into_iter().map(|node| (variant.letter, node)));
                variants.push(variant);
            }
            facts.extend(of_key);
        }
        Ok(Some((facts, variants, values)))
    }

    /// The variants of a key, each with its values; `None` if there are too many, or if values of other members depend on them.
    fn variants_of(&mut self, key: KeyId, facts: &[Atom], members: ExprId) -> Result<Option<Vec<OfVariant>>> {
        let schema_of = |fact: &Atom| match *fact {
            Atom::Fact(_, schema, _) => Some(schema),
            Atom::Key(_) => None,
        };
        let schemas: BTreeSet<SchemaId> = facts.iter().filter_map(schema_of).collect();
        if schemas.len() > MOST_ASKED {
            return Ok(None);
        }
        // Each variant is the set of the schemas under which its values are valid, a bit each, with these values.
        let after = self.after_member(members, Letter::Named(key), None)?;
        let Some(nodes) = self.nodes_of(after, members)? else { return Ok(None) };
        let mut found = vec![(0_u32, after, nodes)];
        for (place, &schema) in schemas.iter().enumerate() {
            let guard = self.expressions.guard(schema);
            let mut split = Vec::new();
            for (valid, with, _) in found {
                for (bit, guard) in [(0, self.expressions.not(guard)), (1, guard)] {
                    let with = self.expressions.and([with, guard]);
                    let Some(nodes) = self.nodes_of(with, members)? else { return Ok(None) };
                    if !nodes.is_empty() {
                        split.push((valid | bit << place, with, nodes));
                    }
                }
            }
            found = split;
            if found.len() > MOST_VARIANTS {
                return Ok(None);
            }
        }
        found.sort_unstable_by_key(|&(valid, ..)| valid);
        let mut variants = Vec::new();
        for (valid, _, nodes) in found.into_iter().filter(|(.., nodes)| !nodes.is_empty()) {
            let holds = |fact: &Atom| match *fact {
                Atom::Fact(_, schema, holds) => {
                    let place = schemas.iter().position(|&other| other == schema);
                    place.is_some_and(|place| (valid >> place & 1 == 1) == holds)
                }
                Atom::Key(_) => false,
            };
            let set =
                (0..).zip(facts).filter(|(_, fact)| holds(fact)).fold(0, |set, (place, _)| set | 1 << place);
            let letter = self.loader.schemas.variant_of(key, variants.len() as u32);
            variants.push((Variant { key, facts: set, letter }, nodes));
        }
        let sets: Vec<u32> = variants.iter().map(|(variant, _)| variant.facts).collect();
        Ok(has_few_sets(&sets).then_some(variants))
    }

    /// The values of a member under a condition; `None` if other members depend on them.
    fn nodes_of(&mut self, condition: ExprId, members: ExprId) -> Result<Option<Vec<NodeId>>> {
        let mut nodes = Vec::new();
        for &(node, rest) in self.split(condition)?.iter() {
            if rest != members {
                return Ok(None);
            }
            if !self.is_provably_nothing(node)? {
                nodes.push(node);
            }
        }
        Ok(Some(nodes))
    }

    /// The objects with a record; `None` if the values of a member depend on other members.
    fn remembered(&mut self, split: Split) -> Result<Option<Objects>> {
        let Split { record, members, values } = split;
        let mut alphabets = self.alphabet(members);
        let alphabet = alphabets.all_mut();
        alphabet.add_keys(record.keys.iter().copied());
        let mut letters: Vec<Letter> = match record.variants.is_empty() {
            true => record.keys.iter().map(|&key| Letter::Named(key)).collect(),
            false => Vec::new(),
        };
        letters.extend(self.classes(alphabet)?.into_iter().map(Letter::Class));
        let mut members_of: Vec<_> =
            values.into_iter().map(|(key, value)| (Keys::Named(key), value)).collect();
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
                members_of.push((keys, value));
            }
        }
        let states = self.counting_states(&record, &members_of)?;
        let automata = if states.is_empty() { Vec::new() } else { vec![Automaton::new(states)] };
        Ok(Some(Objects { automata, record: Some(record) }))
    }

    /// The states that count members: those that are required, if there is a bound, and all others. None if more are required than may come.
    fn counting_states(
        &self,
        record: &Record,
        members: &[(Keys, NodeId)],
    ) -> Result<Vec<State<Keys, NodeId>>> {
        let MemberCount { least, most } = record.count;
        let fixed = record.fixed_keys();
        let is_fixed = |keys: Keys| keys.named().is_some_and(|key| fixed.contains(&key));
        let required = fixed.len() as u32;
        let Some(last) = most.unwrap_or(least).checked_sub(required) else { return Ok(Vec::new()) };
        let mut states = Vec::new();
        for (fixed, others) in (0..=required).flat_map(|fixed| (0..=last).map(move |others| (fixed, others)))
        {
            self.step(members.len())?;
            let next = |keys: Keys| match is_fixed(keys) {
                true => (fixed < required).then_some((fixed + 1, others)),
                false => (others < last || most.is_none()).then_some((fixed, (others + 1).min(last))),
            };
            let number = |(fixed, others): (u32, u32)| fixed * (last + 1) + others;
            let transitions =
                members.iter().filter_map(|&(keys, value)| Some((keys, value, number(next(keys)?))));
            let transitions: Vec<_> = transitions.collect();
            self.keep_state(transitions.len())?;
            let accepting = fixed == required && fixed + others >= least;
            states.push(State { accepting, transitions, otherwise: None });
        }
        Ok(states)
    }
}
