//! The pool of regular languages: each language has a number, and every operation on two languages is done
//! once.
//!
//! Strings and keys are languages of texts (UTF-8), numbers are languages of numerals (see
//! [`super::number`]). The automata are minimal, so equal languages get equal ids. Results of operations are
//! remembered by id.
//!
//! Texts that are restricted only in length, by a bound that is not small, are kept as [`Lengths`] until an
//! operation needs their automaton: `maxLength: 65535` is common, rarely combined with anything, and cheap to
//! express in a grammar.

use super::format::TextFormat;
use super::lengths::Lengths;
use super::number::Divisor;
use super::pattern::{Part, Pattern};
use super::{number, texts};
use crate::options::Counting;
use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::RegularLimits;
use gcc_grammar_regular::{Dfa, Regex};
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

/// A language; equal ids mean equal languages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct LanguageId(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Union,
    Intersect,
    Difference,
}

/// Estimated bytes of a language besides the table of its automaton, in the tables of all languages.
const BYTES_PER_LANGUAGE: usize = 500;

/// All languages made so far.
pub(crate) struct Languages {
    /// The automata; `None` for a language in `lengths` or `bounded` whose automaton was not needed yet.
    pool: Vec<Option<Arc<Dfa>>>,
    lengths: FxHashMap<LanguageId, Lengths>,
    known_lengths: FxHashMap<Lengths, LanguageId>,
    /// The bounds of languages of texts that are restricted in length only, whether or not they are kept as lengths.
    counted: FxHashMap<LanguageId, Lengths>,
    /// Languages that are another one with a greatest length, which is large. Only where the compiler counts characters.
    bounded: FxHashMap<LanguageId, (LanguageId, u32)>,
    known_bounded: FxHashMap<(LanguageId, u32), LanguageId>,
    counting: Counting,
    /// Languages that are all texts but a few, with these.
    all_but: FxHashMap<LanguageId, LanguageId>,
    formats: FxHashMap<LanguageId, TextFormat>,
    /// Languages of the multiples of a number.
    multiples: FxHashMap<LanguageId, Divisor>,
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
    pub(crate) const NOTHING: LanguageId = LanguageId(0);
    /// All texts.
    pub(crate) const TEXTS: LanguageId = LanguageId(1);
    /// All numerals in plain notation.
    pub(crate) const NUMBERS: LanguageId = LanguageId(2);

    /// A pool of the three constant languages, with the bounds of each automaton, and the lengths that the compiler counts.
    pub(crate) fn new(limits: RegularLimits, counting: Counting) -> Self {
        let mut languages = Self {
            pool: Vec::new(),
            lengths: FxHashMap::default(),
            known_lengths: FxHashMap::default(),
            counted: FxHashMap::default(),
            bounded: FxHashMap::default(),
            known_bounded: FxHashMap::default(),
            counting,
            all_but: FxHashMap::default(),
            formats: FxHashMap::default(),
            multiples: FxHashMap::default(),
            known: FxHashMap::default(),
            results: FxHashMap::default(),
            overlaps: FxHashMap::default(),
            limits,
        };
        languages.add_shared(Arc::new(Dfa::never()));
        languages.add_shared(TEXTS.clone());
        languages.add_shared(number::all());
        languages
    }

    /// The bounds of one automaton, and the budget of all.
    pub(crate) fn limits(&self) -> &RegularLimits {
        &self.limits
    }

    /// Asks for a language with half of the budget that is left. If it takes more, nothing but the answer is lost.
    pub(crate) fn in_half<T>(
        &mut self,
        ask: impl FnOnce(&mut Self) -> Result<T, OverBudget>,
    ) -> Result<T, OverBudget> {
        let half = self.limits.budget.fork_part(2);
        let whole = std::mem::replace(&mut self.limits.budget, half);
        let answer = ask(self);
        let half = std::mem::replace(&mut self.limits.budget, whole);
        self.limits.budget.settle(&half)?;
        answer
    }

    /// The minimal automaton of a language.
    pub(crate) fn automaton(&mut self, id: LanguageId) -> Result<Arc<Dfa>, OverBudget> {
        if let Some(dfa) = &self.pool[id.0 as usize] {
            return Ok(dfa.clone());
        }
        let dfa = match self.bounded.get(&id) {
            Some(&(base, most)) => {
                let shorter = Lengths { min: 0, max: Some(most) }.automaton(&self.limits)?;
                self.automaton(base)?.intersect(&shorter, &self.limits)?
            }
            None => self.lengths[&id].automaton(&self.limits)?,
        };
        let dfa = Arc::new(dfa);
        self.keep(&dfa)?;
        self.pool[id.0 as usize] = Some(dfa.clone());
        self.known.entry(dfa.clone()).or_insert(id);
        Ok(dfa)
    }

