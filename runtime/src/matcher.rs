//! One output in the making.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::ids::{LexState, LrState, TokenId};

use crate::engine::Engine;
use crate::error::Error;
use crate::scratch::{Head, Node, Scratch};

/// One output in the making: what was committed so far, and what may follow.
///
/// # Invariants
/// 1. The history has an entry for each number of commits from `progress.floor` to `progress.committed`, or more.
/// 2. Between operations there are no temporaries.
/// 3. Every head of the newest entry is viable, unless the matcher is terminated or at the beginning.
///
/// # When an operation fails
/// An operation that fails leaves the matcher as it was: heads, commits and history are unchanged, although the scratch
/// may have been compacted. In particular, after [`Error::ScratchFull`] the matcher can be [forked](Self::fork)
/// into a larger scratch, and the operation repeated there.
///
/// # What is kept
/// | operation | heads, commits, `max_rollback` | history | scratch, engine |
/// |---|---|---|---|
/// | [`fork`](Self::fork) | kept | kept | another scratch, the same engine |
/// | [`fork_onto`](Self::fork_onto) | kept | kept | another scratch, another engine of the same artifact |
/// | [`save`](Self::save), [`restore`](Self::restore) | kept | kept as far as it can be rolled back | another scratch, any engine of the same artifact |
/// | [`reset`](Self::reset) | back to the beginning, `max_rollback` kept | dropped | the same |
#[derive(Debug)]
pub struct Matcher<'a, 's> {
    pub(crate) engine: &'a Engine<'a>,
    pub(crate) scratch: Scratch<'s>,
    pub(crate) max_rollback: u32,
    pub(crate) progress: Progress,
}

/// How far a matcher is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Progress {
    /// Commits since the beginning, without those that were rolled back.
    pub(crate) committed: u64,
    /// Where rolling back ends: `max_rollback` commits before the furthest that `committed` ever was.
    pub(crate) floor: u64,
}

/// Making.
impl<'a, 's> Matcher<'a, 's> {
    /// A matcher at the beginning. It can be rolled back to `max_rollback` commits before the furthest it ever was; the
    /// more, the more scratch is used. [`Engine::scratch_words`] says how much scratch is plenty.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] if the scratch does not even hold the beginning.
    pub fn new(engine: &'a Engine<'a>, scratch: &'s mut [u32], max_rollback: u32) -> Result<Self, Error> {
        let mut matcher =
            Self { engine, scratch: Scratch::new(scratch), max_rollback, progress: Progress::default() };
        matcher.begin()?;
        Ok(matcher)
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.scratch.clear();
        self.progress = Progress::default();
        let node = self.scratch.push_cell(LrState::INITIAL, None, None)?;
        let mut heads = self.scratch.no_heads();
        self.scratch.push_head(&mut heads, Head { lex: self.grammar().initial_lex_state(), node })?;
        self.scratch.push_entry(heads)
    }

    /// Back to the beginning.
    pub fn reset(&mut self) {
        // The scratch held the beginning when the matcher was made.
        let begun = self.begin();
        debug_assert_eq!(begun, Ok(()));
    }

    /// Copies the matcher into another scratch. From then on the two are independent.
    ///
    /// The copy keeps everything: the heads, the commits so far, the whole history that can still be rolled back,
    /// and `max_rollback`. So a fork into a larger scratch is how a matcher grows; after
    /// [`Error::ScratchFull`], the operation that failed can be repeated on the fork.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] if the other scratch has less than [`used_words`](Self::used_words).
    pub fn fork<'t>(&self, scratch: &'t mut [u32]) -> Result<Matcher<'a, 't>, Error> {
        self.copy(self.engine, scratch)
    }

    /// Copies the matcher like [`fork`](Self::fork), and attaches the copy to another engine of the same artifact.
    ///
    /// The copy does not borrow from the engine of this matcher. An owner that stores a matcher together with what
    /// it borrows needs this to move the matcher into a new owner with a larger scratch.
    ///
    /// # Errors
    /// [`Error::OtherArtifact`] if the engine was opened from another artifact;
    /// [`Error::ScratchFull`] if the other scratch has less than [`used_words`](Self::used_words).
    pub fn fork_onto<'b, 't>(
        &self,
        engine: &'b Engine<'b>,
        scratch: &'t mut [u32],
    ) -> Result<Matcher<'b, 't>, Error> {
        if engine.artifact_checksum() != self.engine.artifact_checksum() {
            return Err(Error::OtherArtifact);
        }
        self.copy(engine, scratch)
    }

    fn copy<'b, 't>(&self, engine: &'b Engine<'b>, scratch: &'t mut [u32]) -> Result<Matcher<'b, 't>, Error> {
        let mut scratch = Scratch::new(scratch);
        scratch.copy_from(&self.scratch)?;
        Ok(Matcher { engine, scratch, max_rollback: self.max_rollback, progress: self.progress })
    }

    /// The engine it was made with.
    #[must_use]
    pub const fn engine(&self) -> &'a Engine<'a> {
        self.engine
    }

    pub(crate) const fn grammar(&self) -> &'a GrammarView<'a> {
        &self.engine.grammar
    }
}

