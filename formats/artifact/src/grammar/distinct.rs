//! Lists whose items differ: what the runtime has to know about the memory of texts.
//!
//! An item of such a list is one lexeme, of a terminal that is used for nothing else, or the lexemes from one that begins an item to one that ends it. A head of the
//! runtime remembers where the items of the list that is being read lie in the text ([`Role`]), and refuses an item whose text is that of
//! an earlier one. The masks of the file are those of the grammar without this condition; what has to be taken out of them
//! follows from the texts and from the two tables here.

use super::meta::{DISTINCT, NONE};
use crate::container::Container;
use crate::error::ArtifactError;
use crate::ids::{LexState, Terminal, TokenId};
use crate::wire::{self, U32};

/// What a terminal does to the memory of the list that is being read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is an item: its text is remembered, and differs from those of the items before it.
    Item,
    /// It stands between two items: the memory goes on behind it.
    Between,
    /// An item of several lexemes begins with it.
    Begins,
    /// An item of several lexemes ends with it: its text is remembered, and differs from those of the items before it.
    Ends,
    /// It is a scalar within an item of several lexemes. As other terminals, it ends lists within this item.
    Part,
    /// An item of several lexemes begins with it, of which infinitely many values are left wherever it has not ended.
    BeginsEndless,
    /// It is the name of a member of an item, or within an item: its text is remembered, and differs from those of the names before it in the same object.
    Name,
    /// An object with names opens with it, within an item.
    OpensNames,
    /// An object opens with it whose keys are remembered: the number of its [record](Distinct::record).
    Opens(u32),
    /// It is a key of such an object.
    Key(Key),
    /// It stands before a further key.
    Comma,
    /// The object closes with it.
    Closes,
    /// What lies before it in the innermost item or object is forgotten.
    Other,
}

/// The lists whose items differ.
#[derive(Clone, Copy, Debug, Default)]
pub struct Distinct<'a> {
    items: &'a [U32],
    between: &'a [U32],
    branching: &'a [U32],
    crossing: &'a [U32],
    begins: &'a [U32],
    ends: &'a [U32],
    parts: &'a [U32],
    opens: &'a [[U32; 2]],
    keys: &'a [[U32; 3]],
    commas: &'a [U32],
    closes: &'a [U32],
    endings: &'a [U32],
    records: &'a [U32],
    endless: &'a [U32],
    names: &'a [U32],
    opens_names: &'a [U32],
    closes_names: &'a [U32],
    longest_end: &'a [U32],
}

/// The parts of a section of items of one lexeme. In front of the parts are their lengths.
pub(super) const FLAT_PARTS: usize = 4;
/// The same where items have several lexemes.
pub(super) const NESTED_PARTS: usize = 7;
/// The same where keys are remembered.
pub(super) const RECORD_PARTS: usize = 13;
/// The same where names are remembered.
pub(super) const PARTS: usize = 18;

impl<'a> Distinct<'a> {
    /// Reads the section.
    pub(super) fn read(container: &Container<'a>, parts: usize) -> Result<Self, ArtifactError> {
        let (bytes, _) = container.stored(&DISTINCT)?;
        let problem = "the parts are not as long as the section says";
        let malformed = ArtifactError::MalformedTable { table: DISTINCT.name, index: 0, problem };
        Self::split(wire::words(bytes).unwrap_or_default(), parts).ok_or(malformed)
    }

    fn split(words: &'a [U32], parts: usize) -> Option<Self> {
        let (lengths, mut rest) = words.split_at_checked(parts)?;
        let mut part = |index: usize| {
            let length = lengths.get(index).map_or(0, |length| length.get() as usize);
            let (part, after) = rest.split_at_checked(length)?;
            rest = after;
            Some(part)
        };
        let all = Self {
            items: part(0)?,
            between: part(1)?,
            branching: part(2)?,
            crossing: part(3)?,
            begins: part(4)?,
            ends: part(5)?,
            parts: part(6)?,
            opens: rows(part(7)?)?,
            keys: rows(part(8)?)?,
            commas: part(9)?,
            closes: part(10)?,
            endings: part(11)?,
            records: part(12)?,
            endless: part(13)?,
            names: part(14)?,
            opens_names: part(15)?,
            closes_names: part(16)?,
            longest_end: part(17)?,
        };
        rest.is_empty().then_some(all)
    }