    /// The language without its greatest length, and that length, of one that was made as such.
    pub(crate) fn as_bounded(&self, id: LanguageId) -> Option<(LanguageId, u32)> {
        self.bounded.get(&id).copied()
    }

    /// A language and the lengths that make this one of it, if it was made so.
    fn as_limited(&self, id: LanguageId) -> Option<(LanguageId, Lengths)> {
        let bounded = self.as_bounded(id).map(|(base, most)| (base, Lengths { min: 0, max: Some(most) }));
        bounded.or_else(|| self.as_counted(id).map(|lengths| (Self::TEXTS, lengths)))
    }

    /// A language whose texts of some greatest length are those of this one, and that length.
    fn as_shortened(&mut self, id: LanguageId) -> Result<Option<(LanguageId, u32)>, OverBudget> {
        let Some((base, Lengths { min, max: Some(most) })) = self.as_limited(id) else { return Ok(None) };
        if !self.counting.counts(min, most) {
            return Ok(None);
        }
        let longer = self.add_lengths(Lengths { min, max: None })?;
        Ok(Some((self.intersect(base, longer)?, most)))
    }

    /// The union with a language that has a greatest length, if the other one has no longer texts.
    fn limited_union(&mut self, a: LanguageId, b: LanguageId) -> Result<Option<LanguageId>, OverBudget> {
        let Some((a, most)) = self.as_shortened(a)? else { return Ok(None) };
        let lengths = Lengths { min: 0, max: Some(most) };
        let b = match self.as_shortened(b)? {
            Some((b, same)) if same == most => b,
            _ if self.is_within(b, lengths) => b,
            _ => return Ok(None),
        };
        let union = self.union(a, b)?;
        self.bound(union, lengths)
    }

    /// A language with a least and a greatest length, if the compiler may count its characters.
    fn bound(&mut self, language: LanguageId, lengths: Lengths) -> Result<Option<LanguageId>, OverBudget> {
        let Lengths { min, max: Some(mut most) } = lengths else { return Ok(None) };
        let mut base = language;
        if let Some((unbounded, other)) = self.as_bounded(language) {
            (base, most) = (unbounded, other.min(most));
        }
        if !self.counting.counts(min, most) || self.as_counted(base).is_some() {
            return Ok(None);
        }
        if min > 0 {
            let longer = self.add_lengths(Lengths { min, max: None })?;
            base = self.intersect(base, longer)?;
        }
        let dfa = self.automaton(base)?;
        if texts::least_length(&dfa).is_none_or(|least| least > most) {
            return Ok(Some(Self::NOTHING));
        }
        if texts::length_bounds(&dfa).is_some_and(|(_, greatest)| greatest <= most) {
            return Ok(Some(base));
        }
        if let Some(&known) = self.known_bounded.get(&(base, most)) {
            return Ok(Some(known));
        }
        self.pool.push(None);
        let id = LanguageId(self.pool.len() as u32 - 1);
        self.bounded.insert(id, (base, most));
        self.known_bounded.insert((base, most), id);
        Ok(Some(id))
    }

    /// The texts that are not in a language, if that was made as all texts but a few.
    pub(crate) fn as_all_but(&self, id: LanguageId) -> Option<LanguageId> {
        self.all_but.get(&id).copied()
    }

    /// The language of a format.
    pub(crate) fn add_format(&mut self, format: TextFormat) -> LanguageId {
        let id = self.add_shared(format.texts());
        self.formats.insert(id, format);
        id
    }

    /// The format that has exactly this language, if one was added.
    pub(crate) fn as_format(&self, id: LanguageId) -> Option<TextFormat> {
        self.formats.get(&id).copied()
    }

    /// The language of the multiples of a number.
    pub(crate) fn add_multiples(&mut self, divisor: Divisor) -> Result<LanguageId, OverBudget> {
        let dfa = divisor.multiples(&self.limits)?;
        self.keep(&dfa)?;
        let id = self.add(dfa);
        self.multiples.insert(id, divisor);
        Ok(id)
    }

    /// The multiples of both numbers, if both languages are multiples.
    fn common_multiples(&mut self, a: LanguageId, b: LanguageId) -> Result<Option<LanguageId>, OverBudget> {
        match (self.multiples.get(&a), self.multiples.get(&b)) {
            (Some(_), None) if b == Self::NUMBERS => Ok(Some(a)),
            (None, Some(_)) if a == Self::NUMBERS => Ok(Some(b)),
            (Some(one), Some(&other)) => {
                let common = one.common(other);
                common.map(|divisor| self.in_half(|languages| languages.add_multiples(divisor))).transpose()
            }
            _ => Ok(None),
        }
    }

