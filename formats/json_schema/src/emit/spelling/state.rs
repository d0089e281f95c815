//! The states of the spelling automaton, and ranges of code points.

/// A state of the spelling automaton.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum State {
    /// Before the opening quote.
    Open,
    /// In a state of the text automaton, perhaps inside a code point.
    Text(u32),
    /// After a backslash.
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

/// `left` more hexadecimal digits, whose value leads to the goal of its range.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Digits {
    pub(super) left: u32,
    pub(super) ranges: Vec<Range>,
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
