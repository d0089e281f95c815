//! Rows of transitions as patterns and targets.
//!
//! Most states of a lexer differ in where they lead, not in which symbols lead to the same state: a few hundred *patterns* serve a hundred
//! thousand states, and a state has a handful of *targets* where it has a hundred symbols. The artifact stores rows like that, and
//! analyses of the lexer look at targets.

use crate::csr::Csr;
use crate::ids::LexState;
use rustc_hash::FxHashMap;

/// The rows of a lexer.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Per state.
    pattern: Vec<u32>,
    /// Per state: where its symbols lead, in the order of the symbols, each once, without the dead state.
    targets: Csr<LexState>,
    /// Per pattern: how many targets its states have.
    sizes: Vec<u32>,
    classes: usize,
    /// Row-major `[pattern][class]`: which target, counted from 1; 0 is dead.
    slots: Vec<u32>,
}

impl Rows {
    /// Of transitions that are row-major `[state][class]`.
    pub(crate) fn new(transitions: &[LexState], classes: usize) -> Self {
        let states = transitions.len() / classes;
        let mut rows = Self { classes, pattern: Vec::with_capacity(states), ..Self::default() };
        let mut patterns: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        // Per state: its slot in the present row, if it was met there.
        let mut slots = vec![(0, 0); states];
        let mut pattern = vec![0; classes];
        let mut targets = Vec::new();
        for (row, to) in (1..).zip(transitions.chunks(classes)) {
            targets.clear();
            for (slot, &target) in pattern.iter_mut().zip(to) {
                let (met, known) = &mut slots[target.index()];
                if *met != row && target != LexState(0) {
                    targets.push(target);
                    (*met, *known) = (row, targets.len() as u32);
                }
                *slot = *known;
            }
            rows.targets.push(targets.iter().copied());
            let number = match patterns.get(&*pattern) {
                Some(&number) => number,
                None => {
                    let number = rows.sizes.len() as u32;
                    patterns.insert(pattern.as_slice().into(), number);
                    rows.slots.extend(&pattern);
                    rows.sizes.push(targets.len() as u32);
                    number
                }
            };
            rows.pattern.push(number);
        }
        rows
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        let Self { pattern, targets, sizes, classes: _, slots } = self;
        let words =
            pattern.len() + targets.offsets().len() + targets.items().len() + sizes.len() + slots.len();
        words as u64 * 4
    }

    /// The pattern of each state.
    #[must_use]
    pub fn patterns(&self) -> &[u32] {
        &self.pattern
    }

    /// The pattern of a state.
    #[must_use]
    pub fn pattern(&self, state: LexState) -> u32 {
        self.pattern[state.index()]
    }

    /// Per pattern: how many targets its states have.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Row-major `[pattern][class]`: which target, counted from 1; 0 is dead.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Per class: which target a state of this pattern leads to, counted from 1; 0 is dead.
    #[must_use]
    pub fn slots_of(&self, pattern: u32) -> &[u32] {
        &self.slots[pattern as usize * self.classes..][..self.classes]
    }

    /// Per state: where its symbols lead, in the order of the symbols, each once, without the dead state.
    #[must_use]
    pub fn all_targets(&self) -> &Csr<LexState> {
        &self.targets
    }

    /// Where the symbols lead from a state, in the order of the symbols, each once, without the dead state.
    #[must_use]
    pub fn targets(&self, state: LexState) -> &[LexState] {
        self.targets.row(state.index())
    }
}
