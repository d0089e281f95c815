//! The matcher of the runtime with its scratch memory, which grows on demand: exact masks and nothing else.

use crate::session::Session;
use gcc_grammar_runtime::{
    Engine, Error, HeldMask, NumberedMask, TokenId, larger_scratch, with_enough_scratch,
};
use self_cell::MutBorrow;
use std::ops::Range;

/// The bytes that are said to be certain by one call, at most.
pub const MOST_FORCED_BYTES: usize = 1 << 16;
/// The bytes that are looked for first.
const FIRST_FORCED_BYTES: usize = 256;

/// The matcher of the runtime, borrowing from its owner.
type RuntimeMatcher<'a> = gcc_grammar_runtime::Matcher<'a, 'a>;

struct Parts {
    session: Session,
    /// The size of the scratch, in words.
    words: usize,
    scratch: MutBorrow<Vec<u32>>,
}

self_cell::self_cell!(
    struct OwnedMatcher {
        owner: Parts,
        #[covariant]
        dependent: RuntimeMatcher,
    }
);

/// What [`Matcher`](crate::Matcher) is without options. Where the runtime would report that its scratch is full, the scratch is doubled
/// and the operation repeated, up to 256 MiB. An operation that fails leaves the matcher as it was.
pub(crate) struct Exact(OwnedMatcher);

/// What a row holds since the last [`Matcher::update_mask`](crate::Matcher::update_mask), and where the row lies.
///
/// A memory belongs to one row. A row that was moved or has another length is filled as a whole. What cannot be seen from here is up to the
/// caller: a row whose words something else wrote, or other memory at the address of a row that was freed, gets a new memory
/// (`RowMemory::default()`).
#[derive(Default, Debug)]
pub struct RowMemory {
    held: Option<HeldRow>,
}

#[derive(Debug)]
struct HeldRow {
    /// The address and the length of the row.
    place: (usize, usize),
    mask: HeldMask,
}

impl Exact {
    /// A matcher at the beginning of an output; of the artifact, if it was compiled behind the session.
    pub(crate) fn new(session: &Session, max_rollback: u32) -> Result<Self, Error> {
        let session = session.completed().unwrap_or(session);
        let make = |words| {
            Self::build(session.clone(), words, |engine, scratch| {
                RuntimeMatcher::new(engine, scratch, max_rollback)
            })
        };
        with_enough_scratch(session.engine().first_scratch_words(), make)
    }

