//! The keys that may come next in one object whose keys are remembered.
//!
//! Many tokens and masks ask for the keys of the same object. So what was found out about the last one is kept, outside of the caller's words: it follows from the
//! record and the keys so far, and may be dropped at any time.

use gcc_grammar_artifact::grammar::MOST_KEYS;

use super::set::Atoms;

/// What may follow a member: whether a further one, and whether the end of the object.
pub(crate) type Case = (bool, bool);

/// A further member may follow, and the object may end: what the masks take to be possible.
pub(crate) const BOTH: Case = (true, true);

/// What may follow the member of each key that comes next in one object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cases {
    /// The number of the record, and the keys so far: those that hold, and the number of the one that comes next in an order. None if nothing is known.
    pub(crate) of: Option<(u32, Atoms, u32)>,
    /// The cases of the variants of declared keys; `None` for those that must not come.
    pub(crate) declared: [Option<Case>; MOST_KEYS as usize],
    /// The case of keys that are not declared.
    pub(crate) others: Option<Case>,
    /// Whether some key must not come.
    pub(crate) forbids: bool,
    /// Whether something must not follow the member of some key.
    pub(crate) decides: bool,
}

impl Cases {
    /// Nothing is known.
    pub(crate) const NONE: Self =
        Self { of: None, declared: [None; MOST_KEYS as usize], others: None, forbids: false, decides: false };

    /// The case of a variant of a declared key; without a number, of a key that is not declared.
    pub(crate) fn case(&self, number: Option<u32>) -> Option<Case> {
        match number {
            Some(number) => self.declared.get(number as usize).copied().flatten(),
            None => self.others,
        }
    }
}
