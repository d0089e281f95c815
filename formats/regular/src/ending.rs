//! Texts that match where a certain text follows.

use crate::dfa::Dfa;

/// The texts that match where a text of `after` follows: everything up to the end of the larger text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ending {
    /// The texts that match.
    pub texts: Dfa,
    /// What may follow them.
    pub after: Dfa,
}

impl Ending {
    /// Whether anything may follow.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.after == Dfa::all()
    }
}