    /// The bounds of a language that is kept as lengths.
    pub(crate) fn as_lengths(&self, id: LanguageId) -> Option<Lengths> {
        self.lengths.get(&id).copied()
    }

    /// The bounds of a language that was added as the texts of these lengths.
    pub(crate) fn as_counted(&self, id: LanguageId) -> Option<Lengths> {
        self.counted.get(&id).copied()
    }

    /// The language of all texts of these lengths.
    pub(crate) fn add_lengths(&mut self, lengths: Lengths) -> Result<LanguageId, OverBudget> {
        if lengths.max.is_some_and(|max| max < lengths.min) {
            return Ok(Self::NOTHING);
        }
        if let Some(&known) = self.known_lengths.get(&lengths) {
            return Ok(known);
        }
        let id = if lengths.is_small() {
            let dfa = lengths.automaton(&self.limits)?;
            self.keep(&dfa)?;
            self.add(dfa)
        } else {
            self.pool.push(None);
            let id = LanguageId(self.pool.len() as u32 - 1);
            self.lengths.insert(id, lengths);
            id
        };
        self.known_lengths.insert(lengths, id);
        self.counted.insert(id, lengths);
        Ok(id)
    }

    /// Whether a text is in a language.
    pub(crate) fn contains(&mut self, id: LanguageId, text: &str) -> Result<bool, OverBudget> {
        let length = text.chars().count() as u32;
        if let Some((base, most)) = self.as_bounded(id) {
            return Ok(length <= most && self.contains(base, text)?);
        }
        match self.lengths.get(&id) {
            Some(lengths) => Ok(lengths.contains(length)),
            None => Ok(self.automaton(id)?.accepts(text.as_bytes())),
        }
    }

    /// Whether all texts of the language have these lengths. False if that is not known cheaply.
    fn is_within(&self, id: LanguageId, lengths: Lengths) -> bool {
        match &self.pool[id.0 as usize] {
            Some(dfa) => texts::length_bounds(dfa)
                .is_some_and(|(least, greatest)| lengths.contains(least) && lengths.contains(greatest)),
            None => self.lengths.get(&id).is_some_and(|own| own.intersect(lengths) == *own),
        }
    }

    /// The language of a minimal automaton.
    pub(crate) fn add(&mut self, dfa: Dfa) -> LanguageId {
        self.add_shared(Arc::new(dfa))
    }

    /// The language of a minimal automaton.
    pub(crate) fn add_shared(&mut self, dfa: Arc<Dfa>) -> LanguageId {
        if let Some(&id) = self.known.get(&dfa) {
            return id;
        }
        let id = LanguageId(self.pool.len() as u32);
        self.pool.push(Some(dfa.clone()));
        self.known.insert(dfa, id);
        id
    }

    /// The language of a regular expression.
    pub(crate) fn add_regex(&mut self, regex: &Regex) -> Result<LanguageId, OverBudget> {
        let dfa = regex.to_dfa(&self.limits)?;
        self.keep(&dfa)?;
        Ok(self.add(dfa))
    }

    /// The language of a pattern.
    pub(crate) fn add_pattern(&mut self, pattern: &Pattern) -> Result<LanguageId, OverBudget> {
        pattern.parts.iter().try_fold(Self::TEXTS, |all, part| {
            let language = self.add_part(part)?;
            self.intersect(all, language)
        })
    }

    fn add_part(&mut self, part: &Part) -> Result<LanguageId, OverBudget> {
        if self.counting != Counting::Off
            && let Some((relaxed, most)) = &part.bounded
            && self.counting.counts(0, *most)
        {
            let base = self.add_regex(relaxed)?;
            if let Some(bounded) = self.bound(base, Lengths { min: 0, max: Some(*most) })? {
                return Ok(bounded);
            }
        }
        self.add_regex(&part.language)
    }

    /// Spends the bytes of a new automaton, which is kept.
    fn keep(&self, dfa: &Dfa) -> Result<(), OverBudget> {
        let cells = dfa.state_count() * (dfa.class_count() + 1);
        self.limits.budget.charge_bytes((BYTES_PER_LANGUAGE + cells * size_of::<u32>()) as u64)
    }

    /// The language of exactly these texts.
    pub(crate) fn add_texts<'a>(
        &mut self,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<LanguageId, OverBudget> {
        self.add_regex(&Regex::union(texts.into_iter().map(Regex::literal)))
    }

