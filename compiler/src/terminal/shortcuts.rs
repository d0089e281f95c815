//! Shortcuts of walks that a measurement can switch off.

/// Which shortcuts walks take. The masks are the same without each of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortcuts {
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
    /// Walks that come with the vocabulary are used ([`precomputed`](super::precomputed)).
    pub precomputed: bool,
}

impl Default for Shortcuts {
    /// All of them.
    fn default() -> Self {
        Self { parts: true, uniform: true, counting: true, groups: true, entries: true, precomputed: true }
    }
}
