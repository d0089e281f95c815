//! The history: one entry per commit that can be rolled back, and one for the state before them.
//!
//! The addresses of the entries, newest first, are `history()`, `entry_end(history())`, … up to `len()`.
//! There is always at least one entry.

use core::ops::Range;

use gcc_grammar_artifact::ids::LexState;

use super::heads::Heads;
use super::regions::{CELL, ENTRY, Scratch};
use crate::error::Error;

impl Scratch<'_> {
    /// Makes the list of heads, which is the only temporary, the newest entry.
    pub(crate) fn push_entry(&mut self, heads: Heads) -> Result<(), Error> {
        debug_assert_eq!(heads.start, self.bottom);
        debug_assert_eq!(heads.start + heads.count * self.head_words, self.history);
        if self.has_text() {
            self.push(self.text.len())?;
        }
        self.push(self.cells)?;
        // A list of heads takes less than the scratch, whose length fits in 31 bits.
        self.push(heads.count as u32)?;
        self.history = self.bottom;
        Ok(())
    }

    /// The heads of the newest entry.
    pub(crate) fn newest(&self) -> Heads {
        self.entry_heads(self.history)
    }

    /// Drops the newest entry, and the cells made since the entry before it.
    pub(crate) fn pop_entry(&mut self) {
        self.shorten_table(self.entry_cells(self.entry_end(self.history)));
        self.history = self.entry_end(self.history);
        self.bottom = self.history;
        self.cells = self.words[self.history + 1];
        self.text.truncate(self.entry_text(self.history));
    }

    /// The address of the newest entry.
    pub(crate) const fn history(&self) -> usize {
        self.history
    }

    pub(crate) fn entry_heads(&self, entry: usize) -> Heads {
        Heads { start: entry + self.entry_words, count: self.words[entry] as usize }
    }

    pub(crate) fn entry_end(&self, entry: usize) -> usize {
        entry + self.entry_words + self.words[entry] as usize * self.head_words
    }

    /// The number of cells in use when the entry was made.
    pub(crate) fn entry_cells(&self, entry: usize) -> u32 {
        self.words[entry + 1]
    }

    /// The length of the text when the entry was made.
    pub(crate) fn entry_text(&self, entry: usize) -> u32 {
        if self.has_text() { self.words[entry + ENTRY] } else { 0 }
    }

    pub(super) fn set_entry_cells(&mut self, entry: usize, cells: u32) {
        self.words[entry + 1] = cells;
    }

    /// Drops the oldest entries, those from address `end` on. There are no temporaries.
    pub(super) fn drop_entries_from(&mut self, end: usize) {
        debug_assert_eq!(self.bottom, self.history);
        let shift = self.words.len() - end;
        self.words.copy_within(self.history..end, self.history + shift);
        self.history += shift;
        self.bottom = self.history;
    }

    /// The words of all entries.
    pub(crate) fn history_words(&self) -> &[u32] {
        &self.words[self.history..]
    }

    /// The lexer states in the history, each with its place among the words of all entries.
    pub(crate) fn history_states(&self) -> impl Iterator<Item = (usize, LexState)> {
        let behind = |entry: &usize| Some(self.entry_end(*entry)).filter(|&end| end < self.words.len());
        core::iter::successors(Some(self.history), behind).flat_map(move |entry| {
            let heads = self.entry_heads(entry);
            let addresses = (0..heads.count).map(move |index| heads.start + self.head_words * index);
            addresses.map(|address| (address - self.history, LexState(self.words[address])))
        })
    }

    /// The heads of an entry that is not trusted yet; `None` if it would end beyond the scratch.
    pub(crate) fn untrusted_heads(&self, entry: usize) -> Option<Heads> {
        let count = *self.words.get(entry)? as usize;
        let end = count.checked_mul(self.head_words)?.checked_add(entry + self.entry_words)?;
        (end <= self.words.len()).then_some(Heads { start: entry + self.entry_words, count })
    }

    /// Makes the temporaries, which are a list of entries, the history.
    pub(crate) fn adopt_history(&mut self) {
        self.history = self.bottom;
    }

    /// Copies cells, marks and history from another scratch, but not its temporaries.
    pub(crate) fn copy_from(&mut self, other: &Scratch<'_>) -> Result<(), Error> {
        if other.used() > self.words.len() {
            return Err(Error::ScratchFull);
        }
        let cells: Range<usize> = 0..other.cells as usize * CELL;
        self.words[cells.clone()].copy_from_slice(&other.words[cells]);
        self.text.copy_from(&other.text)?;
        self.history = self.words.len() - (other.words.len() - other.history);
        self.bottom = self.history;
        self.cells = other.cells;
        self.epoch = other.epoch;
        self.work = other.work;
        let history = self.history;
        self.words[history..].copy_from_slice(other.history_words());
        Ok(())
    }
}
