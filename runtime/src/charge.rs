//! Charges the [work](crate::work) of calls.

use crate::error::Error;
use crate::matcher::Matcher;
use crate::scratch::Scratch;

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
    /// the bound; without this call it is [`DEFAULT_MAX_WORK`](crate::DEFAULT_MAX_WORK).
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

    /// Does work within `left` units, which become fewer, and within the work that is left to the call. `None` if the `left` units do not suffice.
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
