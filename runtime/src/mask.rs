//! What may come next: bitmask, ranges, one token, count.
//!
//! The Parser DWA reads each head's stack, top first, and the masks on its way are united. As long as there is one
//! head, and one parent below each node, that is a loop without memory. Where stacks were merged, or several heads are
//! read, it is a search through pairs of DWA state and node, each visited once. A node's mark leads to its latest read,
//! from where the others are linked, so that a pair is found among the few of its node.

use core::ops::Range;

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::{MAX_FLIPS, MaskPage, MaskParts, PAGE_TOKENS};
use gcc_grammar_artifact::ids::{DwaState, MaskId, TokenId};
use gcc_grammar_artifact::wire::{U16, U32};

use crate::error::Error;
use crate::matcher::Matcher;
use crate::row::Parts;
use crate::scratch::{Heads, Node, Scratch};

impl Matcher<'_, '_> {
    /// Fills a row: token t may come next if bit t % 32 of word t / 32 is 1. Words beyond the mask's are set to 0.
    ///
    /// # Errors
    /// [`Error::RowTooShort`]; [`Error::ScratchFull`] where many readings of the text are possible.
    pub fn fill_mask(&mut self, row: &mut [u32]) -> Result<(), Error> {
        let grammar = self.grammar();
        let needed = grammar.row_words();
        if row.len() < needed {
            return Err(Error::RowTooShort { needed });
        }
        let mut parts = Parts::default();
        self.each_output(|mask| parts.add(mask))?;
        if parts.fit() {
            parts.fill(row, grammar);
            return Ok(());
        }
        row.fill(0);
        self.each_output(|mask| unite_mask(&mut row[..needed], &grammar.mask(mask)))
    }

