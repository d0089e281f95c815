//! Texts that match where a certain text follows, and behind a certain text.

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

/// What matches behind a text of `before`: everything from the beginning of the larger text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Beginning {
    /// What may come before.
    pub before: Dfa,
    /// The texts that match there, by what may follow them.
    pub endings: Vec<Ending>,
}
