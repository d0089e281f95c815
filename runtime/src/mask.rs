//! What may come next: bitmask, ranges, one token, count.
//!
//! The Parser DWA reads each head's stack, top first, and the masks on its way are united. As long as there is one
//! head, and one parent below each node, that is a loop without memory. Where stacks were merged, or several heads are
//! read, it is a search through pairs of DWA state and node, each visited once. A node's mark leads to its latest read,
//! from where the others are linked, so that a pair is found among the few of its node.

use core::ops::Range;

use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::{Delta, MAX_FLIPS, MaskParts};
use gcc_grammar_artifact::ids::{DwaState, MaskId, TokenId};
use gcc_grammar_artifact::wire::U32;

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
            for index in 0..grammar.row_words() as u32 {
                visit(index, matcher.scratch.union_word(grammar, reads, index));
            }
            Ok(())
        })
    }
}

/// A list of reads in the temporaries. One read is five words: the output of the transition, DWA state, node, the
/// number of the read of the same node before it, and one that is used later.
#[derive(Clone, Copy)]
struct Reads {
    /// Where the list ends; it grows downwards from there.
    end: usize,
    count: usize,
    /// A node with mark `first_mark + index` has `index` as its latest read. Lower marks are old.
    first_mark: u32,
}

/// Words per read.
const READ: usize = 5;

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
        let (state, node) = (DwaState(self.word(address + 1)), Node(self.word(address + 2)));
        let Some(edge) = grammar.dwa_next(state, self.lr(node)) else { return Ok(()) };
        self.set_word(address, edge.output.0);
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
        for word in [0, latest, node.0, state.0, MaskId::EMPTY.0] {
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
            if self.word(address + 1) == state.0 {
                return true;
            }
            read = self.word(address + 3);
        }
        false
    }

    fn output(&self, reads: Reads, index: usize) -> MaskId {
        MaskId(self.word(reads.address(index)))
    }

    /// Word `index` of the union of the outputs; words are asked for in order. What a read was found by has served its purpose: its
    /// words are, for both deltas, the number of gaps that were passed and the token at the last of them.
    fn union_word(&mut self, grammar: &GrammarView<'_>, reads: Reads, index: u32) -> u32 {
        let mut union = 0;
        for read in 0..reads.count {
            let address = reads.address(read);
            let parts = grammar.mask(self.output(reads, read));
            let mut word = parts.base.map_or(0, |base| base[index as usize].get());
            for (place, delta) in [address + 1, address + 3].into_iter().zip(parts.deltas) {
                let (mut passed, mut at) =
                    if index == 0 { (0, 0) } else { (self.word(place), self.word(place + 1)) };
                while let Some(gap) = delta.gaps.get(passed as usize) {
                    let token = at + u32::from(gap.get());
                    if token / 32 != index {
                        break;
                    }
                    word ^= bit(token);
                    (passed, at) = (passed + 1, token);
                }
                self.set_word(place, passed);
                self.set_word(place + 1, at);
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

/// Words that are copied at once.
const COPIED_AT_ONCE: usize = 512;

/// Overwrites the row with a mask.
pub(crate) fn copy_mask(row: &mut [u32], parts: &MaskParts<'_>) {
    match parts.base {
        Some(base) => copy_words(row, base),
        None => row.fill(0),
    }
    for delta in parts.deltas {
        let mut token = 0;
        for gap in delta.gaps {
            token += u32::from(gap.get());
            row[word_of(token)] ^= bit(token);
        }
    }
}

/// Piece by piece: one long copy takes up to twenty times as long on some processors where the row is some bytes behind the base modulo 4,096, as a
/// load is then taken to depend on the store before it.
fn copy_words(row: &mut [u32], words: &[U32]) {
    for (row, words) in row.chunks_mut(COPIED_AT_ONCE).zip(words.chunks(COPIED_AT_ONCE)) {
        row.iter_mut().zip(words).for_each(|(word, other)| *word = other.get());
    }
}

/// A bit for each flip of a delta.
type FlipBits = [u64; MAX_FLIPS / 64];

/// Adds a mask to the row. Flips concern the mask alone: a token that they take out of the base stays in the row if it was there. So
/// what the row has is noted, the base is added, and the flips are made where the row had nothing.
pub(crate) fn unite_mask(row: &mut [u32], parts: &MaskParts<'_>) {
    let Some(base) = parts.base else { return unite_small(row, parts.deltas) };
    let had = parts.deltas.map(|delta| tokens_in(row, delta));
    unite_words(row, base);
    for (delta, had) in parts.deltas.into_iter().zip(&had) {
        flip_others(row, delta, had);
    }
}

/// The same without a base: the first delta's tokens are just added, before the other's are flipped.
fn unite_small(row: &mut [u32], [leader, own]: [Delta<'_>; 2]) {
    let (added, flipped) = if leader.gaps.is_empty() { (own, leader) } else { (leader, own) };
    let had = tokens_in(row, flipped);
    added.tokens().for_each(|token| row[word_of(token)] |= bit(token));
    flip_others(row, flipped, &had);
}

/// Which tokens of a delta the row has.
fn tokens_in(row: &[u32], delta: Delta<'_>) -> FlipBits {
    let mut bits = FlipBits::default();
    let mut token = 0;
    for (bits, gaps) in bits.iter_mut().zip(delta.gaps.chunks(64)) {
        for (index, gap) in gaps.iter().enumerate() {
            token += u32::from(gap.get());
            *bits |= u64::from(row[word_of(token)] >> (token % 32) & 1) << index;
        }
    }
    bits
}

/// Flips the tokens of a delta but those whose bit is set.
fn flip_others(row: &mut [u32], delta: Delta<'_>, bits: &FlipBits) {
    let mut token = 0;
    for (bits, gaps) in bits.iter().zip(delta.gaps.chunks(64)) {
        for (index, gap) in gaps.iter().enumerate() {
            token += u32::from(gap.get());
            row[word_of(token)] ^= ((!bits >> index & 1) as u32) << (token % 32);
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
    use gcc_grammar_artifact::grammar::gaps;
    use gcc_grammar_artifact::wire::U16;
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
                gaps(flips).map(|gap| U16::new(gap as u16)).collect()
            };
            let (leader, own) = (delta(seed + 2000), delta(seed + 3000));
            for base in [None, Some(base.as_slice())] {
                let parts = MaskParts { base, deltas: [&leader, &own].map(|gaps| Delta { gaps }) };
                let mut mask = row.clone();
                copy_mask(&mut mask, &parts);
                let allowed = (0..WORDS * 32).filter(|&token| parts.contains(TokenId(token)));
                let set = (0..WORDS * 32).filter(|&token| mask[word_of(token)] & bit(token) != 0);
                assert!(allowed.eq(set), "seed {seed}");
                let expected: Vec<u32> = row.iter().zip(mask).map(|(row, mask)| row | mask).collect();
                let mut united = row.clone();
                unite_mask(&mut united, &parts);
                assert_eq!(united, expected, "seed {seed}, {} flips", leader.len() + own.len());
            }
        }
    }
}
