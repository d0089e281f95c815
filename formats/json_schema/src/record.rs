//! Objects whose keys the runtime remembers: conditions on the set of keys and on some of their values, apart from the automaton.
//!
//! The automaton of such objects has one state: it tells the values of each key, and nothing else. The order of keys, that each comes once, and all conditions
//! on the set of keys are up to the [`KeyRecord`]. If conditions ask for values, a key has a letter for each of its *variants*, which stand for the values of
//! which the same is asked.

use crate::automaton::{Automaton, Keys};
use crate::schema::{KeyId, SchemaId};
use gcc_grammar_ir::{KeyChoice, KeyClause, KeyRecord, KeyVariant};
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

    /// The fact that a key has with all other values.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Key(_) => self,
            Self::Fact(key, schema, holds) => Self::Fact(key, schema, !holds),
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

/// If all atoms of a set hold, then so do all of one of several others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Choice {
    pub(crate) atoms: Vec<Atom>,
    pub(crate) alternatives: Vec<Vec<Atom>>,
}

impl Choice {
    /// All atoms in it.
    pub(crate) fn all(&self) -> impl Iterator<Item = Atom> + '_ {
        self.atoms.iter().chain(self.alternatives.iter().flatten()).copied()
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
    pub(crate) choices: Vec<Choice>,
    /// The number of members, which the automaton counts.
    pub(crate) count: MemberCount,
}

/// The fewest and the most members of objects.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct MemberCount {
    pub(crate) least: u32,
    pub(crate) most: Option<u32>,
}

/// The most choices of a group, and the most ways to choose: each is tried in the worst case.
const MOST_CHOICES: usize = 8;
const MOST_WAYS: usize = 256;

/// The most sets of facts that some variants of a key have in common.
const MOST_SETS: usize = 64;

impl Record {
    /// Whether the automaton can count the members: objects that have too few can always have more, and if there is a bound, the clauses ask for nothing but
    /// keys that are always required.
    pub(crate) fn may_count(&self) -> bool {
        let MemberCount { least, most } = self.count;
        let only_adds = |clause: &Clause| clause.then.is_some() && clause.atoms.len() <= 1;
        let adds = !self.is_ordered
            && self.facts.is_empty()
            && self.choices.is_empty()
            && self.clauses.iter().all(only_adds);
        (least <= 1 || adds) && most.is_none_or(|most| adds && least <= most && self.has_fixed_keys_only())
    }

    /// Whether the clauses require keys whatever else comes.
    fn has_fixed_keys_only(&self) -> bool {
        self.clauses.iter().all(|clause| clause.atoms.is_empty())
    }

    /// The keys that are required, if the automaton leaves places for them below a bound.
    pub(crate) fn fixed_keys(&self) -> FxHashSet<KeyId> {
        let then = self.clauses.iter().filter_map(|clause| clause.then);
        then.filter(|_| self.count.most.is_some()).map(Atom::key).collect()
    }

    /// Whether objects over the members that have these numbers have as many as they must.
    pub(crate) fn has_enough(&self, keys: &KeyRecord) -> bool {
        match self.count.least {
            0 => true,
            1 => keys.has_first_key(),
            least => keys.is_open || least as usize <= keys.most_keys(),
        }
    }

    /// The number of ways to choose in all groups together; `None` if those of a group are too many for a search.
    pub(crate) fn ways(&self) -> Option<usize> {
        let record = self.by_number(|_| true);
        let mut groups = record.choices.chunk_by(|a, b| a.group == b.group);
        groups.try_fold(0, |all, group| {
            let product = |ways: usize, choice: &KeyChoice| ways.saturating_mul(choice.alternatives.len());
            let ways = group.iter().fold(1, product);
            (group.len() <= MOST_CHOICES && ways <= MOST_WAYS).then_some(all + ways)
        })
    }

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
        let choice = |choice: &Choice| KeyChoice {
            group: 0,
            atoms: choice.atoms.iter().map(|&atom| number(atom)).collect(),
            alternatives: choice
                .alternatives
                .iter()
                .map(|all| all.iter().map(|&atom| number(atom)).collect())
                .collect(),
        };
        let there = self.variants.iter().filter(|variant| is_there(variant.letter));
        let mut record = KeyRecord {
            keys: count,
            is_ordered: self.is_ordered,
            is_open: false,
            counts_members: self.count.least > 1 || !self.fixed_keys().is_empty(),
            facts: self.facts.iter().map(|fact| numbers[&fact.key()]).collect(),
            variants: there
                .map(|variant| KeyVariant { key: numbers[&variant.key], facts: variant.facts })
                .collect(),
            clauses: self.clauses.iter().map(clause).collect(),
            choices: self.choices.iter().map(choice).collect(),
        };
        let has_values: Vec<bool> = match self.variants.is_empty() {
            true => self.keys.iter().map(|&key| is_there(key)).collect(),
            false => (0..count).map(|key| record.variants.iter().any(|variant| variant.key == key)).collect(),
        };
        let missing = (0..).zip(&has_values).filter(|(_, has_values)| !**has_values);
        record.clauses.extend(missing.map(|(key, _)| KeyClause { atoms: vec![key], then: None }));
        let (clauses, choices) = implied(&record);
        record.clauses.extend(clauses);
        record.choices.extend(choices);
        set_groups(&mut record);
        record
    }
}