    /// Whether nothing is remembered: there are neither such lists nor such objects.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        !self.has_items() && !self.has_records() && !self.has_names()
    }

    /// Whether names are remembered, so that items are equal whatever the order of their members is.
    #[must_use]
    #[inline]
    pub const fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// The most bytes of a token up to a closing bracket. No more bytes are left of an item that a token ends.
    #[must_use]
    pub fn longest_end(&self) -> u32 {
        self.longest_end.first().map_or(0, |most| most.get())
    }

    /// Whether there are objects whose keys are remembered.
    #[must_use]
    #[inline]
    pub const fn has_records(&self) -> bool {
        !self.opens.is_empty()
    }

    /// Whether there are lists whose items differ.
    #[must_use]
    #[inline]
    pub const fn has_items(&self) -> bool {
        !self.items.is_empty() || self.is_nested()
    }

    /// Whether items may have several lexemes.
    #[must_use]
    #[inline]
    pub const fn is_nested(&self) -> bool {
        !self.begins.is_empty() || !self.endless.is_empty()
    }

    /// What a terminal does to the memory.
    #[must_use]
    pub fn role(&self, terminal: Terminal) -> Role {
        let is_in = |list: &[U32]| list.binary_search_by_key(&terminal.0, |word| word.get()).is_ok();
        if self.has_records()
            && let Some(role) = self.role_in_record(terminal)
        {
            return role;
        }
        if self.has_names()
            && let Some(role) = self.role_in_names(terminal)
        {
            return role;
        }
        if is_in(self.items) {
            Role::Item
        } else if is_in(self.between) {
            Role::Between
        } else if is_in(self.parts) {
            Role::Part
        } else if is_in(self.begins) {
            Role::Begins
        } else if is_in(self.ends) {
            Role::Ends
        } else {
            Role::Other
        }
    }

    /// What a terminal does to the record of an object, if it is a part of one.
    fn role_in_record(&self, terminal: Terminal) -> Option<Role> {
        let is_in = |list: &[U32]| list.binary_search_by_key(&terminal.0, |word| word.get()).is_ok();
        if let Ok(place) = self.keys.binary_search_by_key(&terminal.0, |row| row[0].get()) {
            let [_, number, then] = self.keys[place].map(|word| word.get());
            return Some(Role::Key(Key { number, then }));
        }
        if let Ok(place) = self.opens.binary_search_by_key(&terminal.0, |row| row[0].get()) {
            return Some(Role::Opens(self.opens[place][1].get()));
        }
        match terminal {
            _ if is_in(self.commas) => Some(Role::Comma),
            _ if is_in(self.closes) => Some(Role::Closes),
            _ => None,
        }
    }

    /// What a terminal does to the names of an object, or of an endless item.
    fn role_in_names(&self, terminal: Terminal) -> Option<Role> {
        let is_in = |list: &[U32]| list.binary_search_by_key(&terminal.0, |word| word.get()).is_ok();
        match terminal {
            _ if is_in(self.names) => Some(Role::Name),
            _ if is_in(self.endless) => Some(Role::BeginsEndless),
            _ if is_in(self.opens_names) => Some(Role::OpensNames),
            _ if is_in(self.closes_names) => Some(Role::Closes),
            _ => None,
        }
    }

    /// The record of the objects with this number.
    #[must_use]
    pub fn record(&self, number: u32) -> Option<Record<'a>> {
        let start = self.records.get(number as usize)?.get() as usize;
        let (head, rest) = self.records.get(start..)?.split_first_chunk()?;
        let [keys, flags, clauses] = head.map(|word: U32| word.get());
        let costs = if flags & Record::COSTS == 0 { 0 } else { keys as usize + 2 };
        let (costs, rest) = rest.split_at_checked(costs)?;
        let record =
            Record { keys, flags, clauses, costs, facts: &[], variants: &[], choices: &[], words: rest };
        if flags & Record::CONDITIONS == 0 {
            return Some(record);
        }
        let (counts, rest) = rest.split_first_chunk()?;
        let [facts, variants, choices] = counts.map(|word: U32| word.get() as usize);
        let (facts, rest) = rest.split_at_checked(facts)?;
        let (variants, rest) = rest.split_at_checked(variants.checked_mul(2)?)?;
        let (choices, words) = rest.split_at_checked(choices)?;
        Some(Record { facts, variants: rows(variants)?, choices, words, ..record })
    }

    /// The tokens in which a value or what stands before it ends, and what follows a member comes: which of them are right depends on the key
    /// in front of the value. Ascending.
    pub fn endings(&self) -> impl ExactSizeIterator<Item = TokenId> + use<'a> {
        self.endings.iter().map(|token| TokenId(token.get()))
    }

    /// Whether, for every item or part of an item that the lexeme can still become, two bytes or more lead to states of which the same holds: so it has at least 2^n texts of
    /// which the first n bytes differ. The state is not a counted one.
    #[must_use]
    pub fn branches(&self, state: LexState) -> bool {
        let word = self.branching.get(state.index() / 32);
        word.is_some_and(|word| word.get() >> (state.0 % 32) & 1 == 1)
    }

    /// The tokens with the end of an item, what stands between two items, and an item of which few begin so: whole, or as far as it goes; and those in which an
    /// item of several lexemes begins behind what stands between two items. Ascending.
    pub fn crossing(&self) -> impl ExactSizeIterator<Item = TokenId> + use<'a> {
        self.crossing.iter().map(|token| TokenId(token.get()))
    }

    /// Checks that terminals and tokens are in range, and that they ascend.
    pub(super) fn validate(&self, terminals: u32, tokens: u32) -> Result<(), ArtifactError> {
        let check = |list: &[U32], end: u32, problem| {
            let is_sorted = list.is_sorted_by(|a, b| a.get() < b.get());
            if is_sorted && list.last().is_none_or(|last| last.get() < end) {
                return Ok(());
            }
            Err(ArtifactError::MalformedTable { table: DISTINCT.name, index: FLAT_PARTS, problem })
        };
        check(self.items, terminals, "the items are no terminals, or do not ascend")?;
        check(self.between, terminals, "what stands between items is no terminal, or does not ascend")?;
        if self.longest_end.len() > 1 {
            return Err(ArtifactError::MalformedTable {
                table: DISTINCT.name,
                index: PARTS,
                problem: "there are several numbers of the bytes of an end",
            });
        }
        for list in [self.endless, self.names, self.opens_names, self.closes_names] {
            check(list, terminals, "the lexemes of names are no terminals, or do not ascend")?;
        }
        for list in [self.begins, self.ends, self.parts] {
            check(list, terminals, "the lexemes of items are no terminals, or do not ascend")?;
        }
        for list in [self.commas, self.closes] {
            check(list, terminals, "the lexemes of objects are no terminals, or do not ascend")?;
        }
        for list in [self.crossing, self.endings] {
            check(list, tokens, "the tokens are no tokens, or do not ascend")?;
        }
        self.validate_records(terminals)
    }

    /// Checks that records are whole and refer to their keys, and that terminals refer to records.
    fn validate_records(&self, terminals: u32) -> Result<(), ArtifactError> {
        let bad =
            |problem| Err(ArtifactError::MalformedTable { table: DISTINCT.name, index: PARTS, problem });
        let is_ascending = self.opens.is_sorted_by(|a, b| a[0].get() < b[0].get())
            && self.keys.is_sorted_by(|a, b| a[0].get() < b[0].get());
        let terminal = self.opens.iter().map(|row| row[0]).chain(self.keys.iter().map(|row| row[0]));
        if !is_ascending || terminal.max().is_some_and(|last| last.get() >= terminals) {
            return bad("the lexemes of objects are no terminals, or do not ascend");
        }
        for [_, record] in self.opens {
            match self.record(record.get()) {
                Some(record) if record.is_whole() => {}
                _ => return bad("a record is not there, or refers to keys that are not"),
            }
        }
        let is_key = |row: &[U32; 3]| row[2].get() < 3 && (row[1].get() == NONE || row[1].get() < MOST_KEYS);
        if self.keys.iter().all(is_key) { Ok(()) } else { bad("a key has no number") }
    }
}

