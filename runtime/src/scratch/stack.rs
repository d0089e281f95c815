//! Nodes and cells of the graph-structured stack.
//!
//! A cell is made by [`Scratch::push_cell`] and never changed afterwards, except when `compact`
//! renumbers all cells. The operations here keep the invariants 1 to 3 of the [module docs](super).

use gcc_grammar_artifact::ids::LrState;

use super::regions::{CELL, Scratch};
use crate::error::Error;

/// Added to the target of a skip, which is stored in place of the rest of a cell that has none. Cells have
/// numbers below this, because a cell takes five of at most 2^31 words.
const SKIP: u32 = 1 << 30;

/// The tag of an item of a memory, stored in place of the rest of a cell.
pub(crate) const ITEM: u32 = u32::MAX - 1;

/// The tag of the name of a member.
pub(crate) const NAME: u32 = u32::MAX - 2;

/// The least tag. Those below the two others are [signatures](super::Signature) of items.
pub(crate) const TAGS: u32 = 1 << 31;

/// Marks of cells that store the DWA state of a skip have this bit, and no other marks do.
pub(super) const SKIP_MARK: u32 = 1 << 31;

/// A node of the GSS: the number of the first cell of its list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Node(pub(crate) u32);

impl Node {
    /// Stored where there is no parent, or no further cell in the list.
    pub(crate) const NONE: u32 = u32::MAX;

    /// Decodes a stored parent or rest.
    pub(crate) fn from_link(number: u32) -> Option<Self> {
        (number != Self::NONE).then_some(Self(number))
    }

    pub(super) const fn word(self) -> usize {
        self.0 as usize * CELL
    }
}

impl Scratch<'_> {
    #[inline]
    pub(crate) fn lr(&self, node: Node) -> LrState {
        LrState(self.words[node.word()])
    }

    #[inline]
    pub(crate) fn parent(&self, cell: Node) -> Option<Node> {
        Node::from_link(self.words[cell.word() + 1])
    }

    #[inline]
    pub(crate) fn rest(&self, cell: Node) -> Option<Node> {
        let number = self.words[cell.word() + 2];
        (number < SKIP).then_some(Node(number))
    }

    /// The target of the cell's skip in a DWA state, if it has one ([`deep`](crate::deep)).
    pub(crate) fn skip(&self, cell: Node, state: u32) -> Option<Node> {
        let start = cell.word();
        let (rest, mark) = (self.words[start + 2], self.words[start + 3]);
        (mark == state | SKIP_MARK && (SKIP..TAGS).contains(&rest)).then_some(Node(rest - SKIP))
    }

    /// Gives a cell a skip in a DWA state, unless it has a rest.
    pub(crate) fn set_skip(&mut self, cell: Node, state: u32, target: Node) {
        let start = cell.word();
        if self.words[start + 2] >= SKIP && state < SKIP_MARK {
            self.words[start + 2] = SKIP + target.0;
            self.words[start + 3] = state | SKIP_MARK;
        }
    }

    /// Cells in use.
    pub(crate) const fn cells(&self) -> u32 {
        self.cells
    }

    /// Makes a cell.
    pub(crate) fn push_cell(
        &mut self,
        lr: LrState,
        parent: Option<Node>,
        rest: Option<Node>,
    ) -> Result<Node, Error> {
        let number = |node: Option<Node>| node.map_or(Node::NONE, |node| node.0);
        self.push_words([lr.0, number(parent), number(rest), 0, 0])
    }

    /// Makes a cell of these words.
    pub(super) fn push_words(&mut self, words: [u32; CELL]) -> Result<Node, Error> {
        let node = Node(self.cells);
        let start = node.word();
        if self.bottom - start < CELL {
            return Err(Error::ScratchFull);
        }
        self.words[start..start + CELL].copy_from_slice(&words);
        self.cells += 1;
        Ok(node)
    }

    /// Whether `parent` is a parent of `node`.
    pub(crate) fn has_parent(&mut self, node: Node, parent: Option<Node>) -> Result<bool, Error> {
        let mut cell = Some(node);
        while let Some(current) = cell {
            self.charge(1)?;
            if self.parent(current) == parent {
                return Ok(true);
            }
            cell = self.rest(current);
        }
        Ok(false)
    }

    /// Returns a node with the parents of both nodes, which have the same LR state.
    pub(crate) fn merge(&mut self, node: Node, other: Node) -> Result<Node, Error> {
        let mut merged = node;
        let mut cell = Some(other);
        while let Some(current) = cell {
            let parent = self.parent(current);
            if !self.has_parent(merged, parent)? {
                merged = self.push_cell(self.lr(node), parent, Some(merged))?;
            }
            cell = self.rest(current);
        }
        Ok(merged)
    }

    /// Whether two nodes are the same single stack down to a cell that both have. Only cells from number `cells` on may be equal to others.
    pub(crate) fn is_same_single(&self, mut a: Node, mut b: Node, cells: u32) -> bool {
        while a != b {
            let are_old = a.0 < cells || b.0 < cells;
            if are_old || self.lr(a) != self.lr(b) || self.rest(a).is_some() || self.rest(b).is_some() {
                return false;
            }
            match (self.parent(a), self.parent(b)) {
                (Some(below_a), Some(below_b)) => (a, b) = (below_a, below_b),
                _ => return false,
            }
        }
        true
    }

    /// Drops the cells from number `cells` on.
    pub(crate) fn truncate_cells(&mut self, cells: u32) {
        debug_assert!(cells <= self.cells);
        self.cells = cells;
    }

    /// LR state, parent and rest of a cell, as stored, or the start, the item before and the tag of an item. A skip is left out.
    pub(crate) fn cell(&self, node: Node) -> [u32; 3] {
        let start = node.word();
        let rest = match self.rest(node) {
            Some(rest) => rest.0,
            None if self.is_item(node) => self.tag(node),
            None => Node::NONE,
        };
        [self.words[start], self.words[start + 1], rest]
    }

    /// Overwrites a cell by one with this last word; its mark becomes 0. The last word of an item is its end; that of another cell is a cost, and 0 where it is
    /// unknown.
    pub(super) fn set_cell(&mut self, node: Node, [lr, parent, rest]: [u32; 3], last: u32) {
        let start = node.word();
        self.words[start..start + CELL].copy_from_slice(&[lr, parent, rest, 0, last]);
    }

    /// The remembered cost to complete the text from a cell; 0 if there is none.
    #[inline]
    pub(crate) fn remembered_cost(&self, cell: Node) -> u32 {
        self.words[cell.word() + 4]
    }

    /// Remembers a cost. It depends on the cell and on what lies below, which never change.
    pub(crate) fn remember_cost(&mut self, cell: Node, cost: u32) {
        self.words[cell.word() + 4] = cost;
    }
}
