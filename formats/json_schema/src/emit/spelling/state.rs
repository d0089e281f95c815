//! The states of the spelling automaton, and ranges of code points.

/// A state of the spelling automaton. Texts, escapes and digits are numbered each for themselves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SpellingState {
    /// Before the opening quote.
    Open,
    /// In a state of the text automaton, perhaps inside a code point.
    Text(u32),
    /// After a backslash: an index into `Speller::escapes`.
    Escape(u32),
    /// Before hexadecimal digits: an index into `Speller::digits`.
    Digits(u32),
    /// After the first half of a surrogate pair, with the digits of the second half.
    Low(u32),
    /// After the backslash of the second half.
    LowEscape(u32),
    /// After the closing quote, in a state of the automaton that follows it.
    Tail(u32),
}

impl SpellingState {
    /// The number of kinds of states.
    pub(super) const KINDS: usize = 7;

    /// The kind of the state, less than [`Self::KINDS`], and its number within the kind.
    pub(super) fn place(self) -> (usize, usize) {
        let (kind, index) = match self {
            Self::Open => (0, 0),
            Self::Text(index) => (1, index),
            Self::Escape(index) => (2, index),
            Self::Digits(index) => (3, index),
            Self::Low(index) => (4, index),
            Self::LowEscape(index) => (5, index),
            Self::Tail(index) => (6, index),
        };
        (kind, index as usize)
    }
}

/// The transitions of a state on the bytes `low..=high`.
pub(super) type Edges = Vec<(u8, u8, SpellingState)>;

/// The goal that code points `low..=high` lead to.
pub(super) type Range = (u32, u32, Goal);

/// What follows the digits of an escape.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Goal {
    /// The code point is complete.
    Text(u32),
    /// The second half follows: an index into `Speller::digits`.
    Low(u32),
}

impl Goal {
    /// The state after the last digit.
    pub(super) fn state(self) -> SpellingState {
        match self {
            Self::Text(at) => SpellingState::Text(at),
            Self::Low(node) => SpellingState::Low(node),
        }
    }
}

/// What may follow a backslash.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Escape {
    /// The letters of short escapes, each with the text state after it.
    pub(super) short: Vec<(u8, u32)>,
    /// The digits after `u`: an index into `Speller::digits`.
    pub(super) digits: Option<u32>,
}

/// `left` more hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Digits {
    pub(super) left: u32,
    pub(super) values: Values,
}

/// The goals of the values of hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Values {
    /// All values lead to one goal.
    All(Goal),
    /// Each value leads to the goal of its range, if it has one.
    Ranges(Vec<Range>),
}

impl Digits {
    /// The digits whose values lead to the goals of these ranges.
    pub(super) fn new(left: u32, ranges: Vec<Range>) -> Self {
        let last = (1 << (4 * left)) - 1;
        let values = match ranges[..] {
            [(0, high, goal)] if high == last => Values::All(goal),
            _ => Values::Ranges(ranges),
        };
        Self { left, values }
    }
}

/// Ranges of code points (or of parts of them), each with the text state that it leads to: sorted and
/// disjoint.
pub(super) type CodePoints = Vec<(u32, u32, u32)>;

/// Appends a range, joined to the last one where possible.
pub(super) fn push<G: PartialEq>(ranges: &mut Vec<(u32, u32, G)>, range: (u32, u32, G)) {
    match ranges.last_mut() {
        Some(last) if last.1 + 1 == range.0 && last.2 == range.2 => last.1 = range.1,
        _ => ranges.push(range),
    }
}
