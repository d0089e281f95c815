//! Shortcuts of walks that a measurement can switch off.

/// Which shortcuts walks take. The masks are the same without each of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortcuts {
    /// States that a subtree cannot distinguish share its walk ([`k_equivalence`](super::k_equivalence)).
    pub k_equivalence: bool,
    /// States that differ by a renaming of terminals share walks ([`renaming`](super::renaming)).
    pub renaming: bool,
    /// Under any split each terminal is walked by itself, and walks can be kept ([`parts`](super::parts)).
    pub parts: bool,
    /// Subtrees whose tokens end alike are not walked ([`uniform`](super::uniform)).
    pub uniform: bool,
    /// Counts of a string are walked at once ([`counting`](super::counting)).
    pub counting: bool,
    /// Children that lead to one state are summarized together.
    pub groups: bool,
    /// Nodes at which a lexeme cannot begin are left out.
    pub entries: bool,
    /// Walks that come with the vocabulary are used ([`known`](super::known)).
    pub known: bool,
}

impl Shortcuts {
    /// All of them.
    const ALL: Self = Self {
        k_equivalence: true,
        renaming: true,
        parts: true,
        uniform: true,
        counting: true,
        groups: true,
        entries: true,
        known: true,
    };
    /// Those that pay where few states are walked: to find equivalent ones would take longer than to walk them.
    pub const ON_DEMAND: Self = Self { k_equivalence: false, ..Self::ALL };
}

impl Default for Shortcuts {
    fn default() -> Self {
        Self::ALL
    }
}
