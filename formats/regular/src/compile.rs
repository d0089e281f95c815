//! Compiles regular expressions to minimal automata: the pipeline of this crate.
//!
//! ```text
//! Regex ──thompson──▶ Nfa ──determinize──▶ RawDfa ──minimize──▶ Dfa
//!   ├─ literal, union of literals, set of code points ──sorted_words──▶ Dfa
//!   └─ intersection, complement: compile the parts ──algebra──▶ Dfa
//! ```
//! Subexpressions that need an automaton of their own (intersections, repeated parts) are compiled on the way: the
//! construction of the nondeterministic automaton calls back into this file.

use crate::determinize::{beginnings, determinize, endings, is_free_of_what_is_before, look_around};
use crate::dfa::Dfa;
use crate::ending::{Beginning, Ending};
use crate::limits::{Meter, RegularLimits};
use crate::minimize::minimize;
use crate::nfa::{Nfa, Preference, is_minimized, thompson};
use crate::regex::Regex;
use crate::sorted_words;
use gcc_grammar_limits::{OverBudget, Resource};

/// The deepest nesting of expressions.
const MAX_DEPTH: usize = 500;
/// Estimated bytes of the copy of a state with its transitions.
const BYTES_PER_COPY: usize = 64;
/// The deepest nesting of counted repetitions, each of which is minimized on its own: the construction recurses over them.
const MAX_COUNTS: usize = 40;

impl Regex {
    /// The minimal automaton of the language.
    ///
    /// # Errors
    /// [`OverBudget`] if the construction would exceed `limits`, or the expression is nested too deep.
    pub fn to_dfa(&self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        check_depth(self, limits)?;
        compile(self, limits)
    }

    /// The minimal automaton of the strings that a backtracking matcher (Perl's, Python's) would return as the match at
    /// the start of some text: earlier alternatives win over later ones, and lazy repetitions leave as soon as they can.
    /// The longest match of the automaton is the match of that matcher.
    ///
    /// # Errors
    /// As for [`Regex::to_dfa`].
    pub fn to_first_match_dfa(&self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        check_depth(self, limits)?;
        through_nfa(self, Preference::FirstMatch, limits)
    }

    /// As [`Regex::to_first_match_dfa`], but a match wins only over alternatives that come later and in which a lazy repetition has begun. The longest
    /// match of the automaton is that of ANTLR's lexer.
    ///
    /// # Errors
    /// As for [`Regex::to_dfa`].
    pub fn to_lazy_match_dfa(&self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        check_depth(self, limits)?;
        through_nfa(self, Preference::LazyMatch, limits)
    }
}

impl Regex {
    /// The texts that match as a part of a larger text, by what may follow them there. Assertions look at the larger text, of which nothing is before
    /// the match. With a lazy repetition, as for [`Regex::to_first_match_dfa`]. None if there are more than `most` different languages of what may
    /// follow.
    ///
    /// # Errors
    /// As for [`Regex::to_dfa`].
    pub fn endings(&self, most: usize, limits: &RegularLimits) -> Result<Option<Vec<Ending>>, OverBudget> {
        let (nfa, preference) = self.matcher(limits)?;
        endings(nfa, preference, most, limits)
    }

    /// The match of a backtracking matcher at the start of a larger text, as [`Regex::endings`]: in each larger text, at most one text matches.
    pub(crate) fn first_endings(
        &self,
        most: usize,
        limits: &RegularLimits,
    ) -> Result<Option<Vec<Ending>>, OverBudget> {
        check_depth(self, limits)?;
        let preference = Preference::FirstMatchOnly;
        endings(thompson(self, preference, limits, compile)?, preference, most, limits)
    }

    /// Whether it is found that [`Regex::first_endings`] are the same whatever is before the match.
    pub(crate) fn is_first_free_of_what_is_before(
        &self,
        most: usize,
        limits: &RegularLimits,
    ) -> Result<bool, OverBudget> {
        check_depth(self, limits)?;
        let preference = Preference::FirstMatchOnly;
        is_free_of_what_is_before(thompson(self, preference, limits, compile)?, preference, most, limits)
    }

