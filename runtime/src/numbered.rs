//! Masks by number: the next mask as numbers of base bitmaps and a list of flips, for rows that are
//! assembled on an accelerator which keeps the bases.
//!
//! In: a matcher. Out: bases and flips, such that the union of the bases, with the flips flipped, is the
//! mask that [`Matcher::fill_mask`] writes. A mask that takes too many numbers has to travel as a row.

use core::iter::{Peekable, from_fn};

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Flips;
use gcc_grammar_artifact::ids::{BaseId, MaskId, TokenId};
use gcc_grammar_artifact::wire::U32;

use crate::bitmap::word_of;
use crate::cut::Cuts;
use crate::error::Error;
use crate::matcher::Matcher;
use crate::parts::{PARTS, Parts};

/// The largest number of bases of a [`NumberedMask`].
pub const MAX_BASES: usize = 4;

/// A mask as the union of base bitmaps in which some tokens are flipped.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct NumberedMask {
    bases: [u32; MAX_BASES],
    base_count: usize,
    flip_count: usize,
}

impl NumberedMask {
    /// The bases, for [`GrammarView::base`]; without a base, the flips are the mask.
    pub fn bases(&self) -> impl ExactSizeIterator<Item = BaseId> {
        self.bases[..self.base_count].iter().map(|&base| BaseId(base))
    }

    /// The number of flips, which are at the start of the slice that the caller gave.
    #[must_use]
    pub const fn flip_count(&self) -> usize {
        self.flip_count
    }

    /// Adds a base that may be there already. `None` if there is no room for it.
    fn add(&mut self, base: BaseId) -> Option<()> {
        if !self.bases().any(|other| other == base) {
            *self.bases.get_mut(self.base_count)? = base.0;
            self.base_count += 1;
        }
        Some(())
    }
}

impl Matcher<'_, '_> {
    /// Finds the mask as bases and flips. The flips are written to the start of `flips`, strictly ascending.
    ///
    /// `None` if the mask has more flips than there is room for, more than [`MAX_BASES`] bases, or more parts
    /// than are collected, if the end of the budget is near, or that of a string with a greatest length, or a token would begin one with too many characters; also if the grammar has lists whose items differ. The content of `flips` is unknown then, and the mask can be filled as a row.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn mask_by_number(&mut self, flips: &mut [u32]) -> Result<Option<NumberedMask>, Error> {
        let grammar = self.grammar();
        self.begin_work();
        if let Some(remaining) = self.remaining()
            && !self.is_far_from(remaining)?
        {
            return Ok(None);
        }
        if self.scratch.has_text() || !matches!(self.cuts()?, Cuts::None) || !self.refused()?.is_empty() {
            return Ok(None);
        }
        let mut parts = Parts::default();
        self.each_output(|mask| parts.add(mask))?;
        Ok(if parts.fit() { number(grammar, &parts, flips) } else { None })
    }
}

fn number(grammar: &GrammarView<'_>, parts: &Parts, flips: &mut [u32]) -> Option<NumberedMask> {
    let mut mask = NumberedMask::default();
    parts.masks().filter_map(|part| grammar.mask_base(part)).try_for_each(|base| mask.add(base))?;
    mask.flip_count = match parts.only() {
        Some(part) => write(flips, grammar.mask_flips(part))?,
        None => write(flips, Union::new(grammar, parts).flips())?,
    };
    Some(mask)
}

/// Writes the tokens to the start of the slice, and returns how many they are; `None` if they do not fit.
fn write(flips: &mut [u32], tokens: impl Iterator<Item = TokenId>) -> Option<usize> {
    let mut count = 0;
    for TokenId(token) in tokens {
        *flips.get_mut(count)? = token;
        count += 1;
    }
    Some(count)
}

/// Several parts, read side by side in the order of their flips.
struct Union<'a>([Option<Part<'a>>; PARTS]);

struct Part<'a> {
    base: Option<&'a [U32]>,
    flips: Peekable<Flips<'a>>,
}

impl<'a> Union<'a> {
    fn new(grammar: &GrammarView<'a>, parts: &Parts) -> Self {
        let part = |mask: MaskId| Part {
            base: grammar.mask_base(mask).map(|base| grammar.base(base)),
            flips: grammar.mask_flips(mask).peekable(),
        };
        let mut masks = parts.masks();
        Self(core::array::from_fn(|_| masks.next().map(part)))
    }

    /// The tokens by which the union of the parts differs from the union of their bases. Only tokens that
    /// are flipped in some part can.
    fn flips(mut self) -> impl Iterator<Item = TokenId> {
        from_fn(move || {
            loop {
                let token = self.parts().filter_map(|part| part.flips.peek().copied()).min()?;
                let in_bases = self.parts().any(|part| part.base_has(token));
                let in_union = self.parts().fold(false, |any, part| any | part.read(token));
                if in_bases != in_union {
                    return Some(token);
                }
            }
        })
    }

    fn parts(&mut self) -> impl Iterator<Item = &mut Part<'a>> {
        self.0.iter_mut().flatten()
    }
}

impl Part<'_> {
    fn base_has(&self, TokenId(token): TokenId) -> bool {
        let word = self.base.and_then(|base| base.get(word_of(token)));
        word.is_some_and(|word| word.get() >> (token % 32) & 1 == 1)
    }

    /// Whether the part has the token, which no flip that has not been read precedes. Reads its flip.
    fn read(&mut self, token: TokenId) -> bool {
        self.base_has(token) ^ self.flips.next_if_eq(&token).is_some()
    }
}
