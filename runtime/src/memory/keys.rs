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
use crate::scratch::{Atoms, BOTH, Case, Cases, KEY, Memory, RECORD, Scratch, Span};

/// An open object: its conditions, and the keys that have been read, with the facts that hold for their values.
#[derive(Clone, Copy)]
pub(crate) struct Object<'a> {
    pub(crate) record: Record<'a>,
    /// The number of the record.
    number: u32,
    pub(super) atoms: Atoms,
    /// In an order, the keys below this number have passed.
    next: u32,
}

impl<'a> Object<'a> {
    /// The object without keys.
    pub(super) const fn empty(record: Record<'a>, number: u32) -> Self {
        Self { record, number, atoms: Atoms::EMPTY, next: 0 }
    }

    /// The object with one more key; `None` if the key has been read or passed, or is none of the object.
    pub(super) fn with(&self, number: Option<u32>) -> Option<Self> {
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
    pub(super) fn may_come(&self, key: u32) -> bool {
        !(self.atoms.contains(key) || self.record.is_ordered() && key < self.next)
    }

    /// All that matters for the keys that come next.
    const fn place(&self) -> Option<(u32, Atoms, u32)> {
        Some((self.number, self.atoms, self.next))
    }

    /// Whether all atoms of a set may come.
    fn may_all_come(&self, atoms: Atoms) -> bool {
        atoms.numbers().all(|atom| self.may_come(self.record.key_of(atom)))
    }
}

/// What the keys of an object so far lead to. Most further keys change nothing of it, so that their cases are known without a look at the conditions.
struct Outlook<'a> {
    object: Object<'a>,
    /// Atoms that complete the object: those that hold, and some that may come.
    complete: Atoms,
    /// The atoms of which those of one key may change what completes the object: with them, something follows from a condition, or a choice is made.
    decisive: Atoms,
    /// Two keys from which nothing follows, if there are so many: one of them is left behind any other key.
    free: [Option<u32>; 2],
}

