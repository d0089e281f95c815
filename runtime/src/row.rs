//! Masks by difference: a row that remembers what it holds, and masks as numbers, for rows that are made elsewhere.
//!
//! A mask is the union of a few *parts* of the mask store, each a base bitmap in which some tokens are flipped. In running text the base
//! seldom changes, so a row that knows which parts it holds takes back their flips and makes the next ones: some words instead
//! of all of them. For that it remembers only the numbers of the parts; what they are stands in the grammar.

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Flips;
use gcc_grammar_artifact::ids::{BaseId, MaskId, TokenId};

use crate::engine::Engine;
use crate::error::Error;
use crate::mask::{bit, copy_mask, unite_mask, word_of};
use crate::matcher::Matcher;

/// Parts that a row remembers. With more, which is rare, it is filled anew each time.
const PARTS: usize = 16;

/// Copying so many words takes no longer than a flip: with more flips than that leaves, the row is filled anew.
const WORDS_PER_FLIP: usize = 48;
/// So few flips are always made.
const FEW_FLIPS: usize = 16;

/// One of the bitmaps whose union is the mask.
#[derive(Clone, Debug)]
pub struct MaskPart<'a> {
    base: Option<BaseId>,
    flips: Flips<'a>,
}

impl<'a> MaskPart<'a> {
    /// The base, for [`GrammarView::base`]; `None` is all zero.
    #[must_use]
    pub const fn base(&self) -> Option<BaseId> {
        self.base
    }

    /// The tokens whose bits are not as in the base, ascending. The grammar promises a bound on their number (`max_delta`).
    pub fn flips(&self) -> impl Iterator<Item = TokenId> + use<'a> {
        self.flips.clone()
    }
}

/// A row that remembers what it holds: [`Matcher::update_mask`] changes only what is different in the next mask.
///
/// It can be used with any matcher, one after the other; only those of one engine profit.
#[derive(Debug)]
pub struct MaskRow<'a, 'r> {
    words: &'r mut [u32],
    /// What `words` are the mask of; `None` if that is not known.
    held: Option<Held<'a>>,
}

/// The words are the union of these parts, as this engine's grammar has them.
#[derive(Clone, Copy, Debug)]
struct Held<'a> {
    engine: &'a Engine<'a>,
    parts: Parts,
}

/// Distinct masks, none empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    masks: [u32; PARTS],
    /// More than [`PARTS`]: they did not fit.
    count: usize,
}

impl<'r> MaskRow<'_, 'r> {
    /// Makes a row of some words, which are overwritten by the first update.
    #[must_use]
    pub const fn new(words: &'r mut [u32]) -> Self {
        Self { words, held: None }
    }

    /// The mask of the last update: token t may come next if bit t % 32 of word t / 32 is 1.
    #[must_use]
    pub const fn words(&self) -> &[u32] {
        self.words
    }
}

impl<'a> Matcher<'a, '_> {
    /// Makes the row the mask, as [`fill_mask`](Self::fill_mask) would.
    ///
    /// # Errors
    /// Those of [`fill_mask`](Self::fill_mask). The row is then as before, or filled anew by the next update.
    pub fn update_mask(&mut self, row: &mut MaskRow<'a, '_>) -> Result<(), Error> {
        let grammar = self.grammar();
        if row.words.len() < grammar.row_words() {
            return Err(Error::RowTooShort { needed: grammar.row_words() });
        }
        let mut parts = Parts::default();
        self.each_output(|mask| parts.add(mask))?;
        let held = row.held.take().filter(|held| core::ptr::eq(held.engine, self.engine));
        let changed = held.is_some_and(|held| change(row.words, grammar, &held.parts, &parts));
        if !changed && parts.fit() {
            parts.fill(row.words, grammar);
        } else if !changed {
            self.fill_mask(row.words)?;
        }
        row.held = parts.fit().then_some(Held { engine: self.engine, parts });
        Ok(())
    }

    /// Calls `visit` with the parts whose union is the mask; some may come several times. For engines that keep the
    /// [bases](GrammarView::base) on the device and make the rows there.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn each_mask_part(&mut self, mut visit: impl FnMut(MaskPart<'a>)) -> Result<(), Error> {
        let grammar = self.grammar();
        self.each_output(|mask| {
            if mask != MaskId::EMPTY {
                visit(MaskPart { base: grammar.mask_base(mask), flips: grammar.mask_flips(mask) });
            }
        })
    }
}