/// A slice of words as rows.
fn rows<const N: usize>(words: &[U32]) -> Option<&[[U32; N]]> {
    let (rows, rest) = words.as_chunks();
    rest.is_empty().then_some(rows)
}

/// The places of the bits of a word, ascending.
#[inline]
pub fn places(mut word: u32) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let place = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (place < u32::BITS).then_some(place)
    })
}

/// The most declared keys of an object whose keys are remembered.
pub const MOST_KEYS: u32 = 1024;

/// The most choices of a group.
pub const MOST_CHOICES: usize = 16;

/// A key of an object whose keys are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    number: u32,
    then: u32,
}

impl Key {
    /// The number of a declared key; `None` for a key that is not declared.
    #[must_use]
    pub fn number(self) -> Option<u32> {
        (self.number != NONE).then_some(self.number)
    }

    /// Whether this terminal stands for a key after which a further member may come, and the object may end.
    #[must_use]
    pub const fn then(self) -> (bool, bool) {
        (self.then != Key::END, self.then != Key::MORE)
    }

    /// Only a further member may follow.
    pub const MORE: u32 = 0;
    /// Both may follow.
    pub const EITHER: u32 = 1;
    /// Only the end may follow.
    pub const END: u32 = 2;
}

/// The conditions on the keys of an object.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    keys: u32,
    flags: u32,
    clauses: u32,
    costs: &'a [U32],
    facts: &'a [U32],
    variants: &'a [[U32; 2]],
    choices: &'a [U32],
    words: &'a [U32],
}

