//! Masks within a budget, and the shortest completion.

use gcc_grammar_artifact::ids::{MaskId, TokenId};
use gcc_grammar_artifact::{GrammarView, TokenTrie};

use super::search::Bounded;
use super::state::NEVER;
use super::step_memo::StepMemo;
use crate::bitmap::{bit, set};
use crate::cut::Cuts;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::parts::Parts;

/// The most tokens of a mask that are asked for without tables of steps.
const FEW: u32 = 32;
/// The most tokens of a mask that are asked for one by one, and not by a walk over all tokens.
const SMALL: u32 = 768;
/// What asking the lexer for the tokens of a word of a row takes, in units of work.
const UNITS_PER_WORD: usize = 8;

impl<'a> Matcher<'a, '_> {
    /// Fills a row with the mask of the tokens after which the text can be completed within `remaining` tokens, this one
    /// and the end token included. The budget of the matcher does not matter.
    ///
    /// # Errors
    /// Those of [`fill_mask`](Self::fill_mask), and [`Error::NoBudgets`].
    pub fn fill_mask_within(&mut self, row: &mut [u32], remaining: u32) -> Result<(), Error> {
        self.begin_work();
        self.fill_within(row, remaining)
    }

    pub(crate) fn fill_within(&mut self, row: &mut [u32], remaining: u32) -> Result<(), Error> {
        let needed = self.grammar().row_words();
        if row.len() < needed {
            return Err(Error::RowTooShort { needed });
        }
        if self.is_far_from(remaining)? { self.fill_plain(row) } else { self.fill_near(row, remaining) }
    }

    /// Fills a row near the end of a budget: tokens are asked for their cost. This is the definition of the mask, which all other views of it are
    /// taken from, since a search that is cut finds what it comes to first.
    pub(crate) fn fill_near(&mut self, row: &mut [u32], remaining: u32) -> Result<(), Error> {
        self.settle_costs()?;
        let search = match self.small_mask()? {
            Some(mask) => self.add_affordable(row, mask, remaining)?,
            None => {
                self.fill_plain(row)?;
                let count = row.iter().map(|word| word.count_ones()).sum();
                match self.trie().filter(|_| count > SMALL && !self.is_in_text()) {
                    Some(trie) => self.walk_affordable(row, trie, remaining)?,
                    None => self.keep_affordable(row, count, remaining)?,
                }
            }
        };
        if search.is_cut
            && row.iter().all(|word| *word == 0)
            && let Some(token) = self.first_affordable(remaining)?
        {
            set(row, token.0);
        }
        self.note(&search);
        Ok(())
    }

    /// The mask of the store that is the next mask, if it is one with few tokens, which are its flips.
    fn small_mask(&mut self) -> Result<Option<MaskId>, Error> {
        let grammar = self.grammar();
        if !matches!(self.cuts()?, Cuts::None) || grammar.entering().len() > 0 {
            return Ok(None);
        }
        let mut parts = Parts::default();
        self.each_output(|mask| parts.add(mask))?;
        let is_small = |mask| grammar.mask_base(mask).is_none() && count_flips(grammar, mask) <= SMALL;
        Ok(parts.only().filter(|&mask| is_small(mask)))
    }

    /// Fills a row with the affordable tokens of a small mask: what [`keep_affordable`](Self::keep_affordable) does, without looking at all words.
    fn add_affordable(&mut self, row: &mut [u32], mask: MaskId, remaining: u32) -> Result<Bounded, Error> {
        let grammar = self.grammar();
        row.fill(0);
        let mut kept = self.step_memo(count_flips(grammar, mask));
        kept.reads_texts = self.may_repeat_item()?;
        for token in grammar.mask_flips(mask) {
            if self.is_affordable_after(&mut kept, token, remaining)? {
                set(row, token.0);
            }
        }
        self.remember_costliest_of(&kept);
        Ok(kept.search)
    }

    /// The memory for a mask with this number of tokens.
    fn step_memo(&self, count: u32) -> StepMemo<'a> {
        let search = self.search();
        if count <= FEW { StepMemo::for_few(search) } else { StepMemo::new(self.runs(), search) }
    }

    /// Fills a row with the affordable tokens by a walk over their trie.
    fn walk_affordable(
        &mut self,
        row: &mut [u32],
        trie: TokenTrie<'_>,
        remaining: u32,
    ) -> Result<Bounded, Error> {
        let least = self.cost()?;
        let (search, costliest) = self.attempt_and_undo(|matcher| {
            row.fill(0);
            let mut search = matcher.search();
            let costliest = matcher.walk((trie, least), &mut search, &mut |tokens, cost| {
                if cost < remaining {
                    tokens.iter().for_each(|&token| set(row, token));
                }
                true
            })?;
            Ok((search, costliest))
        })?;
        self.remember_costliest(if search.is_cut { NEVER } else { costliest });
        Ok(search)
    }

    /// Removes the tokens that cost too much from a row that holds the mask, which has `count` tokens.
    fn keep_affordable(&mut self, row: &mut [u32], count: u32, remaining: u32) -> Result<Bounded, Error> {
        let words = row.iter_mut().take(self.grammar().row_words());
        let mut kept = self.step_memo(count);
        kept.reads_texts = self.may_repeat_item()?;
        (0..).zip(words).try_for_each(|(index, word)| {
            *word = self.affordable_bits(&mut kept, index, *word, remaining)?;
            Ok::<(), Error>(())
        })?;
        self.remember_costliest_of(&kept);
        Ok(kept.search)
    }

    /// A token after which the text can be completed within `remaining` tokens, this one included: an end token, if it is one, else the first
    /// one. Only the call bounds the search.
    fn first_affordable(&mut self, remaining: u32) -> Result<Option<TokenId>, Error> {
        let grammar = self.grammar();
        for end in grammar.special_tokens().filter(|&token| grammar.ends_text(token)) {
            if self.is_affordable(end, remaining)? {
                return Ok(Some(end));
            }
        }
        if let Some(trie) = self.trie() {
            if let Some(token) = self.first_in_lexeme(trie, remaining)?
                && self.is_affordable(token, remaining)?
            {
                return Ok(Some(token));
            }
            return self.first_walked(trie, remaining);
        }
        let mut kept = StepMemo::new(self.runs(), Bounded::UNBOUNDED);
        kept.reads_texts = self.may_repeat_item()?;
        let mut first = None;
        self.each_plain_word(|matcher, index, word| {
            let mut left = if first.is_none() { word } else { 0 };
            while left != 0 && first.is_none() {
                let token = TokenId(32 * index + left.trailing_zeros());
                left &= left - 1;
                first = matcher.is_affordable_after(&mut kept, token, remaining)?.then_some(token);
            }
            Ok(())
        })?;
        Ok(first)
    }

    /// The first such token of a walk.
    fn first_walked(&mut self, trie: TokenTrie<'_>, remaining: u32) -> Result<Option<TokenId>, Error> {
        let least = self.cost()?;
        self.attempt_and_undo(|matcher| {
            let (mut first, mut search) = (None, Bounded::UNBOUNDED);
            matcher.walk((trie, least), &mut search, &mut |tokens, cost| {
                first = first.or(tokens.first().filter(|_| cost < remaining).copied());
                first.is_none()
            })?;
            Ok(first.map(TokenId))
        })
    }

    /// Looks at the mask within a budget, in a row that lies in the scratch.
    pub(crate) fn with_near<T>(
        &mut self,
        remaining: u32,
        look: impl FnOnce(&[u32]) -> T,
    ) -> Result<T, Error> {
        self.with_row(|matcher, row| matcher.fill_near(row, remaining).map(|()| look(row)))
    }

    /// The bits of a word of the mask whose tokens are affordable.
    fn affordable_bits(
        &mut self,
        kept: &mut StepMemo<'_>,
        index: u32,
        word: u32,
        remaining: u32,
    ) -> Result<u32, Error> {
        let (mut left, mut affordable) = (word, word);
        while left != 0 {
            let token = 32 * index + left.trailing_zeros();
            left &= left - 1;
            if !self.is_affordable_after(kept, TokenId(token), remaining)? {
                affordable ^= bit(token);
            }
        }
        Ok(affordable)
    }

    /// Like [`is_affordable`](Self::is_affordable), with the costs remembered in `step_memo`.
    #[inline]
    fn is_affordable_after(
        &mut self,
        kept: &mut StepMemo<'_>,
        token: TokenId,
        remaining: u32,
    ) -> Result<bool, Error> {
        let cost = match kept.runs.cost(token) {
            Some(cost) => cost,
            None => self.cost_read(kept, token, remaining)?,
        };
        kept.costliest = kept.costliest.max(cost);
        Ok(cost < remaining)
    }

    /// The cost after a token, or a bound of it that is less than `remaining`.
    fn cost_read(&mut self, kept: &mut StepMemo<'_>, token: TokenId, remaining: u32) -> Result<u32, Error> {
        let bound = self.kept_cost(kept, token)?;
        Ok(match bound.is_exact || bound.cost < remaining {
            true => bound.cost,
            false => self.cost_found(&mut kept.search, token)?.min(bound.cost),
        })
    }

    /// Whether the text can be completed within `remaining` tokens of which this is the first. The grammar allows the token.
    pub(crate) fn is_affordable(&mut self, token: TokenId, remaining: u32) -> Result<bool, Error> {
        Ok(self.cost_of(token)? < remaining)
    }

    /// The cost after a token that the grammar allows, if the search has enough work left for it.
    pub(super) fn cost_found(&mut self, search: &mut Bounded, token: TokenId) -> Result<u32, Error> {
        let length = self.engine().tokens.bytes(token).map_or(1, <[u8]>::len);
        search.cost(self, length, |matcher| matcher.cost_of(token))
    }

    /// The cost after a token that the grammar allows.
    fn cost_of(&mut self, token: TokenId) -> Result<u32, Error> {
        let cost = self.attempt_and_undo(|matcher| matcher.cost_after(token))?;
        Ok(cost.unwrap_or(NEVER))
    }

    /// Writes tokens that complete the text to the start of the buffer, the end token included, and returns how many they
    /// are. Each is the first by its id among the cheapest tokens, as far as a bounded search
    /// finds them ([`set_max_search`](Self::set_max_search)). If the artifact is
    /// [exact](gcc_grammar_artifact::grammar::CompletionView::is_exact), these are the fewest tokens,
    /// [`min_remaining`](Self::min_remaining); else they are at most that many. The budget does not matter.
    ///
    /// # Errors
    /// [`Error::BufferTooShort`] if the buffer is shorter than `min_remaining`, [`Error::CannotComplete`] if no completion is
    /// known; [`Error::NoBudgets`], [`Error::ScratchFull`]; [`Error::TooMuchWork`] if all tokens together take more work than a call may.
    pub fn shortest_completion(&mut self, buffer: &mut [TokenId]) -> Result<usize, Error> {
        let least = self.min_remaining()?.ok_or(Error::CannotComplete)?;
        let needed = least as usize;
        let buffer = buffer.get_mut(..needed).ok_or(Error::BufferTooShort { needed })?;
        self.attempt_and_undo(|matcher| {
            // It may run twice.
            let mut cost = least;
            for (length, slot) in buffer.iter_mut().enumerate() {
                if cost == 0 {
                    return Ok(length);
                }
                let (token, after) = matcher.cheapest_token(cost)?.ok_or(Error::CannotComplete)?;
                let position = matcher.read_token(matcher.position(), token)?;
                matcher.push(position)?;
                (*slot, cost) = (token, after);
            }
            Ok(needed)
        })
    }

    /// The first of the tokens with the least cost after them, and that cost, which is less than `cost`.
    fn cheapest_token(&mut self, cost: u32) -> Result<Option<(TokenId, u32)>, Error> {
        self.scratch.charge(UNITS_PER_WORD * self.grammar().row_words())?;
        let (search, cheapest) = match self.trie() {
            Some(trie) => self.cheapest_walked(trie, cost)?,
            None => {
                let mut kept = StepMemo::new(self.runs(), self.search_of_completion());
                kept.reads_texts = self.may_repeat_item()?;
                let cheapest = self.cheapest_found(&mut kept)?;
                (kept.search, cheapest)
            }
        };
        let cheapest = cheapest.filter(|&(_, least)| least < cost);
        if cheapest.is_some() || !search.is_cut {
            return Ok(cheapest);
        }
        let Some(token) = self.first_affordable(cost)? else { return Ok(None) };
        Ok(Some((token, self.cost_of(token)?)))
    }

    fn cheapest_walked(
        &mut self,
        trie: TokenTrie<'_>,
        before: u32,
    ) -> Result<(Bounded, Option<(TokenId, u32)>), Error> {
        self.attempt_and_undo(|matcher| {
            let (mut search, mut cheapest) = (matcher.search_of_completion(), (NEVER, u32::MAX));
            matcher.walk((trie, before), &mut search, &mut |tokens, cost| {
                if cost <= cheapest.0
                    && let Some(&first) = tokens.iter().min()
                {
                    cheapest = cheapest.min((cost, first));
                }
                true
            })?;
            let (cost, token) = cheapest;
            Ok((search, (cost < NEVER).then_some((TokenId(token), cost))))
        })
    }

    fn cheapest_found(&mut self, kept: &mut StepMemo<'_>) -> Result<Option<(TokenId, u32)>, Error> {
        let mut cheapest: Option<(TokenId, u32)> = None;
        self.each_plain_word(|matcher, index, word| {
            let mut left = word;
            while left != 0 {
                let token = TokenId(32 * index + left.trailing_zeros());
                left &= left - 1;
                let bound = matcher.kept_cost(kept, token)?;
                let cost = match bound.is_exact {
                    true => bound.cost,
                    false => matcher.cost_found(&mut kept.search, token)?.min(bound.cost),
                };
                if cost < cheapest.map_or(NEVER, |(_, least)| least) {
                    cheapest = Some((token, cost));
                }
            }
            Ok(())
        })?;
        Ok(cheapest)
    }
}

/// The number of tokens of a mask without a base.
fn count_flips(grammar: &GrammarView<'_>, mask: MaskId) -> u32 {
    grammar.mask_flips(mask).count() as u32
}
