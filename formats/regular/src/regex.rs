//! The syntax tree of extended regular expressions over UTF-8 text and bytes: with intersection, complement, look-around,
//! and automata as leaves.
//!
//! Expressions are built by the parser of patterns or by the constructors here, and compiled to automata by
//! [`Regex::to_dfa`]. This file holds the tree, and answers the questions that need no automaton.

use crate::dfa::Dfa;
use crate::sets::{ByteSet, CharSet};
use std::sync::Arc;

/// A regular expression. It denotes a set of byte strings.
///
/// Dropping and cloning recurse, so code that builds expressions from untrusted input must bound their nesting.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Regex {
    /// The UTF-8 encoding of one code point of the set; the empty set matches nothing.
    Chars(CharSet),
    /// One byte of the set.
    Bytes(ByteSet),
    /// Exactly these bytes; may be empty.
    Literal(Vec<u8>),
    /// The parts in order. Without parts: the empty string.
    Concat(Vec<Regex>),
    /// Any of the alternatives. Without alternatives: the empty language.
    Union(Vec<Regex>),
    /// The inner expression between `min` and `max` times (`None`: no bound). The empty language if `max < min`.
    Repeat {
        /// The repeated expression.
        inner: Box<Regex>,
        /// The least number of repetitions.
        min: u32,
        /// The greatest number of repetitions.
        max: Option<u32>,
    },
    /// A lazy repetition (`*?`): a backtracking matcher would keep it short. The language is that of the inner expression.
    Lazy(Box<Regex>),
    /// The empty string, at a position where the assertion holds. It looks at the whole string matched, or at the part
    /// that the innermost enclosing [`Regex::Intersect`] or [`Regex::Complement`] matches.
    Look(Look),
    /// The empty string, at a position where this holds for the text around it: the same text as for [`Regex::Look`].
    Around(Box<Around>),
    /// The strings that every part matches. Without parts: all byte strings.
    Intersect(Vec<Regex>),
    /// The byte strings that the inner expression does not match.
    Complement(Box<Regex>),
    /// The language of an automaton.
    Automaton(Arc<Dfa>),
}

/// An assertion about the text on one side of a position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Around {
    /// What the text before ends with, or the text after begins with. It may look at the whole text itself.
    pub inner: Regex,
    /// Whether the text before the position counts: look-behind.
    pub behind: bool,
    /// Whether it must be otherwise.
    pub negative: bool,
}

/// An assertion about the bytes around a position of the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Look {
    /// The text begins here.
    Start,
    /// The text ends here.
    End,
    /// The text begins here, or the byte before is a line feed.
    LineStart,
    /// The text ends here, or the byte after is a line feed.
    LineEnd,
    /// Exactly one of the two bytes is an ASCII letter, digit or underscore.
    WordBoundary,
    /// Both bytes are ASCII letters, digits or underscores, or neither is.
    NotWordBoundary,
    /// The text begins here, or a line ends before: with a line feed, or with a carriage return that no line feed follows.
    LineStartCrlf,
    /// The text ends here, or a line ends after: with a carriage return, or with a line feed that follows no carriage return.
    LineEndCrlf,
    /// The byte after is an ASCII letter, digit or underscore, and the byte before is not.
    WordStart,
    /// The byte before is an ASCII letter, digit or underscore, and the byte after is not.
    WordEnd,
    /// The byte before is not an ASCII letter, digit or underscore.
    WordStartHalf,
    /// The byte after is not an ASCII letter, digit or underscore.
    WordEndHalf,
}

impl Look {
    /// All assertions.
    pub const ALL: [Self; 12] = [
        Self::Start,
        Self::End,
        Self::LineStart,
        Self::LineEnd,
        Self::WordBoundary,
        Self::NotWordBoundary,
        Self::LineStartCrlf,
        Self::LineEndCrlf,
        Self::WordStart,
        Self::WordEnd,
        Self::WordStartHalf,
        Self::WordEndHalf,
    ];
}

impl Regex {
    /// Matches exactly `text`.
    #[must_use]
    pub fn literal(text: &str) -> Self {
        Self::Literal(text.as_bytes().to_vec())
    }

    /// Matches one code point of `set`.
    #[must_use]
    pub fn chars(set: CharSet) -> Self {
        Self::Chars(set)
    }

    /// Matches any one code point.
    #[must_use]
    pub fn any_char() -> Self {
        Self::Chars(CharSet::all())
    }