/// If all atoms of a set hold, then so do all of one of several others.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    group: u32,
    atoms: &'a [U32],
    alternatives: &'a [U32],
}

impl<'a> Choice<'a> {
    /// The first choice of some words, and what is behind it.
    fn read(words: &'a [U32]) -> Option<(Self, &'a [U32])> {
        let (head, rest) = words.split_first_chunk()?;
        let [group, atoms, alternatives] = head.map(|word: U32| word.get());
        let (atoms, rest) = rest.split_at_checked(atoms as usize)?;
        let (alternatives, rest) = rest.split_at_checked(alternatives as usize)?;
        Some((Self { group, atoms, alternatives }, rest))
    }

    /// The set.
    #[must_use]
    pub const fn atoms(&self) -> &'a [U32] {
        self.atoms
    }

    /// The others.
    pub fn alternatives(&self) -> impl Iterator<Item = &'a [U32]> + use<'a> {
        let mut rest = self.alternatives;
        core::iter::from_fn(move || {
            let (count, after) = rest.split_first()?;
            let (atoms, after) = after.split_at_checked(count.get() as usize)?;
            rest = after;
            Some(atoms)
        })
    }

    /// The number of words of the alternatives that are read.
    fn words(&self) -> usize {
        self.alternatives().map(|atoms| atoms.len() + 1).sum()
    }
}

impl<'a> Record<'a> {
    /// The flag of declared keys that come in the order of their numbers.
    pub const ORDERED: u32 = 1;
    /// The flag of objects with other keys.
    pub const OPEN: u32 = 2;
    /// The flag of objects with facts, whose keys have variants, or with choices.
    pub const CONDITIONS: u32 = 4;

    /// The flag of objects whose members have costs.
    pub const COSTS: u32 = 8;

    /// The number of declared keys.
    #[must_use]
    pub const fn keys(&self) -> u32 {
        self.keys
    }

    /// A number of tokens that suffices for a comma, a declared key and its value; behind the declared keys, for one that is not declared.
    #[must_use]
    pub fn cost(&self, key: u32) -> u32 {
        self.costs.get(key as usize).map_or(0, |cost| cost.get())
    }

    /// What the costs of completions have of such a number already, wherever a member must come.
    #[must_use]
    pub fn least_cost(&self) -> u32 {
        self.costs.last().map_or(0, |cost| cost.get())
    }

    /// The number of variants of declared keys.
    #[must_use]
    pub const fn variants(&self) -> u32 {
        if self.has_facts() { self.variants.len() as u32 } else { self.keys }
    }

    const fn has_facts(&self) -> bool {
        !self.facts.is_empty()
    }

    /// The key of a variant.
    #[must_use]
    #[inline]
    pub fn key_of_variant(&self, variant: u32) -> u32 {
        if !self.has_facts() {
            return variant;
        }
        self.variants.get(variant as usize).map_or(self.keys, |row| row[0].get())
    }

