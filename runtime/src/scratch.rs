//! The caller's memory: cells of the stack forest, history of heads.
//!
//! ```text
//!  words  0                 4·cells            bottom          history                  len
//!         │ cell 0 │ cell 1 │ … │     free     │  temporaries   │ newest entry │ … │ oldest │
//!         └── stack forest ─────┘ ──▶      ◀── └── heads being computed, lists ──┘
//! ```
//! **Cells.** A node of the forest is a list of cells, one per parent: `(LR state, parent, rest)`, where `rest` is the
//! list of the other parents. Lists are never changed: adding a parent makes a new cell in front of the old list. So
//! 1. `parent` and `rest` of cell `i` are less than `i`, or none: the forest is acyclic, and everything that a node
//!    reaches lies below it;
//! 2. all cells of a list have the same LR state;
//! 3. a node, once made, means the same for ever: forgetting the newest cells is all that rolling back takes.
//!
//! **Entries.** One per commit, and one for the beginning: `[head count, cells then in use, (lexer state, node)…]`.
//! Heads that are being computed are such a list of pairs, too, without the two numbers in front.

use core::ops::Range;

use gcc_grammar_artifact::ids::{LexState, LrState};

use crate::error::Error;

/// Words per cell: LR state, parent, rest, mark.
const CELL: usize = 4;
/// Words in front of the heads of an entry.
const ENTRY: usize = 2;
/// Words per head.
const HEAD: usize = 2;

/// A node of the stack forest: the first cell of its list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Node(pub(crate) u32);

impl Node {
    /// Where no parent or no further alternative is.
    pub(crate) const NONE: u32 = u32::MAX;

    /// Reads a parent or rest.
    pub(crate) fn some(number: u32) -> Option<Self> {
        (number != Self::NONE).then_some(Self(number))
    }

    const fn word(self) -> usize {
        self.0 as usize * CELL
    }
}

/// A lexer state with the top of a parser stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub(crate) lex: LexState,
    pub(crate) node: Node,
}

/// A list of heads in the scratch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heads {
    start: usize,
    pub(crate) count: usize,
}

/// How much is in use: what is restored when an operation fails.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checkpoint {
    cells: u32,
    history: usize,
}

/// The caller's memory, laid out as in the [module docs](self).
#[derive(Debug)]
pub(crate) struct Scratch<'s> {
    words: &'s mut [u32],
    /// `cells * CELL <= bottom <= history <= words.len()`.
    cells: u32,
    bottom: usize,
    history: usize,
    /// The highest mark that a cell may have.
    epoch: u32,
}

impl<'s> Scratch<'s> {
    /// Takes the memory, whatever is in it. Cells are numbered by 31 bits, what is beyond them stays unused.
    pub(crate) fn new(words: &'s mut [u32]) -> Self {
        let usable = words.len().min(i32::MAX as usize);
        let words = &mut words[..usable];
        Self { cells: 0, bottom: usable, history: usable, epoch: 0, words }
    }

    pub(crate) fn clear(&mut self) {
        self.cells = 0;
        self.history = self.words.len();
        self.bottom = self.history;
    }

    pub(crate) const fn cells(&self) -> u32 {
        self.cells
    }

    /// What to [restore](Self::restore). There are no temporaries.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        debug_assert_eq!(self.bottom, self.history);
        Checkpoint { cells: self.cells, history: self.history }
    }

    /// Forgets all cells, entries and temporaries made since.
    pub(crate) fn restore(&mut self, checkpoint: Checkpoint) {
        self.cells = checkpoint.cells;
        self.history = checkpoint.history;
        self.bottom = checkpoint.history;
    }

    /// Drops all temporaries.
    pub(crate) fn drop_temporaries(&mut self) {
        self.bottom = self.history;
    }
}