impl Outlook<'_> {
    /// Notes a set of atoms from which something follows that does not hold.
    fn note(&mut self, all: &[U32], asked: &mut Atoms) {
        let missing = || all.iter().map(|atom| atom.get()).filter(|&atom| !self.complete.contains(atom));
        missing().for_each(|atom| asked.insert(atom));
        let mut keys = missing().map(|atom| self.object.record.key_of(atom));
        let first = keys.next();
        if keys.all(|key| Some(key) == first) {
            missing().for_each(|atom| self.decisive.insert(atom));
        }
    }

    /// Whether some key from which nothing follows may come in an object behind this one.
    fn has_free_key(&self, after: &Object<'_>) -> bool {
        self.free.iter().flatten().any(|&key| after.may_come(key))
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
        let opened = opened.and_then(|cell| Some((cell.start, grammar.distinct().record(cell.start)?)));
        let Some((number, record)) = opened else { return Ok(None) };
        let mut object = Object::empty(record, number);
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
        let Some(object) = self.object(grammar, memory)? else { return Ok(None) };
        if self.case_of(&object, key.number())? != Some(key.then()) {
            return Ok(None);
        }
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

    /// What may follow the member of each key that comes next in an object.
    pub(crate) fn cases(&mut self, object: Object<'_>) -> Result<Cases, Error> {
        if self.cases.of == object.place() {
            return Ok(self.cases);
        }
        let mut cases = Cases { of: object.place(), ..Cases::NONE };
        if let Some(outlook) = self.outlook(object)? {
            for (variant, case) in (0..object.record.variants()).zip(&mut cases.declared) {
                *case = self.case_in(&outlook, variant)?;
            }
            cases.others = self.case_of(&object, None)?;
        }
        let declared = &cases.declared[..object.record.variants() as usize];
        let all = || declared.iter().chain(object.record.is_open().then_some(&cases.others));
        (cases.forbids, cases.decides) =
            (all().any(Option::is_none), all().flatten().any(|&case| case != BOTH));
        self.cases = cases;
        Ok(cases)
    }

    /// What the keys of an object lead to; `None` if it cannot be completed.
    fn outlook<'g>(&mut self, object: Object<'g>) -> Result<Option<Outlook<'g>>, Error> {
        let Some(complete) = self.completion(&object)? else { return Ok(None) };
        let mut outlook = Outlook { object, complete, decisive: Atoms::EMPTY, free: [None; 2] };
        let record = object.record;
        let mut asked = Atoms::EMPTY;
        for (all, then) in record.clauses() {
            self.charge(1 + all.len())?;
            if !then.is_some_and(|atom| complete.contains(atom)) {
                outlook.note(all, &mut asked);
            }
        }
        for choice in record.groups().flat_map(|group| group.choices()) {
            self.charge(1 + choice.atoms().len())?;
            if !choice.alternatives().any(|all| complete.has_all(all)) {
                outlook.note(choice.atoms(), &mut asked);
            } else if complete.has_all(choice.atoms())
                && !choice.alternatives().any(|all| object.atoms.has_all(all))
            {
                let all = choice.alternatives().flatten();
                all.for_each(|atom| outlook.decisive.insert(atom.get()));
            }
        }
        for variant in 0..record.variants() {
            self.charge(1)?;
            let key = record.key_of_variant(variant);
            let is_free = |atom| !asked.contains(atom);
            if object.may_come(key)
                && outlook.free[1] != Some(key)
                && is_free(key)
                && record.facts_of_variant(variant).all(is_free)
            {
                outlook.free = [outlook.free[1], Some(key)];
            }
        }
        Ok(Some(outlook))
    }

    /// What may follow the member of a variant of a declared key.
    fn case_in(&mut self, outlook: &Outlook<'_>, variant: u32) -> Result<Option<Case>, Error> {
        let object = &outlook.object;
        self.charge(1)?;
        let Some(after) = object.with(Some(variant)) else { return Ok(None) };
        let left = outlook.complete.without(after.atoms);
        if after.atoms.without(object.atoms).meets(outlook.decisive) || !after.may_all_come(left) {
            return self.case_after(&after);
        }
        let may_end = left == Atoms::EMPTY;
        let may_go_on = !may_end
            || after.record.is_open()
            || outlook.has_free_key(&after)
            || self.has_key_left(&after)?;
        Ok(Some((may_go_on, may_end)))
    }

    /// What may follow the member of a variant of a key; `None` if it must not come. Without a number, the key is none of the declared ones.
    pub(super) fn case_of(
        &mut self,
        object: &Object<'_>,
        number: Option<u32>,
    ) -> Result<Option<Case>, Error> {
        if self.cases.of == object.place() {
            return Ok(self.cases.case(number));
        }
        let Some(after) = object.with(number) else { return Ok(None) };
        self.case_after(&after)
    }

    /// What may follow the last member of an object; `None` if its key must not have come.
    fn case_after(&mut self, after: &Object<'_>) -> Result<Option<Case>, Error> {
        let Some(complete) = self.completion(after)? else { return Ok(None) };
        let may_end = complete == after.atoms;
        // If the object is not complete, a key is left that completes it.
        Ok(Some((!may_end || after.record.is_open() || self.has_key_left(after)?, may_end)))
    }

    /// Atoms that complete an object, those that hold among them: no others, if it is complete. `None` if no further keys can complete it.
    fn completion(&mut self, object: &Object<'_>) -> Result<Option<Atoms>, Error> {
        let Some(mut atoms) = self.closure(object, object.atoms)? else { return Ok(None) };
        for group in object.record.groups() {
            let Some(with) = self.chosen(object, atoms, group)? else { return Ok(None) };
            atoms = with;
        }
        Ok(Some(atoms))
    }

    /// The atoms with an alternative of each choice of a group that is open; `None` if there are none that violate nothing. It calls itself at most once per choice.
    fn chosen(
        &mut self,
        object: &Object<'_>,
        atoms: Atoms,
        group: Group<'_>,
    ) -> Result<Option<Atoms>, Error> {
        for choice in group.choices() {
            self.charge(1 + choice.atoms().len())?;
            if !atoms.has_all(choice.atoms()) || choice.alternatives().any(|all| atoms.has_all(all)) {
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
                if !atoms.has_all(all) {
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
                && self.completion(&after)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the keys so far let a terminal come that the parser takes. The innermost object of the memory is noted.
    #[inline]
    pub(crate) fn may_come<'g>(
        &mut self,
        grammar: &GrammarView<'g>,
        memory: Memory,
        terminal: Terminal,
        object: &mut Option<Object<'g>>,
    ) -> Result<bool, Error> {
        if !grammar.distinct().has_records() {
            return Ok(true);
        }
        let Role::Key(key) = grammar.distinct().role(terminal) else { return Ok(true) };
        if object.is_none() {
            *object = self.object(grammar, memory)?;
        }
        let Some(object) = object else { return Ok(false) };
        Ok(self.case_of(object, key.number())? == Some(key.then()))
    }
}
