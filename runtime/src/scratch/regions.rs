//! The words of the scratch and the bounds of its regions.
//!
//! A [`Scratch`] borrows the caller's words. Every other file of this folder adds the operations of one
//! region to it. Operations that need room return [`Error::ScratchFull`] when the free region is used up; a
//! [`Checkpoint`] taken before them undoes what they did until then.

use gcc_grammar_artifact::GrammarView;

use super::cases::Cases;
use super::text::Text;
use crate::error::Error;
use crate::work::Work;

/// Words per head, without its age, the start of its lexeme and its memory.
pub(super) const HEAD: usize = 2;

/// Words in front of the heads of an entry, without the length of the text.
pub(super) const ENTRY: usize = 2;

/// Words per cell: LR state, parent, rest, mark, cost.
pub(super) const CELL: usize = 5;

/// The caller's memory, laid out as described in the [module docs](super).
///
/// # Invariant
/// `cells * CELL <= bottom <= history <= words.len()`.
#[derive(Debug)]
pub(crate) struct Scratch<'s> {
    pub(super) words: &'s mut [u32],
    /// Cells in use.
    pub(super) cells: u32,
    /// The lowest word of the temporaries.
    pub(super) bottom: usize,
    /// The first word of the newest entry.
    pub(super) history: usize,
    /// Words per head.
    pub(super) head_words: usize,
    /// Words in front of the heads of an entry.
    pub(super) entry_words: usize,
    /// Where the symbol that is being read begins in the text, if that is remembered; else 0.
    pub(crate) read_from: u32,
    /// The text so far, if the grammar has lists whose items differ.
    pub(crate) text: Text<'s>,
    /// How many tokens the next symbol begins, 1 or 0; always 0 if lexemes have no ages.
    pub(crate) begun: u32,
    /// The greatest age of a lexeme: older ones are alike. 0 if lexemes have no ages.
    pub(crate) oldest: u32,
    /// Whether lexemes of different ages are different.
    pub(crate) are_ages_exact: bool,
    /// The highest mark that a cell may have.
    pub(super) epoch: u32,
    /// Whether an operation is under way that may be undone, so that its checkpoint must stay valid.
    pub(crate) is_attempting: bool,
    /// What the call may still do.
    pub(crate) work: Work,
    /// The keys that may come in the object that was asked for last.
    pub(crate) cases: Cases,
}

/// The bounds of the regions before an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    cells: u32,
    history: usize,
    text: u32,
}

impl<'s> Scratch<'s> {
    /// Takes the words, whatever they contain. Cells are numbered by 31 bits; words beyond that stay unused.
    pub(crate) fn new(words: &'s mut [u32], grammar: &GrammarView<'_>) -> Self {
        let usable = words.len().min(i32::MAX as usize);
        let ages = grammar.ages();
        let has_text = grammar.remembers();
        let words = &mut words[..usable];
        let (words, text) = if has_text { Text::split(words) } else { (words, Text::default()) };
        let usable = words.len();
        Self {
            cells: 0,
            bottom: usable,
            history: usable,
            head_words: HEAD + usize::from(ages.0 > 0) + 2 * usize::from(has_text),
            entry_words: ENTRY + usize::from(has_text),
            read_from: 0,
            text,
            begun: 0,
            oldest: ages.0,
            are_ages_exact: ages.1,
            epoch: 0,
            is_attempting: false,
            work: Work::default(),
            cases: Cases::NONE,
            words,
        }
    }

    /// A scratch that remembers the text.
    #[cfg(test)]
    pub(crate) fn with_text(words: &'s mut [u32]) -> Self {
        let (words, text) = Text::split(words);
        let len = words.len();
        Self {
            cells: 0,
            bottom: len,
            history: len,
            head_words: HEAD + 2,
            entry_words: ENTRY + 1,
            read_from: 0,
            text,
            begun: 0,
            oldest: 0,
            are_ages_exact: false,
            epoch: 0,
            is_attempting: false,
            work: Work::default(),
            cases: Cases::NONE,
            words,
        }
    }

    /// Whether lexemes have ages.
    pub(crate) const fn has_ages(&self) -> bool {
        self.oldest > 0
    }

