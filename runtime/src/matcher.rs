//! A matcher: the state of one output while it is generated.
//!
//! This file holds the type, and the operations that read no input: to begin, copy, roll back, and report
//! progress. Input is read in `commit`, masks are made in `mask` and `row`, bytes of a saved matcher in
//! `save`. Everything that grows lies in the caller's scratch.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, LrState};

use crate::budget::{Search, TokenBudget};
use crate::engine::Engine;
use crate::error::Error;
use crate::scratch::{Head, Scratch};

/// The state of one output while it is generated: the tokens committed so far decide which may follow.
///
/// # Invariants
/// 1. The history has an entry for each number of commits from `progress.floor` to `progress.committed`. It
///    may have older ones, until the scratch is compacted.
/// 2. Between operations there are no temporaries.
/// 3. Every head of the newest entry is viable, unless the matcher is terminated or at the beginning.
///
/// # When an operation fails
/// An operation that fails leaves the matcher as it was: heads, commits and history are unchanged, although
/// the scratch may have been compacted. In particular, after [`Error::ScratchFull`] the matcher can be
/// [forked](Self::fork) into a larger scratch, and the operation repeated there.
///
/// # History
/// | operation | heads, commits, history | `max_rollback`, budget | bounds of work | scratch | engine |
/// |---|---|---|---|---|---|
/// | [`fork`](Self::fork) | kept | kept | kept | another | the same |
/// | [`fork_onto`](Self::fork_onto) | kept | kept | kept | another | another, of the same artifact |
/// | [`save`](Self::save), [`restore`](Self::restore) | kept | kept | those of a new matcher | another | another, with the same parser |
/// | [`reset`](Self::reset) | those of the beginning | kept | kept | the same | the same |
///
/// The history that is kept is the one that can be rolled back; older entries may be dropped. A budget counts all
/// commits, those before it was set included: after a rollback or a reset more of it remains.
#[derive(Debug)]
pub struct Matcher<'a, 's> {
    pub(crate) engine: &'a Engine<'a>,
    pub(crate) scratch: Scratch<'s>,
    pub(crate) max_rollback: u32,
    pub(crate) progress: Progress,
    pub(crate) budget: TokenBudget,
    pub(crate) search: Search,
}

/// Numbers of commits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Progress {
    /// Commits since the beginning, without the commits that were rolled back.
    pub(crate) committed: u64,
    /// The lowest number that can be rolled back to: `max_rollback` less than `committed` ever was.
    pub(crate) floor: u64,
}

/// Beginning and copying.
impl<'a, 's> Matcher<'a, 's> {
    /// Makes a matcher at the beginning of an output.
    ///
    /// The scratch may have any content and any length; [`Engine::scratch_words`] is enough for almost all
    /// outputs. The matcher can always be rolled back to `max_rollback` commits before the furthest that it
    /// ever was. A larger `max_rollback` keeps more history in the scratch.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] if the scratch does not hold even the beginning.
    pub fn new(engine: &'a Engine<'a>, scratch: &'s mut [u32], max_rollback: u32) -> Result<Self, Error> {
        let mut matcher = Self {
            engine,
            scratch: Scratch::new(scratch, &engine.grammar),
            max_rollback,
            progress: Progress::default(),
            budget: TokenBudget::default(),
            search: Search::default(),
        };
        matcher.begin()?;
        Ok(matcher)
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.scratch.clear();
        self.progress = Progress::default();
        self.budget.forget();
        let node = self.scratch.push_cell(LrState::INITIAL, None, None)?;
        let mut heads = self.scratch.empty_heads();
        let lex = self.grammar().initial_lex_state();
        self.scratch.push_head(&mut heads, Head { lex, node, age: 0, start: 0, memory: None })?;
        self.scratch.push_entry(heads)
    }

    /// Goes back to the beginning, and drops the history.
    pub fn reset(&mut self) {
        // This cannot fail: the scratch held the beginning when the matcher was made.
        let begun = self.begin();
        debug_assert_eq!(begun, Ok(()));
    }

