//! Saved matchers: the state of a generation as bytes, to continue it in another process or on another
//! machine.
//!
//! ```text
//! Prefix │ cells: LR state, parent, rest │ history, as in the scratch │ XXH3-64 of everything before
//! ```
//! All numbers are little-endian and 32 bits wide, except for the numbers that the prefix declares. They are states of the lexer and of the LR
//! tables, and nothing else: so the bytes are the same wherever masks come from, and for every artifact with the same parser
//! ([`GrammarView::parser_checksum`]), which restoring compares. Saved bytes may come from
//! anywhere, so restoring also checks every number that later operations use as an index; forged bytes can
//! give wrong masks, but no panic.

use gcc_grammar_artifact::container::checksum;
use gcc_grammar_artifact::ids::LrState;
use gcc_grammar_artifact::{GrammarView, record};

use crate::budget::{Search, TokenBudget};
use crate::engine::Engine;
use crate::error::Error;
use crate::matcher::{Matcher, Progress};
use crate::scratch::{Heads, Node, Scratch};

record! {
    /// The first bytes of a saved matcher.
    struct Prefix {
        /// `GCCS`.
        magic: [u8; 4],
        /// 3.
        version: u32,
        /// The checksum of the parser.
        parser: u64,
        /// Commits so far.
        committed: u64,
        /// Commits that can no longer be rolled back.
        floor: u64,
        /// Commits after which the budget ends; 2^64 - 1 if there is none.
        budget: u64,
        /// How many commits before the furthest one can be rolled back.
        max_rollback: u32,
        /// Cells that follow.
        cells: u32,
        /// Words of history that follow the cells.
        history: u32,
    }
}

/// Saved matchers with more commits are forged: counting to half of 2^64 takes centuries. Later commits add to
/// the number, and it must not overflow.
const MAX_COMMITS: u64 = u64::MAX / 2;

const MAGIC: [u8; 4] = *b"GCCS";
const VERSION: u32 = 3;
/// Bytes per cell.
const CELL: usize = 12;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;

impl<'a> Matcher<'a, '_> {
    /// Saves the matcher and returns how many bytes of the buffer were written. The scratch is compacted
    /// first.
    ///
    /// The bytes hold the heads, the number of commits, the history that can still be rolled back, `max_rollback` and the
    /// budget. They do not hold the engine: [`restore`](Self::restore) is given one with the same
    /// parser.
    ///
    /// # Errors
    /// [`Error::BufferTooShort`] says how many bytes are needed.
    pub fn save(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.scratch.compact(self.available_rollback());
        self.budget.forget_cells();
        let prefix = self.prefix();
        let needed = saved_len(&prefix);
        let target = buffer.get_mut(..needed).ok_or(Error::BufferTooShort { needed })?;
        let (content, sum) = target.split_at_mut(needed - CHECKSUM);
        let (start, rest) = content.split_at_mut(Prefix::SIZE);
        start.copy_from_slice(&prefix.write());
        let (cells, history) = rest.split_at_mut(prefix.cells as usize * CELL);
        for (cell, target) in (0..prefix.cells).zip(cells.chunks_exact_mut(CELL)) {
            put_words(target, &self.scratch.cell(Node(cell)));
        }
        put_words(history, self.scratch.history_words());
        sum.copy_from_slice(&checksum(content).to_le_bytes());
        Ok(needed)
    }

    fn prefix(&self) -> Prefix {
        Prefix {
            magic: MAGIC,
            version: VERSION,
            parser: self.engine.grammar.parser_checksum(),
            committed: self.progress.committed,
            floor: self.progress.floor,
            budget: self.budget.end.unwrap_or(u64::MAX),
            max_rollback: self.max_rollback,
            cells: self.scratch.cells(),
            history: self.scratch.history_words().len() as u32,
        }
    }

    /// Restores a saved matcher, after checking everything that later operations rely on. It continues as the
    /// saved one would have: the same masks, the same commits available to [`rollback`](Self::rollback).
    ///
    /// # Errors
    /// [`Error::NotASavedMatcher`] if the bytes are damaged or something else; [`Error::OtherArtifact`] if
    /// the engine has another parser; [`Error::NoBudgets`] if the matcher had a budget and the engine knows no costs; [`Error::ScratchFull`], after which a larger scratch can
    /// be given.
    pub fn restore<'t>(
        engine: &'a Engine<'a>,
        scratch: &'t mut [u32],
        bytes: &[u8],
    ) -> Result<Matcher<'a, 't>, Error> {
        let (prefix, body) = open(bytes)?;
        if engine.grammar.parser_checksum() != prefix.parser {
            return Err(Error::OtherArtifact);
        }
        let mut scratch = Scratch::new(scratch, engine.grammar.ages());
        let (cells, history) = body.split_at(prefix.cells as usize * CELL);
        for cell in cells.as_chunks().0 {
            scratch.restore_cell(&engine.grammar, cell)?;
        }
        for word in history.as_chunks().0.iter().rev() {
            scratch.push(u32::from_le_bytes(*word))?;
        }
        let Prefix { max_rollback, committed, floor, budget, .. } = prefix;
        let commits = committed.checked_sub(floor).ok_or(Error::NotASavedMatcher)?;
        if committed > MAX_COMMITS || commits > u64::from(max_rollback) {
            return Err(Error::NotASavedMatcher);
        }
        scratch.restore_history(&engine.grammar, commits)?;
        let budget = TokenBudget::ending((budget != u64::MAX).then_some(budget));
        if budget.end.is_some() && engine.grammar.completion().is_none() {
            return Err(Error::NoBudgets);
        }
        Ok(Matcher {
            engine,
            scratch,
            max_rollback,
            progress: Progress { committed, floor },
            budget,
            search: Search::default(),
        })
    }
}

