//! Objects whose keys are remembered.
//!
//! The memory of a head has a cell for each open object of this kind, and behind it one for each of its keys. The conditions on the keys are Horn clauses: if some
//! keys are there, then so is another one, or they must not all be there. So the smallest set of keys that satisfies them is found by unit propagation
//! from those that have been read. Clauses may also be about *facts*: that the value of a key satisfies something. Then a key has variants, each with
//! terminals of its own, in front of the values of which the same facts hold; so the terminal says which facts are there. An object can be completed if and only if this set violates no clause, and no key of it has been passed:
//! as the grammar allows any further keys, they can all be written. Where one of several sets of atoms follows from some, one is chosen that leads to no violation, by
//! a search within a group of choices that have no keys in common with others.
//!
//! A key has a terminal for each case of what may follow its member ([`Case`]). One of them is right: where the lexeme of a head ends as a key, the others have
//! not been read. So what follows the member is up to the grammar.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::{Group, Key, Record, Role};
use gcc_grammar_artifact::ids::Terminal;
use gcc_grammar_artifact::wire::U32;

use crate::error::Error;
use crate::scratch::{Atoms, Head, KEY, Memory, RECORD, Scratch, Span};

/// What may follow a member: whether a further one, and whether the end of the object.
pub(crate) type Case = (bool, bool);

/// An open object: its conditions, and the keys that have been read, with the facts that hold for their values.
#[derive(Clone, Copy)]
pub(crate) struct Object<'a> {
    pub(crate) record: Record<'a>,
    atoms: Atoms,
    /// In an order, the keys below this number have passed.
    next: u32,
}

impl<'a> Object<'a> {
    /// The object with one more key; `None` if the key has been read or passed, or is none of the object.
    fn with(&self, number: Option<u32>) -> Option<Self> {
        let mut after = *self;
        let Some(variant) = number else {
            after.next = self.record.keys();
            return self.record.is_open().then_some(after);
        };
        let key = self.record.key_of_variant(variant);
        if variant >= self.record.variants() || !self.may_come(key) {
            return None;
        }
        after.insert(variant);
        Some(after)
    }

    /// Notes a variant of a key that has been read; behind the last one, that other keys have begun.
    fn insert(&mut self, variant: u32) {
        let key = self.record.key_of_variant(variant);
        if key < self.record.keys() {
            self.atoms.insert(key);
        }
        self.record.facts_of_variant(variant).for_each(|fact| self.atoms.insert(fact));
        self.next = self.next.max(key.saturating_add(1)).min(self.record.keys());
    }

    /// Whether a key has neither been read nor passed.
    fn may_come(&self, key: u32) -> bool {
        !(self.atoms.contains(key) || self.record.is_ordered() && key < self.next)
    }
}

