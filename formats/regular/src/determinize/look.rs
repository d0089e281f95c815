//! Look-around in the subset construction: whether an assertion holds between two neighbors of a position.
//!
//! An assertion looks at one byte on each side of a position. What matters about that byte is its kind, a [`Neighbor`]: a
//! line feed, a word byte, any other byte, or no byte at all. [`ByteKinds`] says which of these kinds the assertions of
//! an automaton can tell apart, so that automata without assertions pay nothing.

use crate::nfa::Epsilon;
use crate::regex::Look;

/// The byte on one side of a position, as far as assertions can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Neighbor {
    /// No byte: the start or the end of the text.
    Boundary,
    Newline,
    /// An ASCII letter, digit or underscore.
    Word,
    Other,
}

impl Neighbor {
    /// The number that stands for "the last byte was of this kind" in a set of states. No automaton has so many states.
    pub(super) fn marker(self) -> u32 {
        u32::MAX - self as u32
    }

    /// The inverse of [`Neighbor::marker`].
    pub(super) fn from_marker(marker: u32) -> Option<Self> {
        [Self::Boundary, Self::Newline, Self::Word, Self::Other]
            .into_iter()
            .find(|side| side.marker() == marker)
    }
}

/// The kinds of bytes that the assertions of an automaton tell apart.
#[derive(Clone, Copy)]
pub(super) struct ByteKinds {
    lines: bool,
    words: bool,
}

impl ByteKinds {
    pub(super) fn new(epsilons: &[Epsilon]) -> Self {
        let any = |wanted: fn(Look) -> bool| epsilons.iter().filter_map(|epsilon| epsilon.look).any(wanted);
        Self {
            lines: any(|look| matches!(look, Look::LineStart | Look::LineEnd)),
            words: any(|look| matches!(look, Look::WordBoundary | Look::NotWordBoundary)),
        }
    }

    /// The kind of `byte`.
    pub(super) fn kind(self, byte: u8) -> Neighbor {
        match byte {
            b'\n' if self.lines => Neighbor::Newline,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' if self.words => Neighbor::Word,
            _ => Neighbor::Other,
        }
    }

    /// All kinds that a byte can have.
    pub(super) fn all(self) -> impl Iterator<Item = Neighbor> {
        let some = [(self.lines, Neighbor::Newline), (self.words, Neighbor::Word), (true, Neighbor::Other)];
        some.into_iter().filter_map(|(told_apart, side)| told_apart.then_some(side))
    }
}

impl Look {
    /// Whether the assertion holds at a position between `before` and `after`.
    pub(super) fn holds(self, before: Neighbor, after: Neighbor) -> bool {
        match self {
            Self::Start => before == Neighbor::Boundary,
            Self::End => after == Neighbor::Boundary,
            Self::LineStart => matches!(before, Neighbor::Boundary | Neighbor::Newline),
            Self::LineEnd => matches!(after, Neighbor::Boundary | Neighbor::Newline),
            Self::WordBoundary => (before == Neighbor::Word) != (after == Neighbor::Word),
            Self::NotWordBoundary => (before == Neighbor::Word) == (after == Neighbor::Word),
        }
    }
}
