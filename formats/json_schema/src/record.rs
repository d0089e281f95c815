//! Objects whose keys the runtime remembers: conditions on the set of keys and on some of their values, apart from the automaton.
//!
//! The automaton of such objects has one state: it tells the values of each key, and nothing else. The order of keys, that each comes once, and all conditions
//! on the set of keys are up to the [`KeyRecord`]. If conditions ask for values, a key has a letter for each of its *variants*, which stand for the values of
//! which the same is asked.

use crate::automaton::{Automaton, Keys};
use crate::schema::{KeyId, SchemaId};
use gcc_grammar_ir::{KeyClause, KeyRecord, KeyVariant};
use rustc_hash::{FxHashMap, FxHashSet};

/// What conditions are about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Atom {
    /// A key is there.
    Key(KeyId),
    /// A key is there with a value that is valid under a schema, or that is not.
    Fact(KeyId, SchemaId, bool),
}

impl Atom {
    pub(crate) fn key(self) -> KeyId {
        match self {
            Self::Key(key) | Self::Fact(key, ..) => key,
        }
    }
}

/// If all atoms of a set hold, then so does another one; or not all atoms of the set hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Clause {
    pub(crate) atoms: Vec<Atom>,
    pub(crate) then: Option<Atom>,
}

impl Clause {
    /// All atoms in it.
    pub(crate) fn all(&self) -> impl Iterator<Item = Atom> + '_ {
        self.atoms.iter().copied().chain(self.then)
    }
}

/// The values of a key of which the same facts hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    pub(crate) key: KeyId,
    /// A bit for each fact of the key, in their order.
    pub(crate) facts: u32,
    /// The letter of the automaton: the key itself for the first variant of a key.
    pub(crate) letter: KeyId,
}

/// The conditions on the keys of objects, and on some of their values.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// All keys that are declared or in a condition, in their order.
    pub(crate) keys: Vec<KeyId>,
    /// Whether they come in this order, and other keys after them.
    pub(crate) is_ordered: bool,
    /// What is asked of values: all facts, by key in their order.
    pub(crate) facts: Vec<Atom>,
    /// The variants of all keys. Without facts there are none.
    pub(crate) variants: Vec<Variant>,
    pub(crate) clauses: Vec<Clause>,
}

impl Record {
    /// The conditions by numbers, in objects whose letters an automaton lists, and the numbers of the letters: keys that it does not have must not come.
    pub(crate) fn numbered<V: Copy>(
        &self,
        automaton: &Automaton<Keys, V>,
    ) -> (KeyRecord, FxHashMap<KeyId, u32>) {
        let letters: FxHashSet<KeyId> =
            automaton.transitions(0).filter_map(|(keys, ..)| keys.named()).collect();
        let is_open = automaton.transitions(0).any(|(keys, ..)| keys.named().is_none());
        let record = KeyRecord { is_open, ..self.by_number(|letter| letters.contains(&letter)) };
        let numbers = match self.variants.is_empty() {
            true => self.keys.iter().copied().zip(0..).collect(),
            false => {
                let there = self.variants.iter().filter(|variant| letters.contains(&variant.letter));
                there.map(|variant| variant.letter).zip(0..).collect()
            }
        };
        (record, numbers)
    }

    /// The conditions by numbers, where the letters for which it is so are there.
    fn by_number(&self, is_there: impl Fn(KeyId) -> bool) -> KeyRecord {
        let numbers: FxHashMap<KeyId, u32> = self.keys.iter().copied().zip(0..).collect();
        let count = self.keys.len() as u32;
        let facts: FxHashMap<Atom, u32> = self.facts.iter().copied().zip(count..).collect();
        let number = |atom: Atom| match atom {
            Atom::Key(key) => numbers[&key],
            Atom::Fact(..) => facts[&atom],
        };
        let clause = |clause: &Clause| KeyClause {
            atoms: clause.atoms.iter().map(|&atom| number(atom)).collect(),
            then: clause.then.map(number),
        };
        let there = self.variants.iter().filter(|variant| is_there(variant.letter));
        let mut record = KeyRecord {
            keys: count,
            is_ordered: self.is_ordered,
            is_open: false,
            facts: self.facts.iter().map(|fact| numbers[&fact.key()]).collect(),
            variants: there
                .map(|variant| KeyVariant { key: numbers[&variant.key], facts: variant.facts })
                .collect(),
            clauses: self.clauses.iter().map(clause).collect(),
        };
        let has_values: Vec<bool> = match self.variants.is_empty() {
            true => self.keys.iter().map(|&key| is_there(key)).collect(),
            false => (0..count).map(|key| record.variants.iter().any(|variant| variant.key == key)).collect(),
        };
        let missing = (0..).zip(&has_values).filter(|(_, has_values)| !**has_values);
        record.clauses.extend(missing.map(|(key, _)| KeyClause { atoms: vec![key], then: None }));
        let clauses = implied(&record);
        record.clauses.extend(clauses);
        record
    }
}