    /// The atoms of the facts that hold for a variant.
    pub fn facts_of_variant(&self, variant: u32) -> impl Iterator<Item = u32> + use<'a> {
        let [key, bits] = match self.variants.get(variant as usize) {
            Some(row) if self.has_facts() => row.map(|word| word.get()),
            _ => [0, 0],
        };
        let first = match bits {
            0 => 0,
            _ => self.facts.partition_point(|of| of.get() < key) as u32 + self.keys,
        };
        places(bits).map(move |place| first + place)
    }

    /// The choices of each group, one group after the other.
    pub fn groups(&self) -> impl Iterator<Item = Group<'a>> + use<'a> {
        let mut rest = self.choices;
        core::iter::from_fn(move || {
            let group = Choice::read(rest)?.0.group;
            let words = rest;
            while let Some((_, after)) = Choice::read(rest).filter(|(choice, _)| choice.group == group) {
                rest = after;
            }
            Some(Group(&words[..words.len() - rest.len()]))
        })
    }

    /// The key of an atom: a key itself, or that of a fact.
    #[must_use]
    #[inline]
    pub fn key_of(&self, atom: u32) -> u32 {
        match atom.checked_sub(self.keys) {
            None => atom,
            Some(fact) => self.facts.get(fact as usize).map_or(self.keys, |key| key.get()),
        }
    }

    /// Whether declared keys come in the order of their numbers, and other keys after them.
    #[must_use]
    pub const fn is_ordered(&self) -> bool {
        self.flags & Self::ORDERED != 0
    }

    /// Whether keys may come that are not declared.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.flags & Self::OPEN != 0
    }

    /// The clauses: atoms (keys, and behind their numbers the facts), and the atom that must hold if all of them do; without one, they must not all hold.
    pub fn clauses(&self) -> impl Iterator<Item = (&'a [U32], Option<u32>)> + use<'a> {
        let mut rest = self.words;
        (0..self.clauses).map_while(move |_| {
            let (&[then, count], after) = rest.split_first_chunk()?;
            let (keys, after) = after.split_at_checked(count.get() as usize)?;
            rest = after;
            Some((keys, (then.get() != NONE).then_some(then.get())))
        })
    }

    /// Whether all clauses are there, and refer to keys.
    fn is_whole(&self) -> bool {
        let atoms = self.keys.saturating_add(self.facts.len() as u32);
        let is_atom = |atom: u32| atom < atoms;
        let are_keys = |(keys, then): (&[U32], Option<u32>)| {
            keys.iter().all(|key| is_atom(key.get())) && then.is_none_or(is_atom)
        };
        let has_facts = |row: &[U32; 2]| {
            let [key, bits] = row.map(|word| word.get());
            let first = self.facts.partition_point(|of| of.get() < key);
            let count = self.facts[first..].partition_point(|of| of.get() == key) as u32;
            key < self.keys && bits.checked_shr(count).unwrap_or(0) == 0
        };
        atoms <= MOST_KEYS
            && self.variants.len() as u32 <= MOST_KEYS
            && self.facts.is_sorted_by_key(|key| key.get())
            && self.facts.last().is_none_or(|key| key.get() < self.keys)
            && self.variants.iter().all(has_facts)
            && self.clauses().count() == self.clauses as usize
            && self.clauses().all(are_keys)
            && self.are_choices_whole(atoms)
    }

    /// Whether the choices are whole, refer to these atoms, and are few in each group.
    fn are_choices_whole(&self, atoms: u32) -> bool {
        let are_atoms = |list: &[U32]| list.iter().all(|atom| atom.get() < atoms);
        let is_whole = |choice: Choice<'_>| {
            choice.words() == choice.alternatives.len()
                && are_atoms(choice.atoms)
                && choice.alternatives().all(are_atoms)
        };
        let words = self.groups().map(|group| group.0.len()).sum::<usize>();
        words == self.choices.len()
            && self.groups().all(|group| group.choices().count() <= MOST_CHOICES)
            && self.groups().flat_map(|group| group.choices()).all(is_whole)
    }
}

/// The choices of a group.
#[derive(Clone, Copy, Debug)]
pub struct Group<'a>(&'a [U32]);

impl<'a> Group<'a> {
    /// The choices.
    pub fn choices(&self) -> impl Iterator<Item = Choice<'a>> + use<'a> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let (choice, after) = Choice::read(rest)?;
            rest = after;
            Some(choice)
        })
    }
}

/// The tables of lists whose items differ, for the writer.
#[cfg(feature = "write")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DistinctTables {
    /// The terminals of items, ascending.
    pub items: Vec<u32>,
    /// The terminals that stand between items, ascending.
    pub between: Vec<u32>,
    /// A bit for each lexer state ([`Distinct::branches`]).
    pub branching: Vec<u32>,
    /// Tokens, ascending ([`Distinct::crossing`]).
    pub crossing: Vec<u32>,
    /// The terminals with which items of several lexemes begin, ascending.
    pub begins: Vec<u32>,
    /// The terminals with which they end, ascending.
    pub ends: Vec<u32>,
    /// The scalars within them, ascending.
    pub parts: Vec<u32>,
    /// The terminals that open objects whose keys are remembered, ascending, each with the number of its record.
    pub opens: Vec<[u32; 2]>,
    /// The terminals of keys, ascending, each with the number of its key or [`NONE`], and what may follow the member.
    pub keys: Vec<[u32; 3]>,
    /// The terminals before further keys, ascending.
    pub commas: Vec<u32>,
    /// The terminals that close such objects, ascending.
    pub closes: Vec<u32>,
    /// Tokens, ascending ([`Distinct::endings`]).
    pub endings: Vec<u32>,
    /// The records.
    pub records: Vec<RecordTable>,
    /// The terminals with which endless items begin, ascending.
    pub endless: Vec<u32>,
    /// The terminals of names, ascending.
    pub names: Vec<u32>,
    /// The terminals that open objects with names, ascending.
    pub opens_names: Vec<u32>,
    /// The terminals that close such objects, ascending.
    pub closes_names: Vec<u32>,
    /// [`Distinct::longest_end`].
    pub longest_end: u32,
}

