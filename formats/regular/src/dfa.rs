//! Minimal deterministic finite automata over bytes, in a canonical form, and the questions one can ask them.
//!
//! Every construction of this crate ends in a [`Dfa`]. Its representation is unique for its language, so two
//! values are equal exactly when their languages are equal, and a `Dfa` can be the key of a map of languages. This
//! file holds the table and its queries; other files construct automata and combine them.

use crate::cycles::before_cycles;
use crate::sets::ByteSet;
use rustc_hash::FxHasher;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The table entry for a missing transition. All other entries are the target state + 1.
pub(crate) const NONE: u32 = 0;

/// A minimal, trimmed deterministic automaton over bytes.
///
/// ```text
///            class 0 ("a")  class 1 ("b")  class 2 (all other bytes)
///   state 0      1 + 1          -              -          start, not accepting        a b*
///   state 1      -              1 + 1          -          accepting
/// ```
/// Invariants, which together make the representation of a language unique:
/// 1. State 0 is the start. Every state is reachable and co-accessible (it can reach acceptance). The one exception is
///    the empty language: a single state that does not accept.
/// 2. No two states accept the same set of strings.
/// 3. Two bytes are in the same class exactly when no state tells them apart.
/// 4. Classes are numbered in the order of their least bytes, states breadth first in the order of classes.
#[derive(Clone, Debug)]
pub struct Dfa(Arc<Tables>);

/// The tables of an automaton, which its copies share.
#[derive(Clone, Debug)]
struct Tables {
    /// The class of each byte, `0..class_count`.
    classes: Box<[u8; 256]>,
    class_count: usize,
    /// The first byte of each maximal range of bytes of one class, ascending. They follow from the classes.
    runs: Box<[u8]>,
    /// Row-major `[state][class]`: target + 1, or [`NONE`].
    table: Vec<u32>,
    /// Whether each state accepts.
    accepting: Vec<bool>,
    /// The hash of classes, states and transitions: maps of languages ask for it each time that they grow.
    hash: u64,
}

impl PartialEq for Dfa {
    fn eq(&self, other: &Self) -> bool {
        let (one, other) = (&*self.0, &*other.0);
        std::ptr::eq(one, other)
            || (one.hash, &one.classes, &one.accepting, &one.table)
                == (other.hash, &other.classes, &other.accepting, &other.table)
    }
}

impl Eq for Dfa {}

impl Hash for Dfa {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

impl Dfa {
    /// Wraps tables that already keep the invariants.
    pub(crate) fn from_canonical(
        classes: Box<[u8; 256]>,
        class_count: usize,
        table: Vec<u32>,
        accepting: Vec<bool>,
    ) -> Self {
        debug_assert_eq!(table.len(), class_count * accepting.len());
        let (mut runs, mut count) = ([0; 256], 1);
        for byte in 1..=255u8 {
            runs[count] = byte;
            count += usize::from(classes[usize::from(byte)] != classes[usize::from(byte - 1)]);
        }
        let runs = runs[..count].into();
        let mut hasher = FxHasher::default();
        (&classes, &table, &accepting).hash(&mut hasher);
        Self(Arc::new(Tables { classes, class_count, runs, table, accepting, hash: hasher.finish() }))
    }

    /// The automaton of the empty language: it accepts nothing.
    #[must_use]
    pub fn never() -> Self {
        Self::from_canonical(Box::new([0; 256]), 1, vec![NONE], vec![false])
    }

    /// The automaton that accepts only the empty string.
    #[must_use]
    pub fn empty_string() -> Self {
        Self::from_canonical(Box::new([0; 256]), 1, vec![NONE], vec![true])
    }

    /// The automaton that accepts every byte string.
    #[must_use]
    pub fn all() -> Self {
        Self::from_canonical(Box::new([0; 256]), 1, vec![1], vec![true])
    }

    /// The automaton that accepts exactly `text`.
    pub(crate) fn literal(text: &[u8]) -> Self {
        let used: ByteSet = text.iter().copied().collect();
        let mut classes = Box::new([0; 256]);
        let mut class_count = 0;
        // All bytes that do not occur in the text share one class, which the least of them opens.
        let mut unused_class = None;
        for byte in 0..=255u8 {
            let class = if used.contains(byte) { None } else { unused_class };
            classes[usize::from(byte)] = class.unwrap_or(class_count as u8);
            class_count += usize::from(class.is_none());
            if !used.contains(byte) {
                unused_class = Some(classes[usize::from(byte)]);
            }
        }
        let mut table = vec![NONE; class_count * (text.len() + 1)];
        for (state, &byte) in text.iter().enumerate() {
            table[state * class_count + usize::from(classes[usize::from(byte)])] = state as u32 + 2;
        }
        let mut accepting = vec![false; text.len() + 1];
        accepting[text.len()] = true;
        Self::from_canonical(classes, class_count, table, accepting)
    }

    /// The number of states, at least 1.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.0.accepting.len()
    }

