//! Marks on cells, for searches through the GSS that visit each node once.
//!
//! Every cell has a word for a mark. A search does not clear the marks of earlier ones: it starts a new
//! *epoch*, a number higher than any mark so far, and a cell counts as marked only if its mark is of that
//! epoch. Marks are cleared when the numbers run out, every 2^30 marks. The mark of a cell is also the place of a skip's DWA state (`stack`), which
//! a search may overwrite.

use super::regions::Scratch;
use super::stack::{Node, SKIP_MARK};

impl Scratch<'_> {
    /// Starts an epoch for [`mark_once`](Self::mark_once) and [`is_marked`](Self::is_marked).
    pub(crate) fn new_marks(&mut self) {
        self.first_free_mark();
        self.epoch += 1;
    }

    /// Returns a mark such that neither it nor any higher one is in use. There are more of them than words in
    /// the scratch.
    pub(crate) fn first_free_mark(&mut self) -> u32 {
        if self.epoch > SKIP_MARK / 2 {
            self.clear_marks();
        }
        self.epoch + 1
    }

    /// Gives a node the next free mark.
    pub(crate) fn give_next_mark(&mut self, node: Node) {
        self.epoch += 1;
        self.set_mark(node, self.epoch);
    }

    /// Marks a node; returns whether it was not marked yet in this epoch.
    pub(crate) fn mark_once(&mut self, node: Node) -> bool {
        let mark = &mut self.words[node.word() + 3];
        let first = *mark != self.epoch;
        *mark = self.epoch;
        first
    }

    /// Whether a node was marked in this epoch.
    pub(crate) fn is_marked(&self, node: Node) -> bool {
        self.mark(node) == self.epoch
    }

    pub(crate) fn mark(&self, node: Node) -> u32 {
        let mark = self.words[node.word() + 3];
        if mark < SKIP_MARK { mark } else { 0 }
    }

    pub(super) fn set_mark(&mut self, node: Node, mark: u32) {
        self.words[node.word() + 3] = mark;
    }

    fn clear_marks(&mut self) {
        for cell in 0..self.cells {
            self.set_mark(Node(cell), 0);
        }
        self.epoch = 0;
    }
}
