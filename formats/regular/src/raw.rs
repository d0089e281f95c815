//! Deterministic automata as the constructions leave them: not yet minimal, not yet in canonical form.
//!
//! The subset construction, the product construction, [`Dfa::explore`] and the builder of sorted words produce a
//! [`RawDfa`]; [`minimize`](crate::minimize) consumes it. This file also does the renumbering that makes a *minimal*
//! automaton canonical: [`RawDfa::canonical`] unites equal byte classes and numbers the states breadth first.

use crate::cycles::before_cycles;
use crate::dfa::{Dfa, NONE};

/// A deterministic automaton that may have equivalent states and states that cannot reach acceptance.
///
/// State 0 is the start, except where [`RawDfa::canonical`] is given another one. All states are reachable, except
/// before [`RawDfa::reachable`].
#[derive(Debug)]
pub(crate) struct RawDfa {
    /// The class of each byte.
    pub(crate) classes: Box<[u8; 256]>,
    pub(crate) class_count: usize,
    /// Row-major `[state][class]`: target + 1, or [`NONE`].
    pub(crate) table: Vec<u32>,
    pub(crate) accepting: Vec<bool>,
}

impl RawDfa {
    /// The canonical automaton of the same language. This one must be minimal and trimmed, with its start at `start`.
    pub(crate) fn canonical(self, start: u32) -> Dfa {
        let Self { classes, class_count, table, accepting } = self.merge_classes().reachable_from(start);
        Dfa::from_canonical(classes, class_count, table, accepting)
    }

    /// The automaton of the reachable states, numbered breadth first.
    pub(crate) fn reachable(self) -> Self {
        self.reachable_from(0)
    }

    pub(crate) fn row(&self, state: u32) -> &[u32] {
        let start = state as usize * self.class_count;
        &self.table[start..start + self.class_count]
    }

    fn reachable_from(self, start: u32) -> Self {
        let order = self.breadth_first(start);
        let is_ordered = order.iter().enumerate().all(|(new, &old)| new as u32 == old);
        if is_ordered && order.len() == self.accepting.len() {
            return self;
        }
        let mut number = vec![NONE; self.accepting.len()];
        for (new, &old) in order.iter().enumerate() {
            number[old as usize] = new as u32 + 1;
        }
        let mut table = Vec::with_capacity(order.len() * self.class_count);
        for &old in &order {
            table.extend(
                self.row(old).iter().map(|&cell| if cell == NONE { NONE } else { number[cell as usize - 1] }),
            );
        }
        let accepting = order.iter().map(|&old| self.accepting[old as usize]).collect();
        Self { classes: self.classes, class_count: self.class_count, table, accepting }
    }

    /// The states reachable from `start`, breadth first in class order.
    fn breadth_first(&self, start: u32) -> Vec<u32> {
        let mut seen = vec![false; self.accepting.len()];
        seen[start as usize] = true;
        let mut order = vec![start];
        let mut next = 0;
        while next < order.len() {
            for target in self.row(order[next]).iter().filter_map(|cell| cell.checked_sub(1)) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    order.push(target);
                }
            }
            next += 1;
        }
        order
    }

    /// The states that no cycle leads to, each before its targets. All states must be reachable.
    pub(crate) fn before_cycles(&self) -> Vec<u32> {
        before_cycles(&self.table, self.class_count, self.accepting.len())
    }

    /// Unites the classes with equal columns and numbers the classes by their least bytes.
    pub(crate) fn merge_classes(self) -> Self {
        let mut columns = Columns::new(self.class_count);
        self.table.chunks_exact(self.class_count).for_each(|row| columns.split(row));
        if self.has_ordered_classes() && columns.are_distinct() {
            return self;
        }
        let (classes, representatives) = columns.merged(&self.classes);
        let class_count = representatives.len();
        let mut table = Vec::with_capacity(self.accepting.len() * class_count);
        for row in self.table.chunks_exact(self.class_count) {
            table.extend(representatives.iter().map(|&class| row[class]));
        }
        Self { classes, class_count, table, accepting: self.accepting }
    }

    /// Whether the classes are numbered by their least bytes.
    fn has_ordered_classes(&self) -> bool {
        let mut seen = 0;
        let in_order = self.classes.iter().all(|&class| {
            let class = usize::from(class);
            seen += usize::from(class == seen);
            class < seen
        });
        in_order && seen == self.class_count
    }
}

/// Which classes have equal columns in the rows so far: for each class, the least of them.
pub(crate) struct Columns(Vec<u32>);

impl Columns {
    pub(crate) fn new(class_count: usize) -> Self {
        Self(vec![0; class_count])
    }

    /// Separates the classes of a group that differ in `row`.
    pub(crate) fn split(&mut self, row: &[u32]) {
        let group = &mut self.0;
        // At most as many rows as there are classes split a group; all others cost one comparison per class.
        if row.iter().zip(&*group).all(|(&cell, &leader)| cell == row[leader as usize]) {
            return;
        }
        // The classes that are like their leader stay with it. There are few new leaders, so a linear search is faster than hashing.
        let mut leaders: Vec<(u32, u32, u32)> = Vec::new();
        for class in 0..group.len() {
            let (leader, cell) = (group[class], row[class]);
            if cell == row[leader as usize] {
                continue;
            }
            let known = leaders.iter().find(|&&(group, known, _)| (group, known) == (leader, cell));
            group[class] = known.map_or(class as u32, |&(_, _, leader)| leader);
            if group[class] == class as u32 {
                leaders.push((leader, cell, class as u32));
            }
        }
    }

    pub(crate) fn are_distinct(&self) -> bool {
        self.0.iter().enumerate().all(|(class, &least)| class == least as usize)
    }

    /// The united class of each byte, where these were the classes so far, and one of the old classes for each; numbered by their least bytes.
    pub(crate) fn merged(&self, old: &[u8; 256]) -> (Box<[u8; 256]>, Vec<usize>) {
        let mut number = vec![None; self.0.len()];
        let mut representatives = Vec::new();
        let mut classes = Box::new([0u8; 256]);
        for byte in 0..256 {
            if byte > 0 && old[byte] == old[byte - 1] {
                classes[byte] = classes[byte - 1];
                continue;
            }
            let leader = self.0[usize::from(old[byte])] as usize;
            classes[byte] = *number[leader].get_or_insert_with(|| {
                representatives.push(leader);
                (representatives.len() - 1) as u8
            });
        }
        (classes, representatives)
    }
}

/// Writes a row with its targets renumbered. A target without a number is left out.
pub(crate) fn renumber(to: &mut [u32], row: &[u32], number: &[u32]) {
    let cell = |&cell: &u32| cell.checked_sub(1).map_or(NONE, |target| number[target as usize]);
    to.iter_mut().zip(row).for_each(|(to, old)| *to = cell(old));
}