/// What holds for the facts of each key, whatever the conditions are: its variants are the sets of facts that satisfy these clauses and choices.
fn implied(record: &KeyRecord) -> (Vec<KeyClause>, Vec<KeyChoice>) {
    let (mut clauses, mut choices) = (Vec::new(), Vec::new());
    let mut first = 0;
    for of_key in record.facts.chunk_by(|a, b| a == b) {
        let (key, count) = (of_key[0], of_key.len() as u32);
        let atoms = |facts: u32| {
            (0..count)
                .filter(move |place| facts >> place & 1 == 1)
                .map(move |place| record.keys + first + place)
        };
        let with_key = |facts: u32| [key].into_iter().chain(atoms(facts)).collect::<Vec<u32>>();
        clauses.extend(atoms(u32::MAX).map(|fact| KeyClause { atoms: vec![fact], then: Some(key) }));
        let variants = record.variants.iter().filter(|variant| variant.key == key);
        let variants: Vec<u32> = variants.map(|variant| variant.facts).collect();
        let mut add = |facts: u32| {
            let least = closed(&variants, facts);
            match least {
                None => clauses.push(KeyClause { atoms: with_key(facts), then: None }),
                Some(least) => clauses.extend(
                    atoms(least & !facts).map(|fact| KeyClause { atoms: with_key(facts), then: Some(fact) }),
                ),
            }
            least
        };
        let mut sets: Vec<u32> = add(0).into_iter().collect();
        let mut place = 0;
        while let Some(&facts) = sets.get(place) {
            place += 1;
            for fact in (0..count).map(|place| 1 << place).filter(|fact| facts & fact == 0) {
                if let Some(least) = add(facts | fact).filter(|least| !sets.contains(least)) {
                    sets.push(least);
                }
            }
            if !variants.contains(&facts) {
                let with = || variants.iter().copied().filter(|variant| variant & facts == facts);
                let is_least =
                    |variant: &u32| with().all(|other| other == *variant || other & variant != other);
                let alternatives = with().filter(is_least).map(|variant| atoms(variant & !facts).collect());
                choices.push(KeyChoice {
                    group: 0,
                    atoms: with_key(facts),
                    alternatives: alternatives.collect(),
                });
            }
        }
        first += count;
    }
    clauses.sort_unstable();
    clauses.dedup();
    (clauses, choices)
}

/// The facts that all variants with some facts have; `None` if there are no such variants.
fn closed(variants: &[u32], facts: u32) -> Option<u32> {
    variants.iter().copied().filter(|variant| variant & facts == facts).reduce(|a, b| a & b)
}

/// Whether the sets of facts that variants have in common are few: each makes clauses.
pub(crate) fn has_few_sets(variants: &[u32]) -> bool {
    let mut sets = FxHashSet::default();
    for &variant in variants {
        let common: Vec<u32> = sets.iter().map(|set| set & variant).collect();
        sets.extend(common);
        sets.insert(variant);
        if sets.len() > MOST_SETS {
            return false;
        }
    }
    true
}

/// Sets the groups of choices: those that have keys in common, or are connected by clauses, are one.
fn set_groups(record: &mut KeyRecord) {
    if record.choices.is_empty() {
        return;
    }
    // Keys that something connects, each with another one; those at the end of a chain stand for all.
    let mut connected: Vec<u32> = (0..record.keys).collect();
    let of_clauses =
        record.clauses.iter().map(|clause| clause.atoms.iter().chain(&clause.then).copied().collect());
    let of_choices = record.choices.iter().map(|choice| all_atoms(choice).collect());
    let sets: Vec<Vec<u32>> = of_clauses.chain(of_choices).collect();
    for set in sets {
        for pair in set.windows(2) {
            let [first, second] =
                [0, 1].map(|place| representative(&mut connected, record.key_of(pair[place])));
            connected[first.max(second) as usize] = first.min(second);
        }
    }
    for place in 0..record.choices.len() {
        let first = all_atoms(&record.choices[place]).next().map(|atom| record.key_of(atom));
        record.choices[place].group = first.map_or(0, |key| representative(&mut connected, key));
    }
    record.choices.sort_unstable_by(|a, b| {
        (a.group, &a.atoms, &a.alternatives).cmp(&(b.group, &b.atoms, &b.alternatives))
    });
    record.choices.dedup();
}

