//! What open objects owe: the keys that must come before they can close; behind a comma, at least one.
//!
//! These are the keys that follow from the ones that have been read, by the clauses and by all alternatives of choices that none satisfies yet. They are as many as
//! must come, or more: those of a way to complete the object are among them. A further key of this way is paid for, and adds none. So the
//! [costs](gcc_grammar_artifact::grammar::Record::cost) of the keys bound what the object costs besides its end.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::{Key, Record};

use super::keys::Object;
use crate::error::Error;
use crate::scratch::{Atoms, Memory, Scratch};

impl Scratch<'_> {
    /// The tokens that suffice for the members that all open objects must still have.
    pub(crate) fn owed(&mut self, grammar: &GrammarView<'_>, memory: Memory) -> Result<u32, Error> {
        let (mut owed, mut around) = (0_u32, memory);
        while let Some(object) = self.object(grammar, around)? {
            owed = owed.saturating_add(self.owed_in(&object)?);
            around = self.memory_after_object(around)?;
        }
        Ok(owed)
    }

    /// The same after a key; `None` if it must not come, or something else may follow its member.
    pub(crate) fn owed_after_key(
        &mut self,
        grammar: &GrammarView<'_>,
        memory: Memory,
        key: Key,
    ) -> Result<Option<u32>, Error> {
        let Some(object) = self.object(grammar, memory)? else { return Ok(None) };
        if self.case_of(&object, key.number())? != Some(key.then()) {
            return Ok(None);
        }
        let Some(after) = object.with(key.number()) else { return Ok(None) };
        let around = self.memory_after_object(memory)?;
        Ok(Some(self.owed_in(&after)?.saturating_add(self.owed(grammar, around)?)))
    }

    /// The same after an object has opened.
    pub(crate) fn owed_after_opening(
        &mut self,
        grammar: &GrammarView<'_>,
        memory: Memory,
        number: u32,
    ) -> Result<u32, Error> {
        let own = match grammar.distinct().record(number) {
            Some(record) => self.owed_with_key(Object::empty(record, number))?,
            None => 0,
        };
        Ok(own.saturating_add(self.owed(grammar, memory)?))
    }

    /// The same behind a comma.
    pub(crate) fn owed_after_comma(
        &mut self,
        grammar: &GrammarView<'_>,
        memory: Memory,
    ) -> Result<u32, Error> {
        let Some(object) = self.object(grammar, memory)? else { return Ok(0) };
        let around = self.memory_after_object(memory)?;
        Ok(self.owed_with_key(object)?.saturating_add(self.owed(grammar, around)?))
    }

    /// The tokens that suffice for the members that an object must still have, or for another one with those that follow from it. The grammar has one there.
    fn owed_with_key(&mut self, object: Object<'_>) -> Result<u32, Error> {
        let record = object.record;
        let due = match self.due(&object)? {
            Some(due) => due,
            None => self.due_with_key(&object)?,
        };
        Ok(due.saturating_sub(record.least_cost()))
    }

    fn due_with_key(&mut self, object: &Object<'_>) -> Result<u32, Error> {
        let record = object.record;
        let mut least = u32::MAX;
        let others = record.is_open().then_some(None);
        for variant in (0..record.variants()).map(Some).chain(others) {
            self.charge(1)?;
            let key = variant.map_or(record.keys(), |variant| record.key_of_variant(variant));
            if record.cost(key) < least
                && self.case_of(object, variant)?.is_some()
                && let Some(after) = object.with(variant)
            {
                let due = self.due(&after)?.unwrap_or(0);
                least = least.min(record.cost(key).saturating_add(due));
            }
        }
        Ok(least)
    }

    /// The same where the object may end, if it needs nothing.
    fn owed_in(&mut self, object: &Object<'_>) -> Result<u32, Error> {
        let due = self.due(object)?.unwrap_or(0);
        Ok(due.saturating_sub(object.record.least_cost()))
    }

    /// The tokens that suffice for the members that an object must still have; `None` if there are none.
    fn due(&mut self, object: &Object<'_>) -> Result<Option<u32>, Error> {
        let needed = self.needed(object)?;
        if needed == object.atoms {
            return Ok(None);
        }
        let record = &object.record;
        let mut keys = Atoms::EMPTY;
        needed.numbers().for_each(|atom| keys.insert(record.key_of(atom)));
        let due = keys.without(object.atoms).numbers().map(|key| record.cost(key));
        Ok(Some(due.fold(0, u32::saturating_add)))
    }

    /// The atoms of an object, and those that may have to follow.
    fn needed(&mut self, object: &Object<'_>) -> Result<Atoms, Error> {
        let record: &Record<'_> = &object.record;
        let mut atoms = object.atoms;
        let mut changed = true;
        while core::mem::take(&mut changed) {
            let before = atoms;
            for (all, then) in record.clauses() {
                self.charge(1 + all.len())?;
                if let Some(atom) = then.filter(|&atom| object.may_come(record.key_of(atom)))
                    && atoms.has_all(all)
                {
                    atoms.insert(atom);
                }
            }
            for choice in record.groups().flat_map(|group| group.choices()) {
                self.charge(1 + choice.atoms().len())?;
                if !atoms.has_all(choice.atoms())
                    || choice.alternatives().any(|all| object.atoms.has_all(all))
                {
                    continue;
                }
                for all in choice.alternatives() {
                    let may_come =
                        |atom: u32| object.atoms.contains(atom) || object.may_come(record.key_of(atom));
                    if all.iter().all(|atom| may_come(atom.get())) {
                        all.iter().for_each(|atom| atoms.insert(atom.get()));
                    }
                }
            }
            changed = atoms != before;
        }
        Ok(atoms)
    }
}
