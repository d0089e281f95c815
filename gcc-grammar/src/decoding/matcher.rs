//! The state of one output, with what options add to the grammar: canonical masks, and free text before the constrained part.

use crate::decoding::exact::{Exact, RowMemory};
use crate::decoding::forced::{Certainty, certain, certain_bytes};
use crate::decoding::guide::{Guide, MatcherOptions};
use crate::decoding::row;
use crate::error::Error as LibraryError;
use crate::sessions::session::Session;
use gcc_grammar_owned::MOST_FORCED_BYTES;
use gcc_grammar_runtime::{Error, NumberedMask};
use sha2::{Digest, Sha256};
use std::fmt;
use std::ops::Range;

/// The first bytes of a saved matcher with options, behind which come the length of the state of the options, that state, the state of
/// the grammar, and a digest.
const SAVED: &[u8; 8] = b"gcgguide";
const DIGEST: usize = 8;

/// The state of one output: the tokens so far, and the set of tokens that may follow.
///
/// It owns its memory and is `Send`, so it can be kept in a struct and moved between threads. Where the runtime would report that
/// its scratch is full, the scratch is doubled and the operation repeated, up to 256 MiB.
/// An operation that fails leaves the matcher as it was.
///
/// [`MatcherOptions`] may add free text in front, where every token may come next, and canonical masks. A token is refused exactly if the
/// mask does not have it, with options, too.
pub struct Matcher {
    exact: Exact,
    /// None without options: then everything is the grammar's.
    guide: Option<Box<Guide>>,
}

