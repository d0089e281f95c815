//! The next mask: as a row of bits, as ranges of tokens, for one token, or counted.
//!
//! The masks that the Parser DWA outputs are united (`classify`). The methods change nothing that can be
//! observed: an error leaves the matcher as it was.

use core::ops::Range;

use gcc_grammar_artifact::ids::{MaskId, TokenId};

use crate::bitmap::{bit, unite_mask, word_of};
use crate::cut::Cuts;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::parts::Parts;
use crate::scratch::Scratch;

impl Matcher<'_, '_> {
    /// Fills a row with the mask: token `t` may come next if and only if bit `t % 32` of word `t / 32` is 1.
    ///
    /// A mask takes [`Engine::row_words`](crate::Engine::row_words) words; further words of the row are set
    /// to 0.
    ///
    /// # Errors
    /// [`Error::RowTooShort`]; [`Error::ScratchFull`] and [`Error::TooMuchWork`], which can happen only where
    /// the text has several readings, or is nested deeply.
    pub fn fill_mask(&mut self, row: &mut [u32]) -> Result<(), Error> {
        self.begin_work();
        match self.remaining() {
            None => self.fill_plain(row),
            Some(remaining) => self.fill_within(row, remaining),
        }
    }

    /// Fills a row with the mask of the grammar, whatever the budget is.
    pub(crate) fn fill_plain(&mut self, row: &mut [u32]) -> Result<(), Error> {
        let grammar = self.grammar();
        let needed = grammar.row_words();
        if row.len() < needed {
            return Err(Error::RowTooShort { needed });
        }
        let mut parts = Parts::default();
        self.each_output(|mask| parts.add(mask))?;
        let cuts = self.cuts()?;
        if matches!(cuts, Cuts::Several) {
            self.fill_by_head(row)?;
            return self.refuse_some(&mut row[..needed]);
        }
        if parts.fit() {
            parts.fill(row, grammar);
        } else {
            row.fill(0);
            self.each_output(|mask| unite_mask(&mut row[..needed], &grammar.mask(mask)))?;
        }
        if let Cuts::One(cut) = cuts {
            cut.apply(&mut row[..needed]);
        }
        self.refuse_some(&mut row[..needed])
    }

    /// Whether a token may come next. Near the end of a budget this takes as long as the mask, a row of which lies in the scratch meanwhile.
    ///
    /// # Errors
    /// [`Error::ScratchFull`]; [`Error::TooMuchWork`].
    pub fn allows(&mut self, token: TokenId) -> Result<bool, Error> {
        self.begin_work();
        let allowed = self.is_in_mask(token)?;
        match self.remaining() {
            Some(remaining) if allowed && !self.is_far_from(remaining)? => {
                // A search for this token alone might take any amount of work, or find what the mask lacks.
                self.with_near(remaining, |row| row[word_of(token.0)] & bit(token.0) != 0)
            }
            _ => Ok(allowed),
        }
    }

    /// Counts the tokens that may come next. Near the end of a budget, a row lies in the scratch meanwhile.
    ///
    /// # Errors
    /// [`Error::ScratchFull`]; [`Error::TooMuchWork`].
    pub fn count_allowed(&mut self) -> Result<u32, Error> {
        self.begin_work();
        let mut count = 0;
        self.each_word(|_, word| count += word.count_ones())?;
        Ok(count)
    }

    /// Calls `visit` with the tokens that may come next, as ranges of ids. The ranges ascend, are not empty
    /// and do not touch each other. Near the end of a budget, a row lies in the scratch meanwhile.
    ///
    /// # Errors
    /// [`Error::ScratchFull`]; [`Error::TooMuchWork`].
    pub fn each_allowed_range(&mut self, mut visit: impl FnMut(Range<u32>)) -> Result<(), Error> {
        self.begin_work();
        let mut open: Option<u32> = None;
        self.each_word(|index, word| {
            let first = index * 32;
            let mut bit = 0;
            while bit < 32 {
                // Within a range the word is inverted, so that its trailing zeros end at the next change.
                let rest = (if open.is_some() { !word } else { word }) >> bit;
                bit += rest.trailing_zeros();
                if bit < 32 {
                    match open.take() {
                        Some(start) => visit(start..first + bit),
                        None => open = Some(first + bit),
                    }
                }
            }
        })?;
        if let Some(start) = open {
            visit(start..self.grammar().meta().mask_width);
        }
        Ok(())
    }

