//! Saved matchers: the state of a generation as bytes, to continue it in another process or on another
//! machine.
//!
//! ```text
//! Prefix │ cells: LR state, parent, rest │ history, as in the scratch │ text │ XXH3-64 of everything before
//! ```
//! Only grammars with lists whose items differ have a text, whose length is in the newest entry of the history; their cells have a fourth number,
//! 0, and items among them are start, item before, tag and end.
//!
//! All numbers are little-endian and 32 bits wide, except for the numbers that the prefix declares. They are states of the lexer and of the LR
//! tables, and nothing else. Lexer states have the [numbers](GrammarView::number) of the artifact, also where they are made on demand: so the bytes are the same wherever masks come from, and for every artifact with the same parser
//! ([`GrammarView::parser_checksum`]), which restoring compares. Saved bytes may come from
//! anywhere, so restoring also checks every number that later operations use as an index; forged bytes can
//! give wrong masks, but no panic.

use gcc_grammar_artifact::container::checksum;
use gcc_grammar_artifact::grammar::MOST_KEYS;
use gcc_grammar_artifact::ids::LrState;
use gcc_grammar_artifact::{GrammarView, record};

use crate::budget::{Search, TokenBudget};
use crate::engine::Engine;
use crate::error::Error;
use crate::matcher::{Matcher, Progress};
use crate::scratch::{
    ENDLESS, Head, Heads, ITEM, KEY, NAME, NO_RECORD, Node, OPEN, RECORD, Scratch, Signature, Span, TAGS,
};

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
/// Bytes per number of cells and history.
const NUMBER: usize = 4;
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
    /// [`Error::BufferTooShort`] says how many bytes are needed; [`Error::MaskOverLimit`] if states are made on demand, and the lexer as a
    /// whole exceeds a limit: states are saved by the numbers of the artifact, which there cannot be.
    pub fn save(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        self.scratch.compact(self.available_rollback());
        self.budget.forget_cells();
        let prefix = self.prefix()?;
        let text = self.scratch.text.len();
        let needed = saved_len(&prefix, self.scratch.has_text(), text);
        let target = buffer.get_mut(..needed).ok_or(Error::BufferTooShort { needed })?;
        let (content, sum) = target.split_at_mut(needed - CHECKSUM);
        let (start, rest) = content.split_at_mut(Prefix::SIZE);
        start.copy_from_slice(&prefix.write());
        let cell_bytes = cell_bytes(self.scratch.has_text());
        let (cells, rest) = rest.split_at_mut(prefix.cells as usize * cell_bytes);
        for (cell, target) in (0..prefix.cells).map(Node).zip(cells.chunks_exact_mut(cell_bytes)) {
            let [lr, parent, rest] = self.scratch.cell(cell);
            put_words(target, &[lr, parent, rest, self.scratch.end_of(cell)]);
        }
        let (history, bytes) = rest.split_at_mut(prefix.history as usize * NUMBER);
        put_words(history, self.scratch.history_words());
        self.put_numbers(history)?;
        (0..text).zip(bytes).for_each(|(at, byte)| *byte = self.scratch.text.byte(at));
        sum.copy_from_slice(&checksum(content).to_le_bytes());
        Ok(needed)
    }

    fn prefix(&self) -> Result<Prefix, Error> {
        Ok(Prefix {
            magic: MAGIC,
            version: VERSION,
            parser: self.engine.grammar.parser_checksum().ok_or(Error::MaskOverLimit)?,
            committed: self.progress.committed,
            floor: self.progress.floor,
            budget: self.budget.end.unwrap_or(u64::MAX),
            max_rollback: self.max_rollback,
            cells: self.scratch.cells(),
            history: self.scratch.history_words().len() as u32,
        })
    }

    /// Replaces the lexer states in the bytes of the history by their [numbers](GrammarView::number).
    fn put_numbers(&self, history: &mut [u8]) -> Result<(), Error> {
        for (place, lex) in self.scratch.history_states() {
            let number = self.engine.grammar.number(lex).ok_or(Error::MaskOverLimit)?;
            history[place * NUMBER..][..NUMBER].copy_from_slice(&number.0.to_le_bytes());
        }
        Ok(())
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
        if engine.grammar.parser_checksum().ok_or(Error::MaskOverLimit)? != prefix.parser {
            return Err(Error::OtherArtifact);
        }
        let mut scratch = Scratch::new(scratch, &engine.grammar);
        let (cells, history, text) =
            parts(&prefix, body, scratch.has_text()).ok_or(Error::NotASavedMatcher)?;
        text.iter().try_for_each(|&byte| scratch.text.push(byte))?;
        for cell in cells.chunks_exact(cell_bytes(scratch.has_text())) {
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

/// Bytes per cell.
const fn cell_bytes(has_text: bool) -> usize {
    if has_text { 4 * NUMBER } else { 3 * NUMBER }
}

fn saved_len(prefix: &Prefix, has_text: bool, text: u32) -> usize {
    let cells = (prefix.cells as usize).saturating_mul(cell_bytes(has_text));
    let history = (prefix.history as usize).saturating_mul(NUMBER);
    cells.saturating_add(history).saturating_add(text as usize).saturating_add(Prefix::SIZE + CHECKSUM)
}

/// The cells, the history and the text, if the body has the length of all of them.
fn parts<'b>(prefix: &Prefix, body: &'b [u8], has_text: bool) -> Option<(&'b [u8], &'b [u8], &'b [u8])> {
    let cells = (prefix.cells as usize).checked_mul(cell_bytes(has_text))?;
    let (cells, rest) = body.split_at_checked(cells)?;
    let (history, text) = rest.split_at_checked((prefix.history as usize).checked_mul(NUMBER)?)?;
    // The third number of an entry is the length of the text.
    let newest = if has_text { history.get(2 * NUMBER..3 * NUMBER)? } else { &[0; NUMBER] };
    let len = u32::from_le_bytes(newest.try_into().ok()?);
    (text.len() == len as usize).then_some((cells, history, text))
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
    let is_whole = checksum(content) == u64::from_le_bytes(*sum);
    if prefix.magic != MAGIC || prefix.version != VERSION || !is_whole {
        return Err(Error::NotASavedMatcher);
    }
    Ok((prefix, body))
}

/// Restoring establishes the invariants of the scratch. Bytes that do not satisfy them are not a saved
/// matcher.
impl Scratch<'_> {
    fn restore_cell(&mut self, grammar: &GrammarView<'_>, bytes: &[u8]) -> Result<(), Error> {
        let (words, _) = bytes.as_chunks();
        let word = |index: usize| words.get(index).map_or(Node::NONE, |word| u32::from_le_bytes(*word));
        let [lr, parent, rest, end] = [0, 1, 2, 3].map(word);
        let number = self.cells();
        let is_before = |other: u32| other < number || other == Node::NONE;
        let is_item = |link: u32| link == Node::NONE || link < number && self.is_item(Node(link));
        if self.has_text() && (TAGS..=ITEM).contains(&rest) {
            let span = Span { start: lr, end };
            let is_in_open = || parent < number && self.is_open(Node(parent));
            let is_right = match end {
                RECORD => grammar.distinct().record(lr).is_some() || lr == NO_RECORD,
                KEY => lr <= MOST_KEYS && is_in_open(),
                OPEN | ENDLESS => lr <= self.text.len(),
                _ => lr <= end && end <= self.text.len() && (rest != NAME || is_in_open()),
            };
            if !is_right || !is_item(parent) {
                return Err(Error::NotASavedMatcher);
            }
            let has_tag = end < ENDLESS && (rest == NAME || Signature::of_tag(rest).is_some());
            let tag = if has_tag { rest } else { ITEM };
            return self.push_item(Node::from_link(parent), span, tag).map(|_| ());
        }
        let is_cell = |link: u32| is_before(link) && (link == Node::NONE || !self.is_item(Node(link)));
        let is_same_list = rest == Node::NONE || (is_cell(rest) && self.lr(Node(rest)).0 == lr);
        if lr as usize >= grammar.counts().lr_states || !is_cell(parent) || !is_same_list {
            return Err(Error::NotASavedMatcher);
        }
        self.push_cell(LrState(lr), Node::from_link(parent), Node::from_link(rest)).map(|_| ())
    }

    /// Makes the temporaries the history, if they are well-formed entries for `commits` commits.
    fn restore_history(&mut self, grammar: &GrammarView<'_>, commits: u64) -> Result<(), Error> {
        let mut entries: u64 = 0;
        let mut entry = self.bottom();
        let (mut cells, mut text) = (self.cells(), self.text.len());
        while entry < self.len() {
            let heads = self.untrusted_heads(entry).ok_or(Error::NotASavedMatcher)?;
            let in_use = self.entry_cells(entry);
            let written = self.entry_text(entry);
            if in_use > cells || written > text {
                return Err(Error::NotASavedMatcher);
            }
            self.restore_heads(grammar, heads, (in_use, written)).ok_or(Error::NotASavedMatcher)?;
            (cells, text) = (in_use, written);
            entry = self.entry_end(entry);
            entries += 1;
        }
        if entries != commits.saturating_add(1) {
            return Err(Error::NotASavedMatcher);
        }
        self.adopt_history();
        Ok(())
    }

    /// Gives the heads of an entry their lexer states. `None` if they cannot be those of one that was made when so many cells were in use, and the
    /// text had so many bytes.
    fn restore_heads(
        &mut self,
        grammar: &GrammarView<'_>,
        heads: Heads,
        (cells, text): (u32, u32),
    ) -> Option<()> {
        for index in 0..heads.count {
            let head = self.head(heads, index);
            let is_node = head.node.0 < cells && !self.is_item(head.node);
            let lex = grammar.numbered(head.lex).filter(|_| is_node && head.start <= text)?;
            self.set_head(heads, index, Head { lex, ..head });
        }
        (heads.count > 0).then_some(())
    }
}