impl Matcher {
    /// The session that the matcher belongs to.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.exact.session()
    }

    /// Copies the matcher. The copy keeps the tokens so far and what can be rolled back; from then on the two are independent.
    ///
    /// # Errors
    /// None in practice: the copy has as much scratch.
    pub fn fork(&self) -> Result<Self, Error> {
        Ok(Self { exact: self.exact.fork()?, guide: self.guide.clone() })
    }

    /// The options' state, if it has a say in the next mask.
    fn guide(&mut self) -> Option<(&mut Guide, &mut Exact)> {
        let guide = self.guide.as_deref_mut()?;
        let has_a_say = guide.canonical.is_some() || guide.running().is_some();
        has_a_say.then_some((guide, &mut self.exact))
    }

    /// Whether the output is still in the free text in front.
    #[must_use]
    pub fn is_free(&self) -> bool {
        let prelude = self.guide.as_ref().and_then(|guide| guide.prelude.as_ref());
        prelude.is_some_and(|prelude| prelude.is_running())
    }

    /// Writes the mask of the next token into `row`: token t is bit t % 32 of word t / 32. Words beyond the mask become 0: a
    /// token that the vocabulary does not have is never allowed.
    ///
    /// # Errors
    /// [`Error::RowTooShort`] if the row has less than [`Session::row_words`] words.
    pub fn fill_mask(&mut self, row: &mut [u32]) -> Result<(), Error> {
        let needed = self.session().row_words();
        let Some((guide, exact)) = self.guide() else { return self.exact.fill_mask(row) };
        let (mask, padding) = row.split_at_mut_checked(needed).ok_or(Error::RowTooShort { needed })?;
        padding.fill(0);
        if let Some(prelude) = guide.running() {
            return prelude.fill_mask(exact, mask);
        }
        match &mut guide.canonical {
            Some(canonical) => canonical.fill_mask(exact, mask),
            None => exact.fill_mask(mask),
        }
    }

    /// Writes the mask of the next token into `row`, like [`fill_mask`](Self::fill_mask), but changes only the words that differ from
    /// the last mask where that is faster. `memory` belongs to the row, and may be used with several matchers in turn. The caller promises
    /// that nothing but these calls changes the row in between; [`RowMemory`] says what else is taken care of.
    ///
    /// # Errors
    /// As [`fill_mask`](Self::fill_mask). The next successful call makes the row right again.
    pub fn update_mask(&mut self, row: &mut [u32], memory: &mut RowMemory) -> Result<(), Error> {
        if self.guide().is_some() {
            *memory = RowMemory::default();
            return self.fill_mask(row);
        }
        self.exact.update_mask(row, memory)
    }

    /// The mask as base bitmaps and flips, which are written to `flips`; none if it takes too many of either, or is not the grammar's alone.
    /// See [`numbered`](crate::decoding::numbered).
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn mask_by_number(&mut self, flips: &mut [u32]) -> Result<Option<NumberedMask>, Error> {
        if self.guide().is_some() { Ok(None) } else { self.exact.mask_by_number(flips) }
    }

    /// Bounds the work of each call from now on, in units: heads, cells and parents that are looked at where the text has several readings.
    /// A call that needs more fails with [`Error::TooMuchWork`], and the matcher is as it was. None lifts the bound; a new or restored
    /// matcher has [`DEFAULT_MAX_WORK`](crate::DEFAULT_MAX_WORK), or what [`MatcherOptions`] says.
    pub fn set_max_work(&mut self, most: Option<u64>) {
        self.exact.set_max_work(most);
    }

    /// The most work of a call, in units; none if there is no bound.
    #[must_use]
    pub fn max_work(&self) -> Option<u64> {
        self.exact.max_work()
    }

    /// The number of masks within a budget that may lack tokens, because the search for them went beyond its bound. Such a mask has only
    /// tokens after which the text can be completed within the budget, and at least one if there is one. All forms of the mask lack the same
    /// tokens; [`commit`](Self::commit) may take one of those.
    #[must_use]
    pub fn degraded_masks(&self) -> u64 {
        self.exact.degraded_masks()
    }

    /// Limits the number of tokens that may still be committed, the end token included; none lifts the limit. Commits count down,
    /// rollbacks count up. Masks then allow only tokens after which the text can be completed within the limit.
    ///
    /// The limit is on tokens of the grammar: free text in front does not count.
    ///
    /// # Errors
    /// [`Error::BudgetTooSmall`] if no completion is known that takes so few tokens, [`Error::CannotComplete`] if none is known at all,
    /// [`Error::NoBudgets`] if the artifact was compiled without budgets.
    pub fn set_budget(&mut self, remaining: Option<u32>) -> Result<(), Error> {
        if let Some(canonical) = self.guide.as_mut().and_then(|guide| guide.canonical.as_mut()) {
            canonical.forget_mask();
        }
        self.exact.set_budget(remaining)
    }

    /// The number of tokens that may still be committed, the end token included; none if there is no limit.
    #[must_use]
    pub fn remaining(&self) -> Option<u32> {
        self.exact.remaining()
    }

    /// The number of tokens that complete the text, the end token included; none if no completion is known. It is the fewest tokens if
    /// the artifact says `budget: exact`, else an upper bound.
    ///
    /// # Errors
    /// [`Error::NoBudgets`] if the artifact was compiled without budgets.
    pub fn min_remaining(&mut self) -> Result<Option<u32>, Error> {
        self.exact.min_remaining()
    }

    /// Tokens that complete the text, the end token included; none if no completion is known. They are at most
    /// [`min_remaining`](Self::min_remaining) many. Each is the first by its id among the cheapest tokens.
    ///
    /// # Errors
    /// [`Error::NoBudgets`] if the artifact was compiled without budgets.
    pub fn shortest_completion(&mut self) -> Result<Option<Vec<u32>>, Error> {
        self.exact.shortest_completion()
    }

    /// The mask in a row of its own.
    fn mask(&mut self) -> Result<Vec<u32>, Error> {
        let mut mask = vec![0; self.session().row_words()];
        self.fill_mask(&mut mask)?;
        Ok(mask)
    }

    /// Whether the token may come next.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn allows(&mut self, token: u32) -> Result<bool, Error> {
        match self.guide() {
            None => self.exact.allows(token),
            Some(_) => Ok(row::has(&self.mask()?, token)),
        }
    }

    /// The tokens that may come next, as ascending ranges of ids that do not touch.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn allowed_ranges(&mut self) -> Result<Vec<Range<u32>>, Error> {
        match self.guide() {
            None => self.exact.allowed_ranges(),
            Some(_) => Ok(row::ranges(&self.mask()?)),
        }
    }

    /// The number of tokens that may come next.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn count_allowed(&mut self) -> Result<u32, Error> {
        match self.guide() {
            None => self.exact.count_allowed(),
            Some(_) => Ok(self.mask()?.iter().map(|word| word.count_ones()).sum()),
        }
    }

    /// The bytes that are certain to come, those of names of special tokens included, at most `most` and [`MOST_FORCED_BYTES`](crate::MOST_FORCED_BYTES).
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn forced(&mut self, most: usize) -> Result<Vec<u8>, Error> {
        let Some(prelude) = self.guide.as_deref_mut().and_then(Guide::running) else {
            return certain_bytes(&mut self.exact, most.min(MOST_FORCED_BYTES));
        };
        let marker = prelude.forced_bytes(self.exact.session().vocabulary());
        let mut forced = marker[..marker.len().min(most)].to_vec();
        if !forced.is_empty() {
            let left = (most - forced.len()).min(MOST_FORCED_BYTES - forced.len());
            forced.extend(certain_bytes(&mut self.exact, left)?);
        }
        Ok(forced)
    }

    /// The tokens that are certain to come, cut as the model's own tokenizer would cut the whole text. `before` has the last tokens that
    /// were committed; if the tokenizer would join the last of them with the forced text, there are no forced tokens. Commits none of
    /// them.
    ///
    /// # Errors
    /// The tokenizer of the vocabulary cannot be used, or the scratch is at its limit.
    pub fn forced_tokens(&mut self, before: &[u32]) -> Result<Vec<u32>, LibraryError> {
        let vocabulary = self.session().vocabulary().clone();
        // An unusable tokenizer is an error here, and no tokens later.
        vocabulary.cut_exactly(b"")?;
        let cut = |text: &[u8]| vocabulary.cut_exactly(text).ok().flatten().unwrap_or_default();
        Ok(self.certain_tokens(before, &cut, Certainty::Canonical)?)
    }

    /// The tokens that are certain to come, like [`forced_tokens`](Self::forced_tokens), cut by a tokenizer of the caller: a function from
    /// a text to its tokens, or to none if it cannot spell it.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn certain_tokens(
        &mut self,
        before: &[u32],
        cut: &dyn Fn(&[u8]) -> Vec<u32>,
        certainty: Certainty,
    ) -> Result<Vec<u32>, Error> {
        match self.guide.as_deref_mut().and_then(Guide::running) {
            Some(prelude) => Ok(prelude.forced_tokens(self.exact.session().vocabulary())),
            None => certain(&mut self.exact, before, cut, certainty),
        }
    }

    /// Commits a token.
    ///
    /// # Errors
    /// [`Error::Refused`] exactly if the mask does not allow the token.
    pub fn commit(&mut self, token: u32) -> Result<(), Error> {
        let words = self.session().row_words();
        let Some(guide) = self.guide.as_deref_mut() else { return self.exact.commit(token) };
        let most = guide.max_rollback;
        if let Some(prelude) = guide.running() {
            prelude.commit(&mut self.exact, token, most)?;
        } else {
            if let Some(canonical) = &mut guide.canonical {
                let mut mask = vec![0; words];
                canonical.fill_mask(&mut self.exact, &mut mask)?;
                if !row::has(&mask, token) {
                    return Err(Error::Refused);
                }
            }
            self.exact.commit(token)?;
        }
        guide.push(Some(token), self.exact.session().vocabulary());
        Ok(())
    }

    /// Commits bytes as if they were one token.
    ///
    /// # Errors
    /// [`Error::Refused`] if no text of the language continues with these bytes.
    pub fn commit_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let Some(guide) = self.guide.as_deref_mut() else { return self.exact.commit_bytes(bytes) };
        let most = guide.max_rollback;
        match guide.running() {
            Some(prelude) => prelude.commit_bytes(&mut self.exact, bytes, most)?,
            None => self.exact.commit_bytes(bytes)?,
        }
        guide.push(None, self.exact.session().vocabulary());
        Ok(())
    }

    /// How many of the tokens could be committed one after the other. Commits none of them.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn validate(&mut self, tokens: &[u32]) -> Result<usize, Error> {
        if self.guide().is_none() {
            return self.exact.validate(tokens);
        }
        let mut fork = self.fork()?;
        for (count, &token) in tokens.iter().enumerate() {
            match fork.commit(token) {
                Ok(()) => {}
                Err(Error::Refused) => return Ok(count),
                Err(error) => return Err(error),
            }
        }
        Ok(tokens.len())
    }

    /// How many of the bytes could be committed one after the other. Commits none of them.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn validate_bytes(&mut self, bytes: &[u8]) -> Result<usize, Error> {
        match self.guide.as_deref_mut().and_then(Guide::running) {
            Some(prelude) => prelude.validate_bytes(&mut self.exact, bytes),
            None => self.exact.validate_bytes(bytes),
        }
    }

    /// Takes back the last `count` commits.
    ///
    /// # Errors
    /// [`Error::RollbackTooFar`] if fewer commits can be taken back.
    pub fn rollback(&mut self, count: u64) -> Result<(), Error> {
        let seen = self.exact.committed();
        let Some(guide) = self.guide.as_deref_mut() else { return self.exact.rollback(count) };
        let most = guide.max_rollback;
        match &mut guide.prelude {
            Some(prelude) if count > prelude.commits_behind(seen) => {
                let behind = prelude.commits_behind(seen);
                let available = most.min(behind.saturating_add(prelude.available()));
                if count > available {
                    return Err(Error::RollbackTooFar { available });
                }
                prelude.rollback(count - behind);
                self.exact.reset();
            }
            _ => self.exact.rollback(count)?,
        }
        if let Some(canonical) = &mut guide.canonical {
            canonical.rollback(count);
        }
        Ok(())
    }

    /// Whether the tokens so far are those that the model's own tokenizer writes for their text. False without the option `canonical`, for tokenizers that are not known so
    /// well, and once bytes were committed, or a token where the grammar allowed none of the tokenizer's.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        let canonical = self.guide.as_ref().and_then(|guide| guide.canonical.as_ref());
        canonical.is_some_and(|canonical| canonical.is_canonical())
    }

    /// Goes back to the beginning of an output.
    pub fn reset(&mut self) {
        self.exact.reset();
        if let Some(guide) = &mut self.guide {
            guide.reset(self.exact.session().vocabulary());
        }
    }

    /// Commits since the beginning, without the commits that were taken back.
    #[must_use]
    pub fn committed(&self) -> u64 {
        self.exact.committed() + self.guide.as_ref().map_or(0, |guide| guide.free_commits())
    }

    /// Whether the text so far is in the language. It is not as long as the free text in front lasts.
    ///
    /// # Errors
    /// [`Error::ScratchFull`] at the limit of the scratch.
    pub fn is_accepting(&mut self) -> Result<bool, Error> {
        Ok(!self.is_free() && self.exact.is_accepting()?)
    }

    /// Whether an end token was committed. Nothing can follow it, but it can be taken back.
    #[must_use]
    pub fn is_terminated(&self) -> bool {
        let prelude = self.guide.as_ref().and_then(|guide| guide.prelude.as_ref());
        prelude.is_some_and(|prelude| prelude.is_ended()) || self.exact.is_terminated()
    }

    /// The state of the matcher as bytes, for [`Session::restore`].
    #[must_use]
    pub fn save(&mut self) -> Vec<u8> {
        let seen = self.exact.save();
        let Some(guide) = &self.guide else { return seen };
        let guide = guide.save();
        let length = (guide.len() as u64).to_le_bytes();
        let mut saved = [&SAVED[..], &length, guide.as_bytes(), &seen].concat();
        let digest = Sha256::digest(&saved);
        saved.extend(&digest[..DIGEST]);
        saved
    }

    /// Looks at the matcher of the runtime, for heads and stacks.
    pub fn inspect<T>(&self, look: impl for<'a> FnOnce(&gcc_grammar_runtime::Matcher<'a, 'a>) -> T) -> T {
        self.exact.inspect(look)
    }
}

