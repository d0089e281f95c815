//! Deterministic automata over bytes.

use super::minimize::{Draft, NONE};
use super::product;
use super::{ByteSet, RegularLimits, TooLarge};
use std::collections::VecDeque;

/// A minimal, trimmed deterministic automaton over bytes.
///
/// Invariants, which together make the representation of a language unique, so that `==` compares languages:
/// - State 0 is the start, every state is reachable and can reach acceptance. The one exception is the empty
///   language: a single state that does not accept.
/// - No two states accept the same set of strings.
/// - Two bytes are in one class exactly when no state tells them apart; classes are numbered in the order of
///   their least bytes, states breadth first in the order of classes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dfa {
    /// Class of each byte, `0..class_count`.
    classes: Box<[u8; 256]>,
    class_count: usize,
    /// Row-major `[state][class]`: target + 1, or 0 for none.
    table: Vec<u32>,
    /// Per state.
    accepting: Vec<bool>,
}

impl Dfa {
    /// Wraps tables that already keep the invariants.
    pub(super) fn from_canonical(
        classes: Box<[u8; 256]>,
        class_count: usize,
        table: Vec<u32>,
        accepting: Vec<bool>,
    ) -> Self {
        debug_assert_eq!(table.len(), class_count * accepting.len());
        Self { classes, class_count, table, accepting }
    }

    /// The automaton that accepts nothing.
    #[must_use]
    pub fn never() -> Self {
        Self::from_canonical(Box::new([0; 256]), 1, vec![0], vec![false])
    }

    /// The automaton that accepts the empty string only.
    #[must_use]
    pub fn empty_string() -> Self {
        Self::from_canonical(Box::new([0; 256]), 1, vec![0], vec![true])
    }

    /// The automaton that accepts every byte string.
    #[must_use]
    pub fn all() -> Self {
        Self::from_canonical(Box::new([0; 256]), 1, vec![1], vec![true])
    }

    /// The automaton that accepts exactly `text`.
    pub(super) fn literal(text: &[u8]) -> Self {
        let used: ByteSet = text.iter().copied().collect();
        let mut classes = Box::new([0; 256]);
        let mut class_count = 0;
        // The bytes that do not occur share one class, numbered by the least of them, like all others.
        let mut idle = None;
        for byte in 0..=255u8 {
            let class = if used.contains(byte) { None } else { idle };
            classes[usize::from(byte)] = class.unwrap_or(class_count as u8);
            class_count += usize::from(class.is_none());
            if !used.contains(byte) {
                idle = Some(classes[usize::from(byte)]);
            }
        }
        let mut table = vec![0; class_count * (text.len() + 1)];
        for (state, &byte) in text.iter().enumerate() {
            table[state * class_count + usize::from(classes[usize::from(byte)])] = state as u32 + 2;
        }
        let mut accepting = vec![false; text.len() + 1];
        accepting[text.len()] = true;
        Self::from_canonical(classes, class_count, table, accepting)
    }

