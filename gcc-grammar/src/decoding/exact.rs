//! Exact masks and nothing else: the matcher of the runtime, whose artifact may be made on demand.

use crate::sessions::session::Session;
use gcc_grammar_owned::{HasEngine, OwnedMatcher};
use gcc_grammar_runtime::{Engine, Error, HeldMask, NumberedMask};
use std::ops::{Deref, DerefMut};

/// What [`Matcher`](crate::Matcher) is without options.
pub(crate) struct Exact(OwnedMatcher<Session>);

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

impl HasEngine for Session {
    fn engine(&self) -> &Engine<'_> {
        Self::engine(self)
    }
}

impl Deref for Exact {
    type Target = OwnedMatcher<Session>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Exact {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Exact {
    /// A matcher at the beginning of an output; of the artifact, if it was compiled behind the session.
    pub(crate) fn new(session: &Session, max_rollback: u32) -> Result<Self, Error> {
        OwnedMatcher::new(session.completed().unwrap_or(session), max_rollback).map(Self)
    }

    /// The matcher of saved bytes; of the artifact, if it was compiled behind the session, which is waited for if the matcher has a budget.
    pub(crate) fn restore(session: &Session, saved: &[u8]) -> Result<Self, Error> {
        let current = session.completed().unwrap_or(session);
        let restored = match OwnedMatcher::restore(current, saved) {
            Err(Error::NoBudgets) if current.is_on_demand() => {
                OwnedMatcher::restore(&session.complete().map_err(|_| Error::NoBudgets)?, saved)
            }
            restored => restored,
        };
        restored.map(Self)
    }

    pub(crate) fn fork(&self) -> Result<Self, Error> {
        self.0.fork().map(Self)
    }

    /// Writes the mask of the next token into `row`, like [`fill_mask`](OwnedMatcher::fill_mask), but changes only the words that differ from
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

    /// Waits for the artifact, which has the costs of completions.
    fn complete(&self) -> Result<(), Error> {
        self.session().complete().map(drop).map_err(|_| Error::NoBudgets)
    }

    /// Limits the number of tokens that may still be committed.
    pub(crate) fn set_budget(&mut self, remaining: Option<u32>) -> Result<(), Error> {
        if remaining.is_some() {
            self.complete()?;
        }
        self.0.set_budget(remaining)
    }

    /// The number of tokens that complete the text; none if no completion is known.
    pub(crate) fn min_remaining(&mut self) -> Result<Option<u32>, Error> {
        self.complete()?;
        self.0.min_remaining()
    }

    /// The tokens of a shortest completion; none if no completion is known.
    pub(crate) fn shortest_completion(&mut self) -> Result<Option<Vec<u32>>, Error> {
        self.complete()?;
        self.0.shortest_completion()
    }
}