impl Parts {
    pub(crate) fn add(&mut self, mask: MaskId) {
        if mask == MaskId::EMPTY || self.list().contains(&mask.0) {
            return;
        }
        if let Some(slot) = self.masks.get_mut(self.count) {
            *slot = mask.0;
            self.count += 1;
        } else {
            self.count = PARTS + 1;
        }
    }

    /// Whether all that were added are here.
    pub(crate) const fn fit(&self) -> bool {
        self.count <= PARTS
    }

    /// Fills words with the union, beginning with a part that has a base: the others are often small.
    pub(crate) fn fill(&self, words: &mut [u32], grammar: &GrammarView<'_>) {
        let (row, padding) = words.split_at_mut(grammar.row_words());
        padding.fill(0);
        let first = self.masks().find(|&mask| grammar.mask_base(mask).is_some());
        match first {
            Some(first) => copy_mask(row, &grammar.mask(first)),
            None => row.fill(0),
        }
        self.masks()
            .filter(|&mask| Some(mask) != first)
            .for_each(|mask| unite_mask(row, &grammar.mask(mask)));
    }

    fn list(&self) -> &[u32] {
        &self.masks[..self.count.min(PARTS)]
    }

    fn masks(&self) -> impl Iterator<Item = MaskId> {
        self.list().iter().map(|&mask| MaskId(mask))
    }

    /// The base that the union can be taken back to, if there is one: no two parts may have bases.
    fn base(&self, grammar: &GrammarView<'_>) -> Option<Option<BaseId>> {
        let mut bases = self.masks().filter_map(|mask| grammar.mask_base(mask));
        let base = bases.next();
        (self.fit() && bases.next().is_none()).then_some(base)
    }
}

/// Changes words from the union of the old parts to that of the new, if that is possible and quicker than filling them.
fn change(words: &mut [u32], grammar: &GrammarView<'_>, old: &Parts, new: &Parts) -> bool {
    if old.count == new.count && old.list() == new.list() {
        return new.fit();
    }
    let Some(base) = old.base(grammar).filter(|base| new.base(grammar) == Some(*base)) else { return false };
    let deltas = old.masks().flat_map(|mask| grammar.mask_deltas(mask));
    let flips: usize = deltas.map(|delta| delta.gaps.len()).sum();
    if flips > (grammar.row_words() / WORDS_PER_FLIP).max(FEW_FLIPS) {
        return false;
    }
    take_back(words, grammar, base, old);
    // The part with the base first: its flips are as in the base, the others' tokens are added.
    for mask in new.masks().filter(|&mask| grammar.mask_base(mask).is_some()) {
        grammar.mask_flips(mask).for_each(|TokenId(flip)| words[word_of(flip)] ^= bit(flip));
    }
    for mask in new.masks().filter(|&mask| grammar.mask_base(mask).is_none()) {
        grammar.mask_flips(mask).for_each(|TokenId(token)| words[word_of(token)] |= bit(token));
    }
    true
}

/// Changes words from the union of the parts back to the base.
fn take_back(words: &mut [u32], grammar: &GrammarView<'_>, base: Option<BaseId>, parts: &Parts) {
    if let &[mask] = parts.list() {
        let flips = grammar.mask_flips(MaskId(mask));
        return flips.for_each(|TokenId(flip)| words[word_of(flip)] ^= bit(flip));
    }
    let base = base.map(|base| grammar.base(base));
    for TokenId(flip) in parts.masks().flat_map(|mask| grammar.mask_flips(mask)) {
        let word = word_of(flip);
        words[word] = base.map_or(0, |base| base[word].get());
    }
}