/// The conditions on the keys of an object, for the writer.
#[cfg(feature = "write")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordTable {
    /// The number of declared keys.
    pub keys: u32,
    /// [`Record::ORDERED`], [`Record::OPEN`] and [`Record::CONDITIONS`].
    pub flags: u32,
    /// Per declared key, and once more: its [cost](Record::cost); and the [least one](Record::least_cost). None if there are no costs of completions.
    pub costs: Vec<u32>,
    /// The key of each fact, ascending.
    pub facts: Vec<u32>,
    /// The key of each variant, and a bit for each fact of this key.
    pub variants: Vec<[u32; 2]>,
    /// The clauses: a key or [`NONE`], and the keys before it.
    pub clauses: Vec<(u32, Vec<u32>)>,
    /// The choices: the group, ascending, a set of atoms, and the alternatives that follow from them.
    pub choices: Vec<(u32, Vec<u32>, Vec<Vec<u32>>)>,
}

#[cfg(feature = "write")]
impl RecordTable {
    fn words(&self) -> Vec<u32> {
        let costs = if self.costs.is_empty() { 0 } else { Record::COSTS };
        let mut words = vec![self.keys, self.flags | costs, self.clauses.len() as u32];
        words.extend(&self.costs);
        if self.flags & Record::CONDITIONS != 0 {
            let choices = self.choice_words();
            words.extend([self.facts.len(), self.variants.len(), choices.len()].map(|count| count as u32));
            words.extend(&self.facts);
            words.extend(self.variants.as_flattened());
            words.extend(choices);
        }
        for (then, keys) in &self.clauses {
            words.extend([*then, keys.len() as u32]);
            words.extend(keys);
        }
        words
    }

    fn choice_words(&self) -> Vec<u32> {
        let mut words = Vec::new();
        for (group, atoms, alternatives) in &self.choices {
            let others: Vec<u32> = alternatives
                .iter()
                .flat_map(|all| [all.len() as u32].into_iter().chain(all.iter().copied()))
                .collect();
            words.extend([*group, atoms.len() as u32, others.len() as u32]);
            words.extend(atoms);
            words.extend(others);
        }
        words
    }
}

#[cfg(feature = "write")]
impl DistinctTables {
    /// Whether there are lists whose items differ.
    #[must_use]
    pub fn has_items(&self) -> bool {
        !self.items.is_empty() || self.is_nested()
    }

    /// Whether items may have several lexemes.
    #[must_use]
    pub fn is_nested(&self) -> bool {
        !self.begins.is_empty() || !self.endless.is_empty()
    }

    /// Whether some record has facts or choices.
    pub(super) fn has_conditions(&self) -> bool {
        self.records.iter().any(|record| record.flags & Record::CONDITIONS != 0)
    }

    /// Whether names are remembered.
    pub(super) fn has_names(&self) -> bool {
        !self.names.is_empty()
    }

    /// Whether there are objects whose keys are remembered.
    pub(super) fn has_records(&self) -> bool {
        !self.opens.is_empty()
    }