    /// Whether the text is remembered: the grammar has lists whose items differ.
    #[inline]
    pub(crate) const fn has_text(&self) -> bool {
        self.entry_words > ENTRY
    }

    /// Empties all regions.
    pub(crate) fn clear(&mut self) {
        self.cells = 0;
        self.text.truncate(0);
        self.text.drop_table();
        self.history = self.words.len();
        self.bottom = self.history;
    }

    /// The number of words.
    pub(crate) const fn len(&self) -> usize {
        self.words.len()
    }

    /// Words in use by the GSS and the history.
    pub(crate) fn used(&self) -> usize {
        self.cells as usize * CELL + self.words.len() - self.history
    }

    /// The state to [restore](Self::restore). There are no temporaries.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        debug_assert_eq!(self.bottom, self.history);
        Checkpoint { cells: self.cells, history: self.history, text: self.text.len() }
    }

    /// Drops all cells, entries and temporaries made since the checkpoint.
    pub(crate) fn restore(&mut self, checkpoint: Checkpoint) {
        self.shorten_table(checkpoint.cells);
        self.cells = checkpoint.cells;
        self.history = checkpoint.history;
        self.text.truncate(checkpoint.text);
        self.bottom = checkpoint.history;
    }
}

/// Lending.
impl Scratch<'_> {
    /// Whether this many words are free. There are no temporaries.
    pub(crate) fn has_room(&self, words: usize) -> bool {
        self.words.len() - self.used() >= words
    }

    /// Does work on the same content in fewer words, next to a slice of `count` words, of any content. There are no temporaries before and
    /// after it, and there is room.
    pub(crate) fn lend<T>(
        &mut self,
        count: usize,
        work: impl for<'t> FnOnce(Scratch<'t>, &mut [u32]) -> (Scratch<'t>, T),
    ) -> T {
        let end = self.words.len() - count;
        self.words.copy_within(self.history.., self.history - count);
        let (words, lent) = self.words.split_at_mut(end);
        let history = self.history - count;
        let (Scratch { cells, history, epoch, work, text, .. }, done) =
            work(Scratch { words, history, bottom: history, text: self.text.lent(), ..*self }, lent);
        let table = text.in_table();
        self.words.copy_within(history..end, history + count);
        (self.cells, self.epoch, self.work) = (cells, epoch, work);
        self.text.set_in_table(table);
        self.history = history + count;
        self.bottom = self.history;
        done
    }
}

/// Temporaries.
impl Scratch<'_> {
    /// The lowest word of the temporaries. A list pushed from here on lies in `self.bottom()..here`.
    pub(crate) const fn bottom(&self) -> usize {
        self.bottom
    }

    /// Drops the temporaries below `bottom`.
    pub(crate) fn drop_to(&mut self, bottom: usize) {
        debug_assert!(self.bottom <= bottom && bottom <= self.history);
        self.bottom = bottom;
    }

    /// Drops the bytes of the text from number `len` on.
    pub(crate) fn shorten_text(&mut self, len: u32) {
        self.text.truncate(len);
    }

    /// Drops all temporaries.
    pub(crate) fn drop_temporaries(&mut self) {
        self.bottom = self.history;
    }

    pub(crate) fn push(&mut self, word: u32) -> Result<(), Error> {
        if self.bottom == self.cells as usize * CELL {
            return Err(Error::ScratchFull);
        }
        self.bottom -= 1;
        self.words[self.bottom] = word;
        Ok(())
    }

    #[inline]
    pub(crate) fn word(&self, address: usize) -> u32 {
        self.words[address]
    }

    pub(crate) fn set_word(&mut self, address: usize, word: u32) {
        self.words[address] = word;
    }

    /// Moves the lowest `len` temporaries up so that they end at `end`, and drops those in between.
    pub(crate) fn slide(&mut self, len: usize, end: usize) {
        debug_assert!(self.bottom + len <= end && end <= self.history);
        // The ranges may overlap, so the words are moved from the top down. Lists are too short for a
        // `memmove`.
        for offset in 1..=len {
            self.words[end - offset] = self.words[self.bottom + len - offset];
        }
        self.bottom = end - len;
    }
}