/// Making matchers.
impl Session {
    /// Makes a matcher at the beginning of an output. The last [`DEFAULT_ROLLBACK`](crate::DEFAULT_ROLLBACK) commits can be taken back.
    ///
    /// # Errors
    /// The scratch limit does not even hold the beginning.
    pub fn matcher(&self) -> Result<Matcher, Error> {
        self.matcher_with_rollback(crate::decoding::guide::DEFAULT_ROLLBACK)
    }

    /// Makes a matcher at the beginning of an output. The last `max_rollback` commits can be taken back; the more, the more scratch is
    /// used.
    ///
    /// # Errors
    /// As [`matcher`](Self::matcher).
    pub fn matcher_with_rollback(&self, max_rollback: u32) -> Result<Matcher, Error> {
        Ok(Matcher { exact: Exact::new(self, max_rollback)?, guide: None })
    }

    /// Makes a matcher with options at the beginning of an output.
    ///
    /// # Errors
    /// As [`matcher`](Self::matcher), and if the vocabulary does not fit the options.
    pub fn matcher_with(&self, options: &MatcherOptions) -> Result<Matcher, LibraryError> {
        let guide = options.begin(self.vocabulary())?;
        let mut exact = Exact::new(self, options.max_rollback)?;
        if options.max_work.is_some() {
            exact.set_max_work(options.max_work);
        }
        Ok(Matcher { exact, guide })
    }

