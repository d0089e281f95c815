//! Masks within a budget, and the shortest completion.

use gcc_grammar_artifact::ids::TokenId;

use super::NEVER;
use crate::bitmap::bit;
use crate::error::Error;
use crate::matcher::Matcher;

impl Matcher<'_, '_> {
    /// Fills a row with the mask of the tokens after which the text can be completed within `remaining` tokens, this one
    /// and the end token included. The budget of the matcher does not matter.
    ///
    /// # Errors
    /// Those of [`fill_mask`](Self::fill_mask), and [`Error::NoBudgets`].
    pub fn fill_mask_within(&mut self, row: &mut [u32], remaining: u32) -> Result<(), Error> {
        self.fill_plain(row)?;
        if self.is_far_from(remaining)? {
            return Ok(());
        }
        self.keep_affordable(row, remaining)
    }

    /// Removes the tokens that cost too much from a row that holds the mask.
    fn keep_affordable(&mut self, row: &mut [u32], remaining: u32) -> Result<(), Error> {
        let words = row.iter_mut().take(self.grammar().row_words());
        (0..).zip(words).try_for_each(|(index, word)| {
            *word = self.affordable_bits(index, *word, remaining)?;
            Ok(())
        })
    }

    /// Calls `visit` with the words of the mask within a budget, from the first to the last.
    pub(crate) fn each_word_within(
        &mut self,
        remaining: u32,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), Error> {
        self.each_plain_word(|matcher, index, word| {
            let kept = matcher.affordable_bits(index, word, remaining)?;
            visit(index, kept);
            Ok(())
        })
    }

    /// The bits of a word of the mask whose tokens are affordable.
    fn affordable_bits(&mut self, index: u32, word: u32, remaining: u32) -> Result<u32, Error> {
        let (mut left, mut kept) = (word, word);
        while left != 0 {
            let token = 32 * index + left.trailing_zeros();
            left &= left - 1;
            if !self.is_affordable(TokenId(token), remaining)? {
                kept ^= bit(token);
            }
        }
        Ok(kept)
    }

    /// Whether the text can be completed within `remaining` tokens of which this is the first. The grammar allows the token.
    pub(crate) fn is_affordable(&mut self, token: TokenId, remaining: u32) -> Result<bool, Error> {
        let cost = self.attempt_and_undo(|matcher| matcher.cost_after(token))?;
        Ok(cost.is_some_and(|cost| cost < remaining))
    }

    /// Writes tokens that complete the text to the start of the buffer, the end token included, and returns how many they
    /// are. Each is the first by its id among those that cost the least. If the artifact is
    /// [exact](gcc_grammar_artifact::grammar::CompletionView::is_exact), these are the fewest tokens,
    /// [`min_remaining`](Self::min_remaining); else they are at most that many. The budget does not matter.
    ///
    /// # Errors
    /// [`Error::BufferTooShort`] if the buffer is shorter than `min_remaining`, [`Error::CannotComplete`] if no completion is
    /// known; [`Error::NoBudgets`], [`Error::ScratchFull`].
    pub fn shortest_completion(&mut self, buffer: &mut [TokenId]) -> Result<usize, Error> {
        let mut cost = self.min_remaining()?.ok_or(Error::CannotComplete)?;
        let needed = cost as usize;
        let buffer = buffer.get_mut(..needed).ok_or(Error::BufferTooShort { needed })?;
        self.attempt_and_undo(|matcher| {
            for (length, slot) in buffer.iter_mut().enumerate() {
                if cost == 0 {
                    return Ok(length);
                }
                let (token, after) = matcher.cheapest_token()?.ok_or(Error::CannotComplete)?;
                let position = matcher.read_token(matcher.position(), token)?;
                matcher.push(position)?;
                (*slot, cost) = (token, after);
            }
            Ok(needed)
        })
    }

    /// The first of the tokens with the least cost after them, and that cost.
    fn cheapest_token(&mut self) -> Result<Option<(TokenId, u32)>, Error> {
        let mut cheapest: Option<(TokenId, u32)> = None;
        self.each_plain_word(|matcher, index, word| {
            let mut left = word;
            while left != 0 {
                let token = TokenId(32 * index + left.trailing_zeros());
                left &= left - 1;
                let cost = matcher.attempt_and_undo(|matcher| matcher.cost_after(token))?.unwrap_or(NEVER);
                if cost < cheapest.map_or(NEVER, |(_, least)| least) {
                    cheapest = Some((token, cost));
                }
            }
            Ok(())
        })?;
        Ok(cheapest)
    }
}
