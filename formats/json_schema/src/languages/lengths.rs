//! Ranges of lengths: the texts that are restricted in nothing but their number of characters.

/// Texts of bounded length are automata like all other languages up to this length.
const MAX_SMALL_LENGTH: u32 = 256;

/// The language of all texts of `min` to `max` characters (code points).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Lengths {
    pub(crate) min: u32,
    pub(crate) max: Option<u32>,
}

impl Lengths {
    /// Whether the automaton of these texts is small.
    pub(super) fn is_small(self) -> bool {
        self.max.unwrap_or(self.min) <= MAX_SMALL_LENGTH
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
