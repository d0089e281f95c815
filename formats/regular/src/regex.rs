//! Regular expressions over UTF-8 text and bytes, with intersection and complement.

use super::limits::{Meter, Resource, TooLarge};
use super::nfa::Nfa;
use super::{ByteSet, CharSet, Dfa, RegularLimits, acyclic, determinize};
use std::sync::Arc;

/// How deep expressions may nest: what is built from them recurses.
const MAX_DEPTH: usize = 500;

/// A regular expression. It denotes a set of byte strings.
///
/// Dropping and cloning recurse, so whoever builds expressions out of foreign input bounds their nesting.
#[derive(Clone, Debug)]
pub enum Regex {
    /// The UTF-8 encoding of one code point of the set; the empty set matches nothing.
    Chars(CharSet),
    /// One byte of the set.
    Bytes(ByteSet),
    /// Exactly these bytes; may be empty.
    Literal(Vec<u8>),
    /// All in order; empty for the empty string.
    Concat(Vec<Regex>),
    /// Any one; empty for "nothing matches".
    Union(Vec<Regex>),
    /// Between `min` and `max` times (`None`: no bound).
    Repeat {
        /// What is repeated.
        inner: Box<Regex>,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
    },
    /// A repetition that a backtracking matcher would keep short (`*?`). The language is that of the inner one.
    Lazy(Box<Regex>),
    /// The empty string, where the assertion holds. The text that it looks at is the whole string matched, or
    /// the part that the innermost enclosing [`Regex::Intersect`] or [`Regex::Complement`] matches.
    Look(Look),
    /// Strings that every one matches; empty for "all byte strings".
    Intersect(Vec<Regex>),
    /// Byte strings that the inner one does not match.
    Complement(Box<Regex>),
    /// A language that is already an automaton.
    Automaton(Arc<Dfa>),
}

/// An assertion about a place between bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Look {
    /// Nothing stands before it.
    Start,
    /// Nothing stands after it.
    End,
    /// Nothing, or a line feed, stands before it.
    LineStart,
    /// Nothing, or a line feed, stands after it.
    LineEnd,
    /// Exactly one side has an ASCII letter, digit or underscore.
    WordBoundary,
    /// Both sides have an ASCII letter, digit or underscore, or neither has.
    NotWordBoundary,
}

impl Regex {
    /// Exactly this text.
    #[must_use]
    pub fn literal(text: &str) -> Self {
        Self::Literal(text.as_bytes().to_vec())
    }

    /// One code point of the set.
    #[must_use]
    pub fn chars(set: CharSet) -> Self {
        Self::Chars(set)
    }

    /// Any one code point.
    #[must_use]
    pub fn any_char() -> Self {
        Self::Chars(CharSet::all())
    }

    /// The empty string.
    #[must_use]
    pub fn empty() -> Self {
        Self::Literal(Vec::new())
    }

    /// Nothing at all.
    #[must_use]
    pub fn never() -> Self {
        Self::Union(Vec::new())
    }

    /// All in order.
    #[must_use]
    pub fn concat(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Concat(parts.into_iter().collect())
    }

    /// Any one.
    #[must_use]
    pub fn union(alternatives: impl IntoIterator<Item = Self>) -> Self {
        Self::Union(alternatives.into_iter().collect())
    }

    /// Any number of times.
    #[must_use]
    pub fn star(self) -> Self {
        self.repeat(0, None)
    }

    /// At least once.
    #[must_use]
    pub fn plus(self) -> Self {
        self.repeat(1, None)
    }

    /// Once or not at all.
    #[must_use]
    pub fn optional(self) -> Self {
        self.repeat(0, Some(1))
    }

    /// Between `min` and `max` times (`None`: no bound).
    #[must_use]
    pub fn repeat(self, min: u32, max: Option<u32>) -> Self {
        Self::Repeat { inner: Box::new(self), min, max }
    }