impl Scratch<'_> {
    /// The innermost object whose keys are remembered, if no item of a list is open in it.
    pub(crate) fn object<'g>(
        &mut self,
        grammar: &GrammarView<'g>,
        memory: Memory,
    ) -> Result<Option<Object<'g>>, Error> {
        let last = self.innermost(memory)?;
        let cell = self.before_keys(last, |_| ())?;
        let opened = cell.map(|cell| self.item(cell)).filter(|cell| cell.end == RECORD);
        let Some(record) = opened.and_then(|cell| grammar.distinct().record(cell.start)) else {
            return Ok(None);
        };
        let mut object = Object { record, atoms: Atoms::EMPTY, next: 0 };
        self.before_keys(last, |variant| object.insert(variant))?;
        Ok(Some(object))
    }

    /// The cell before the keys of an object, from the innermost one that is open on; `see` gets the number of the variant of each key, the last one first.
    fn before_keys(&mut self, mut cell: Memory, mut see: impl FnMut(u32)) -> Result<Memory, Error> {
        while let Some(key) = cell.filter(|&cell| self.is_name(cell) || self.item(cell).end == KEY) {
            self.charge(1)?;
            if !self.is_name(key) {
                see(self.item(key).start);
            }
            cell = self.item_before(key);
        }
        Ok(cell)
    }

    /// The innermost object, if this key may come in it.
    fn object_with<'g>(
        &mut self,
        grammar: &GrammarView<'g>,
        memory: Memory,
        key: Key,
    ) -> Result<Option<Object<'g>>, Error> {
        let Some(object) = self.object(grammar, memory)? else { return Ok(None) };
        let case = self.case_of(&object, key.number())?;
        Ok((case == Some(key.then())).then_some(object))
    }

    /// The memory after an object has opened.
    pub(crate) fn memory_in_object(&mut self, memory: Memory, record: u32) -> Result<Memory, Error> {
        let around = self.innermost(memory)?;
        self.remember(around, Span { start: record, end: RECORD }).map(Some)
    }

    /// The memory after a key; none if it must not come, or something else may follow its member.
    pub(crate) fn memory_after_key(
        &mut self,
        grammar: &GrammarView<'_>,
        memory: Memory,
        key: Key,
    ) -> Result<Option<Memory>, Error> {
        let Some(object) = self.object_with(grammar, memory, key)? else { return Ok(None) };
        let before = self.innermost(memory)?;
        let number = match key.number() {
            Some(number) => number,
            None if object.record.is_ordered() => object.record.variants(),
            None => return Ok(Some(before)),
        };
        let is_last = before.is_some_and(|last| self.item(last) == Span { start: number, end: KEY });
        if is_last {
            return Ok(Some(before));
        }
        self.remember(before, Span { start: number, end: KEY }).map(|key| Some(Some(key)))
    }

    /// The memory after the innermost object has closed.
    pub(crate) fn memory_after_object(&mut self, memory: Memory) -> Result<Memory, Error> {
        let last = self.innermost(memory)?;
        let opened = self.before_keys(last, |_| ())?;
        Ok(opened.and_then(|opened| self.item_before(opened)))
    }

    /// What may follow the member of a variant of a key; `None` if it must not come. Without a number, the key is none of the declared ones.
    pub(crate) fn case_of(
        &mut self,
        object: &Object<'_>,
        number: Option<u32>,
    ) -> Result<Option<Case>, Error> {
        let Some(after) = object.with(number) else { return Ok(None) };
        let Some(may_end) = self.is_complete(&after)? else { return Ok(None) };
        // If the object is not complete, a key is left that completes it.
        Ok(Some((!may_end || after.record.is_open() || self.has_key_left(&after)?, may_end)))
    }

    /// Whether the keys of an object satisfy its conditions; `None` if no further keys can make them.
    fn is_complete(&mut self, object: &Object<'_>) -> Result<Option<bool>, Error> {
        let Some(mut atoms) = self.closure(object, object.atoms)? else { return Ok(None) };
        for group in object.record.groups() {
            let Some(with) = self.chosen(object, atoms, group)? else { return Ok(None) };
            atoms = with;
        }
        Ok(Some(atoms == object.atoms))
    }

    /// The atoms with an alternative of each choice of a group that is open; `None` if there are none that violate nothing. It calls itself at most once per choice.
    fn chosen(
        &mut self,
        object: &Object<'_>,
        atoms: Atoms,
        group: Group<'_>,
    ) -> Result<Option<Atoms>, Error> {
        let holds = |all: &[U32]| all.iter().all(|atom| atoms.contains(atom.get()));
        for choice in group.choices() {
            self.charge(1 + choice.atoms().len())?;
            if !holds(choice.atoms()) || choice.alternatives().any(holds) {
                continue;
            }
            for all in choice.alternatives() {
                self.charge(1 + all.len())?;
                let may_come =
                    |atom: u32| atoms.contains(atom) || object.may_come(object.record.key_of(atom));
                if !all.iter().all(|atom| may_come(atom.get())) {
                    continue;
                }
                let mut with = atoms;
                all.iter().for_each(|atom| with.insert(atom.get()));
                if let Some(with) = self.closure(object, with)?
                    && let Some(with) = self.chosen(object, with, group)?
                {
                    return Ok(Some(with));
                }
            }
            return Ok(None);
        }
        Ok(Some(atoms))
    }

    /// The smallest set that has these atoms and satisfies the clauses; `None` if there is none that keys which may come can make.
    fn closure(&mut self, object: &Object<'_>, mut atoms: Atoms) -> Result<Option<Atoms>, Error> {
        let mut changed = true;
        while core::mem::take(&mut changed) {
            for (all, then) in object.record.clauses() {
                self.charge(1 + all.len())?;
                if !all.iter().all(|atom| atoms.contains(atom.get())) {
                    continue;
                }
                match then {
                    Some(atom) if atoms.contains(atom) => {}
                    Some(atom) if object.may_come(object.record.key_of(atom)) => {
                        atoms.insert(atom);
                        changed = true;
                    }
                    _ => return Ok(None),
                }
            }
        }
        Ok(Some(atoms))
    }

    /// Whether some declared key may follow.
    fn has_key_left(&mut self, object: &Object<'_>) -> Result<bool, Error> {
        for variant in 0..object.record.variants() {
            self.charge(1)?;
            if let Some(after) = object.with(Some(variant))
                && self.is_complete(&after)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the keys so far let a terminal come that the parser takes.
    #[inline]
    pub(crate) fn may_come(
        &mut self,
        grammar: &GrammarView<'_>,
        head: Head,
        terminal: Terminal,
    ) -> Result<bool, Error> {
        if !grammar.distinct().has_records() {
            return Ok(true);
        }
        let Role::Key(key) = grammar.distinct().role(terminal) else { return Ok(true) };
        Ok(self.object_with(grammar, head.memory, key)?.is_some())
    }
}
