//! Where a derivation stands between two lexemes.

/// What is known between two symbols of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Mode {
    /// Nothing is due.
    Text,
    /// A line break is due, and its column is not known yet.
    Due,
    /// A line break is due that has ended a block, so it begins none.
    Dedented,
    /// The text has ended: only the ends of blocks may follow.
    Ended,
    /// A line break is due that a rule further out reads, unless a block begins before anything else.
    Pending,
}

impl Mode {
    pub(super) const ALL: [Self; 5] = [Self::Text, Self::Due, Self::Dedented, Self::Ended, Self::Pending];

    /// Whether this rule reads the line break that is due.
    pub(super) fn is_own(self) -> bool {
        matches!(self, Self::Due | Self::Dedented)
    }

    /// Whether a block may begin.
    pub(super) fn begins_block(self) -> bool {
        matches!(self, Self::Due | Self::Pending)
    }

    /// The mark of a mode at the end of a rule, for the names of rules.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Text | Self::Pending => "",
            Self::Due => "↵",
            Self::Dedented => "↤",
            Self::Ended => "■",
        }
    }
}

/// A set of modes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Modes(u8);

impl Modes {
    pub(super) fn of(modes: impl IntoIterator<Item = Mode>) -> Self {
        Self(modes.into_iter().fold(0, |bits, mode| bits | 1 << mode as u8))
    }

    pub(super) fn contains(self, mode: Mode) -> bool {
        self.0 & 1 << mode as u8 != 0
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn iter(self) -> impl Iterator<Item = Mode> {
        Mode::ALL.into_iter().filter(move |&mode| self.contains(mode))
    }
}