    /// The number of byte classes, 1 to 256.
    #[must_use]
    pub fn class_count(&self) -> usize {
        self.0.class_count
    }

    /// The number of states times the number of byte classes: the size of the table.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.0.table.len()
    }

    /// The class of each byte, `0..class_count()`.
    #[must_use]
    pub fn byte_classes(&self) -> &[u8; 256] {
        &self.0.classes
    }

    /// The target of `state` on `byte`; `None` if no string of the language continues like this.
    #[must_use]
    #[inline]
    pub fn next(&self, state: u32, byte: u8) -> Option<u32> {
        self.next_by_class(state, self.0.classes[usize::from(byte)])
    }

    /// The target of `state` on the bytes of `class`; `None` if no string of the language continues like this.
    #[must_use]
    #[inline]
    pub fn next_by_class(&self, state: u32, class: u8) -> Option<u32> {
        self.row(state)[usize::from(class)].checked_sub(1)
    }

    /// The targets of `state`, by class.
    #[inline]
    pub fn targets(&self, state: u32) -> impl ExactSizeIterator<Item = Option<u32>> + '_ {
        self.row(state).iter().map(|cell| cell.checked_sub(1))
    }

    /// The table row of `state`: by class, target + 1, or [`NONE`].
    #[inline]
    pub(crate) fn row(&self, state: u32) -> &[u32] {
        let start = state as usize * self.0.class_count;
        &self.0.table[start..start + self.0.class_count]
    }

    /// Whether the strings that lead to `state` are in the language.
    #[must_use]
    #[inline]
    pub fn is_accepting(&self, state: u32) -> bool {
        self.0.accepting[state as usize]
    }

    /// Whether the language is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.accepting.len() == 1 && !self.0.accepting[0]
    }

    /// Whether the language contains the empty string.
    #[must_use]
    pub fn matches_empty(&self) -> bool {
        self.0.accepting[0]
    }

    /// Whether the language is finite. Linear in the table.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        before_cycles(&self.0.table, self.0.class_count, self.state_count()).len() == self.state_count()
    }

    /// Whether `text` is in the language.
    #[must_use]
    pub fn accepts(&self, text: &[u8]) -> bool {
        self.state_after(text).is_some_and(|state| self.is_accepting(state))
    }

    /// The state that `text` leads to from the start, if some string of the language begins with it.
    #[must_use]
    pub fn state_after(&self, text: &[u8]) -> Option<u32> {
        text.iter().try_fold(0, |state, &byte| self.next(state, byte))
    }

    /// The transitions of `state` as byte ranges `(low, high, target)`: ascending, disjoint, and as long as possible.
    pub fn edges(&self, state: u32) -> impl Iterator<Item = (u8, u8, u32)> + '_ {
        let row = self.row(state);
        let cell = |run: usize| row[usize::from(self.0.classes[usize::from(self.0.runs[run])])];
        let mut run = 0;
        std::iter::from_fn(move || {
            while run < self.0.runs.len() {
                let (low, target) = (self.0.runs[run], cell(run));
                run += 1;
                while run < self.0.runs.len() && cell(run) == target {
                    run += 1;
                }
                if let Some(target) = target.checked_sub(1) {
                    return Some((low, self.0.runs.get(run).map_or(255, |next| next - 1), target));
                }
            }
            None
        })
    }

    /// A shortest string of the language, the least of them in byte order; `None` if the language is empty.
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

    /// The only string of the language; `None` if there are others, or none.
    #[must_use]
    pub fn only_string(&self) -> Option<Vec<u8>> {
        if self.is_empty() {
            return None;
        }
        // Per class: its byte, and the number of its bytes.
        let mut bytes = vec![(0, 0); self.0.class_count];
        let ends = self.0.runs.iter().skip(1).map(|&start| usize::from(start)).chain([256]);
        for (&byte, end) in self.0.runs.iter().zip(ends) {
            let of_class = &mut bytes[usize::from(self.0.classes[usize::from(byte)])];
            *of_class = (byte, of_class.1 + end - usize::from(byte));
        }
        let (mut state, mut string) = (0, Vec::new());
        // A longer path comes to a state twice.
        while string.len() < self.state_count() {
            let mut live = self.row(state).iter().enumerate().filter(|(_, cell)| **cell != NONE);
            match (live.next(), live.next()) {
                (None, _) => return Some(string),
                (Some((class, &cell)), None) if bytes[class].1 == 1 && !self.is_accepting(state) => {
                    string.push(bytes[class].0);
                    state = cell - 1;
                }
                _ => return None,
            }
        }
        None
    }

    /// Takes the tables out: classes, number of classes, rows, acceptance.
    pub(crate) fn into_parts(self) -> (Box<[u8; 256]>, usize, Vec<u32>, Vec<bool>) {
        let Tables { classes, class_count, table, accepting, .. } = Arc::unwrap_or_clone(self.0);
        (classes, class_count, table, accepting)
    }
}

/// The bytes on the path of a breadth-first search from the start to `state`.
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
