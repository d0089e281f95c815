//! Ranges of lengths: the texts that are restricted in nothing but their number of characters.

use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, MinimalBuilder, Regex, RegularLimits};
use std::sync::LazyLock;

/// Texts of bounded length are automata like all other languages up to this length.
const MAX_SMALL_LENGTH: u32 = 256;

/// Texts whose length is bounded by more than this are refused. They are read in blocks, and there is a state for each.
pub(crate) const MAX_LENGTH: u32 = 1_280_000;

/// The language of all texts of `min` to `max` characters (code points).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Lengths {
    pub(crate) min: u32,
    pub(crate) max: Option<u32>,
}

/// What surrounds the characters.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'a> {
    /// Whether there is an opening quote.
    pub(crate) open: bool,
    /// What follows the closing quote; `None` if the string goes on.
    pub(crate) close: Option<&'a Dfa>,
}

/// One character.
static ONE: LazyLock<Dfa> =
    LazyLock::new(|| Regex::any_char().to_dfa(&RegularLimits::default()).expect("a handful of states"));

/// The only accepting state of an automaton.
fn sole_end(dfa: &Dfa) -> u32 {
    (0..dfa.state_count() as u32)
        .find(|&state| dfa.is_accepting(state))
        .expect("the automaton accepts something")
}

impl Lengths {
    /// Whether the automaton of these texts is small.
    pub(super) fn is_small(self) -> bool {
        self.max.unwrap_or(self.min) <= MAX_SMALL_LENGTH
    }

    /// The minimal automaton of these texts, of which there must be some.
    pub(super) fn automaton(self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        self.repeat(&ONE, Frame { open: false, close: None }, limits)
    }

    /// The minimal automaton of so many characters in a frame, if `one` is the minimal automaton of a character, which begins with no quote: it
    /// is written once for each character. Two states differ in the bytes that may follow at most, or in the place within a character, or
    /// in whether a quote may follow.
    pub(crate) fn repeat(
        self,
        one: &Dfa,
        frame: Frame<'_>,
        limits: &RegularLimits,
    ) -> Result<Dfa, OverBudget> {
        let (inner, end) = (one.state_count() as u32 - 1, sole_end(one));
        let copies = self.max.unwrap_or(self.min.max(1));
        let is_loop = self == Self { min: 0, max: None };
        let start = u32::from(frame.open);
        let last = start + copies * inner;
        let tail = last + u32::from(!is_loop);
        let mut builder = MinimalBuilder::new(limits);
        let rows: Vec<Vec<_>> = (0..=inner).map(|state| one.edges(state).collect()).collect();
        // The end of a character is the start of the next one, so it has no number of its own.
        let character = |state: u32, copy: u32, next: u32, builder: &mut MinimalBuilder| {
            let first = start + copy * inner;
            let number =
                |state: u32| if state == end { next } else { first + state - u32::from(state > end) };
            rows[state as usize].iter().for_each(|&(low, high, to)| builder.edge(low, high, number(to)));
        };
        let end_text = |builder: &mut MinimalBuilder| {
            frame.close.iter().for_each(|_| builder.edge(b'"', b'"', tail));
            builder.end_state(frame.close.is_none())
        };
        if frame.open {
            builder.edge(b'"', b'"', start);
            builder.end_state(false)?;
        }
        for copy in 0..copies {
            let next = if is_loop { start } else { start + (copy + 1) * inner };
            for state in (0..=inner).filter(|&state| state != end) {
                character(state, copy, next, &mut builder);
                if state == 0 && self.contains(copy) {
                    end_text(&mut builder)?;
                } else {
                    builder.end_state(false)?;
                }
            }
        }
        if !is_loop {
            // After all characters that must be there, more may follow: the last copy is read again.
            if self.max.is_none() {
                character(0, copies - 1, last, &mut builder);
            }
            end_text(&mut builder)?;
        }
        for (dfa, state) in
            frame.close.iter().flat_map(|dfa| (0..dfa.state_count() as u32).map(move |s| (dfa, s)))
        {
            dfa.edges(state).for_each(|(low, high, to)| builder.edge(low, high, tail + to));
            builder.end_state(dfa.is_accepting(state))?;
        }
        builder.build()
    }

    pub(super) fn intersect(self, other: Self) -> Self {
        let max = self.max.into_iter().chain(other.max).min();
        Self { min: self.min.max(other.min), max }
    }

    pub(super) fn contains(self, length: u32) -> bool {
        length >= self.min && self.max.is_none_or(|max| length <= max)
    }

    /// The lengths of all other texts, if they are one range.
    pub(super) fn complement(self) -> Option<Self> {
        match self {
            Self { min: 0, max: Some(max) } => Some(Self { min: max.saturating_add(1), max: None }),
            Self { min, max: None } if min > 0 => Some(Self { min: 0, max: Some(min - 1) }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_automata_are_those_of_repetitions() {
        let limits = RegularLimits::default();
        for min in 0..5 {
            for max in (min..6).map(Some).chain([None]) {
                let (lengths, regex) = (Lengths { min, max }, Regex::any_char().repeat(min, max));
                assert_eq!(
                    lengths.automaton(&limits).unwrap(),
                    regex.to_dfa(&limits).unwrap(),
                    "{lengths:?}"
                );
                let quote = || Regex::literal("\"");
                let close = Regex::literal(":").then(Regex::literal(" ").optional());
                let letter = Regex::union(["a", "bcd", "bed"].map(Regex::literal));
                let expected =
                    Regex::concat([quote(), letter.clone().repeat(min, max), quote(), close.clone()]);
                let (letter, close) = (letter.to_dfa(&limits).unwrap(), close.to_dfa(&limits).unwrap());
                let framed = lengths.repeat(&letter, Frame { open: true, close: Some(&close) }, &limits);
                assert_eq!(framed.unwrap(), expected.to_dfa(&limits).unwrap(), "{lengths:?}");
            }
        }
    }
}