fn saved_len(prefix: &Prefix) -> usize {
    let cells = (prefix.cells as usize).saturating_mul(CELL);
    let history = (prefix.history as usize).saturating_mul(size_of::<u32>());
    cells.saturating_add(history).saturating_add(Prefix::SIZE + CHECKSUM)
}

fn put_words(target: &mut [u8], words: &[u32]) {
    for (target, word) in target.chunks_exact_mut(size_of::<u32>()).zip(words) {
        target.copy_from_slice(&word.to_le_bytes());
    }
}

/// Splits saved bytes into the prefix and the body between it and the checksum, and checks both ends.
fn open(bytes: &[u8]) -> Result<(Prefix, &[u8]), Error> {
    let (content, sum) = bytes.split_last_chunk().ok_or(Error::NotASavedMatcher)?;
    let (prefix, body) = content.split_first_chunk().ok_or(Error::NotASavedMatcher)?;
    let prefix = Prefix::read(prefix);
    let is_whole = saved_len(&prefix) == bytes.len() && checksum(content) == u64::from_le_bytes(*sum);
    if prefix.magic != MAGIC || prefix.version != VERSION || !is_whole {
        return Err(Error::NotASavedMatcher);
    }
    Ok((prefix, body))
}

/// Restoring establishes the invariants of the scratch. Bytes that do not satisfy them are not a saved
/// matcher.
impl Scratch<'_> {
    fn restore_cell(&mut self, grammar: &GrammarView<'_>, bytes: &[u8; CELL]) -> Result<(), Error> {
        let (words, _) = bytes.as_chunks();
        let [lr, parent, rest] = [0, 1, 2].map(|index: usize| u32::from_le_bytes(words[index]));
        let number = self.cells();
        let is_before = |other: u32| other < number || other == Node::NONE;
        let is_same_list = rest == Node::NONE || (is_before(rest) && self.lr(Node(rest)).0 == lr);
        if lr as usize >= grammar.counts().lr_states || !is_before(parent) || !is_same_list {
            return Err(Error::NotASavedMatcher);
        }
        self.push_cell(LrState(lr), Node::from_link(parent), Node::from_link(rest)).map(|_| ())
    }

    /// Makes the temporaries the history, if they are well-formed entries for `commits` commits.
    fn restore_history(&mut self, grammar: &GrammarView<'_>, commits: u64) -> Result<(), Error> {
        let mut entries: u64 = 0;
        let mut entry = self.bottom();
        let mut cells = self.cells();
        while entry < self.len() {
            let heads = self.untrusted_heads(entry).ok_or(Error::NotASavedMatcher)?;
            let in_use = self.entry_cells(entry);
            if in_use > cells || !self.are_valid(grammar, heads, in_use) {
                return Err(Error::NotASavedMatcher);
            }
            cells = in_use;
            entry = self.entry_end(entry);
            entries += 1;
        }
        if entries != commits.saturating_add(1) {
            return Err(Error::NotASavedMatcher);
        }
        self.adopt_history();
        Ok(())
    }

    /// Whether these can be the heads of an entry that was made when `cells` cells were in use.
    fn are_valid(&self, grammar: &GrammarView<'_>, heads: Heads, cells: u32) -> bool {
        heads.count > 0
            && (0..heads.count)
                .map(|index| self.head(heads, index))
                .all(|head| grammar.is_lex_state(head.lex) && head.node.0 < cells)
    }
}
