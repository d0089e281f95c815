//! Masks of heads that count characters: the mask of the lexer state, cut to the tokens that do not begin more characters than are left.
//!
//! Tokens that begin a string behind a quote may begin too many characters of it. These are few, and they are tried one by one.
//!
//! Nearly always one string is being read, so there is one [`Cut`] for the whole mask. Heads that are in different strings, or with different
//! numbers of characters, are asked one by one.

use gcc_grammar_artifact::bases::MOST_ENTERING;
use gcc_grammar_artifact::grammar::{Cut, NotMade};
use gcc_grammar_artifact::ids::{MaskId, TokenId};

use crate::bitmap::bit;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::parts::Parts;

/// How the masks of all heads are cut.
pub(crate) enum Cuts<'a> {
    /// They are not.
    None,
    /// All alike.
    One(Cut<'a>),
    /// Differently.
    Several,
}

/// Tokens that begin a string with too many characters.
pub(crate) struct Refused {
    tokens: [TokenId; MOST_ENTERING],
    count: usize,
}

impl Refused {
    /// Whether there are none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All other tokens, in a word of a mask.
    pub(crate) fn others(&self, index: u32) -> u32 {
        let tokens = self.tokens[..self.count].iter().filter(|token| token.0 / 32 == index);
        !tokens.fold(0, |word, token| word | bit(token.0))
    }
}

impl Cuts<'_> {
    /// The tokens that fit, in a word of the mask of all heads, unless they are cut differently.
    pub(crate) fn word(&self, index: u32) -> u32 {
        match self {
            Self::One(cut) => cut.word(index),
            Self::None | Self::Several => u32::MAX,
        }
    }
}

impl<'a> Matcher<'a, '_> {
    /// How the masks of the heads are cut.
    #[inline]
    pub(crate) fn cuts(&self) -> Result<Cuts<'a>, Error> {
        if self.grammar().counters().is_empty() { Ok(Cuts::None) } else { self.cuts_of_heads() }
    }

    fn cuts_of_heads(&self) -> Result<Cuts<'a>, Error> {
        let heads = self.scratch.newest().count;
        let first = if heads > 0 { self.cut_of(0)? } else { None };
        for head in 1..heads {
            if self.cut_of(head)? != first {
                return Ok(Cuts::Several);
            }
        }
        Ok(first.map_or(Cuts::None, Cuts::One))
    }

    /// The cut of a head.
    fn cut_of(&self, head: usize) -> Result<Option<Cut<'a>>, Error> {
        let head = self.scratch.head(self.scratch.newest(), head);
        self.grammar().cut(head.lex).map_err(|NotMade| Error::MaskOverLimit)
    }

    /// Fills a row with the masks of heads that are cut differently.
    #[cold]
    pub(crate) fn fill_by_head(&mut self, row: &mut [u32]) -> Result<(), Error> {
        let grammar = self.grammar();
        row.fill(0);
        for head in 0..self.scratch.newest().count {
            let cut = self.cut_of(head)?;
            self.each_output_of(Some(head), |mask| {
                let mut words = Parts::of(mask).words(grammar);
                for (index, word) in (0..grammar.row_words() as u32).zip(row.iter_mut()) {
                    *word |= words.word(index) & cut.map_or(u32::MAX, |cut| cut.word(index));
                }
            })?;
        }
        Ok(())
    }

    /// A word of the mask of heads that are cut differently.
    #[cold]
    pub(crate) fn word_by_head(&mut self, word: u32) -> Result<u32, Error> {
        let grammar = self.grammar();
        let mut union = 0;
        for head in 0..self.scratch.newest().count {
            let fitting = self.cut_of(head)?.map_or(u32::MAX, |cut| cut.word(word));
            self.each_output_of(Some(head), |mask| union |= grammar.mask(mask).word(word) & fitting)?;
        }
        Ok(union)
    }

    /// Takes the tokens out of a row that begin a string with too many characters, or with which an item of a list could not differ, or the keys of an object would not be right.
    pub(crate) fn refuse_some(&mut self, row: &mut [u32]) -> Result<(), Error> {
        for token in self.grammar().entering() {
            self.try_in(row, token)?;
        }
        self.refuse_repeated(row)?;
        self.refuse_unlike(row)?;
        self.refuse_keys(row)
    }

    /// Tokens of the mask of the grammar that begin a string with too many characters.
    pub(crate) fn refused(&mut self) -> Result<Refused, Error> {
        let grammar = self.grammar();
        let mut refused = Refused { tokens: [TokenId(0); MOST_ENTERING], count: 0 };
        for token in grammar.entering() {
            let mut is_there = false;
            self.each_output(|mask| is_there |= grammar.mask(mask).contains(token))?;
            if is_there && !self.is_readable(token)? {
                refused.tokens[refused.count] = token;
                refused.count += 1;
            }
        }
        Ok(refused)
    }

    /// Whether a token is read, without a look at the mask.
    pub(crate) fn is_readable(&mut self, token: TokenId) -> Result<bool, Error> {
        self.attempt_and_undo(|matcher| {
            matcher.can_read(|matcher, position| matcher.read_token(position, token))
        })
    }

    /// Whether a mask of some head has a token that fits.
    pub(crate) fn is_in_mask(&mut self, token: TokenId) -> Result<bool, Error> {
        let grammar = self.grammar();
        if grammar.entering().any(|entering| entering == token) {
            return self.is_readable(token);
        }
        let contains = |mask: MaskId| grammar.mask(mask).contains(token);
        let mut allowed = false;
        match self.cuts()? {
            Cuts::None => self.each_output(|mask| allowed |= contains(mask))?,
            Cuts::One(cut) if !cut.allows(token) => {}
            Cuts::One(_) => self.each_output(|mask| allowed |= contains(mask))?,
            Cuts::Several => {
                for head in 0..self.scratch.newest().count {
                    if self.cut_of(head)?.is_none_or(|cut| cut.allows(token)) {
                        self.each_output_of(Some(head), |mask| allowed |= contains(mask))?;
                    }
                }
            }
        }
        Ok(allowed && (!grammar.remembers() || self.is_readable(token)?))
    }
}