    /// Makes a matcher from saved bytes, with its options. They may come from another process or machine, and from a matcher on demand or of the
    /// artifact, if the parser is the same: they fit every artifact of the same source, options and vocabulary.
    ///
    /// # Errors
    /// [`Error::NotASavedMatcher`] if the bytes are damaged, [`Error::OtherArtifact`] if they were saved for another parser,
    /// [`Error::NoBudgets`] if the matcher had a budget and the artifact was compiled without budgets.
    pub fn restore(&self, saved: &[u8]) -> Result<Matcher, Error> {
        let Some(rest) = saved.strip_prefix(SAVED) else {
            return Ok(Matcher { exact: Exact::restore(self, saved)?, guide: None });
        };
        let (guide, seen) = parts(saved, rest).ok_or(Error::NotASavedMatcher)?;
        let exact = Exact::restore(self, seen)?;
        let guide = Guide::restore(guide, self.vocabulary(), exact.committed());
        Ok(Matcher { exact, guide: Some(guide.ok_or(Error::NotASavedMatcher)?) })
    }
}

/// The state of the options and the state of the grammar in a saved matcher, of which `rest` is what follows the first bytes; none if it is
/// damaged.
fn parts<'s>(saved: &[u8], rest: &'s [u8]) -> Option<(&'s str, &'s [u8])> {
    let content = saved.len().checked_sub(DIGEST)?;
    if Sha256::digest(&saved[..content])[..DIGEST] != saved[content..] {
        return None;
    }
    let (length, rest) = rest[..rest.len().checked_sub(DIGEST)?].split_first_chunk()?;
    let (guide, seen) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((str::from_utf8(guide).ok()?, seen))
}

impl Clone for Matcher {
    fn clone(&self) -> Self {
        self.fork().expect("the copy has as much scratch as the original")
    }
}

impl fmt::Debug for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matcher")
            .field("session", self.session())
            .field("committed", &self.committed())
            .finish_non_exhaustive()
    }
}
