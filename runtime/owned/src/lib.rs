//! The matcher of the runtime with the session that it belongs to and its scratch memory, which grows on demand.
//!
//! [`OwnedMatcher`] has the operations of [`gcc_grammar_runtime::Matcher`], with results that are allocated. Where the runtime would report
//! that its scratch is full, the scratch is doubled and the operation repeated, up to 256 MiB. An operation that fails leaves the matcher as
//! it was.

use gcc_grammar_runtime::{Engine, Error, Matcher, TokenId, larger_scratch, with_enough_scratch};
use self_cell::{MutBorrow, self_cell};
use std::ops::Range;
use std::sync::Arc;

/// The bytes that are said to be certain by one call, at most.
pub const MOST_FORCED_BYTES: usize = 1 << 16;
/// The bytes that are looked for first.
const FIRST_FORCED_BYTES: usize = 256;

/// What matchers belong to: an artifact with its vocabulary. A clone has the same ones.
pub trait HasEngine: Clone + Send + Sync + 'static {
    /// The engine of the artifact.
    fn engine(&self) -> &Engine<'_>;
}

/// [`HasEngine`] for the cell, which has one type for all sessions.
trait Engines: Send + Sync {
    fn engine(&self) -> &Engine<'_>;
}

impl<S: HasEngine> Engines for S {
    fn engine(&self) -> &Engine<'_> {
        HasEngine::engine(self)
    }
}

/// The matcher of the runtime, borrowing from its owner.
type RuntimeMatcher<'a> = Matcher<'a, 'a>;

struct Parts {
    engines: Arc<dyn Engines>,
    /// The size of the scratch, in words.
    words: usize,
    scratch: MutBorrow<Vec<u32>>,
}

self_cell!(
    struct Cell {
        owner: Parts,
        #[covariant]
        dependent: RuntimeMatcher,
    }
);

impl Cell {
    fn build(
        engines: &Arc<dyn Engines>,
        words: usize,
        make: impl for<'a> FnOnce(&'a Engine<'a>, &'a mut [u32]) -> Result<RuntimeMatcher<'a>, Error>,
    ) -> Result<Self, Error> {
        let parts = Parts { engines: Arc::clone(engines), words, scratch: MutBorrow::new(vec![0; words]) };
        Self::try_new(parts, |parts| make(parts.engines.engine(), parts.scratch.borrow_mut()))
    }

    /// Makes a matcher with the scratch that the artifact recommends, or with more if that is too little.
    fn begin(
        engines: &Arc<dyn Engines>,
        make: impl for<'a> Fn(&'a Engine<'a>, &'a mut [u32]) -> Result<RuntimeMatcher<'a>, Error>,
    ) -> Result<Self, Error> {
        let first = engines.engine().first_scratch_words();
        with_enough_scratch(first, |words| Self::build(engines, words, &make))
    }

    /// Copies the matcher onto a scratch of this size.
    fn copy(&self, words: usize) -> Result<Self, Error> {
        let matcher = self.borrow_dependent();
        Self::build(&self.borrow_owner().engines, words, |engine, scratch| matcher.fork_onto(engine, scratch))
    }
}

/// A matcher with its session and its scratch.
pub struct OwnedMatcher<S> {
    session: S,
    cell: Cell,
}

