//! The work of a call, and its bounds.
//!
//! A call that reads one stack takes time in the number of bytes that it reads, amortized over the text. Where a text has
//! several readings, a commit or a mask may look at all stacks of all readings, and their number may grow with the text.
//! So that work is counted, in *units*: a unit is a head, a cell or a parent that is looked at where there are several heads
//! or stacks, a cell that is read far down a stack, or a byte, an end of a lexeme or eight nodes of the trie that are looked at to learn costs, or a part of the step of a place of such a walk. The count follows
//! from the matcher and the call alone, never from the clock.
//!
//! The work is charged before it is done. A call that would go beyond its bound fails with [`Error::TooMuchWork`], and the matcher
//! is as it was. Within a call, [`within`](Matcher::within) bounds a part of it more tightly.

use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::Scratch;

/// The bound of a call unless [`Matcher::set_max_work`] sets another one: some seconds of work. Texts of everyday grammars take a
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

impl Scratch<'_> {
    /// Charges work that is about to be done.
    #[inline]
    pub(crate) fn charge(&mut self, units: usize) -> Result<(), Error> {
        match self.work.left.checked_sub(units as u64) {
            Some(left) => {
                self.work.left = left;
                Ok(())
            }
            None => self.too_much_work(),
        }
    }

    #[cold]
    fn too_much_work(&mut self) -> Result<(), Error> {
        self.work.left = 0;
        Err(Error::TooMuchWork { most: self.work.most })
    }
}

impl Matcher<'_, '_> {
    /// Bounds the work of each call from now on, in units: heads, cells and parents that are looked at where the text has
    /// several readings. A call that needs more fails with [`Error::TooMuchWork`], and leaves the matcher as it was. `None` lifts
    /// the bound; without this call it is [`DEFAULT_MAX_WORK`].
    ///
    /// [`validate`](Self::validate) and [`validate_bytes`](Self::validate_bytes) may take as much for each token or byte,
    /// [`forced`](Self::forced) for each byte that it finds, [`shortest_completion`](Self::shortest_completion) for all tokens together.
    pub fn set_max_work(&mut self, most: Option<u64>) {
        self.scratch.work.most = most.unwrap_or(u64::MAX);
    }

    /// The most work of a call, in units; `None` if there is no bound.
    #[must_use]
    pub fn max_work(&self) -> Option<u64> {
        Some(self.scratch.work.most).filter(|&most| most < u64::MAX)
    }

    /// The work of the last call, in units.
    #[must_use]
    pub const fn work_done(&self) -> u64 {
        self.scratch.work.most.saturating_sub(self.scratch.work.left)
    }

    /// Begins a call, or a part of one that may take as much work as a call.
    #[inline]
    pub(crate) const fn begin_work(&mut self) {
        self.scratch.work.left = self.scratch.work.most;
    }

    /// Does work within `left` units, which become fewer, and within what is left to the call. `None` if the `left` units do not suffice.
    pub(crate) fn within<T>(
        &mut self,
        left: &mut u64,
        work: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let of_call = self.scratch.work.left;
        let granted = of_call.min(*left);
        self.scratch.work.left = granted;
        let result = work(self);
        let used = granted - self.scratch.work.left;
        self.scratch.work.left = of_call - used;
        *left -= used;
        match result {
            Err(Error::TooMuchWork { .. }) if granted < of_call => Ok(None),
            result => result.map(Some),
        }
    }
}