    /// Calls `visit` with the masks whose union is the next mask. A mask may come several times, and masks
    /// may come before an error, too.
    pub(crate) fn each_output(&mut self, visit: impl FnMut(MaskId)) -> Result<(), Error> {
        self.each_output_of(None, visit)
    }

    /// The same for one head, or for all.
    pub(crate) fn each_output_of(
        &mut self,
        head: Option<usize>,
        mut visit: impl FnMut(MaskId),
    ) -> Result<(), Error> {
        let mut is_unknown = false;
        let mut visit = |mask| {
            is_unknown |= mask == MaskId::UNKNOWN;
            visit(mask);
        };
        let heads_of = |scratch: &Scratch<'_>| {
            head.map_or(scratch.newest(), |head| scratch.only(scratch.newest(), head))
        };
        let (grammar, heads) = (self.grammar(), heads_of(&self.scratch));
        let is_single = |index| {
            let head = self.scratch.head(heads, index);
            self.scratch.classify_single(grammar, head, &mut visit)
        };
        if !(0..heads.count).all(is_single) {
            self.attempt_and_undo(|matcher| {
                let heads = heads_of(&matcher.scratch);
                let visited = matcher.scratch.classify(matcher.grammar(), heads)?;
                (0..visited.count).for_each(|index| visit(matcher.scratch.output(visited, index)));
                Ok(())
            })?;
        }
        if is_unknown { Err(Error::MaskOverLimit) } else { Ok(()) }
    }

    /// Calls `visit` with the words of the next mask, from the first to the last.
    fn each_word(&mut self, mut visit: impl FnMut(u32, u32)) -> Result<(), Error> {
        match self.remaining() {
            Some(remaining) if !self.is_far_from(remaining)? => {
                self.with_near(remaining, |row| (0..).zip(row).for_each(|(index, word)| visit(index, *word)))
            }
            _ => self.each_word_of_grammar(visit),
        }
    }

    fn each_word_of_grammar(&mut self, mut visit: impl FnMut(u32, u32)) -> Result<(), Error> {
        if self.scratch.has_text() {
            return self.each_word_of_row(visit);
        }
        let (cuts, refused) = (self.cuts()?, self.refused()?);
        let mut visit = |index, word| visit(index, word & refused.others(index));
        if matches!(cuts, Cuts::Several) {
            let words = 0..self.grammar().row_words() as u32;
            return words
                .into_iter()
                .try_for_each(|index| self.word_by_head(index).map(|word| visit(index, word)));
        }
        let mut parts = Parts::default();
        self.each_output(|mask| parts.add(mask))?;
        self.attempt_and_undo(|matcher| {
            let (grammar, heads) = (matcher.grammar(), matcher.scratch.newest());
            let visited = match parts.fit() {
                true => matcher.scratch.outputs_only(parts.masks())?,
                false => matcher.scratch.classify(grammar, heads)?,
            };
            for index in 0..grammar.row_words() as u32 {
                visit(index, matcher.scratch.union_word(grammar, visited, index) & cuts.word(index));
            }
            Ok(())
        })
    }

    /// The same through a row, from which tokens can be taken.
    #[cold]
    fn each_word_of_row(&mut self, mut visit: impl FnMut(u32, u32)) -> Result<(), Error> {
        self.with_row(|matcher, row| {
            matcher.fill_plain(row)?;
            (0..).zip(row.iter()).for_each(|(index, &word)| visit(index, word));
            Ok(())
        })
    }

    /// Calls `visit` with the words of the mask of the grammar, from the first to the last. There are no temporaries.
    pub(crate) fn each_plain_word(
        &mut self,
        mut visit: impl FnMut(&mut Self, u32, u32) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let grammar = self.grammar();
        let (cuts, refused) = (self.cuts()?, self.refused()?);
        let mut parts = Parts::default();
        self.each_output(|mask| parts.add(mask))?;
        let mut words = parts.fit().then(|| parts.words(grammar));
        for index in 0..grammar.row_words() as u32 {
            let word = match &mut words {
                _ if matches!(cuts, Cuts::Several) => self.word_by_head(index)?,
                Some(words) => words.word(index) & cuts.word(index),
                None => {
                    let mut word = 0;
                    self.each_output(|mask| word |= grammar.mask(mask).word(index))?;
                    word & cuts.word(index)
                }
            };
            visit(self, index, word & refused.others(index))?;
        }
        Ok(())
    }
}
