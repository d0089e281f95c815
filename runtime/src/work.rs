//! The work of a call, and its bounds.
//!
//! A call that reads one stack takes time in the number of bytes that it reads, amortized over the text. Where a text has
//! several readings, a commit or a mask may look at all stacks of all readings, and their number may grow with the text.
//! So that work is counted, in *units*: a unit is a head, a cell or a parent that is looked at where there are several heads
//! or stacks, a cell that is read far down a stack, or a byte, an end of a lexeme or sixteen nodes of the trie that are looked at to learn costs, or a part of the step of a place of such a walk. The count follows
//! from the matcher and the call alone, never from the clock.
//!
//! The work is charged before it is done. A call that would go beyond its bound fails with [`Error::TooMuchWork`](crate::Error::TooMuchWork), and the matcher
//! is as it was. Within a call, [`within`](crate::Matcher::within) bounds a part of it more tightly.

/// The bound of a call unless [`set_max_work`](crate::Matcher::set_max_work) sets another one: some seconds of work. Texts of everyday grammars take a
/// few thousand units a call at most.
pub const DEFAULT_MAX_WORK: u64 = 1 << 30;

/// The work that is left to a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    /// The bound of every call.
    pub(crate) most: u64,
    /// The units that are left to this one.
    pub(crate) left: u64,
}

impl Default for Work {
    fn default() -> Self {
        Self { most: DEFAULT_MAX_WORK, left: DEFAULT_MAX_WORK }
    }
}
