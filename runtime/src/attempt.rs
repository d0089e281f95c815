//! All or nothing: operations of a matcher that leave it as it was when they fail.
//!
//! An operation is a closure on the matcher. It may make cells, entries and temporaries. Before it, a
//! checkpoint is taken; if it fails, the checkpoint is restored, so that heads, commits and history are those
//! from before. If it failed with [`Error::ScratchFull`], the scratch is compacted, and the operation runs
//! once more. An operation within another one is not: compaction would move what the outer checkpoint refers to. It fails, and
//! the outer one runs once more.

use crate::error::Error;
use crate::matcher::Matcher;

impl Matcher<'_, '_> {
    /// Runs an operation, and once more after compaction if the scratch was full. If it fails, the matcher is
    /// as before.
    pub(crate) fn attempt<T>(
        &mut self,
        mut operation: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let is_inner = core::mem::replace(&mut self.scratch.is_attempting, true);
        let left = self.scratch.work.left;
        let mut result = self.undo_on_error(&mut operation);
        if !is_inner && matches!(result, Err(Error::ScratchFull)) {
            self.scratch.compact(self.available_rollback());
            self.budget.forget_cells();
            // Whether the work suffices does not depend on the size of the scratch.
            self.scratch.work.left = left;
            result = self.undo_on_error(&mut operation);
        }
        self.scratch.is_attempting = is_inner;
        result
    }

    /// Runs an operation like [`attempt`](Self::attempt), and undoes it also if it succeeds: only its result
    /// is kept.
    pub(crate) fn attempt_and_undo<T>(
        &mut self,
        mut operation: impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.attempt(|matcher| {
            let (checkpoint, progress, budget) =
                (matcher.scratch.checkpoint(), matcher.progress, matcher.budget);
            let result = operation(matcher);
            matcher.scratch.restore(checkpoint);
            (matcher.progress, matcher.budget) = (progress, budget);
            result
        })
    }

    fn undo_on_error<T>(
        &mut self,
        operation: &mut impl FnMut(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let (checkpoint, progress, budget) = (self.scratch.checkpoint(), self.progress, self.budget);
        let result = operation(self);
        if result.is_err() {
            self.scratch.restore(checkpoint);
            (self.progress, self.budget) = (progress, budget);
        }
        result
    }
}
