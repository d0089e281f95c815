//! The signature of a lexer state: its transitions up to classes of states.
//!
//! In: a state, and the class of every state after k rounds. Out: a list of numbers that is equal for two
//! states if and only if each symbol leads them to the same class, with the same positions of the pending
//! terminals. The next round of [`KEquivalence`](super::KEquivalence) splits classes by it.

use crate::ids::LexState;
use crate::lexer::{Lexer, PatternId, PendingId};
use crate::terminal::renaming::positions;
use rustc_hash::FxHashMap;

/// Describes the transitions of states up to classes of states.
///
/// A signature is a row of classes, compressed like the [rows of the lexer](crate::lexer::Rows): a pattern,
/// and the distinct classes in the order of the symbols. If several targets of a state are in one class, its
/// pattern becomes a coarser pattern.
pub(super) struct Signatures<'a> {
    lexer: &'a Lexer,
    most_renamed: usize,
    /// Patterns by their slots, coarser patterns included.
    patterns: FxHashMap<Box<[u32]>, PatternId>,
    /// By pattern, and the slot that each of its targets gets: the coarser pattern.
    coarser: FxHashMap<(PatternId, Box<[u32]>), PatternId>,
    /// Numbers for pairs of a class and the positions of its pending terminals among the terminals that were
    /// pending before.
    with_pending: FxHashMap<(u32, u64), u32>,
    /// By two pending sets: the positions of the terminals of the second in the first.
    positions: FxHashMap<(PendingId, PendingId), u64>,
    /// Number of signatures so far.
    count: usize,
    /// Per class: the number of the last signature with it, and its slot there.
    last: Vec<(usize, u32)>,
    /// The slots of the targets of a state; a buffer.
    slots: Vec<u32>,
}

impl<'a> Signatures<'a> {
    /// The lexer, with its patterns and no others.
    pub(super) fn new(lexer: &'a Lexer, most_renamed: usize) -> Self {
        let patterns = (0..lexer.rows.sizes().len()).map(PatternId::new);
        Self {
            lexer,
            most_renamed,
            patterns: patterns.map(|pattern| (lexer.rows.slots_of(pattern).into(), pattern)).collect(),
            coarser: FxHashMap::default(),
            with_pending: FxHashMap::default(),
            positions: FxHashMap::default(),
            count: 0,
            last: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Appends the signature of `state`.
    pub(super) fn append(&mut self, state: LexState, class_of: &[u32], signature: &mut Vec<u32>) {
        let start = signature.len();
        let pending = self.lexer.pending[state.index()];
        // A single pending terminal stays pending.
        let is_single = self.lexer.pending(state).len() == 1;
        signature.push(0);
        self.slots.clear();
        self.count += 1;
        for to in self.lexer.rows.targets(state) {
            let mut class = class_of[to.index()];
            if !is_single {
                let positions = self.positions(pending, self.lexer.pending[to.index()]);
                let fresh = self.with_pending.len() as u32;
                class = *self.with_pending.entry((class, positions)).or_insert(fresh);
            }
            if self.last.len() <= class as usize {
                self.last.resize(class as usize + 1, (0, 0));
            }
            let (last, slot) = &mut self.last[class as usize];
            if *last != self.count {
                (*last, *slot) = (self.count, (signature.len() - start) as u32);
                signature.push(class);
            }
            self.slots.push(*slot);
        }
        let pattern = self.lexer.rows.pattern(state);
        let distinct = signature.len() - start - 1;
        let pattern = if distinct == self.slots.len() { pattern } else { self.coarser(pattern) };
        signature[start] = pattern.0;
    }

    /// The positions in the pending set of a state of the terminals that are pending in a target.
    fn positions(&mut self, before: PendingId, after: PendingId) -> u64 {
        let [all, part] = [before, after].map(|set| self.lexer.pending_sets.row(set.index()));
        if all.len() > self.most_renamed {
            return u64::from(after.0);
        }
        if before == after {
            return u64::MAX;
        }
        *self.positions.entry((before, after)).or_insert_with(|| positions(all, part))
    }

    /// The pattern in which the targets of `pattern` have the slots of the buffer.
    fn coarser(&mut self, pattern: PatternId) -> PatternId {
        let key = (pattern, self.slots.as_slice().into());
        let Self { lexer, patterns, coarser, slots, .. } = self;
        *coarser.entry(key).or_insert_with(|| {
            let slot = |&slot: &u32| slot.checked_sub(1).map_or(0, |target| slots[target as usize]);
            let fresh = PatternId::new(patterns.len());
            *patterns.entry(lexer.rows.slots_of(pattern).iter().map(slot).collect()).or_insert(fresh)
        })
    }
}