/// The stack forest.
impl Scratch<'_> {
    #[inline]
    pub(crate) fn lr(&self, node: Node) -> LrState {
        LrState(self.words[node.word()])
    }

    #[inline]
    pub(crate) fn parent(&self, cell: Node) -> Option<Node> {
        Node::some(self.words[cell.word() + 1])
    }

    #[inline]
    pub(crate) fn rest(&self, cell: Node) -> Option<Node> {
        Node::some(self.words[cell.word() + 2])
    }

    /// Makes a cell.
    pub(crate) fn push_cell(
        &mut self,
        lr: LrState,
        parent: Option<Node>,
        rest: Option<Node>,
    ) -> Result<Node, Error> {
        let node = Node(self.cells);
        let start = node.word();
        if self.bottom - start < CELL {
            return Err(Error::ScratchFull);
        }
        let number = |node: Option<Node>| node.map_or(Node::NONE, |node| node.0);
        self.words[start..start + CELL].copy_from_slice(&[lr.0, number(parent), number(rest), 0]);
        self.cells += 1;
        Ok(node)
    }

    /// Whether `parent` is a parent of `node`.
    pub(crate) fn has_parent(&self, node: Node, parent: Option<Node>) -> bool {
        let mut cell = Some(node);
        while let Some(current) = cell {
            if self.parent(current) == parent {
                return true;
            }
            cell = self.rest(current);
        }
        false
    }

    /// The node that has the parents of both; both have the same LR state.
    pub(crate) fn merge(&mut self, node: Node, other: Node) -> Result<Node, Error> {
        let mut merged = node;
        let mut cell = Some(other);
        while let Some(current) = cell {
            let parent = self.parent(current);
            if !self.has_parent(merged, parent) {
                merged = self.push_cell(self.lr(node), parent, Some(merged))?;
            }
            cell = self.rest(current);
        }
        Ok(merged)
    }

    /// Forgets the cells from `cells` on.
    pub(crate) fn truncate_cells(&mut self, cells: u32) {
        debug_assert!(cells <= self.cells);
        self.cells = cells;
    }

    /// Starts a round of [`mark_once`](Self::mark_once).
    pub(crate) fn new_marks(&mut self) {
        self.first_free_mark();
        self.epoch += 1;
    }

    /// The mark from which on no cell has one. There is room for as many as there are words.
    pub(crate) fn first_free_mark(&mut self) -> u32 {
        if self.epoch > u32::MAX / 2 {
            self.clear_marks();
        }
        self.epoch + 1
    }

    /// Gives a node the next free mark.
    pub(crate) fn give_next_mark(&mut self, node: Node) {
        self.epoch += 1;
        self.set_mark(node, self.epoch);
    }

    /// Marks a node; whether it was not marked yet in this round.
    pub(crate) fn mark_once(&mut self, node: Node) -> bool {
        let mark = &mut self.words[node.word() + 3];
        let first = *mark != self.epoch;
        *mark = self.epoch;
        first
    }

    fn clear_marks(&mut self) {
        for cell in 0..self.cells {
            self.set_mark(Node(cell), 0);
        }
        self.epoch = 0;
    }

    /// Whether a node was marked in this round.
    pub(crate) fn is_marked(&self, node: Node) -> bool {
        self.mark(node) == self.epoch
    }

    pub(crate) fn mark(&self, node: Node) -> u32 {
        self.words[node.word() + 3]
    }

    pub(crate) fn set_mark(&mut self, node: Node, mark: u32) {
        self.words[node.word() + 3] = mark;
    }

    /// LR state, parent and rest of a cell, as numbers.
    pub(crate) fn cell(&self, node: Node) -> [u32; 3] {
        let start = node.word();
        [self.words[start], self.words[start + 1], self.words[start + 2]]
    }

    /// Overwrites a cell, the mark with 0.
    pub(crate) fn set_cell(&mut self, node: Node, [lr, parent, rest]: [u32; 3]) {
        let start = node.word();
        self.words[start..start + CELL].copy_from_slice(&[lr, parent, rest, 0]);
    }
}

/// Temporaries: a stack of words that grows downwards from the history.
impl Scratch<'_> {
    /// Where the temporaries end now; a list pushed from here on lies in `self.bottom()..here`.
    pub(crate) const fn bottom(&self) -> usize {
        self.bottom
    }

    /// Drops the temporaries below `bottom`.
    pub(crate) fn drop_to(&mut self, bottom: usize) {
        debug_assert!(self.bottom <= bottom && bottom <= self.history);
        self.bottom = bottom;
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

    /// Moves the lowest `len` temporaries up so that they end at `end`, dropping those in between.
    pub(crate) fn slide(&mut self, len: usize, end: usize) {
        debug_assert!(self.bottom + len <= end && end <= self.history);
        // From the top down, since the ranges may overlap. Lists are short: no call of `memmove`.
        for offset in 1..=len {
            self.words[end - offset] = self.words[self.bottom + len - offset];
        }
        self.bottom = end - len;
    }
}