/// Going on and back.
impl Matcher<'_, '_> {
    /// Commits a token.
    ///
    /// # Errors
    /// [`Error::Refused`] exactly if the mask does not allow it; [`Error::ScratchFull`].
    pub fn commit(&mut self, token: TokenId) -> Result<(), Error> {
        self.with_room(|matcher| {
            let position = matcher.read_token(matcher.position(), token)?;
            matcher.push(position)
        })
    }

    /// Commits bytes as if they were one token.
    ///
    /// # Errors
    /// [`Error::Refused`] if no text of the language goes on like this; [`Error::ScratchFull`].
    pub fn commit_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.is_empty() {
            return Ok(());
        }
        self.with_room(|matcher| {
            let position = matcher.read_bytes(matcher.position(), bytes)?;
            matcher.push(position)
        })
    }

    /// How many of the tokens could be committed one after the other. Commits none of them.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn validate(&mut self, tokens: &[TokenId]) -> Result<usize, Error> {
        self.try_each(tokens, Self::read_token)
    }

    /// How many of the bytes could be committed one after the other. Commits none of them.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn validate_bytes(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        self.try_each(bytes, |matcher, position, byte| matcher.read_bytes(position, &[byte]))
    }

    /// Takes back the last `count` commits.
    ///
    /// # Errors
    /// [`Error::RollbackTooFar`].
    pub fn rollback(&mut self, count: u64) -> Result<(), Error> {
        let available = self.available_rollback();
        if count > available {
            return Err(Error::RollbackTooFar { available });
        }
        (0..count).for_each(|_| self.scratch.pop_entry());
        self.progress.committed -= count;
        Ok(())
    }

    /// How many commits can be rolled back.
    #[must_use]
    pub const fn available_rollback(&self) -> u64 {
        self.progress.committed - self.progress.floor
    }

    /// Commits since the beginning, without those that were rolled back.
    #[must_use]
    pub const fn committed(&self) -> u64 {
        self.progress.committed
    }

    /// Whether an end token was committed. Nothing can follow it, but it can be rolled back.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        let heads = self.scratch.newest();
        self.progress.committed > 0 && heads.count > 0 && self.scratch.head(heads, 0).lex == LexState::DEAD
    }

    /// Whether the text so far is in the language.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn is_accepting(&mut self) -> Result<bool, Error> {
        if self.is_terminated() {
            return Ok(true);
        }
        self.trying(|matcher| matcher.can_finish())
    }
}

/// Looking inside.
impl<'a, 's> Matcher<'a, 's> {
    /// The heads: all the ways in which the text so far can be read.
    pub fn head_views(&self) -> impl ExactSizeIterator<Item = HeadView<'_, 's>> + use<'_, 'a, 's> {
        let heads = self.scratch.newest();
        (0..heads.count).map(move |index| {
            let head = self.scratch.head(heads, index);
            HeadView { lexer: head.lex, stack: Stack { scratch: &self.scratch, next: Some(head.node) } }
        })
    }

    /// Words of scratch in use.
    #[must_use]
    pub fn used_words(&self) -> usize {
        self.scratch.used()
    }
}

/// A head, for tracing.
#[derive(Clone, Debug)]
pub struct HeadView<'m, 's> {
    /// The lexer state.
    pub lexer: LexState,
    /// The parser stack, top first.
    pub stack: Stack<'m, 's>,
}

/// The LR states of one parser stack, top first. Where stacks were merged, it is one of them.
#[derive(Clone, Debug)]
pub struct Stack<'m, 's> {
    scratch: &'m Scratch<'s>,
    next: Option<Node>,
}

impl Iterator for Stack<'_, '_> {
    type Item = LrState;

    fn next(&mut self) -> Option<LrState> {
        let node = self.next?;
        self.next = self.scratch.parent(node);
        Some(self.scratch.lr(node))
    }
}
