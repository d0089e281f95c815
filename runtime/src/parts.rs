//! A mask as a short list of masks of the store, and the step from one such list to the next.
//!
//! The next mask is a union of a few masks of the store, its *parts*. In running text the base bitmap of the
//! parts seldom changes. So a row that holds the union of known parts can be changed to the union of others
//! by a few flips, instead of being filled anew.

use core::iter::Peekable;

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Flips;
use gcc_grammar_artifact::ids::{BaseId, MaskId, TokenId};

use gcc_grammar_artifact::wire::U32;

use crate::bitmap::{bit, copy_mask, flip, set, unite_mask, word_of};

/// Parts that are remembered. If there are more, which is rare, the row is filled anew each time.
pub(crate) const PARTS: usize = 16;

/// Copying this many words takes no longer than one flip. If more flips have to be undone, the row is filled
/// anew.
const WORDS_PER_FLIP: usize = 48;
/// Up to this many flips are always undone.
const FEW_FLIPS: usize = 16;

/// A set of masks of the store, without the empty one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    masks: [u32; PARTS],
    /// The number of masks. Greater than [`PARTS`] if they did not fit.
    count: usize,
}

impl Parts {
    /// One mask.
    pub(crate) fn of(mask: MaskId) -> Self {
        let mut parts = Self::default();
        parts.add(mask);
        parts
    }

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

    /// Whether all masks that were added are in the list.
    pub(crate) const fn fit(&self) -> bool {
        self.count <= PARTS
    }

    /// Fills words with the union. A part with a base comes first, as copying it is cheaper than uniting it.
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

    /// The words of the union, which are read in ascending order.
    pub(crate) fn words<'a>(&self, grammar: &GrammarView<'a>) -> Words<'a> {
        let part = |mask: MaskId| PartWords {
            base: grammar.mask_base(mask).map(|base| grammar.base(base)),
            flips: grammar.mask_flips(mask).peekable(),
        };
        let mut masks = self.masks();
        Words(core::array::from_fn(|_| masks.next().map(part)))
    }

    /// The mask, if it is the only one.
    pub(crate) const fn only(&self) -> Option<MaskId> {
        if self.count == 1 { Some(MaskId(self.masks[0])) } else { None }
    }

    fn list(&self) -> &[u32] {
        &self.masks[..self.count.min(PARTS)]
    }

    pub(crate) fn masks(&self) -> impl Iterator<Item = MaskId> {
        self.list().iter().map(|&mask| MaskId(mask))
    }

    /// The base of the only part that has one, `Some(None)` if no part has one, and `None` if several parts
    /// have.
    fn base(&self, grammar: &GrammarView<'_>) -> Option<Option<BaseId>> {
        let mut bases = self.masks().filter_map(|mask| grammar.mask_base(mask));
        let base = bases.next();
        (self.fit() && bases.next().is_none()).then_some(base)
    }
}

/// The words of a union of masks, which are read in ascending order.
pub(crate) struct Words<'a>([Option<PartWords<'a>>; PARTS]);

/// A mask, and its flips that were not read yet.
struct PartWords<'a> {
    base: Option<&'a [U32]>,
    flips: Peekable<Flips<'a>>,
}

impl Words<'_> {
    /// The word with this index. It is greater than those before.
    pub(crate) fn word(&mut self, index: u32) -> u32 {
        let mut union = 0;
        for PartWords { base, flips } in self.0.iter_mut().flatten() {
            let mut word = base.and_then(|base| base.get(index as usize)).map_or(0, |word| word.get());
            while let Some(TokenId(flip)) = flips.next_if(|flip| flip.0 / 32 == index) {
                word ^= bit(flip);
            }
            union |= word;
        }
        union
    }
}

/// Changes words from the union of the old parts to the union of the new ones, if that is possible and faster
/// than filling them. Returns false, with the words untouched, if it is not.
pub(crate) fn change(words: &mut [u32], grammar: &GrammarView<'_>, old: &Parts, new: &Parts) -> bool {
    if old.count == new.count && old.list() == new.list() {
        return new.fit();
    }
    let Some(base) = old.base(grammar).filter(|base| new.base(grammar) == Some(*base)) else { return false };
    let deltas = old.masks().flat_map(|mask| grammar.mask_deltas(mask));
    let flips: usize = deltas.map(|delta| delta.gaps.len()).sum();
    if flips > (grammar.row_words() / WORDS_PER_FLIP).max(FEW_FLIPS) {
        return false;
    }
    undo_flips(words, grammar, base, old);
    // The part with the base comes first: its flips are relative to the base, the tokens of the others are
    // added.
    for mask in new.masks().filter(|&mask| grammar.mask_base(mask).is_some()) {
        grammar.mask_flips(mask).for_each(|TokenId(token)| flip(words, token));
    }
    for mask in new.masks().filter(|&mask| grammar.mask_base(mask).is_none()) {
        grammar.mask_flips(mask).for_each(|TokenId(token)| set(words, token));
    }
    true
}

/// Changes words from the union of the parts back to the base.
fn undo_flips(words: &mut [u32], grammar: &GrammarView<'_>, base: Option<BaseId>, parts: &Parts) {
    if let &[mask] = parts.list() {
        let flips = grammar.mask_flips(MaskId(mask));
        return flips.for_each(|TokenId(token)| flip(words, token));
    }
    let base = base.map(|base| grammar.base(base));
    for TokenId(token) in parts.masks().flat_map(|mask| grammar.mask_flips(mask)) {
        if let Some(word) = words.get_mut(word_of(token)) {
            *word = base.and_then(|base| base.get(word_of(token))).map_or(0, |word| word.get());
        }
    }
}
