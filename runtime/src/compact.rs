//! Making room: dropping what no retained history can reach.
//!
//! Mark, forward, slide. Since a cell refers only to cells before it, one pass downwards marks, and one pass upwards
//! finds new numbers and rewrites what refers to them.

use crate::scratch::{Head, Heads, Node, Scratch};

/// A mark while compacting: the cell's new number, and whether the cell stays.
#[derive(Clone, Copy)]
struct Forward {
    /// The number of cells before it that stay.
    number: u32,
    stays: bool,
}

impl Forward {
    const fn to_mark(self) -> u32 {
        self.number << 1 | self.stays as u32
    }

    const fn from_mark(mark: u32) -> Self {
        Self { number: mark >> 1, stays: mark & 1 == 1 }
    }
}

impl Scratch<'_> {
    /// Drops entries that are more than `rollback` commits old, then all cells that no entry reaches. There are
    /// no temporaries.
    pub(crate) fn compact(&mut self, rollback: u64) {
        self.drop_old_entries(rollback);
        self.new_marks();
        self.each_entry_head(|scratch, heads, index| {
            let head = scratch.head(heads, index);
            scratch.mark_once(head.node);
        });
        self.mark_reached();
        let kept = self.forward_cells();
        self.forward_entries(kept);
        self.slide_cells(kept);
    }

    fn drop_old_entries(&mut self, rollback: u64) {
        let mut end = self.history();
        let mut left = rollback + 1;
        while end < self.len() && left > 0 {
            end = self.entry_end(end);
            left -= 1;
        }
        self.drop_entries_from(end);
    }

    fn each_entry_head(&mut self, mut visit: impl FnMut(&mut Self, Heads, usize)) {
        let mut entry = self.history();
        while entry < self.len() {
            let heads = self.entry_heads(entry);
            (0..heads.count).for_each(|index| visit(self, heads, index));
            entry = self.entry_end(entry);
        }
    }

    fn mark_reached(&mut self) {
        for cell in (0..self.cells()).rev().map(Node) {
            if self.is_marked(cell) {
                for below in [self.parent(cell), self.rest(cell)].into_iter().flatten() {
                    self.mark_once(below);
                }
            }
        }
    }

    /// Numbers the marked cells anew, and lets them refer to each other by their new numbers. They stay where they are.
    fn forward_cells(&mut self) -> u32 {
        let mut number = 0;
        for cell in (0..self.cells()).map(Node) {
            let stays = self.is_marked(cell);
            if stays {
                let [lr, parent, rest] = self.cell(cell);
                self.set_cell(cell, [lr, self.forwarded(parent), self.forwarded(rest)]);
            }
            self.set_mark(cell, Forward { number, stays }.to_mark());
            number += u32::from(stays);
        }
        number
    }

    /// The new number of a cell, where a cell may be none.
    fn forwarded(&self, number: u32) -> u32 {
        if number == Node::NONE { number } else { Forward::from_mark(self.mark(Node(number))).number }
    }

    fn forward_entries(&mut self, kept: u32) {
        self.each_entry_head(|scratch, heads, index| {
            let head = scratch.head(heads, index);
            let node = Node(scratch.forwarded(head.node.0));
            scratch.set_head(heads, index, Head { node, ..head });
        });
        let mut entry = self.history();
        while entry < self.len() {
            let cells = self.entry_cells(entry);
            let cells = if cells == self.cells() { kept } else { self.forwarded(cells) };
            self.set_entry_cells(entry, cells);
            entry = self.entry_end(entry);
        }
    }

    /// Moves the cells that stay to their new numbers, without their marks.
    fn slide_cells(&mut self, kept: u32) {
        for cell in (0..self.cells()).map(Node) {
            let Forward { number, stays } = Forward::from_mark(self.mark(cell));
            if stays {
                self.set_cell(Node(number), self.cell(cell));
            }
        }
        self.truncate_cells(kept);
    }
}
