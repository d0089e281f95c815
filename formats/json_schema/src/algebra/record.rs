//! Objects whose keys the runtime remembers, where states would multiply.
//!
//! Whether a condition on the keys of an object holds depends on the set of keys that have been read, and there are 2ⁿ sets of n keys. So if the automaton has too many
//! states, the conditions are taken out of it, and the runtime remembers the keys ([`Record`]). This is possible where the conditions are Horn clauses:
//! required keys, keys that others require, and keys that must not all be there. From these it follows at each place which keys may still come. What remains says
//! for each key which values it may have, so it has one state.
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
use crate::record::{Atom, Clause, Record, Variant, are_horn};
use crate::schema::{KeyId, MembersId, SchemaId};
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

/// `if`, `then` and `else`.
struct Conditional {
    condition: ExprId,
    then: Vec<ExprId>,
    otherwise: Vec<ExprId>,
}

/// The facts that clauses ask for, the variants of keys, and the values of each.
type Variants = (Vec<Atom>, Vec<Variant>, Vec<(KeyId, NodeId)>);

/// A variant of a key, with its values.
type OfVariant = (Variant, Vec<NodeId>);

/// The most schemas that clauses ask the values of one key for: each set of them may be a variant.
const MOST_ASKED: usize = 3;

/// The most parts of a condition in conjunctive normal form.
const MOST_DISJUNCTIONS: usize = 1 << 12;

/// One of some atoms does not hold, or one of others does.
#[derive(Clone, Default)]
struct Disjunction {
    not: BTreeSet<Atom>,
    holds: BTreeSet<Atom>,
}

impl Disjunction {
    fn of(atom: Atom, holds: bool) -> Self {
        let (mut of, set) = (Self::default(), BTreeSet::from([atom]));
        *(if holds { &mut of.holds } else { &mut of.not }) = set;
        of
    }

    /// This or another one holds; `None` if that is so anyway.
    fn or(&self, other: &Self) -> Option<Self> {
        let not = &self.not | &other.not;
        let holds = &self.holds | &other.holds;
        not.is_disjoint(&holds).then_some(Self { not, holds })
    }

    /// The same with at most one atom that holds, as far as keys are sure to be there: one has no fact if it has the opposite fact.
    fn with_complements(mut self, units: &BTreeSet<Atom>) -> Self {
        for atom in self.holds.clone() {
            let Atom::Fact(key, schema, holds) = atom else { continue };
            let key = Atom::Key(key);
            if self.holds.len() > 1 && (self.not.contains(&key) || units.contains(&key)) {
                self.holds.remove(&atom);
                self.not.insert(Atom::Fact(key.key(), schema, !holds));
            }
        }
        self
    }
}

/// Whether variants can be chosen key by key, for keys whose variants are not closed under intersection: clauses ask for no fact of such a key that has not been read,
/// and connect no two of them.
fn choices_are_apart(clauses: &[Clause], choices: &FxHashSet<KeyId>) -> bool {
    if choices.is_empty() {
        return true;
    }
    let asks = |clause: &Clause| match clause.then {
        Some(fact @ Atom::Fact(key, ..)) => {
            choices.contains(&key) && clause.atoms.iter().all(|atom| atom.key() != fact.key())
        }
        _ => false,
    };
    // Keys that some clause connects, each with the place of another one; those at the end of a chain stand for all.
    let mut connected: FxHashMap<KeyId, KeyId> = FxHashMap::default();
    for clause in clauses {
        let mut keys = clause.all().map(|atom| atom.key());
        let Some(first) = keys.next() else { continue };
        for key in keys {
            let (first, key) = (representative(&mut connected, first), representative(&mut connected, key));
            if first != key {
                connected.insert(first, key);
            }
        }
    }
    let mut seen = FxHashSet::default();
    let is_alone = |&key: &KeyId| seen.insert(representative(&mut connected, key));
    !clauses.iter().any(asks) && choices.iter().all(is_alone)
}