    /// The section.
    pub(super) fn words(&self) -> Vec<u32> {
        let (opens, keys) = (self.opens.concat(), self.keys.concat());
        let longest_end = vec![self.longest_end];
        let mut records = Vec::with_capacity(self.records.len());
        let mut bodies = Vec::new();
        for record in &self.records {
            records.push((self.records.len() + bodies.len()) as u32);
            bodies.extend(record.words());
        }
        records.extend(bodies);
        let parts = [
            &self.items,
            &self.between,
            &self.branching,
            &self.crossing,
            &self.begins,
            &self.ends,
            &self.parts,
            &opens,
            &keys,
            &self.commas,
            &self.closes,
            &self.endings,
            &records,
            &self.endless,
            &self.names,
            &self.opens_names,
            &self.closes_names,
            &longest_end,
        ];
        let count = match self {
            _ if self.has_names() => PARTS,
            _ if self.has_records() => RECORD_PARTS,
            _ if self.is_nested() => NESTED_PARTS,
            _ => FLAT_PARTS,
        };
        let parts = &parts[..count];
        let lengths = parts.iter().map(|part| part.len() as u32);
        lengths.chain(parts.iter().flat_map(|part| part.iter().copied())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[u32]) -> Vec<U32> {
        words.iter().map(|&word| U32::new(word)).collect()
    }

    #[test]
    fn parts_are_split_by_their_lengths() {
        let section = words(&[2, 1, 1, 1, 3, 5, 4, 0b10, 77]);
        let distinct = Distinct::split(&section, FLAT_PARTS).unwrap();
        assert_eq!(distinct.role(Terminal(5)), Role::Item);
        assert_eq!(distinct.role(Terminal(4)), Role::Between);
        assert_eq!(distinct.role(Terminal(6)), Role::Other);
        assert!(distinct.branches(LexState(1)) && !distinct.branches(LexState(32)));
        assert_eq!(distinct.crossing().collect::<Vec<_>>(), [TokenId(77)]);
        assert!(distinct.validate(6, 78).is_ok());
        assert!(distinct.validate(5, 78).is_err() && distinct.validate(6, 77).is_err());
    }

    #[test]
    fn parts_that_are_too_long_are_refused() {
        for section in [&[][..], &[1, 0, 0], &[1, 0, 0, 0], &[u32::MAX, 0, 0, 0, 1], &[0, 0, 0, 0, 9]] {
            assert!(Distinct::split(&words(section), FLAT_PARTS).is_none(), "{section:?}");
            assert!(Distinct::split(&words(section), NESTED_PARTS).is_none(), "{section:?}");
        }
    }

    #[test]
    fn items_of_several_lexemes_have_three_more_parts() {
        let tables =
            DistinctTables { begins: vec![1], ends: vec![2, 3], parts: vec![4], ..Default::default() };
        let section = words(&tables.words());
        let distinct = Distinct::split(&section, NESTED_PARTS).unwrap();
        assert!(distinct.is_nested() && !distinct.is_empty());
        let roles = [0, 1, 2, 3, 4].map(|terminal| distinct.role(Terminal(terminal)));
        assert_eq!(roles, [Role::Other, Role::Begins, Role::Ends, Role::Ends, Role::Part]);
        assert!(distinct.validate(5, 0).is_ok() && distinct.validate(4, 0).is_err());
    }

    #[test]
    fn names_have_five_more_parts() {
        let tables = DistinctTables {
            endless: vec![1],
            ends: vec![2],
            names: vec![3],
            opens_names: vec![4],
            closes_names: vec![5],
            longest_end: 7,
            ..Default::default()
        };
        let section = words(&tables.words());
        let distinct = Distinct::split(&section, PARTS).unwrap();
        assert!(distinct.is_nested() && distinct.has_names() && !distinct.has_records());
        assert_eq!(distinct.longest_end(), 7);
        let roles = [1, 2, 3, 4, 5, 6].map(|terminal| distinct.role(Terminal(terminal)));
        let expected =
            [Role::BeginsEndless, Role::Ends, Role::Name, Role::OpensNames, Role::Closes, Role::Other];
        assert_eq!(roles, expected);
        assert!(distinct.validate(6, 0).is_ok() && distinct.validate(5, 0).is_err());
    }

    #[test]
    fn records_have_keys_and_clauses() {
        let record = RecordTable {
            keys: 3,
            flags: Record::ORDERED,
            clauses: vec![(NONE, vec![0, 1]), (2, vec![])],
            ..Default::default()
        };
        let tables = DistinctTables {
            opens: vec![[1, 0], [7, 1]],
            keys: vec![[2, 1, Key::END], [3, NONE, Key::MORE]],
            commas: vec![4],
            closes: vec![5, 6],
            endings: vec![9],
            records: vec![RecordTable::default(), record],
            ..Default::default()
        };
        let section = words(&tables.words());
        let distinct = Distinct::split(&section, RECORD_PARTS).unwrap();
        assert!(!distinct.is_empty() && distinct.has_records());
        let roles = [0, 1, 4, 6, 7].map(|terminal| distinct.role(Terminal(terminal)));
        assert_eq!(roles, [Role::Other, Role::Opens(0), Role::Comma, Role::Closes, Role::Opens(1)]);
        let key = |terminal| match distinct.role(Terminal(terminal)) {
            Role::Key(key) => (key.number(), key.then()),
            role => panic!("{role:?}"),
        };
        assert_eq!([key(2), key(3)], [(Some(1), (false, true)), (None, (true, false))]);
        let record = distinct.record(1).unwrap();
        assert!(record.is_ordered() && !record.is_open());
        let clauses: Vec<_> = record.clauses().map(|(keys, then)| (keys.len(), then)).collect();
        assert_eq!(clauses, [(2, None), (0, Some(2))]);
        assert!(distinct.validate(8, 10).is_ok());
        assert!(distinct.validate(7, 10).is_err() && distinct.validate(8, 9).is_err());
    }

    /// Something of a record that is written and read, if the reader accepts it.
    fn read_record<T>(record: &RecordTable, look: impl FnOnce(Record<'_>) -> T) -> Result<T, ArtifactError> {
        let tables = DistinctTables {
            opens: vec![[0, 0]],
            records: vec![record.clone()],
            ..DistinctTables::default()
        };
        assert_eq!(tables.has_conditions(), record.flags == Record::CONDITIONS);
        let section = words(&tables.words());
        let distinct = Distinct::split(&section, RECORD_PARTS).unwrap();
        distinct.validate(1, 0).map(|()| look(distinct.record(0).unwrap()))
    }

    #[test]
    fn keys_have_variants_with_facts() {
        let record = RecordTable {
            keys: 3,
            flags: Record::CONDITIONS,
            facts: vec![0, 2, 2],
            variants: vec![[0, 0], [0, 1], [1, 0], [2, 3], [2, 2]],
            clauses: vec![(4, vec![3])],
            ..RecordTable::default()
        };
        let read = |record: &RecordTable| {
            read_record(record, |record| {
                let keys: Vec<u32> =
                    (0..record.variants()).map(|number| record.key_of_variant(number)).collect();
                let facts: Vec<Vec<u32>> =
                    (0..record.variants()).map(|number| record.facts_of_variant(number).collect()).collect();
                (keys, facts, record.key_of(5))
            })
        };
        let facts = vec![vec![], vec![3], vec![], vec![4, 5], vec![5]];
        assert_eq!(read(&record), Ok((vec![0, 0, 1, 2, 2], facts, 2)));
        let malformed = [
            RecordTable { facts: vec![2, 0, 2], ..record.clone() },
            RecordTable { facts: vec![0, 2, 3], ..record.clone() },
            RecordTable { variants: vec![[3, 0]], ..record.clone() },
            RecordTable { variants: vec![[0, 2]], ..record.clone() },
            RecordTable { variants: vec![[1, 1]], ..record.clone() },
            RecordTable { clauses: vec![(6, vec![])], ..record.clone() },
        ];
        assert!(malformed.iter().all(|record| read(record).is_err()));
        let plain = RecordTable { keys: 2, ..RecordTable::default() };
        assert_eq!(read(&plain), Ok((vec![0, 1], vec![vec![], vec![]], 2)));
    }

    #[test]
    fn records_have_groups_of_choices() {
        let record = RecordTable {
            keys: 3,
            flags: Record::CONDITIONS,
            choices: vec![
                (0, vec![], vec![vec![0, 1], vec![2]]),
                (0, vec![2], vec![vec![0]]),
                (1, vec![1], vec![]),
            ],
            ..RecordTable::default()
        };
        let read = |record: &RecordTable| {
            read_record(record, |record| {
                let count = |choice: Choice<'_>| (choice.atoms().len(), choice.alternatives().count());
                let groups = record.groups().map(|group| group.choices().map(count).collect());
                groups.collect::<Vec<Vec<_>>>()
            })
        };
        assert_eq!(read(&record), Ok(vec![vec![(0, 2), (1, 1)], vec![(1, 0)]]));
        for choice in [(0, vec![3], vec![]), (0, vec![], vec![vec![3]])] {
            assert!(read(&RecordTable { choices: vec![choice], ..record.clone() }).is_err());
        }
        let many = RecordTable { choices: vec![record.choices[0].clone(); MOST_CHOICES + 1], ..record };
        assert!(read(&many).is_err());
    }

    #[test]
    fn records_that_refer_to_other_keys_are_refused() {
        for clause in [(3, vec![]), (NONE, vec![0, 3])] {
            let record = RecordTable { keys: 3, clauses: vec![clause], ..RecordTable::default() };
            assert!(read_record(&record, |_| ()).is_err());
        }
    }
}
