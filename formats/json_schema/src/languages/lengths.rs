//! Ranges of lengths: the texts that are restricted in nothing but their number of characters.

use gcc_grammar_limits::OverBudget;
use gcc_grammar_regular::{Dfa, MinimalBuilder, Regex, RegularLimits};
use std::sync::LazyLock;

/// Texts of bounded length are automata like all other languages up to this length.
const MAX_SMALL_LENGTH: u32 = 256;

/// The language of all texts of `min` to `max` characters (code points).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Lengths {
    pub(crate) min: u32,
    pub(crate) max: Option<u32>,
}

/// One character.
static ONE: LazyLock<Dfa> =
    LazyLock::new(|| Regex::any_char().to_dfa(&RegularLimits::default()).expect("a handful of states"));

/// The only accepting state of an automaton.
fn sole_end(dfa: &Dfa) -> u32 {
    (0..dfa.state_count() as u32).find(|&state| dfa.is_accepting(state)).expect("the automaton accepts something")
}

impl Lengths {
    /// Whether the automaton of these texts is small.
    pub(super) fn is_small(self) -> bool {
        self.max.unwrap_or(self.min) <= MAX_SMALL_LENGTH
    }

    /// The minimal automaton of these texts, of which there must be some: the automaton of one character, once for each character. Two states
    /// differ in the bytes that may follow at most, or in the place within a character.
    pub(super) fn automaton(self, limits: &RegularLimits) -> Result<Dfa, OverBudget> {
        let one = &*ONE;
        let (inner, end) = (one.state_count() as u32 - 1, sole_end(one));
        let copies = self.max.unwrap_or(self.min.max(1));
        let mut builder = MinimalBuilder::new(limits);
        // The end of a character is the start of the next one, so it has no number of its own.
        let edges = |state: u32, copy: u32, next: u32, builder: &mut MinimalBuilder| {
            let first = copy * inner;
            let number = |state: u32| if state == end { next } else { first + state - u32::from(state > end) };
            one.edges(state).for_each(|(low, high, to)| builder.edge(low, high, number(to)));
        };
        for copy in 0..copies {
            let is_loop = self == Self { min: 0, max: None };
            let next = if is_loop { 0 } else { (copy + 1) * inner };
            for state in (0..=inner).filter(|&state| state != end) {
                edges(state, copy, next, &mut builder);
                builder.end_state(state == 0 && self.contains(copy))?;
            }
        }
        // After all characters that must be there, more may follow: the last copy is read again.
        if self.max.is_none() && self.min > 0 {
            edges(0, copies - 1, copies * inner, &mut builder);
        }
        if self.max.is_some() || self.min > 0 {
            builder.end_state(true)?;
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
                let expected = Regex::any_char().repeat(min, max).to_dfa(&limits).unwrap();
                assert_eq!(Lengths { min, max }.automaton(&limits).unwrap(), expected, "{min} to {max:?}");
            }
        }
    }
}