fn all_atoms(choice: &KeyChoice) -> impl Iterator<Item = u32> + '_ {
    choice.atoms.iter().chain(choice.alternatives.iter().flatten()).copied()
}

/// The key that stands for all that are connected with one. Chains are halved on the way.
fn representative(connected: &mut [u32], mut key: u32) -> u32 {
    while connected[key as usize] != key {
        let next = connected[key as usize] as usize;
        connected[key as usize] = connected[next];
        key = connected[key as usize];
    }
    key
}

/// The states that an automaton in place of a record would have, one after the other, each by the number of its own transitions.
pub(crate) struct States {
    record: KeyRecord,
    /// The states whose transitions are not counted yet.
    open: Vec<(u32, Vec<bool>)>,
    known: FxHashSet<(u32, Vec<bool>)>,
}

impl Record {
    /// A lower bound of the transitions of an automaton of these keys: where keys come in any order, each subset of keys that can be there together is a state, once for each
    /// variant of another key.
    pub(crate) fn least_transitions(&self) -> usize {
        if self.is_ordered {
            return 0;
        }
        let record = self.by_number(|_| true);
        let variants: Vec<KeyVariant> = record.variants().collect();
        let count = |key: u32| variants.iter().filter(|variant| variant.key == key).count();
        let most = variants.chunk_by(|a, b| a.key == b.key).max_by_key(|of_key| of_key.len());
        let Some(first) = most.filter(|of_key| of_key.len() > 1 && count(of_key[0].key) == of_key.len())
        else {
            return least_with(&record, &variants, record.no_atoms());
        };
        let of_variant = |&variant: &KeyVariant| {
            let mut atoms = record.no_atoms();
            record.set(&mut atoms, variant);
            least_with(&record, &variants, atoms)
        };
        first.iter().map(of_variant).fold(0, usize::saturating_add)
    }

    /// The states of an automaton of these keys.
    pub(crate) fn states(&self) -> States {
        let record = self.by_number(|_| true);
        let first = match self.is_ordered {
            true => (0, vec![true; record.clauses.len() + parts_of_choices(&record)]),
            false => (0, record.no_atoms()),
        };
        States { record, known: FxHashSet::from_iter([first.clone()]), open: vec![first] }
    }
}

/// A lower bound of the transitions between sets of keys that have some atoms.
fn least_with(record: &KeyRecord, variants: &[KeyVariant], mut atoms: Vec<bool>) -> usize {
    if !record.can_be_completed(&atoms) {
        return 0;
    }
    let mut together = 0_u32;
    for &variant in variants {
        if !atoms[variant.key as usize] {
            let mut with = atoms.clone();
            record.set(&mut with, variant);
            if record.can_be_completed(&with) {
                (atoms, together) = (with, together + 1);
            }
        }
    }
    let subsets = 1_usize.checked_shl(together.saturating_sub(1)).unwrap_or(usize::MAX);
    subsets.saturating_mul(together as usize)
}

/// What a state knows of choices: whether they may still be open, and which alternatives are possible.
fn parts_of_choices(record: &KeyRecord) -> usize {
    record.choices.iter().map(|choice| 1 + choice.alternatives.len()).sum()
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
            let is_missing = |atom: &u32| record.key_of(*atom) == place && !atoms[*atom as usize];
            let is_there = |atom: &u32| record.key_of(*atom) == place && atoms[*atom as usize];
            let is_passed = |atom: &u32| record.key_of(*atom) <= place;
            let mut after = alive.to_vec();
            let (of_clauses, mut of_choices) = after.split_at_mut(record.clauses.len());
            for (alive, KeyClause { atoms: all, then }) in of_clauses.iter_mut().zip(&record.clauses) {
                *alive &= !all.iter().any(is_missing) && !then.as_ref().is_some_and(is_there);
                if *alive && all.iter().all(is_passed) && then.as_ref().is_none_or(is_passed) {
                    return None;
                }
            }
            for KeyChoice { atoms: all, alternatives, .. } in &record.choices {
                let (of_choice, rest) = of_choices.split_at_mut(1 + alternatives.len());
                of_choices = rest;
                let [alive, possible @ ..] = of_choice else { continue };
                let mut is_chosen = false;
                for (possible, others) in possible.iter_mut().zip(alternatives) {
                    *possible &= !others.iter().any(is_missing);
                    is_chosen |= *possible && others.iter().all(is_passed);
                }
                *alive &= !all.iter().any(is_missing) && !is_chosen;
                if !*alive {
                    possible.fill(false);
                } else if all.iter().all(is_passed) && !possible.contains(&true) {
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