    /// Whether a token may come next.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn allows(&mut self, token: TokenId) -> Result<bool, Error> {
        let grammar = self.grammar();
        let mut allowed = false;
        self.each_output(|mask| allowed |= grammar.mask(mask).contains(token))?;
        Ok(allowed)
    }

    /// How many tokens may come next.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn count_allowed(&mut self) -> Result<u32, Error> {
        let mut count = 0;
        self.each_word(|_, word| count += word.count_ones())?;
        Ok(count)
    }

    /// Calls `visit` with the tokens that may come next as ranges of ids: ascending, none empty, none touching.
    ///
    /// # Errors
    /// [`Error::ScratchFull`].
    pub fn each_allowed_range(&mut self, mut visit: impl FnMut(Range<u32>)) -> Result<(), Error> {
        let mut open: Option<u32> = None;
        self.each_word(|index, word| {
            let first = index * 32;
            let mut bit = 0;
            while bit < 32 {
                // What is left of the word, inverted inside a range: its trailing zeros end where something changes.
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

    /// Calls `visit` with the masks whose union is allowed; some may come several times.
    pub(crate) fn each_output(&mut self, mut visit: impl FnMut(MaskId)) -> Result<(), Error> {
        let heads = self.scratch.newest();
        if heads.count == 1 && self.scratch.read_single(self.grammar(), heads, &mut visit) {
            return Ok(());
        }
        self.trying(|matcher| {
            let heads = matcher.scratch.newest();
            let reads = matcher.scratch.read_all(matcher.grammar(), heads)?;
            (0..reads.count).for_each(|index| visit(matcher.scratch.output(reads, index)));
            Ok(())
        })
    }

    /// Calls `visit` with the words of the mask, from the first to the last.
    fn each_word(&mut self, mut visit: impl FnMut(u32, u32)) -> Result<(), Error> {
        self.trying(|matcher| {
            let (grammar, heads) = (matcher.grammar(), matcher.scratch.newest());
            let reads = matcher.scratch.read_all(grammar, heads)?;
            for index in 0..grammar.row_words() {
                visit(index as u32, matcher.scratch.union_word(grammar, reads, index));
            }
            Ok(())
        })
    }
}

/// A list of reads in the temporaries. One read is four words: DWA state, node, the output of the transition, and the
/// number of the read of the same node before it.
#[derive(Clone, Copy)]
struct Reads {
    /// Where the list ends; it grows downwards from there.
    end: usize,
    count: usize,
    /// A node with mark `first_mark + index` has `index` as its latest read. Lower marks are old.
    first_mark: u32,
}

/// Words per read.
const READ: usize = 4;

/// Where no earlier read of the same node is.
const NO_READ: u32 = u32::MAX;

impl Reads {
    const fn address(self, index: usize) -> usize {
        self.end - READ * (index + 1)
    }
}

impl Scratch<'_> {
    /// Reads a single stack. Whether it was one all the way; if not, everything must be read again.
    fn read_single(&self, grammar: &GrammarView<'_>, heads: Heads, visit: &mut impl FnMut(MaskId)) -> bool {
        let head = self.head(heads, 0);
        let mut state = grammar.dwa_init(head.lex);
        let mut node = Some(head.node);
        while let Some(current) = node {
            if state == DwaState::STOP {
                break;
            }
            let Some(edge) = grammar.dwa_next(state, self.lr(current)) else { break };
            if edge.output != MaskId::EMPTY {
                visit(edge.output);
            }
            state = edge.target;
            if state != DwaState::STOP && self.rest(current).is_some() {
                return false;
            }
            node = self.parent(current);
        }
        true
    }

    /// Reads all stacks of all heads.
    fn read_all(&mut self, grammar: &GrammarView<'_>, heads: Heads) -> Result<Reads, Error> {
        let mut reads = Reads { end: self.bottom(), count: 0, first_mark: self.first_free_mark() };
        for index in 0..heads.count {
            let head = self.head(heads, index);
            self.add_read(&mut reads, grammar.dwa_init(head.lex), head.node)?;
        }
        let mut cursor = 0;
        while cursor < reads.count {
            self.read_one(grammar, &mut reads, cursor)?;
            cursor += 1;
        }
        Ok(reads)
    }

    /// Follows one read's transition, and adds the reads of the node's parents.
    fn read_one(&mut self, grammar: &GrammarView<'_>, reads: &mut Reads, index: usize) -> Result<(), Error> {
        let address = reads.address(index);
        let (state, node) = (DwaState(self.word(address)), Node(self.word(address + 1)));
        let Some(edge) = grammar.dwa_next(state, self.lr(node)) else { return Ok(()) };
        self.set_word(address + 2, edge.output.0);
        let mut cell = Some(node);
        while let Some(current) = cell {
            if let Some(parent) = self.parent(current) {
                self.add_read(reads, edge.target, parent)?;
            }
            cell = self.rest(current);
        }
        Ok(())
    }

    fn add_read(&mut self, reads: &mut Reads, state: DwaState, node: Node) -> Result<(), Error> {
        let latest = self.mark(node).checked_sub(reads.first_mark).unwrap_or(NO_READ);
        if state == DwaState::STOP || self.is_read(*reads, latest, state) {
            return Ok(());
        }
        for word in [latest, MaskId::EMPTY.0, node.0, state.0] {
            self.push(word)?;
        }
        self.give_next_mark(node);
        reads.count += 1;
        Ok(())
    }

    /// Whether a read of this state is `latest` or linked from there.
    fn is_read(&self, reads: Reads, latest: u32, state: DwaState) -> bool {
        let mut read = latest;
        while read != NO_READ {
            let address = reads.address(read as usize);
            if self.word(address) == state.0 {
                return true;
            }
            read = self.word(address + 3);
        }
        false
    }

    fn output(&self, reads: Reads, index: usize) -> MaskId {
        MaskId(self.word(reads.address(index) + 2))
    }

    /// Word `index` of the union of the outputs; words are asked for in order. The first two words of each read, which have
    /// served their purpose, count the flips of both deltas that were passed on the page.
    fn union_word(&mut self, grammar: &GrammarView<'_>, reads: Reads, index: usize) -> u32 {
        let (page, index) = (index / PAGE_WORDS, index % PAGE_WORDS);
        let mut union = 0;
        for read in 0..reads.count {
            let address = reads.address(read);
            let page = grammar.mask(self.output(reads, read)).page(page);
            let mut word = page.base.map_or(0, |base| base[index].get());
            for (counter, delta) in (address..).zip(page.deltas) {
                let mut passed = if index == 0 { 0 } else { self.word(counter) as usize };
                while let Some(flip) = delta.get(passed).map(|flip| flip.get()) {
                    if word_of_page(flip) != index {
                        break;
                    }
                    word ^= bit_of_page(flip);
                    passed += 1;
                }
                self.set_word(counter, passed as u32);
            }
            union |= word;
        }
        union
    }
}

pub(crate) const fn bit(token: u32) -> u32 {
    1 << (token % 32)
}

pub(crate) const fn word_of(token: u32) -> usize {
    (token / 32) as usize
}

/// Words of a row that a page fills.
const PAGE_WORDS: usize = PAGE_TOKENS / 32;

const fn bit_of_page(token: u16) -> u32 {
    1 << (token % 32)
}

const fn word_of_page(token: u16) -> usize {
    (token / 32) as usize
}

/// Overwrites the row with a mask.
pub(crate) fn copy_mask(row: &mut [u32], parts: &MaskParts<'_>) {
    match parts.base {
        Some(base) => row.iter_mut().zip(base).for_each(|(word, base)| *word = base.get()),
        None => row.fill(0),
    }
    for (row, page) in row.chunks_mut(PAGE_WORDS).zip(parts.pages()) {
        for delta in page.deltas {
            delta.iter().for_each(|flip| row[word_of_page(flip.get())] ^= bit_of_page(flip.get()));
        }
    }
}

/// Adds a mask to the row.
pub(crate) fn unite_mask(row: &mut [u32], parts: &MaskParts<'_>) {
    row.chunks_mut(PAGE_WORDS).zip(parts.pages()).for_each(|(row, page)| unite_page(row, &page));
}

/// A bit for each flip of a delta.
type FlipBits = [u64; MAX_FLIPS / 64];

/// Adds a page of a mask to that of the row. Flips concern the mask alone: a token that they take out of the base stays in the row if it was
/// there. So what the row has is noted, the base is added, and the flips are made where the row had nothing.
fn unite_page(row: &mut [u32], page: &MaskPage<'_>) {
    if let MaskPage { base: None, deltas: [[], own] } = page {
        return own.iter().for_each(|flip| row[word_of_page(flip.get())] |= bit_of_page(flip.get()));
    }
    let had = page.deltas.map(|delta| tokens_in(row, delta));
    if let Some(base) = page.base {
        unite_words(row, base);
    }
    for (delta, had) in page.deltas.into_iter().zip(&had) {
        flip_others(row, delta, had);
    }
}

/// Which tokens of a delta the row has.
fn tokens_in(row: &[u32], delta: &[U16]) -> FlipBits {
    let mut bits = FlipBits::default();
    for (bits, flips) in bits.iter_mut().zip(delta.chunks(64)) {
        for (index, flip) in flips.iter().map(|flip| flip.get()).enumerate() {
            *bits |= u64::from(row[word_of_page(flip)] >> (flip % 32) & 1) << index;
        }
    }
    bits
}

/// Flips the tokens of a delta but those whose bit is set.
fn flip_others(row: &mut [u32], delta: &[U16], bits: &FlipBits) {
    for (bits, flips) in bits.iter().zip(delta.chunks(64)) {
        for (index, flip) in flips.iter().map(|flip| flip.get()).enumerate() {
            row[word_of_page(flip)] ^= ((!bits >> index & 1) as u32) << (flip % 32);
        }
    }
}

fn unite_words(row: &mut [u32], words: &[U32]) {
    row.iter_mut().zip(words).for_each(|(word, other)| *word |= other.get());
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::vec::Vec;

    /// All tokens can be flipped in both deltas.
    const WORDS: u32 = MAX_FLIPS as u32 / 64;

    /// Word `index` of a pseudo-random bitmap (the finalizer of SplitMix64).
    fn word(seed: u64, index: u32) -> u32 {
        let mixed = (seed << 32 | u64::from(index)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27) as u32
    }

    /// Many flips, some of them in one word, some in both deltas.
    #[test]
    fn flips_concern_the_mask_alone() {
        for seed in 0..200 {
            let base: Vec<U32> = (0..WORDS).map(|index| U32::new(word(seed, index))).collect();
            let row: Vec<u32> = (0..WORDS).map(|index| word(seed + 1000, index)).collect();
            let often = 1 + seed as u32 % 9;
            let delta = |seed: u64| -> Vec<U16> {
                let flips = (0..WORDS * 32).filter(|&token| word(seed, token) % 10 < often);
                flips.map(|flip| U16::new(flip as u16)).collect()
            };
            let (leader, own) = (delta(seed + 2000), delta(seed + 3000));
            for base in [None, Some(base.as_slice())] {
                let page = MaskPage { base, deltas: [&leader, &own] };
                let allowed = (0..WORDS * 32).filter(|&token| page.contains(token as u16));
                let mut expected = row.clone();
                allowed.for_each(|token| expected[word_of(token)] |= bit(token));
                let mut united = row.clone();
                unite_page(&mut united, &page);
                assert_eq!(united, expected, "seed {seed}, {} flips", leader.len() + own.len());
            }
        }
    }
}
