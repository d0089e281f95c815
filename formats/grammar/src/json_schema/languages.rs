//! Regular languages by number: shared, compared by id, combined once.
//!
//! Strings and keys are languages of texts (UTF-8), numbers are languages of numerals (see [`super::number`]). Both
//! are minimal automata, so equal languages get equal ids and every operation is remembered.

use crate::regular::{RegularLimits, TooLarge};
use crate::{Dfa, Regex};
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

/// A language; equal ids, equal languages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct LanguageId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Union,
    Intersect,
    Difference,
}

/// All languages met so far.
pub(super) struct Languages {
    pool: Vec<Arc<Dfa>>,
    known: FxHashMap<Arc<Dfa>, LanguageId>,
    results: FxHashMap<(Operation, LanguageId, LanguageId), LanguageId>,
    overlaps: FxHashMap<(LanguageId, LanguageId), bool>,
    limits: RegularLimits,
}

static TEXTS: LazyLock<Arc<Dfa>> = LazyLock::new(|| {
    let limits = RegularLimits::default();
    Arc::new(Regex::any_char().star().to_dfa(&limits).expect("a handful of states"))
});

impl Languages {
    /// The empty language.
    pub(super) const NOTHING: LanguageId = LanguageId(0);
    /// All texts.
    pub(super) const TEXTS: LanguageId = LanguageId(1);
    /// All numerals in plain notation.
    pub(super) const NUMBERS: LanguageId = LanguageId(2);

    pub(super) fn new(limits: RegularLimits) -> Self {
        let mut languages = Self {
            pool: Vec::new(),
            known: FxHashMap::default(),
            results: FxHashMap::default(),
            overlaps: FxHashMap::default(),
            limits,
        };
        languages.add_shared(Arc::new(Dfa::never()));
        languages.add_shared(TEXTS.clone());
        languages.add_shared(super::number::plain());
        languages
    }

    pub(super) fn get(&self, id: LanguageId) -> &Arc<Dfa> {
        &self.pool[id.0 as usize]
    }

    pub(super) fn add(&mut self, dfa: Dfa) -> LanguageId {
        self.add_shared(Arc::new(dfa))
    }

    pub(super) fn add_shared(&mut self, dfa: Arc<Dfa>) -> LanguageId {
        if let Some(&id) = self.known.get(&dfa) {
            return id;
        }
        let id = LanguageId(self.pool.len() as u32);
        self.pool.push(dfa.clone());
        self.known.insert(dfa, id);
        id
    }

    pub(super) fn of_regex(&mut self, regex: &Regex) -> Result<LanguageId, TooLarge> {
        let dfa = regex.to_dfa(&self.limits)?;
        Ok(self.add(dfa))
    }

    /// The language of exactly these texts.
    pub(super) fn of_texts<'a>(
        &mut self,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<LanguageId, TooLarge> {
        self.of_regex(&Regex::union(texts.into_iter().map(Regex::literal)))
    }

    pub(super) fn union(&mut self, a: LanguageId, b: LanguageId) -> Result<LanguageId, TooLarge> {
        if a == b || b == Self::NOTHING {
            return Ok(a);
        }
        if a == Self::NOTHING {
            return Ok(b);
        }
        self.combine(Operation::Union, a.min(b), a.max(b))
    }

    pub(super) fn intersect(&mut self, a: LanguageId, b: LanguageId) -> Result<LanguageId, TooLarge> {
        if a == b || a == Self::NOTHING {
            return Ok(a);
        }
        if b == Self::NOTHING {
            return Ok(b);
        }
        if a == Self::TEXTS || b == Self::TEXTS {
            // Numbers never meet texts.
            return Ok(a.max(b));
        }
        self.combine(Operation::Intersect, a.min(b), a.max(b))
    }

    pub(super) fn difference(&mut self, a: LanguageId, b: LanguageId) -> Result<LanguageId, TooLarge> {
        if a == Self::NOTHING || b == Self::NOTHING {
            return Ok(a);
        }
        if a == b || b == Self::TEXTS {
            return Ok(Self::NOTHING);
        }
        self.combine(Operation::Difference, a, b)
    }

    /// Do the two have a text in common?
    pub(super) fn overlap(&mut self, a: LanguageId, b: LanguageId) -> bool {
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.overlaps.get(&key) {
            return known;
        }
        let overlap = self.get(a).intersects(self.get(b));
        self.overlaps.insert(key, overlap);
        overlap
    }

    fn combine(
        &mut self,
        operation: Operation,
        a: LanguageId,
        b: LanguageId,
    ) -> Result<LanguageId, TooLarge> {
        if let Some(&known) = self.results.get(&(operation, a, b)) {
            return Ok(known);
        }
        let (left, right) = (self.get(a), self.get(b));
        let dfa = match operation {
            Operation::Union => left.union(right, &self.limits),
            Operation::Intersect => left.intersect(right, &self.limits),
            Operation::Difference => left.difference(right, &self.limits),
        }?;
        let id = self.add(dfa);
        self.results.insert((operation, a, b), id);
        Ok(id)
    }
}
