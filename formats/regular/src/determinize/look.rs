//! Look-around in the subset construction: whether an assertion holds between two neighbors of a position.
//!
//! An assertion looks at one byte on each side of a position. What matters about that byte is its kind, a [`Neighbor`]: a
//! line feed, a carriage return, a word byte, any other byte, or no byte at all. [`ByteKinds`] says which of these kinds the assertions of
//! an automaton can tell apart, so that automata without assertions pay nothing.

use crate::nfa::Epsilon;
use crate::regex::Look;

/// The byte on one side of a position, as far as assertions can tell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Neighbor {
    /// No byte: the start or the end of the text.
    Boundary,
    Newline,
    Return,
    /// An ASCII letter, digit or underscore.
    Word,
    Other,
}

impl Neighbor {
    /// The number that stands for "the last byte was of this kind" in a set of states. No automaton has this number of states.
    pub(super) fn marker(self) -> u32 {
        u32::MAX - self as u32
    }

    /// The inverse of [`Neighbor::marker`].
    pub(super) fn from_marker(marker: u32) -> Option<Self> {
        [Self::Boundary, Self::Newline, Self::Return, Self::Word, Self::Other]
            .into_iter()
            .find(|side| side.marker() == marker)
    }
}

/// The kinds of bytes that the assertions of an automaton tell apart.
#[derive(Clone, Copy)]
pub(super) struct ByteKinds {
    lines: bool,
    returns: bool,
    words: bool,
}

impl ByteKinds {
    pub(super) fn new(epsilons: &[Epsilon]) -> Self {
        let any = |wanted: fn(Look) -> bool| epsilons.iter().filter_map(|epsilon| epsilon.look).any(wanted);
        Self {
            lines: any(|look| look.tells_lines() || look.tells_returns()),
            returns: any(Look::tells_returns),
            words: any(Look::tells_words),
        }
    }

    /// The kind of `byte`.
    pub(super) fn kind(self, byte: u8) -> Neighbor {
        match byte {
            b'\n' if self.lines => Neighbor::Newline,
            b'\r' if self.returns => Neighbor::Return,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' if self.words => Neighbor::Word,
            _ => Neighbor::Other,
        }
    }

    /// All kinds that a byte can have.
    pub(super) fn all(self) -> impl Iterator<Item = Neighbor> {
        let some = [
            (self.lines, Neighbor::Newline),
            (self.returns, Neighbor::Return),
            (self.words, Neighbor::Word),
            (true, Neighbor::Other),
        ];
        some.into_iter().filter_map(|(told_apart, side)| told_apart.then_some(side))
    }
}

impl Look {
    fn tells_lines(self) -> bool {
        matches!(self, Self::LineStart | Self::LineEnd)
    }

    fn tells_returns(self) -> bool {
        matches!(self, Self::LineStartCrlf | Self::LineEndCrlf)
    }

    fn tells_words(self) -> bool {
        use Look::{NotWordBoundary, WordBoundary, WordEnd, WordEndHalf, WordStart, WordStartHalf};
        matches!(self, WordBoundary | NotWordBoundary | WordStart | WordEnd | WordStartHalf | WordEndHalf)
    }

    /// Whether the assertion holds at a position between `before` and `after`.
    pub(super) fn holds(self, before: Neighbor, after: Neighbor) -> bool {
        use Neighbor::{Boundary, Newline, Return};
        let [word_before, word_after] = [before, after].map(|side| side == Neighbor::Word);
        match self {
            Self::Start => before == Boundary,
            Self::End => after == Boundary,
            Self::LineStart => matches!(before, Boundary | Newline),
            Self::LineEnd => matches!(after, Boundary | Newline),
            Self::WordBoundary => word_before != word_after,
            Self::NotWordBoundary => word_before == word_after,
            Self::LineStartCrlf => {
                matches!(before, Boundary | Newline) || before == Return && after != Newline
            }
            Self::LineEndCrlf => matches!(after, Boundary | Return) || after == Newline && before != Return,
            Self::WordStart => !word_before && word_after,
            Self::WordEnd => word_before && !word_after,
            Self::WordStartHalf => !word_before,
            Self::WordEndHalf => !word_after,
        }
    }
}