    /// Matches only the empty string.
    #[must_use]
    pub fn empty() -> Self {
        Self::Literal(Vec::new())
    }

    /// Matches nothing: the empty language.
    #[must_use]
    pub fn never() -> Self {
        Self::Union(Vec::new())
    }

    /// The parts in order.
    #[must_use]
    pub fn concat(parts: impl IntoIterator<Item = Self>) -> Self {
        Self::Concat(parts.into_iter().collect())
    }

    /// Any of the alternatives.
    #[must_use]
    pub fn union(alternatives: impl IntoIterator<Item = Self>) -> Self {
        Self::Union(alternatives.into_iter().collect())
    }

    /// The expression any number of times.
    #[must_use]
    pub fn star(self) -> Self {
        self.repeat(0, None)
    }

    /// The expression at least once.
    #[must_use]
    pub fn plus(self) -> Self {
        self.repeat(1, None)
    }

    /// The expression once or not at all.
    #[must_use]
    pub fn optional(self) -> Self {
        self.repeat(0, Some(1))
    }

    /// The expression between `min` and `max` times (`None`: no bound).
    #[must_use]
    pub fn repeat(self, min: u32, max: Option<u32>) -> Self {
        Self::Repeat { inner: Box::new(self), min, max }
    }

    /// The empty string, where the text after the position begins with this expression, or does not if `negative`.
    #[must_use]
    pub fn ahead(self, negative: bool) -> Self {
        Self::Around(Box::new(Around { inner: self, behind: false, negative }))
    }

    /// The empty string, where the text before the position ends with this expression, or does not if `negative`.
    #[must_use]
    pub fn behind(self, negative: bool) -> Self {
        Self::Around(Box::new(Around { inner: self, behind: true, negative }))
    }

    /// The expression followed by `next`.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        Self::Concat(vec![self, next])
    }

    /// The UTF-8 texts in which this expression matches somewhere.
    #[must_use]
    pub fn anywhere(self) -> Self {
        Self::Concat(vec![Self::any_char().star(), self, Self::any_char().star()])
    }

    /// The bytes of a [`Regex::Literal`].
    pub(crate) fn as_literal(&self) -> Option<&[u8]> {
        match self {
            Self::Literal(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Whether the tree is at most `levels` deep and has at most `parts` nodes. Not recursive, so safe on any input.
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

    /// The direct subexpressions.
    pub fn children(&self) -> &[Self] {
        match self {
            Self::Concat(parts) | Self::Union(parts) | Self::Intersect(parts) => parts,
            Self::Repeat { inner, .. } | Self::Lazy(inner) | Self::Complement(inner) => {
                std::slice::from_ref(&**inner)
            }
            Self::Around(around) => std::slice::from_ref(&around.inner),
            Self::Chars(_) | Self::Bytes(_) | Self::Literal(_) | Self::Look(_) | Self::Automaton(_) => &[],
        }
    }

    /// Whether the empty string matches. Builds no automaton.
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
            Self::Look(look) => !matches!(look, Look::WordBoundary | Look::WordStart | Look::WordEnd),
            Self::Around(around) => around.inner.matches_empty() != around.negative,
            Self::Complement(inner) => !inner.matches_empty(),
            Self::Automaton(dfa) => dfa.matches_empty(),
        }
    }

    /// Whether the expression asserts anything about the text around it. The parts of [`Regex::Intersect`] and
    /// [`Regex::Complement`] cannot look outside.
    #[must_use]
    pub fn has_look(&self) -> bool {
        self.any_part(|part| matches!(part, Self::Look(_) | Self::Around(_)))
    }

    /// Whether the expression has a lazy repetition outside of [`Regex::Intersect`], [`Regex::Complement`] and [`Regex::Around`].
    #[must_use]
    pub fn is_lazy(&self) -> bool {
        self.any_part(|part| matches!(part, Self::Lazy(_)))
    }

    /// Whether `wanted` holds for a part outside of [`Regex::Intersect`], [`Regex::Complement`] and [`Regex::Around`].
    fn any_part(&self, wanted: impl Fn(&Self) -> bool) -> bool {
        let mut open = vec![self];
        while let Some(regex) = open.pop() {
            match regex {
                Self::Intersect(_) | Self::Complement(_) => {}
                Self::Around(_) if !wanted(regex) => {}
                _ if wanted(regex) => return true,
                _ => open.extend(regex.children()),
            }
        }
        false
    }
}