    /// This one, and then `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self::Concat(vec![self, next])
    }

    /// Texts (not byte strings) in which this one matches somewhere.
    #[must_use]
    pub fn anywhere(self) -> Self {
        Self::Concat(vec![Self::any_char().star(), self, Self::any_char().star()])
    }

    /// The bytes, if it is a [`Regex::Literal`].
    pub(super) fn as_literal(&self) -> Option<&[u8]> {
        match self {
            Self::Literal(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The minimal automaton of the language.
    pub fn to_dfa(&self, limits: &RegularLimits) -> Result<Dfa, TooLarge> {
        self.check_depth()?;
        self.build(limits)
    }

    /// The minimal automaton of the strings that a backtracking matcher (Perl's, Python's) would return as the match at
    /// the start of some text: earlier alternatives win over later ones, and lazy repetitions leave as soon as they can.
    /// The longest match of the automaton is the match of that matcher.
    pub fn to_first_match_dfa(&self, limits: &RegularLimits) -> Result<Dfa, TooLarge> {
        self.check_depth()?;
        Ok(determinize::determinize(Nfa::new(self, true, limits)?, true, limits)?.minimize())
    }

    /// As [`Self::to_dfa`], for a part of an expression whose depth was checked.
    pub(super) fn build(&self, limits: &RegularLimits) -> Result<Dfa, TooLarge> {
        match self {
            Self::Automaton(dfa) => Ok((**dfa).clone()),
            Self::Chars(chars) => acyclic::of_chars(chars, limits),
            Self::Literal(bytes) => {
                Meter::new(limits).states(bytes.len())?;
                Ok(Dfa::literal(bytes))
            }
            Self::Union(parts) if parts.iter().all(|part| part.as_literal().is_some()) => {
                acyclic::of_literals(&mut parts.iter().filter_map(Self::as_literal).collect(), limits)
            }
            Self::Intersect(parts) => {
                parts.iter().try_fold(Dfa::all(), |all, part| all.intersect(&part.build(limits)?, limits))
            }
            Self::Complement(inner) => inner.build(limits)?.complement(limits),
            _ => Ok(determinize::determinize(Nfa::new(self, false, limits)?, false, limits)?.minimize()),
        }
    }

    /// Refuses what is nested too deep for the recursive construction.
    fn check_depth(&self) -> Result<(), TooLarge> {
        if self.is_within(MAX_DEPTH, usize::MAX) {
            return Ok(());
        }
        Err(TooLarge { resource: Resource::Depth, limit: MAX_DEPTH as u64 })
    }

    /// Is it nested no deeper than `levels`, and made of at most `parts` expressions? Not recursive.
    pub fn is_within(&self, levels: usize, parts: usize) -> bool {
        let (mut open, mut count) = (vec![(self, 0)], 0);
        while let Some((regex, depth)) = open.pop() {
            count += 1;
            if depth > levels || count > parts {
                return false;
            }
            open.extend(regex.children().iter().map(|child| (child, depth + 1)));
        }
        true
    }

    /// The direct parts.
    pub fn children(&self) -> &[Self] {
        match self {
            Self::Concat(parts) | Self::Union(parts) | Self::Intersect(parts) => parts,
            Self::Repeat { inner, .. } | Self::Lazy(inner) | Self::Complement(inner) => {
                std::slice::from_ref(&**inner)
            }
            Self::Chars(_) | Self::Bytes(_) | Self::Literal(_) | Self::Look(_) | Self::Automaton(_) => &[],
        }
    }

    /// Does it match the empty string? Found without building an automaton.
    #[must_use]
    pub fn matches_empty(&self) -> bool {
        match self {
            Self::Chars(_) | Self::Bytes(_) => false,
            Self::Literal(bytes) => bytes.is_empty(),
            Self::Concat(parts) | Self::Intersect(parts) => parts.iter().all(Self::matches_empty),
            Self::Union(parts) => parts.iter().any(Self::matches_empty),
            Self::Repeat { inner, min, max } => {
                max.is_none_or(|max| *min <= max) && (*min == 0 || inner.matches_empty())
            }
            Self::Lazy(inner) => inner.matches_empty(),
            Self::Look(look) => *look != Look::WordBoundary,
            Self::Complement(inner) => !inner.matches_empty(),
            Self::Automaton(dfa) => dfa.matches_empty(),
        }
    }

    /// Does it assert anything about the text around it? [`Regex::Intersect`] and [`Regex::Complement`] do not
    /// let their parts look outside.
    pub(super) fn has_look(&self) -> bool {
        self.any_part(|part| matches!(part, Self::Look(_)))
    }

    /// Does it have a lazy repetition, outside of [`Regex::Intersect`] and [`Regex::Complement`]?
    #[must_use]
    pub fn is_lazy(&self) -> bool {
        self.any_part(|part| matches!(part, Self::Lazy(_)))
    }

    fn any_part(&self, wanted: impl Fn(&Self) -> bool) -> bool {
        let mut open = vec![self];
        while let Some(regex) = open.pop() {
            match regex {
                Self::Intersect(_) | Self::Complement(_) => {}
                _ if wanted(regex) => return true,
                _ => open.extend(regex.children()),
            }
        }
        false
    }
}