impl<S: HasEngine> OwnedMatcher<S> {
    /// A matcher at the beginning of an output. `max_rollback` commits can be taken back.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn new(session: &S, max_rollback: u32) -> Result<Self, Error> {
        Self::begin(session, |engine, scratch| Matcher::new(engine, scratch, max_rollback))
    }

    /// The matcher of saved bytes.
    ///
    /// # Errors
    /// The bytes are no state of a matcher of this artifact, or the scratch is at its limit.
    pub fn restore(session: &S, saved: &[u8]) -> Result<Self, Error> {
        Self::begin(session, |engine, scratch| Matcher::restore(engine, scratch, saved))
    }

    fn begin(
        session: &S,
        make: impl for<'a> Fn(&'a Engine<'a>, &'a mut [u32]) -> Result<RuntimeMatcher<'a>, Error>,
    ) -> Result<Self, Error> {
        let engines: Arc<dyn Engines> = Arc::new(session.clone());
        Ok(Self { session: session.clone(), cell: Cell::begin(&engines, make)? })
    }

    /// The session that the matcher belongs to.
    pub fn session(&self) -> &S {
        &self.session
    }

    /// Calls an operation of the runtime's matcher, and repeats it with a larger scratch as long as the scratch is full.
    ///
    /// # Errors
    /// Those of the operation; [`Error::ScratchFull`] at the limit of the scratch.
    pub fn call<T>(
        &mut self,
        mut operation: impl for<'a> FnMut(&mut RuntimeMatcher<'a>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut has_begun_anew = false;
        loop {
            match self.cell.with_dependent_mut(|_, matcher| operation(matcher)) {
                Err(Error::ScratchFull) => {
                    self.cell = self.cell.copy(larger_scratch(self.cell.borrow_owner().words)?)?;
                }
                // What was remembered has been forgotten, and there is room now.
                Err(Error::MaskOverLimit) if !has_begun_anew => has_begun_anew = true,
                result => return result,
            }
        }
    }

    /// Looks at the matcher of the runtime, for heads and stacks.
    pub fn inspect<T>(&self, look: impl for<'a> FnOnce(&RuntimeMatcher<'a>) -> T) -> T {
        self.cell.with_dependent(|_, matcher| look(matcher))
    }

    fn change<T>(&mut self, operation: impl for<'a> FnOnce(&mut RuntimeMatcher<'a>) -> T) -> T {
        self.cell.with_dependent_mut(|_, matcher| operation(matcher))
    }

    /// Copies the matcher. The copy keeps the tokens so far and what can be rolled back; from then on the two are independent.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch; the same holds below, where nothing else is said.
    pub fn fork(&self) -> Result<Self, Error> {
        let cell = self.cell.copy(self.cell.borrow_owner().words)?;
        Ok(Self { session: self.session.clone(), cell })
    }

    /// Writes the mask of the next token into `row`: token t is bit t % 32 of word t / 32; words beyond the mask become 0.
    ///
    /// # Errors
    /// The row is too short, or the mask takes more work than the bound.
    pub fn fill_mask(&mut self, row: &mut [u32]) -> Result<(), Error> {
        self.call(|matcher| matcher.fill_mask(row))
    }

    /// Bounds the work of each call; none lifts the bound.
    pub fn set_max_work(&mut self, most: Option<u64>) {
        self.change(|matcher| matcher.set_max_work(most));
    }

    /// The most work of a call.
    pub fn max_work(&self) -> Option<u64> {
        self.inspect(|matcher| matcher.max_work())
    }

    /// Masks within a budget that may lack tokens.
    pub fn degraded_masks(&self) -> u64 {
        self.inspect(|matcher| matcher.degraded_masks())
    }

    /// Limits the number of tokens that may still be committed.
    ///
    /// # Errors
    /// The artifact has no budgets, or the text cannot be completed within this one.
    pub fn set_budget(&mut self, remaining: Option<u32>) -> Result<(), Error> {
        self.call(|matcher| matcher.set_budget(remaining))
    }

    /// The number of tokens that may still be committed; none if there is no limit.
    pub fn remaining(&self) -> Option<u32> {
        self.inspect(|matcher| matcher.remaining())
    }

    /// The number of tokens that complete the text; none if no completion is known.
    ///
    /// # Errors
    /// The artifact has no budgets.
    pub fn min_remaining(&mut self) -> Result<Option<u32>, Error> {
        self.call(|matcher| matcher.min_remaining())
    }

    /// The tokens of a shortest completion; none if no completion is known.
    ///
    /// # Errors
    /// The artifact has no budgets.
    pub fn shortest_completion(&mut self) -> Result<Option<Vec<u32>>, Error> {
        let Some(most) = self.min_remaining()? else { return Ok(None) };
        let mut tokens = vec![TokenId(0); most as usize];
        let length = self.call(|matcher| matcher.shortest_completion(&mut tokens))?;
        Ok(Some(tokens[..length].iter().map(|token| token.0).collect()))
    }

    /// Whether the token may come next.
    ///
    /// # Errors
    /// As for [`fill_mask`](Self::fill_mask).
    pub fn allows(&mut self, token: u32) -> Result<bool, Error> {
        self.call(|matcher| matcher.allows(TokenId(token)))
    }

    /// The tokens that may come next, as ascending ranges of ids that do not touch.
    ///
    /// # Errors
    /// As for [`fill_mask`](Self::fill_mask).
    pub fn allowed_ranges(&mut self) -> Result<Vec<Range<u32>>, Error> {
        self.call(|matcher| {
            let mut ranges = Vec::new();
            matcher.each_allowed_range(|range| ranges.push(range))?;
            Ok(ranges)
        })
    }

    /// The number of tokens that may come next.
    ///
    /// # Errors
    /// As for [`fill_mask`](Self::fill_mask).
    pub fn count_allowed(&mut self) -> Result<u32, Error> {
        self.call(|matcher| matcher.count_allowed())
    }

    /// The bytes that are certain to come, `most` and [`MOST_FORCED_BYTES`] at most. Memory and work grow with the certain bytes, not with
    /// `most`.
    ///
    /// # Errors
    /// As for [`fill_mask`](Self::fill_mask).
    pub fn forced(&mut self, most: usize) -> Result<Vec<u8>, Error> {
        let most = most.min(MOST_FORCED_BYTES);
        let mut bytes = vec![0; most.min(FIRST_FORCED_BYTES)];
        loop {
            let length = self.call(|matcher| matcher.forced(&mut bytes))?;
            if length < bytes.len() || length == most {
                bytes.truncate(length);
                return Ok(bytes);
            }
            bytes.resize(most.min(4 * length), 0);
        }
    }

    /// Commits a token.
    ///
    /// # Errors
    /// The grammar does not allow the token here.
    pub fn commit(&mut self, token: u32) -> Result<(), Error> {
        self.call(|matcher| matcher.commit(TokenId(token)))
    }

    /// Commits bytes as if they were one token.
    ///
    /// # Errors
    /// The grammar does not allow the bytes here.
    pub fn commit_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.call(|matcher| matcher.commit_bytes(bytes))
    }

    /// How many of the tokens could be committed one after the other. Commits none of them.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn validate(&mut self, tokens: &[u32]) -> Result<usize, Error> {
        let tokens: Vec<TokenId> = tokens.iter().copied().map(TokenId).collect();
        self.call(|matcher| matcher.validate(&tokens))
    }

    /// How many of the bytes could be committed one after the other. Commits none of them.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn validate_bytes(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        self.call(|matcher| matcher.validate_bytes(bytes))
    }

    /// Takes back the last `count` commits.
    ///
    /// # Errors
    /// There are not as many that can be taken back.
    pub fn rollback(&mut self, count: u64) -> Result<(), Error> {
        self.change(|matcher| matcher.rollback(count))
    }

    /// Goes back to the beginning of an output.
    pub fn reset(&mut self) {
        self.change(|matcher| matcher.reset());
    }

    /// Commits since the beginning, without the commits that were taken back.
    pub fn committed(&self) -> u64 {
        self.inspect(|matcher| matcher.committed())
    }

    /// Whether the text so far is in the language.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn is_accepting(&mut self) -> Result<bool, Error> {
        self.call(|matcher| matcher.is_accepting())
    }

    /// Whether an end token was committed. Nothing can follow it, but it can be taken back.
    pub fn is_terminated(&self) -> bool {
        self.inspect(|matcher| matcher.is_terminated())
    }

    /// The state of the matcher as bytes, for [`restore`](Self::restore).
    pub fn save(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Err(Error::BufferTooShort { needed }) = self.change(|matcher| matcher.save(&mut bytes)) {
            bytes.resize(needed, 0);
        }
        bytes
    }
}
