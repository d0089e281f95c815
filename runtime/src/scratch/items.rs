//! The memory of the cells: which items of a list came before.
//!
//! The memory of a cell is a list of *items*, ranges of the text, the last one first. An item is a cell of its own,
//! `(start, the item before, tag)`, with its end in the place of the cost, so that items are dropped, copied and moved with the cells of the stack. A
//! cell of the stack refers to the last item of its memory by its last word. Lists are immutable and shared. Equal items are made once for each
//! commit, so that heads that read the same items have the same memory, and can be merged.

use super::memory::{CELL, Scratch};
use super::stack::{ITEM, Node};
use super::text::Span;
use crate::error::Error;

/// The memory of a cell: the last item, if there is one.
pub(crate) type Memory = Option<Node>;

impl Scratch<'_> {
    /// The memory of a node.
    #[inline]
    pub(crate) fn memory(&self, node: Node) -> Memory {
        if self.has_text() { Node::from_link(self.words[self.address(node) + CELL]) } else { None }
    }

    pub(super) fn set_memory(&mut self, node: Node, memory: Memory) {
        if self.has_text() {
            let address = self.address(node);
            self.words[address + CELL] = memory.map_or(Node::NONE, |item| item.0);
        }
    }

    /// The place of an item in the text.
    pub(crate) fn item(&self, item: Node) -> Span {
        let address = self.address(item);
        Span { start: self.words[address], end: self.words[address + 4] }
    }

    /// The items of a memory, the last one first.
    pub(crate) fn next_item(&self, item: Node) -> Memory {
        self.parent(item)
    }

    /// Whether a cell is an item.
    pub(crate) fn is_item(&self, cell: Node) -> bool {
        self.has_text() && self.words[self.address(cell) + 2] == ITEM
    }

    /// The memory with one more item.
    pub(crate) fn remember(&mut self, memory: Memory, span: Span) -> Result<Node, Error> {
        let committed = self.entry_cells(self.history());
        self.charge((self.cells() - committed.min(self.cells())) as usize)?;
        let is_same =
            |cell: &Node| self.is_item(*cell) && self.item(*cell) == span && self.next_item(*cell) == memory;
        if let Some(known) = (committed..self.cells()).map(Node).find(is_same) {
            return Ok(known);
        }
        self.push_item(memory, span)
    }

    /// Makes an item.
    pub(crate) fn push_item(&mut self, memory: Memory, span: Span) -> Result<Node, Error> {
        let item = self.push_raw([span.start, memory.map_or(Node::NONE, |item| item.0), ITEM])?;
        let address = self.address(item);
        self.words[address + 4] = span.end;
        Ok(item)
    }
}