/// What holds for the facts of each key, whatever the conditions are: its variants are the sets of facts that satisfy these clauses.
fn implied(record: &KeyRecord) -> Vec<KeyClause> {
    let mut clauses = Vec::new();
    let mut first = 0;
    for of_key in record.facts.chunk_by(|a, b| a == b) {
        let (key, count) = (of_key[0], of_key.len() as u32);
        let atoms = |facts: u32| {
            (0..count)
                .filter(move |place| facts >> place & 1 == 1)
                .map(move |place| record.keys + first + place)
        };
        clauses.extend(atoms(u32::MAX).map(|fact| KeyClause { atoms: vec![fact], then: Some(key) }));
        let variants = record.variants.iter().filter(|variant| variant.key == key);
        let variants: Vec<u32> = variants.map(|variant| variant.facts).collect();
        for facts in 0..1 << count {
            let holds: Vec<u32> = [key].into_iter().chain(atoms(facts)).collect();
            match variants.iter().copied().filter(|variant| variant & facts == facts).reduce(|a, b| a & b) {
                None => clauses.push(KeyClause { atoms: holds, then: None }),
                Some(least) => clauses.extend(
                    atoms(least & !facts).map(|fact| KeyClause { atoms: holds.clone(), then: Some(fact) }),
                ),
            }
        }
        first += count;
    }
    clauses
}

/// Whether the intersection of two sets of facts is always one, so that clauses can say which sets there are.
pub(crate) fn are_horn(variants: &[u32]) -> bool {
    variants.iter().all(|a| variants.iter().all(|b| variants.contains(&(a & b))))
}

/// The states that an automaton in place of a record would have, one after the other, each by the number of its own transitions.
pub(crate) struct States {
    record: KeyRecord,
    /// The states whose transitions are not counted yet.
    open: Vec<(u32, Vec<bool>)>,
    known: FxHashSet<(u32, Vec<bool>)>,
}

impl Record {
    /// The states of an automaton of these keys.
    pub(crate) fn states(&self) -> States {
        let record = self.by_number(|_| true);
        let first = match self.is_ordered {
            true => (0, vec![true; record.clauses.len()]),
            false => (0, record.no_atoms()),
        };
        States { record, known: FxHashSet::from_iter([first.clone()]), open: vec![first] }
    }
}

impl Iterator for States {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let (next, state) = self.open.pop()?;
        Some(if self.record.is_ordered { self.at_place(next, &state) } else { self.after_set(next, &state) })
    }
}

impl States {
    fn add(&mut self, next: u32, state: Vec<bool>) {
        if self.known.insert((next, state.clone())) {
            self.open.push((next, state));
        }
    }

    /// In an order, a state is a place and the clauses that may still forbid something: a variant of the next key comes, or the key is passed.
    fn at_place(&mut self, place: u32, alive: &[bool]) -> usize {
        if place == self.record.keys {
            return 0;
        }
        let record = &self.record;
        let after = |variant: Option<KeyVariant>| {
            let mut atoms = record.no_atoms();
            variant.iter().for_each(|&variant| record.set(&mut atoms, variant));
            let mut after = alive.to_vec();
            for (alive, KeyClause { atoms: all, then }) in after.iter_mut().zip(&record.clauses) {
                let is_here = |atom: &u32| record.key_of(*atom) == place;
                let is_passed = |atom: &u32| record.key_of(*atom) <= place;
                *alive &= !all.iter().any(|atom| is_here(atom) && !atoms[*atom as usize])
                    && !then.is_some_and(|atom| is_here(&atom) && atoms[atom as usize]);
                if *alive && all.iter().all(is_passed) && then.as_ref().is_none_or(is_passed) {
                    return None;
                }
            }
            Some(after)
        };
        let variants: Vec<KeyVariant> = record.variants().filter(|variant| variant.key == place).collect();
        let with: Vec<Vec<bool>> = variants.into_iter().filter_map(|variant| after(Some(variant))).collect();
        let without = after(None);
        let transitions = with.len();
        with.into_iter().chain(without).for_each(|state| self.add(place + 1, state));
        transitions
    }

    /// In any order, a state is a set of atoms. Sets are found by adding keys in ascending order.
    fn after_set(&mut self, next: u32, atoms: &[bool]) -> usize {
        let mut transitions = 0;
        let variants: Vec<KeyVariant> = self.record.variants().collect();
        for variant in variants.into_iter().filter(|variant| !atoms[variant.key as usize]) {
            let mut with = atoms.to_vec();
            self.record.set(&mut with, variant);
            if self.record.can_be_completed(&with) {
                transitions += 1;
                if variant.key >= next {
                    self.open.push((variant.key + 1, with));
                }
            }
        }
        transitions
    }
}
