//! Garbage collection of the scratch, by mark and compact.
//!
//! Entries that can no longer be rolled back are dropped, then all cells that no remaining entry reaches. The
//! remaining cells keep their order and move together, so the free region becomes as large as it can be.
//! Heads, stacks and the retained history mean the same as before. No memory is needed besides the marks: a
//! cell refers only to cells with lower numbers, so one pass downwards marks everything reachable, and one
//! pass upwards numbers the cells anew and rewrites the references.

use super::heads::{Head, Heads};
use super::regions::Scratch;
use super::stack::{Node, TAGS};

/// The mark of a cell while the scratch is compacted: its new number, and whether it is kept.
#[derive(Clone, Copy)]
struct Forward {
    /// The number of kept cells before this one.
    number: u32,
    kept: bool,
}

impl Forward {
    const fn to_mark(self) -> u32 {
        self.number << 1 | self.kept as u32
    }

    const fn from_mark(mark: u32) -> Self {
        Self { number: mark >> 1, kept: mark & 1 == 1 }
    }
}

impl Scratch<'_> {
    /// Drops the entries that are more than `rollback` commits old, then all cells that no entry reaches.
    /// There are no temporaries.
    pub(crate) fn compact(&mut self, rollback: u64) {
        self.drop_old_entries(rollback);
        self.new_marks();
        self.each_head_of_entries(|scratch, heads, index| {
            let head = scratch.head(heads, index);
            scratch.mark_once(head.node);
            if let Some(item) = head.memory {
                scratch.mark_once(item);
            }
        });
        self.mark_reached();
        let kept = self.forward_cells();
        self.forward_entries(kept);
        self.forward_table();
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

    fn each_head_of_entries(&mut self, mut visit: impl FnMut(&mut Self, Heads, usize)) {
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

    /// Numbers the marked cells anew and makes them refer to each other by the new numbers, without moving
    /// them. Returns how many there are.
    fn forward_cells(&mut self) -> u32 {
        let mut number = 0;
        for cell in (0..self.cells()).map(Node) {
            let kept = self.is_marked(cell);
            if kept {
                let [lr, parent, rest] = self.cell(cell);
                let end = self.end_of(cell);
                self.set_cell(cell, [lr, self.forwarded(parent), self.forwarded(rest)], end);
            }
            self.set_mark(cell, Forward { number, kept }.to_mark());
            number += u32::from(kept);
        }
        number
    }

    /// The new number of a cell, if the reference is to a cell at all.
    fn forwarded(&self, number: u32) -> u32 {
        if number >= TAGS { number } else { Forward::from_mark(self.mark(Node(number))).number }
    }

    fn forward_entries(&mut self, kept: u32) {
        self.each_head_of_entries(|scratch, heads, index| {
            let head = scratch.head(heads, index);
            let node = Node(scratch.forwarded(head.node.0));
            let memory = head.memory.map(|item| Node(scratch.forwarded(item.0)));
            scratch.set_head(heads, index, Head { node, memory, ..head });
        });
        let mut entry = self.history();
        while entry < self.len() {
            let cells = self.entry_cells(entry);
            let cells = if cells == self.cells() { kept } else { self.forwarded(cells) };
            self.set_entry_cells(entry, cells);
            entry = self.entry_end(entry);
        }
    }

    /// The items of the table have the order that they had. If the last one is kept, so are those before it.
    fn forward_table(&mut self) {
        let Some(last) = self.table_of() else { return };
        if !Forward::from_mark(self.mark(last)).kept {
            return self.text.drop_table();
        }
        for place in 0..self.text.table().len() {
            let item = self.forwarded(self.text.table()[place]);
            self.text.with_table().1[place] = item;
        }
        let last = self.forwarded(last.0);
        self.text.set_table_of(last);
        let around = self.text.around_table().map(|around| self.forwarded(around));
        self.text.set_around_table(around);
    }

    /// Moves the kept cells to their new places and clears their marks.
    fn slide_cells(&mut self, kept: u32) {
        for cell in (0..self.cells()).map(Node) {
            let Forward { number, kept } = Forward::from_mark(self.mark(cell));
            if kept {
                self.set_cell(Node(number), self.cell(cell), self.end_of(cell));
            }
        }
        self.truncate_cells(kept);
    }
}