    /// Whether it is found that [`Regex::endings`] are the same whatever is before the match: not where too many places have to be compared.
    ///
    /// # Errors
    /// As for [`Regex::to_dfa`].
    pub fn is_free_of_what_is_before(&self, most: usize, limits: &RegularLimits) -> Result<bool, OverBudget> {
        let (nfa, preference) = self.matcher(limits)?;
        is_free_of_what_is_before(nfa, preference, most, limits)
    }

    /// The texts that match as a part of a larger text, by what may be before them and what may follow; see [`Regex::endings`]. A text before belongs
    /// to one of them at most. None if there are too many.
    ///
    /// # Errors
    /// As for [`Regex::to_dfa`].
    pub fn beginnings(
        &self,
        most: usize,
        limits: &RegularLimits,
    ) -> Result<Option<Vec<Beginning>>, OverBudget> {
        let (nfa, preference) = self.matcher(limits)?;
        beginnings(nfa, preference, most, limits)
    }

    fn matcher(&self, limits: &RegularLimits) -> Result<(Nfa, Preference), OverBudget> {
        check_depth(self, limits)?;
        let preference = if self.is_lazy() { Preference::FirstMatch } else { Preference::None };
        Ok((thompson(self, preference, limits, compile)?, preference))
    }
}

impl Dfa {
    /// The minimal automaton of a list of byte strings. Linear in their length.
    ///
    /// # Errors
    /// [`OverBudget`] if the construction would exceed `limits`.
    pub fn of_literals(mut literals: Vec<&[u8]>, limits: &RegularLimits) -> Result<Self, OverBudget> {
        sorted_words::literals_dfa(&mut literals, limits)
    }
}

/// The minimal automaton of an expression whose depth was checked.
fn compile(regex: &Regex, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    match regex {
        Regex::Automaton(dfa) => {
            limits.budget.charge_work(dfa.cells() as u64 / 8)?;
            Ok((**dfa).clone())
        }
        Regex::Chars(chars) => sorted_words::chars_dfa(chars, limits),
        Regex::Literal(bytes) => {
            let mut meter = Meter::new(limits);
            meter.states(bytes.len())?;
            meter.work(bytes.len())?;
            meter.bytes(bytes.len() * 257.min(bytes.len() + 1) * size_of::<u32>())?;
            Ok(Dfa::literal(bytes))
        }
        Regex::Union(parts) if parts.iter().all(|part| part.as_literal().is_some()) => {
            sorted_words::literals_dfa(&mut parts.iter().filter_map(Regex::as_literal).collect(), limits)
        }
        Regex::Intersect(parts) => {
            parts.iter().try_fold(Dfa::all(), |all, part| all.intersect(&compile(part, limits)?, limits))
        }
        Regex::Complement(inner) => compile(inner, limits)?.complement(limits),
        _ => through_nfa(regex, Preference::None, limits),
    }
}

fn through_nfa(regex: &Regex, preference: Preference, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
    let mut nfa = thompson(regex, preference, limits, compile)?;
    if preference == Preference::LazyMatch {
        Meter::new(limits).bytes(nfa.states as usize * BYTES_PER_COPY)?;
        nfa = nfa.cut_behind_lazy();
    }
    if !nfa.guards.is_empty() {
        return look_around(nfa, preference, limits);
    }
    minimize(determinize(nfa, preference, limits)?, limits)
}

/// Refuses expressions that are nested too deep for the recursive construction.
fn check_depth(regex: &Regex, limits: &RegularLimits) -> Result<(), OverBudget> {
    if !regex.is_within(MAX_DEPTH, usize::MAX) {
        return Err(limits.budget.over(Resource::Nesting, MAX_DEPTH as u64));
    }
    let mut open = vec![(regex, 0)];
    while let Some((regex, counts)) = open.pop() {
        let counts = counts + usize::from(is_minimized(regex));
        if counts > MAX_COUNTS {
            return Err(limits.budget.over(Resource::Nesting, MAX_COUNTS as u64));
        }
        open.extend(regex.children().iter().map(|child| (child, counts)));
    }
    Ok(())
}