    fn build(
        session: Session,
        words: usize,
        make: impl for<'a> FnOnce(&'a Engine<'a>, &'a mut [u32]) -> Result<RuntimeMatcher<'a>, Error>,
    ) -> Result<Self, Error> {
        let parts = Parts { session, words, scratch: MutBorrow::new(vec![0; words]) };
        OwnedMatcher::try_new(parts, |parts| make(parts.session.engine(), parts.scratch.borrow_mut()))
            .map(Self)
    }

    /// The session that the matcher belongs to.
    pub(crate) fn session(&self) -> &Session {
        &self.0.borrow_owner().session
    }

    /// Calls an operation of the runtime's matcher, and repeats it with a larger scratch as long as the scratch is full.
    fn call<T>(
        &mut self,
        mut operation: impl for<'a> FnMut(&mut RuntimeMatcher<'a>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut has_begun_anew = false;
        loop {
            match self.0.with_dependent_mut(|_, matcher| operation(matcher)) {
                Err(Error::ScratchFull) => self.grow()?,
                // What was remembered has been forgotten, and there is room now.
                Err(Error::MaskOverLimit) if !has_begun_anew => has_begun_anew = true,
                result => return result,
            }
        }
    }

    /// Waits for the artifact, which has the costs of completions.
    fn complete(&self) -> Result<(), Error> {
        self.session().complete().map(drop).map_err(|_| Error::NoBudgets)
    }

    fn grow(&mut self) -> Result<(), Error> {
        *self = self.copy(larger_scratch(self.0.borrow_owner().words)?)?;
        Ok(())
    }

    fn copy(&self, words: usize) -> Result<Self, Error> {
        let matcher = self.0.borrow_dependent();
        Self::build(self.session().clone(), words, |engine, scratch| matcher.fork_onto(engine, scratch))
    }

    /// Copies the matcher. The copy keeps the tokens so far and what can be rolled back; from then on the two are independent.
    pub(crate) fn fork(&self) -> Result<Self, Error> {
        self.copy(self.0.borrow_owner().words)
    }

    /// Writes the mask of the next token into `row`: token t is bit t % 32 of word t / 32; words beyond the mask become 0.
    pub(crate) fn fill_mask(&mut self, row: &mut [u32]) -> Result<(), Error> {
        self.call(|matcher| matcher.fill_mask(row))
    }

    /// Writes the mask of the next token into `row`, like [`fill_mask`](Self::fill_mask), but changes only the words that differ from
    /// the last mask where that is faster. `memory` belongs to the row: nobody else may change the row between the calls.
    pub(crate) fn update_mask(&mut self, row: &mut [u32], memory: &mut RowMemory) -> Result<(), Error> {
        let place = (row.as_ptr() as usize, row.len());
        let held = memory.held.take().filter(|held| held.place == place).map(|held| held.mask);
        let mask = self.call(|matcher| matcher.update_words(row, held))?;
        memory.held = mask.map(|mask| HeldRow { place, mask });
        Ok(())
    }

    /// The mask as base bitmaps and flips, which are written to `flips`; none if it takes too many of either.
    pub(crate) fn mask_by_number(&mut self, flips: &mut [u32]) -> Result<Option<NumberedMask>, Error> {
        // An accelerator has the bases of artifacts, not those that are made on demand.
        if self.session().is_on_demand() {
            return Ok(None);
        }
        self.call(|matcher| matcher.mask_by_number(flips))
    }

    /// Bounds the work of each call; none lifts the bound.
    pub(crate) fn set_max_work(&mut self, most: Option<u64>) {
        self.0.with_dependent_mut(|_, matcher| matcher.set_max_work(most));
    }

    /// The most work of a call.
    pub(crate) fn max_work(&self) -> Option<u64> {
        self.0.borrow_dependent().max_work()
    }

    /// Masks within a budget that may lack tokens.
    pub(crate) fn degraded_masks(&self) -> u64 {
        self.0.borrow_dependent().degraded_masks()
    }

    /// Limits the number of tokens that may still be committed.
    pub(crate) fn set_budget(&mut self, remaining: Option<u32>) -> Result<(), Error> {
        if remaining.is_some() {
            self.complete()?;
        }
        self.call(|matcher| matcher.set_budget(remaining))
    }

    /// The number of tokens that may still be committed; none if there is no limit.
    pub(crate) fn remaining(&self) -> Option<u32> {
        self.0.borrow_dependent().remaining()
    }

    /// The number of tokens that complete the text; none if no completion is known.
    pub(crate) fn min_remaining(&mut self) -> Result<Option<u32>, Error> {
        self.complete()?;
        self.call(|matcher| matcher.min_remaining())
    }

    /// The tokens of a shortest completion; none if no completion is known.
    pub(crate) fn shortest_completion(&mut self) -> Result<Option<Vec<u32>>, Error> {
        let Some(most) = self.min_remaining()? else { return Ok(None) };
        let mut tokens = vec![TokenId(0); most as usize];
        let length = self.call(|matcher| matcher.shortest_completion(&mut tokens))?;
        Ok(Some(tokens[..length].iter().map(|token| token.0).collect()))
    }

    /// Whether the token may come next.
    pub(crate) fn allows(&mut self, token: u32) -> Result<bool, Error> {
        self.call(|matcher| matcher.allows(TokenId(token)))
    }

    /// The tokens that may come next, as ascending ranges of ids that do not touch.
    pub(crate) fn allowed_ranges(&mut self) -> Result<Vec<Range<u32>>, Error> {
        self.call(|matcher| {
            let mut ranges = Vec::new();
            matcher.each_allowed_range(|range| ranges.push(range))?;
            Ok(ranges)
        })
    }

    /// The number of tokens that may come next.
    pub(crate) fn count_allowed(&mut self) -> Result<u32, Error> {
        self.call(|matcher| matcher.count_allowed())
    }

    /// The bytes that are certain to come, `most` and [`MOST_FORCED_BYTES`] at most. Memory and work grow with the certain bytes, not with
    /// `most`.
    pub(crate) fn forced(&mut self, most: usize) -> Result<Vec<u8>, Error> {
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
    pub(crate) fn commit(&mut self, token: u32) -> Result<(), Error> {
        self.call(|matcher| matcher.commit(TokenId(token)))
    }

    /// Commits bytes as if they were one token.
    pub(crate) fn commit_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.call(|matcher| matcher.commit_bytes(bytes))
    }

    /// How many of the tokens could be committed one after the other. Commits none of them.
    pub(crate) fn validate(&mut self, tokens: &[u32]) -> Result<usize, Error> {
        let tokens: Vec<TokenId> = tokens.iter().copied().map(TokenId).collect();
        self.call(|matcher| matcher.validate(&tokens))
    }

    /// How many of the bytes could be committed one after the other. Commits none of them.
    pub(crate) fn validate_bytes(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        self.call(|matcher| matcher.validate_bytes(bytes))
    }

    /// Takes back the last `count` commits.
    pub(crate) fn rollback(&mut self, count: u64) -> Result<(), Error> {
        self.0.with_dependent_mut(|_, matcher| matcher.rollback(count))
    }

    /// Goes back to the beginning of an output.
    pub(crate) fn reset(&mut self) {
        self.0.with_dependent_mut(|_, matcher| matcher.reset());
    }

    /// Commits since the beginning, without the commits that were taken back.
    pub(crate) fn committed(&self) -> u64 {
        self.0.borrow_dependent().committed()
    }

    /// Whether the text so far is in the language.
    pub(crate) fn is_accepting(&mut self) -> Result<bool, Error> {
        self.call(|matcher| matcher.is_accepting())
    }

    /// Whether an end token was committed. Nothing can follow it, but it can be taken back.
    pub(crate) fn is_terminated(&self) -> bool {
        self.0.borrow_dependent().is_terminated()
    }

    /// The state of the matcher as bytes, for [`Session::restore`].
    pub(crate) fn save(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Err(Error::BufferTooShort { needed }) =
            self.0.with_dependent_mut(|_, matcher| matcher.save(&mut bytes))
        {
            bytes.resize(needed, 0);
        }
        bytes
    }

    /// Looks at the matcher of the runtime, for heads and stacks.
    pub(crate) fn inspect<T>(&self, look: impl for<'a> FnOnce(&RuntimeMatcher<'a>) -> T) -> T {
        self.0.with_dependent(|_, matcher| look(matcher))
    }

    /// The matcher of saved bytes; of the artifact, if it was compiled behind the session, which is waited for if the matcher has a budget.
    pub(crate) fn restore(session: &Session, saved: &[u8]) -> Result<Self, Error> {
        let current = session.completed().unwrap_or(session);
        match Self::restored(current, saved) {
            Err(Error::NoBudgets) if current.is_on_demand() => {
                Self::restored(&session.complete().map_err(|_| Error::NoBudgets)?, saved)
            }
            restored => restored,
        }
    }

    fn restored(session: &Session, saved: &[u8]) -> Result<Self, Error> {
        let make = |words| {
            Self::build(session.clone(), words, |engine, scratch| {
                RuntimeMatcher::restore(engine, scratch, saved)
            })
        };
        with_enough_scratch(session.engine().first_scratch_words(), make)
    }
}
