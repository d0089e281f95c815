//! Masks by difference: rows that remember their content.
//!
//! [`Matcher::update_mask`] gives the same words as [`Matcher::fill_mask`], and changes only the words that
//! differ from the last mask where that is faster. The row remembers the numbers of the parts; their content
//! is read from the grammar.

use crate::cut::Cuts;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::parts::{self, Parts};
use gcc_grammar_artifact::grammar::Numbering;

/// What a row of words holds after [`Matcher::update_words`]: the numbers of the parts whose union it is, and what the numbers belong to.
///
/// It is for callers whose rows live in memory of their own, such as a tensor. A matcher whose masks have other numbers makes no use of it.
#[derive(Clone, Copy, Debug)]
pub struct HeldMask {
    parts: Parts,
    numbering: Numbering,
}

/// A row that remembers which mask it holds, so that [`Matcher::update_mask`] changes only the bits that
/// differ.
///
/// It may be used with several matchers in turn, also of different artifacts. Updates are fast as long as the artifact is the same.
#[derive(Debug)]
pub struct MaskRow<'r> {
    words: &'r mut [u32],
    /// What is in `words`; `None` if it is not known.
    held: Option<HeldMask>,
}

impl<'r> MaskRow<'r> {
    /// Makes a row of words, which the first update overwrites.
    #[must_use]
    pub const fn new(words: &'r mut [u32]) -> Self {
        Self { words, held: None }
    }

    /// The mask of the last update: token `t` may come next if and only if bit `t % 32` of word `t / 32` is
    /// 1.
    #[must_use]
    pub const fn words(&self) -> &[u32] {
        self.words
    }
}

impl Matcher<'_, '_> {
    /// Writes the mask into the row, with the same result as [`fill_mask`](Self::fill_mask).
    ///
    /// # Errors
    /// Those of [`fill_mask`](Self::fill_mask). The next successful update makes the row right again.
    pub fn update_mask(&mut self, row: &mut MaskRow<'_>) -> Result<(), Error> {
        let held = row.held.take();
        row.held = self.update_words(row.words, held)?;
        Ok(())
    }

    /// Writes the mask into the words, with the same result as [`fill_mask`](Self::fill_mask) if `held` is what the
    /// last call for the same words returned, of whatever matcher, and the words have not been changed since;
    /// `None` makes no assumption. Returns what the words hold now, for the next call; `None` if that is too much to
    /// remember.
    ///
    /// # Errors
    /// Those of [`fill_mask`](Self::fill_mask). What the words hold is unknown then.
    pub fn update_words(
        &mut self,
        words: &mut [u32],
        held: Option<HeldMask>,
    ) -> Result<Option<HeldMask>, Error> {
        let grammar = self.grammar();
        if words.len() < grammar.row_words() {
            return Err(Error::RowTooShort { needed: grammar.row_words() });
        }
        self.begin_work();
        if let Some(remaining) = self.remaining()
            && !self.is_far_from(remaining)?
        {
            return self.fill_near(words, remaining).map(|()| None);
        }
        let is_changed = self.grammar().entering().len() > 0 || self.scratch.has_text();
        if !matches!(self.cuts()?, Cuts::None) || is_changed {
            return self.fill_plain(words).map(|()| None);
        }
        let mut parts = Parts::default();
        self.each_output(|mask| parts.add(mask))?;
        let numbering = grammar.numbering();
        let held = held.filter(|held| held.numbering == numbering);
        let changed = held.is_some_and(|held| parts::change(words, grammar, &held.parts, &parts));
        if !changed && parts.fit() {
            parts.fill(words, grammar);
        } else if !changed {
            self.fill_plain(words)?;
        }
        Ok(parts.fit().then_some(HeldMask { parts, numbering }))
    }
}
