//! The memory of the heads: which items of a list came before.
//!
//! A memory is a list of *items*, ranges of the text, the last one first. An item of several lexemes that has begun and not ended is *open*: the items
//! before it are those of its list, and those after it are of a list within it. An item is a cell, `(start, the item before, tag, mark, end)`, so that items are
//! dropped, copied and moved with the cells of the stack, though none of them refers to it. Lists are immutable and shared. Equal items are made once for each
//! commit, so that heads that read the same items have the same memory, and can be merged.
//!
//! The *names* of an object are cells as well, behind the item or object that is open. The tag of an item that has ended is its signature, where items are
//! compared as values.

use super::regions::Scratch;
use super::stack::{ITEM, NAME, Node, TAGS};
use super::text::Span;
use crate::error::Error;

/// The memory of a head: the last item, if there is one.
pub(crate) type Memory = Option<Node>;

/// Stored in place of the end of an open item.
pub(crate) const OPEN: u32 = u32::MAX;
/// Stored in place of the end of an open object whose keys are remembered, whose start is the number of its record.
pub(crate) const RECORD: u32 = u32::MAX - 1;
/// Stored in place of the end of a key of such an object, whose start is the number of the key.
pub(crate) const KEY: u32 = u32::MAX - 2;
/// Stored in place of the end of an open item of which infinitely many values are left.
pub(crate) const ENDLESS: u32 = u32::MAX - 3;
/// The start of an open object that has names and no record.
pub(crate) const NO_RECORD: u32 = u32::MAX;

impl Scratch<'_> {
    /// The open item that the current lexeme is in, if it is in one: the last one.
    pub(crate) fn innermost_item(&mut self, memory: Memory) -> Result<Memory, Error> {
        let mut innermost = self.innermost(memory)?;
        while let Some(open) = innermost.filter(|&open| !self.is_open_item(open)) {
            self.charge(1)?;
            innermost = self.innermost(self.item_before(open))?;
        }
        Ok(innermost)
    }

    /// The same, if it is [`OPEN`], or [`ENDLESS`].
    pub(crate) fn innermost_of(&mut self, memory: Memory, kind: u32) -> Result<Memory, Error> {
        Ok(self.innermost_item(memory)?.filter(|&item| self.item(item).end == kind))
    }

    /// The open item or object that the current lexeme is in, if it is in one: the last one. Of an object it is the last key or name.
    pub(crate) fn innermost(&mut self, memory: Memory) -> Result<Memory, Error> {
        let mut next = memory;
        while let Some(item) = next.filter(|&item| !self.is_open(item)) {
            self.charge(1)?;
            next = if self.is_table_of(item) { self.around_table() } else { self.item_before(item) };
        }
        Ok(next)
    }

    /// Whether an item is open, or belongs to an open object.
    pub(crate) fn is_open(&self, item: Node) -> bool {
        self.words[item.word() + 4] >= ENDLESS || self.is_name(item)
    }

    /// Whether an item has begun and not ended.
    pub(crate) fn is_open_item(&self, item: Node) -> bool {
        matches!(self.words[item.word() + 4], OPEN | ENDLESS)
    }

    /// Whether an item is the name of a member.
    pub(crate) fn is_name(&self, item: Node) -> bool {
        self.tag(item) == NAME
    }

    /// The items of the list that is being read: the last one.
    pub(crate) fn items_of(&self, memory: Memory) -> Memory {
        memory.filter(|&item| !self.is_open(item))
    }

    /// The names of the object that is being read: the last one.
    pub(crate) fn names_of(&mut self, memory: Memory) -> Result<Memory, Error> {
        let innermost = self.innermost(memory)?;
        Ok(innermost.filter(|&item| self.is_name(item)))
    }

    /// The item or name before one in its list or object.
    pub(crate) fn listed_before(&self, item: Node) -> Memory {
        let is_name = self.is_name(item);
        let is_alike = |before: &Node| if is_name { self.is_name(*before) } else { !self.is_open(*before) };
        self.item_before(item).filter(is_alike)
    }

    /// The place of an item in the text; the end of an open one is [`OPEN`].
    pub(crate) fn item(&self, item: Node) -> Span {
        let address = item.word();
        Span { start: self.words[address], end: self.words[address + 4] }
    }

    /// The item before an item.
    pub(crate) fn item_before(&self, item: Node) -> Memory {
        self.parent(item)
    }

    /// Whether a cell is an item.
    pub(crate) fn is_item(&self, cell: Node) -> bool {
        (TAGS..=ITEM).contains(&self.tag(cell))
    }

    /// The tag of an item; something else for other cells.
    pub(crate) fn tag(&self, cell: Node) -> u32 {
        self.words[cell.word() + 2]
    }

    /// The end of an item; 0 for other cells.
    pub(crate) fn end_of(&self, cell: Node) -> u32 {
        if self.is_item(cell) { self.words[cell.word() + 4] } else { 0 }
    }

    /// The memory with one more item.
    pub(crate) fn remember(&mut self, memory: Memory, span: Span) -> Result<Node, Error> {
        self.remember_as(memory, span, ITEM)
    }

    /// The memory with one more item, which has a tag.
    pub(crate) fn remember_as(&mut self, memory: Memory, span: Span, tag: u32) -> Result<Node, Error> {
        let committed = self.entry_cells(self.history());
        self.charge((self.cells() - committed.min(self.cells())) as usize)?;
        let is_same = |cell: &Node| {
            self.tag(*cell) == tag && self.item(*cell) == span && self.item_before(*cell) == memory
        };
        if let Some(known) = (committed..self.cells()).map(Node).find(is_same) {
            return Ok(known);
        }
        self.push_item(memory, span, tag)
    }

    /// Makes an item.
    pub(crate) fn push_item(&mut self, memory: Memory, span: Span, tag: u32) -> Result<Node, Error> {
        self.push_words([span.start, memory.map_or(Node::NONE, |item| item.0), tag, 0, span.end])
    }
}