/// The key that stands for all that are connected with one. Chains are halved on the way.
fn representative(connected: &mut FxHashMap<KeyId, KeyId>, mut key: KeyId) -> KeyId {
    while let Some(&next) = connected.get(&key) {
        if let Some(&further) = connected.get(&next) {
            connected.insert(key, further);
        }
        key = next;
    }
    key
}

/// A condition on objects as conditions on the set of keys, and one on each member.
pub(super) struct Split {
    record: Record,
    members: ExprId,
    /// The values of the variants of keys, if conditions ask for values.
    values: Vec<(KeyId, NodeId)>,
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
        let (mut members, mut conditions) = (Vec::new(), Vec::new());
        for part in parts {
            if let Expr::Members(_) | Expr::Names(_) = **self.expressions.get(part) {
                members.push(part);
                continue;
            }
            let Some(all) = self.disjunctions(part, true)? else { return Ok(None) };
            conditions.extend(all);
        }
        let Some(clauses) = self.horn_clauses(conditions)? else { return Ok(None) };
        if is_ordered && clauses.iter().all(|clause| clause.atoms.is_empty()) {
            return Ok(None);
        }
        let keys = self.recorded_keys(only, &clauses)?;
        let members = self.expressions.and(members);
        let Some((facts, variants, values)) = self.variants(&keys, &clauses, members)? else {
            return Ok(None);
        };
        let record = Record { keys, is_ordered, facts, variants, clauses };
        let most = KeyRecord::MOST_KEYS as usize;
        let atoms = record.keys.len() + record.facts.len();
        let fits = !record.keys.is_empty() && atoms <= most && record.variants.len() <= most;
        if !fits || !self.has_many_states(&record)? {
            return Ok(None);
        }
        Ok(Some(Split { record, members, values }))
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
        let in_clauses = clauses.iter().flat_map(Clause::all).map(Atom::key);
        let mut keys = alternative.order.clone();
        let mut known: FxHashSet<KeyId> = keys.iter().copied().collect();
        let mut others: Vec<KeyId> = named.chain(in_clauses).filter(|&key| known.insert(key)).collect();
        self.step(keys.len() + others.len())?;
        others.sort_unstable();
        keys.extend(others);
        Ok(keys)
    }

    /// Conditions in conjunctive normal form as Horn clauses; `None` if one is none. What follows from a key that must be there is no condition.
    fn horn_clauses(&self, mut all: Vec<Disjunction>) -> Result<Option<Vec<Clause>>> {
        let is_unit = |part: &&Disjunction| part.not.is_empty() && part.holds.len() == 1;
        let units: BTreeSet<Atom> = all.iter().filter(is_unit).flat_map(|part| part.holds.clone()).collect();
        self.step(all.len() + units.len())?;
        all.retain(|part| is_unit(&part) || part.holds.is_disjoint(&units));
        let mut clauses = Vec::with_capacity(all.len());
        for part in all {
            let Disjunction { not, holds } = part.with_complements(&units);
            if holds.len() > 1 {
                return Ok(None);
            }
            clauses.push(Clause { atoms: not.into_iter().collect(), then: holds.into_iter().next() });
        }
        clauses.sort_unstable();
        clauses.dedup();
        Ok(Some(clauses))
    }

    /// A condition, or its complement, in conjunctive normal form; `None` if it is about more than keys, or has too many parts.
    fn disjunctions(&self, condition: ExprId, holds: bool) -> Result<Option<Vec<Disjunction>>> {
        let ex = self.expressions.get(condition).clone();
        self.step(ex.part_count())?;
        Ok(match (&*ex, holds) {
            (Expr::Required(keys), true) => {
                let keys = self.key_sets.keys(*keys);
                self.step(keys.len())?;
                Some(keys.into_iter().map(|key| Disjunction::of(Atom::Key(key), true)).collect())
            }
            (Expr::Required(keys), false) => {
                let not = self.key_sets.keys(*keys).into_iter().map(Atom::Key).collect();
                Some(vec![Disjunction { not, ..Disjunction::default() }])
            }
            (Expr::Members(members), holds) => self.of_values(*members, holds)?,
            (Expr::Not(inner), _) => self.disjunctions(*inner, !holds)?,
            (Expr::And(parts), true) | (Expr::Or(parts), false) => self.all_disjunctions(parts, holds)?,
            (Expr::Or(parts), true) if let Some(conditional) = self.as_conditional(parts) => {
                self.of_conditional(conditional)?
            }
            (Expr::Or(parts), true) | (Expr::And(parts), false) => {
                let mut all = vec![Disjunction::default()];
                for &part in parts {
                    let Some(of_part) = self.disjunctions(part, holds)? else { return Ok(None) };
                    let Some(either) = self.either(&all, &of_part)? else { return Ok(None) };
                    all = either;
                }
                Some(all)
            }
            _ => None,
        })
    }

    /// Conditions that all hold, or their complements.
    fn all_disjunctions(&self, parts: &[ExprId], holds: bool) -> Result<Option<Vec<Disjunction>>> {
        let mut all = Vec::new();
        for &part in parts {
            let Some(of_part) = self.disjunctions(part, holds)? else { return Ok(None) };
            all.extend(of_part);
        }
        Ok(Some(all))
    }

    /// A union of what holds under a condition and what holds under its complement.
    fn as_conditional(&self, parts: &[ExprId]) -> Option<Conditional> {
        let &[a, b] = parts else { return None };
        let of = |a: ExprId, b: ExprId| {
            let (then, otherwise) = (self.parts(a), self.parts(b));
            otherwise.iter().find_map(|&part| {
                let Expr::Not(condition) = **self.expressions.get(part) else { return None };
                let holds = self.parts(condition);
                let is_asked = holds.iter().all(|part| then.contains(part));
                is_asked.then(|| Conditional {
                    condition,
                    then: then.iter().copied().filter(|part| !holds.contains(part)).collect(),
                    otherwise: otherwise.iter().copied().filter(|&other| other != part).collect(),
                })
            })
        };
        of(a, b).or_else(|| of(b, a))
    }

    /// Of a union of what holds under a condition and under its complement: the condition or the one, its complement or the other. What follows from both together is left
    /// out: it has two atoms that hold.
    fn of_conditional(&self, conditional: Conditional) -> Result<Option<Vec<Disjunction>>> {
        let Conditional { condition, then, otherwise } = conditional;
        let mut all = Vec::new();
        for (branch, holds) in [(then, false), (otherwise, true)] {
            let Some(condition) = self.disjunctions(condition, holds)? else { return Ok(None) };
            let Some(branch) = self.all_disjunctions(&branch, true)? else { return Ok(None) };
            let Some(either) = self.either(&condition, &branch)? else { return Ok(None) };
            all.extend(either);
        }
        Ok(Some(all))
    }

    /// One of two conditions holds; `None` if that has too many parts.
    fn either(&self, all: &[Disjunction], others: &[Disjunction]) -> Result<Option<Vec<Disjunction>>> {
        if all.len() * others.len() > MOST_DISJUNCTIONS {
            return Ok(None);
        }
        self.step(all.len() * others.len())?;
        Ok(Some(all.iter().flat_map(|a| others.iter().filter_map(|b| a.or(b))).collect()))
    }

    /// The condition that the values of some keys are valid, or its complement; `None` if it is about other keys as well.
    fn of_values(&self, members: MembersId, holds: bool) -> Result<Option<Vec<Disjunction>>> {
        let members = self.loader.schemas.members(members).clone();
        if !members.patterns.is_empty() || members.rest != SchemaId::TRUE {
            return Ok(None);
        }
        self.step(members.properties.len())?;
        let mut all = if holds { Vec::new() } else { vec![Disjunction::default()] };
        for &(key, schema) in &members.properties {
            let (there, fact) = (Atom::Key(key), Atom::Fact(key, schema, true));
            if holds {
                all.extend(Disjunction::of(there, false).or(&Disjunction::of(fact, true)));
                continue;
            }
            let of_key = [Disjunction::of(there, true), Disjunction::of(fact, false)];
            let Some(either) = self.either(&all, &of_key)? else { return Ok(None) };
            all = either;
        }
        Ok(Some(all))
    }

    /// The facts that clauses ask for, and the variants of all keys with their values; `None` if there are too many, if values of a member depend on other members, or if
    /// [choices](choices_are_apart) depend on each other. Without facts, there are no variants.
    fn variants(&mut self, keys: &[KeyId], clauses: &[Clause], members: ExprId) -> Result<Option<Variants>> {
        let mut asked: FxHashMap<KeyId, BTreeSet<Atom>> = FxHashMap::default();
        for clause in clauses {
            self.step(clause.atoms.len())?;
            for fact in clause.all().filter(|atom| matches!(atom, Atom::Fact(..))) {
                asked.entry(fact.key()).or_default().insert(fact);
            }
        }
        let (mut facts, mut variants, mut values) = (Vec::new(), Vec::new(), Vec::new());
        if asked.is_empty() {
            return Ok(Some((facts, variants, values)));
        }
        let mut choices = FxHashSet::default();
        for &key in keys {
            let of_key: Vec<Atom> = asked.remove(&key).into_iter().flatten().collect();
            let first = variants.len();
            let Some(found) = self.variants_of(key, &of_key, members)? else { return Ok(None) };
            for (variant, nodes) in found {
                values.extend(nodes.into_iter().map(|node| (variant.letter, node)));
                variants.push(variant);
            }
            let sets: Vec<u32> = variants[first..].iter().map(|variant: &Variant| variant.facts).collect();
            if !are_horn(&sets) {
                choices.insert(key);
            }
            facts.extend(of_key);
        }
        Ok(choices_are_apart(clauses, &choices).then_some((facts, variants, values)))
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
        let after = self.after_member(members, Letter::Named(key), None)?;
        let mut variants = Vec::new();
        for valid in 0..1_u32 << schemas.len() {
            let valid: Vec<(SchemaId, bool)> =
                (0..).zip(&schemas).map(|(place, &schema)| (schema, valid >> place & 1 == 1)).collect();
            let mut parts = vec![after];
            for &(schema, is_valid) in &valid {
                let guard = self.expressions.guard(schema);
                parts.push(if is_valid { guard } else { self.expressions.not(guard) });
            }
            let holds = |fact: &&Atom| matches!(**fact, Atom::Fact(_, schema, holds) if valid.contains(&(schema, holds)));
            let set =
                (0..).zip(facts).filter(|(_, fact)| holds(fact)).fold(0, |set, (place, _)| set | 1 << place);
            let mut nodes = Vec::new();
            let with = self.expressions.and(parts);
            for &(node, rest) in self.split(with)?.iter() {
                if rest != members {
                    return Ok(None);
                }
                if !self.is_provably_nothing(node)? {
                    nodes.push(node);
                }
            }
            if !nodes.is_empty() {
                let letter = self.loader.schemas.variant_of(key, variants.len() as u32);
                variants.push((Variant { key, facts: set, letter }, nodes));
            }
        }
        Ok(Some(variants))
    }

    /// The objects with a record; `None` if the values of a member depend on other members.
    pub(super) fn remembered(&mut self, split: Split) -> Result<Option<Objects>> {
        let Split { record, members, values } = split;
        let mut alphabets = self.alphabet(members);
        let alphabet = alphabets.all_mut();
        alphabet.add_keys(record.keys.iter().copied());
        let mut letters: Vec<Letter> = match record.variants.is_empty() {
            true => record.keys.iter().map(|&key| Letter::Named(key)).collect(),
            false => Vec::new(),
        };
        letters.extend(self.classes(alphabet)?.into_iter().map(Letter::Class));
        let mut transitions: Vec<_> =
            values.into_iter().map(|(key, value)| (Keys::Named(key), value, 0)).collect();
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