/// Lists of heads.
impl Scratch<'_> {
    /// An empty list at the bottom of the temporaries.
    pub(crate) const fn no_heads(&self) -> Heads {
        Heads { start: self.bottom, count: 0 }
    }

    #[inline]
    pub(crate) fn head(&self, heads: Heads, index: usize) -> Head {
        let address = heads.start + HEAD * index;
        Head { lex: LexState(self.words[address]), node: Node(self.words[address + 1]) }
    }

    pub(crate) fn set_head(&mut self, heads: Heads, index: usize, head: Head) {
        let address = heads.start + HEAD * index;
        self.words[address] = head.lex.0;
        self.words[address + 1] = head.node.0;
    }

    /// Adds a head to the list at the bottom of the temporaries.
    pub(crate) fn push_head(&mut self, heads: &mut Heads, head: Head) -> Result<(), Error> {
        debug_assert_eq!(heads.start, self.bottom);
        self.push(head.node.0)?;
        self.push(head.lex.0)?;
        *heads = Heads { start: self.bottom, count: heads.count + 1 };
        Ok(())
    }

    /// Moves the list at the bottom of the temporaries to their top, dropping all others.
    pub(crate) fn only_heads(&mut self, heads: Heads) -> Heads {
        debug_assert_eq!(heads.start, self.bottom);
        self.slide(heads.count * HEAD, self.history);
        Heads { start: self.bottom, count: heads.count }
    }

    /// Shortens the list, which is the only temporary, to its first `count` heads.
    pub(crate) fn truncate_heads(&mut self, heads: Heads, count: usize) -> Heads {
        let len = count * HEAD;
        self.words.copy_within(heads.start..heads.start + len, self.history - len);
        self.bottom = self.history - len;
        Heads { start: self.bottom, count }
    }
}

/// The history.
impl Scratch<'_> {
    /// Replaces all temporaries by a list of one head.
    pub(crate) fn only_head(&mut self, head: Head) -> Result<Heads, Error> {
        self.drop_temporaries();
        let mut heads = self.no_heads();
        self.push_head(&mut heads, head)?;
        Ok(heads)
    }

    /// Makes the list of heads, which is the only temporary, the newest entry.
    pub(crate) fn push_entry(&mut self, heads: Heads) -> Result<(), Error> {
        debug_assert_eq!(heads.start, self.bottom);
        debug_assert_eq!(heads.start + heads.count * HEAD, self.history);
        self.push(self.cells)?;
        // A list of heads takes less than the scratch, whose length fits in 31 bits.
        self.push(heads.count as u32)?;
        self.history = self.bottom;
        Ok(())
    }

    /// The heads of the newest entry; there always is one.
    pub(crate) fn newest(&self) -> Heads {
        self.entry_heads(self.history)
    }

    /// Drops the newest entry, and the cells made since the one before it.
    pub(crate) fn pop_entry(&mut self) {
        self.history = self.entry_end(self.history);
        self.bottom = self.history;
        self.cells = self.words[self.history + 1];
    }

    /// Addresses of the entries, newest first, are `history()`, `entry_end(history())`, … up to `len()`.
    pub(crate) const fn history(&self) -> usize {
        self.history
    }

    pub(crate) const fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn entry_heads(&self, entry: usize) -> Heads {
        Heads { start: entry + ENTRY, count: self.words[entry] as usize }
    }

    pub(crate) fn entry_end(&self, entry: usize) -> usize {
        entry + ENTRY + self.words[entry] as usize * HEAD
    }

    /// How many cells were in use when the entry was made.
    pub(crate) fn entry_cells(&self, entry: usize) -> u32 {
        self.words[entry + 1]
    }

    pub(crate) fn set_entry_cells(&mut self, entry: usize, cells: u32) {
        self.words[entry + 1] = cells;
    }

    /// Drops the entries from address `end` on: the oldest ones. There are no temporaries.
    pub(crate) fn drop_entries_from(&mut self, end: usize) {
        debug_assert_eq!(self.bottom, self.history);
        let shift = self.words.len() - end;
        self.words.copy_within(self.history..end, self.history + shift);
        self.history += shift;
        self.bottom = self.history;
    }

    /// Words in use.
    pub(crate) fn used(&self) -> usize {
        self.cells as usize * CELL + self.words.len() - self.history
    }

    /// The history's words.
    pub(crate) fn history_words(&self) -> &[u32] {
        &self.words[self.history..]
    }

    /// The heads of what may be an entry, if it ends within the scratch.
    pub(crate) fn stored_heads(&self, entry: usize) -> Option<Heads> {
        let count = *self.words.get(entry)? as usize;
        let end = count.checked_mul(HEAD)?.checked_add(entry + ENTRY)?;
        (end <= self.words.len()).then_some(Heads { start: entry + ENTRY, count })
    }

    /// Makes the temporaries, which are a list of entries, the history.
    pub(crate) fn accept_history(&mut self) {
        self.history = self.bottom;
    }

    /// Takes over everything from another scratch; temporaries are not copied.
    pub(crate) fn copy_from(&mut self, other: &Scratch<'_>) -> Result<(), Error> {
        if other.used() > self.words.len() {
            return Err(Error::ScratchFull);
        }
        let cells: Range<usize> = 0..other.cells as usize * CELL;
        self.words[cells.clone()].copy_from_slice(&other.words[cells]);
        self.history = self.words.len() - (other.words.len() - other.history);
        self.bottom = self.history;
        self.cells = other.cells;
        self.epoch = other.epoch;
        let history = self.history;
        self.words[history..].copy_from_slice(other.history_words());
        Ok(())
    }
}