    /// Copies the matcher into another scratch. From then on the two are independent.
    ///
    /// The copy keeps everything: the heads, the commits so far, the whole history that can still be rolled
    /// back, and `max_rollback`. So a fork into a larger scratch is how a matcher grows; after
    /// [`Error::ScratchFull`], the operation that failed can be repeated on the fork.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] if the other scratch has less than [`used_words`](Self::used_words).
    pub fn fork<'t>(&self, scratch: &'t mut [u32]) -> Result<Matcher<'a, 't>, Error> {
        self.copy(self.engine, scratch)
    }

    /// Copies the matcher like [`fork`](Self::fork), and attaches the copy to another engine of the same
    /// artifact. If masks are made on demand ([`GrammarView::open_on_demand`]), that is one with the same source.
    ///
    /// The copy does not borrow from the engine of this matcher. An owner that stores a matcher together with
    /// what it borrows needs this to move the matcher into a new owner with a larger scratch.
    ///
    /// # Errors
    /// [`Error::OtherArtifact`] if the engine was opened from another artifact;
    /// [`Error::ScratchFull`] if the other scratch has less than [`used_words`](Self::used_words).
    pub fn fork_onto<'b, 't>(
        &self,
        engine: &'b Engine<'b>,
        scratch: &'t mut [u32],
    ) -> Result<Matcher<'b, 't>, Error> {
        if !engine.is_alike(self.engine) {
            return Err(Error::OtherArtifact);
        }
        self.copy(engine, scratch)
    }

    fn copy<'b, 't>(&self, engine: &'b Engine<'b>, scratch: &'t mut [u32]) -> Result<Matcher<'b, 't>, Error> {
        let mut scratch = Scratch::new(scratch, &engine.grammar);
        scratch.copy_from(&self.scratch)?;
        let Self { max_rollback, progress, budget, search, .. } = *self;
        Ok(Matcher { engine, scratch, max_rollback, progress, budget, search })
    }

    /// Does work that needs a row, which lies in the scratch meanwhile.
    pub(crate) fn with_row<T>(
        &mut self,
        work: impl FnOnce(&mut Matcher<'a, '_>, &mut [u32]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let words = self.grammar().row_words();
        if !self.scratch.has_room(words) {
            self.scratch.compact(self.available_rollback());
            self.budget.forget_cells();
        }
        if !self.scratch.has_room(words) {
            return Err(Error::ScratchFull);
        }
        let Self { engine, max_rollback, progress, budget, search, .. } = *self;
        let (result, budget, search) = self.scratch.lend(words, |scratch, row| {
            let mut matcher = Matcher { engine, scratch, max_rollback, progress, budget, search };
            let result = work(&mut matcher, row);
            let Matcher { scratch, budget, search, .. } = matcher;
            (scratch, (result, budget, search))
        });
        (self.budget, self.search) = (budget, search);
        result
    }

    /// The engine that the matcher was made with.
    #[must_use]
    pub const fn engine(&self) -> &'a Engine<'a> {
        self.engine
    }

    pub(crate) const fn grammar(&self) -> &'a GrammarView<'a> {
        &self.engine.grammar
    }
}

/// Progress.
impl Matcher<'_, '_> {
    /// Undoes the last `count` commits.
    ///
    /// # Errors
    /// [`Error::RollbackTooFar`] if fewer commits [can be rolled back](Self::available_rollback).
    pub fn rollback(&mut self, count: u64) -> Result<(), Error> {
        let available = self.available_rollback();
        if count > available {
            return Err(Error::RollbackTooFar { available });
        }
        (0..count).for_each(|_| self.scratch.pop_entry());
        self.progress.committed -= count;
        self.budget.forget();
        Ok(())
    }

    /// The number of commits that can be rolled back.
    #[must_use]
    pub const fn available_rollback(&self) -> u64 {
        self.progress.committed - self.progress.floor
    }

    /// The number of commits since the beginning, without the commits that were rolled back.
    #[must_use]
    pub const fn committed(&self) -> u64 {
        self.progress.committed
    }

    /// Whether an end token was committed. No token can follow it, but it can be rolled back.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        let heads = self.scratch.newest();
        self.progress.committed > 0 && heads.count > 0 && self.scratch.head(heads, 0).lex == LexState::DEAD
    }

    /// Words of scratch in use.
    #[must_use]
    pub fn used_words(&self) -> usize {
        self.scratch.used()
    }
}