    /// How many states there are; at least one.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.accepting.len()
    }

    /// How many classes of bytes no state tells apart; 1 to 256.
    #[must_use]
    pub fn class_count(&self) -> usize {
        self.class_count
    }

    /// The class of each byte, `0..class_count()`.
    #[must_use]
    pub fn byte_classes(&self) -> &[u8; 256] {
        &self.classes
    }

    /// Where `byte` leads from `state`, if acceptance is still possible then.
    #[must_use]
    #[inline]
    pub fn next(&self, state: u32, byte: u8) -> Option<u32> {
        self.next_by_class(state, self.classes[usize::from(byte)])
    }

    /// Where the bytes of `class` lead from `state`, if acceptance is still possible then.
    #[must_use]
    #[inline]
    pub fn next_by_class(&self, state: u32, class: u8) -> Option<u32> {
        self.row(state)[usize::from(class)].checked_sub(1)
    }

    /// Targets of `state` by class, each target + 1, 0 for none.
    #[inline]
    pub(super) fn row(&self, state: u32) -> &[u32] {
        let start = state as usize * self.class_count;
        &self.table[start..start + self.class_count]
    }

    /// Is what led to `state` in the language?
    #[must_use]
    #[inline]
    pub fn is_accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// Does it accept nothing at all?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.accepting.len() == 1 && !self.accepting[0]
    }

    /// Does it accept the empty string?
    #[must_use]
    pub fn matches_empty(&self) -> bool {
        self.accepting[0]
    }

    /// Is the language finite?
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let mut incoming = vec![0u32; self.state_count()];
        self.table.iter().filter_map(|cell| cell.checked_sub(1)).for_each(|to| incoming[to as usize] += 1);
        let mut ready: Vec<u32> = if incoming[0] == 0 { vec![0] } else { Vec::new() };
        let mut sorted = 0;
        while let Some(state) = ready.pop() {
            sorted += 1;
            for to in self.row(state).iter().filter_map(|cell| cell.checked_sub(1)) {
                incoming[to as usize] -= 1;
                if incoming[to as usize] == 0 {
                    ready.push(to);
                }
            }
        }
        sorted == self.state_count()
    }

    /// Is `text` in the language?
    #[must_use]
    pub fn accepts(&self, text: &[u8]) -> bool {
        let end = text.iter().try_fold(0, |state, &byte| self.next(state, byte));
        end.is_some_and(|state| self.is_accepting(state))
    }

    /// The runs of bytes with a common target from `state`: `(low, high, target)`, ascending, maximal.
    pub fn edges(&self, state: u32) -> impl Iterator<Item = (u8, u8, u32)> + '_ {
        let mut byte = 0u16;
        std::iter::from_fn(move || {
            while byte < 256 {
                let low = byte;
                let target = self.next(state, low as u8);
                byte += 1;
                while byte < 256 && self.next(state, byte as u8) == target {
                    byte += 1;
                }
                if let Some(target) = target {
                    return Some((low as u8, (byte - 1) as u8, target));
                }
            }
            None
        })
    }

    /// The least of the shortest strings of the language.
    #[must_use]
    pub fn shortest(&self) -> Option<Vec<u8>> {
        let mut came_from: Vec<Option<(u32, u8)>> = vec![None; self.state_count()];
        let mut queue = VecDeque::from([0u32]);
        while let Some(state) = queue.pop_front() {
            if self.is_accepting(state) {
                return Some(path_to(&came_from, state));
            }
            for (low, _, target) in self.edges(state) {
                if target != 0 && came_from[target as usize].is_none() {
                    came_from[target as usize] = Some((state, low));
                    queue.push_back(target);
                }
            }
        }
        None
    }

    /// Strings of both.
    pub fn intersect(&self, other: &Self, limits: &RegularLimits) -> Result<Self, TooLarge> {
        product::combine(self, other, product::Operation::Intersect, limits)
    }

    /// Strings of either.
    pub fn union(&self, other: &Self, limits: &RegularLimits) -> Result<Self, TooLarge> {
        product::combine(self, other, product::Operation::Union, limits)
    }

    /// Strings of this one that are not in `other`.
    pub fn difference(&self, other: &Self, limits: &RegularLimits) -> Result<Self, TooLarge> {
        product::combine(self, other, product::Operation::Difference, limits)
    }

    /// All byte strings that are not in this one.
    pub fn complement(&self, limits: &RegularLimits) -> Result<Self, TooLarge> {
        Self::all().difference(self, limits)
    }

    /// Strings of this one of which no shorter beginning is one of this one.
    #[must_use]
    pub fn shortest_matches(&self) -> Self {
        let mut table = self.table.clone();
        for (row, _) in
            table.chunks_exact_mut(self.class_count).zip(&self.accepting).filter(|(_, accepts)| **accepts)
        {
            row.fill(NONE);
        }
        let Self { classes, class_count, accepting, .. } = self.clone();
        Draft { classes, class_count, table, accepting }.reachable().minimize()
    }

    /// What may follow `text` (Brzozowski, "Derivatives of regular expressions", 1964).
    #[must_use]
    pub fn after(&self, text: &[u8]) -> Self {
        let state = text.iter().try_fold(0, |state, &byte| self.next(state, byte));
        let Some(start) = state.filter(|_| !self.is_empty()) else { return Self::never() };
        let Self { classes, class_count, mut table, mut accepting } = self.clone();
        // The new start changes places with state 0.
        for cell in table.iter_mut() {
            *cell = match *cell {
                1 => start + 1,
                cell if cell == start + 1 => 1,
                cell => cell,
            };
        }
        for class in 0..class_count {
            table.swap(class, start as usize * class_count + class);
        }
        accepting.swap(0, start as usize);
        Draft { classes, class_count, table, accepting }.reachable().minimize()
    }

    /// Strings of this one, save the empty one.
    pub fn without_empty(&self, limits: &RegularLimits) -> Result<Self, TooLarge> {
        self.difference(&Self::empty_string(), limits)
    }

    /// Is every string also in `other`? Visits at most as many pairs as the product of the numbers of states.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        product::is_subset(self, other)
    }

    /// Do they share a string? Visits at most as many pairs as the product of the numbers of states.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        product::intersects(self, other)
    }
}

fn path_to(came_from: &[Option<(u32, u8)>], mut state: u32) -> Vec<u8> {
    let mut path = Vec::new();
    while state != 0 {
        let Some((previous, byte)) = came_from[state as usize] else { break };
        path.push(byte);
        state = previous;
    }
    path.reverse();
    path
}