    pub(crate) fn union(&mut self, a: LanguageId, b: LanguageId) -> Result<LanguageId, OverBudget> {
        if a == b || b == Self::NOTHING {
            return Ok(a);
        }
        if a == Self::NOTHING {
            return Ok(b);
        }
        for (a, b) in [(a, b), (b, a)] {
            if self.as_lengths(b).is_some_and(|lengths| self.is_within(a, lengths)) {
                return Ok(b);
            }
        }
        let key = (Operation::Union, a.min(b), a.max(b));
        if let Some(&known) = self.results.get(&key) {
            return Ok(known);
        }
        for (a, b) in [(a, b), (b, a)] {
            if let Some(union) = self.limited_union(a, b)? {
                self.results.insert(key, union);
                return Ok(union);
            }
        }
        self.combine(Operation::Union, a.min(b), a.max(b))
    }

    pub(crate) fn intersect(&mut self, a: LanguageId, b: LanguageId) -> Result<LanguageId, OverBudget> {
        if a == b || a == Self::NOTHING {
            return Ok(a);
        }
        if b == Self::NOTHING {
            return Ok(b);
        }
        if a == Self::TEXTS || b == Self::TEXTS {
            // All texts contain every other language of texts, and numbers are never combined with texts.
            return Ok(a.max(b));
        }
        if let (Some(a), Some(b)) = (self.as_counted(a), self.as_counted(b)) {
            return self.add_lengths(a.intersect(b));
        }
        for (a, b) in [(a, b), (b, a)] {
            if self.as_lengths(b).is_some_and(|lengths| self.is_within(a, lengths)) {
                return Ok(a);
            }
        }
        let key = (Operation::Intersect, a.min(b), a.max(b));
        if let Some(&known) = self.results.get(&key) {
            return Ok(known);
        }
        if let Some(common) = self.common_multiples(a, b)? {
            self.results.insert(key, common);
            return Ok(common);
        }
        for (a, b) in [(a, b), (b, a)] {
            let Some((base, lengths)) = self.as_limited(b) else { continue };
            let language = self.intersect(a, base)?;
            if language == Self::NOTHING {
                return Ok(language);
            }
            if let Some(bounded) = self.bound(language, lengths)? {
                self.results.insert(key, bounded);
                return Ok(bounded);
            }
        }
        self.combine(Operation::Intersect, a.min(b), a.max(b))
    }

    pub(crate) fn difference(&mut self, a: LanguageId, b: LanguageId) -> Result<LanguageId, OverBudget> {
        if a == Self::NOTHING || b == Self::NOTHING {
            return Ok(a);
        }
        if a == b || b == Self::TEXTS {
            return Ok(Self::NOTHING);
        }
        if let Some(lengths) = self.as_lengths(b) {
            if self.is_within(a, lengths) {
                return Ok(Self::NOTHING);
            }
            if let Some(others) = lengths.complement() {
                let others = self.add_lengths(others)?;
                return self.intersect(a, others);
            }
        }
        if let Some((base, lengths)) = self.as_limited(a)
            && base != a
        {
            let left = self.difference(base, b)?;
            if let Some(bounded) = self.bound(left, lengths)? {
                return Ok(bounded);
            }
        }
        self.combine(Operation::Difference, a, b)
    }

    /// Whether two languages have a text in common.
    pub(crate) fn overlap(&mut self, a: LanguageId, b: LanguageId) -> Result<bool, OverBudget> {
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.overlaps.get(&key) {
            return Ok(known);
        }
        let overlap = self.automaton(a)?.intersects(&*self.automaton(b)?, &self.limits)?;
        self.overlaps.insert(key, overlap);
        Ok(overlap)
    }

    fn combine(
        &mut self,
        operation: Operation,
        a: LanguageId,
        b: LanguageId,
    ) -> Result<LanguageId, OverBudget> {
        if let Some(&known) = self.results.get(&(operation, a, b)) {
            return Ok(known);
        }
        let is_all_but_few =
            operation == Operation::Difference && a == Self::TEXTS && self.automaton(b)?.is_finite();
        let id = self.in_half(|languages| {
            let (left, right) = (languages.automaton(a)?, languages.automaton(b)?);
            let dfa = match operation {
                Operation::Union => left.union(&right, &languages.limits),
                Operation::Intersect => left.intersect(&right, &languages.limits),
                // Any two states of all texts differ in infinitely many of them.
                Operation::Difference if is_all_but_few => left.without_few(&right, &languages.limits),
                Operation::Difference => left.difference(&right, &languages.limits),
            }?;
            languages.keep(&dfa)?;
            Ok(languages.add(dfa))
        })?;
        if is_all_but_few {
            self.all_but.insert(id, b);
        }
        self.results.insert((operation, a, b), id);
        Ok(id)
    }
}
