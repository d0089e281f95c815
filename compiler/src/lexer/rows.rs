//! Compresses the rows of a transition table into patterns and targets.
//!
//! Most states of a lexer differ in their targets, but not in which symbols lead to the same target. A few
//! hundred *patterns* serve a hundred thousand states, and a state has a handful of *targets* for a hundred
//! symbols. The artifact stores rows in this form, and analyses of the lexer look at targets in place of
//! symbols.

use crate::csr::Csr;
use crate::ids::LexState;
use gcc_grammar_ir::index_newtype;
use rustc_hash::FxHashMap;

index_newtype! {
    /// A pattern: which symbols of a row lead to the same target.
    PatternId;
}

/// The rows of a lexer.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Per state.
    pattern: Vec<PatternId>,
    /// Per state: its distinct targets, in the order of the symbols, without the dead state.
    targets: Csr<LexState>,
    /// Per pattern: the number of targets of its states.
    sizes: Vec<u32>,
    classes: usize,
    /// Row-major `[pattern][class]`: the number of the target, from 1; 0 is the dead state.
    slots: Vec<u32>,
}

impl Rows {
    /// Compresses transitions that are row-major `[state][class]`.
    pub(crate) fn new(transitions: &[LexState], classes: usize) -> Self {
        let states = transitions.len() / classes;
        let mut rows = Self { classes, pattern: Vec::with_capacity(states), ..Self::default() };
        let mut patterns: FxHashMap<Box<[u32]>, PatternId> = FxHashMap::default();
        // Per target: the last row with it, and its slot there.
        let mut slots = vec![(0, 0); states];
        let mut pattern = vec![0; classes];
        let mut targets = Vec::new();
        for (row, to) in (1..).zip(transitions.chunks(classes)) {
            targets.clear();
            for (slot, &target) in pattern.iter_mut().zip(to) {
                let (last_row, known) = &mut slots[target.index()];
                if *last_row != row && target != LexState::DEAD {
                    targets.push(target);
                    (*last_row, *known) = (row, targets.len() as u32);
                }
                *slot = *known;
            }
            rows.targets.push(targets.iter().copied());
            let number = match patterns.get(&*pattern) {
                Some(&number) => number,
                None => {
                    let number = PatternId::new(rows.sizes.len());
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

    /// The rows of states with these patterns and targets.
    pub(crate) fn from_patterns(
        classes: usize,
        pattern: Vec<PatternId>,
        targets: Csr<LexState>,
        sizes: Vec<u32>,
        slots: Vec<u32>,
    ) -> Self {
        Self { pattern, targets, sizes, classes, slots }
    }

    /// The rows of states in another order, in which `number` has the places of the states. Patterns are numbered as they come.
    pub(super) fn reordered(&self, order: &[usize], number: &[LexState]) -> Self {
        let mut rows = Self { classes: self.classes, ..Self::default() };
        let mut known = vec![None; self.sizes.len()];
        for &state in order {
            let old = self.pattern[state];
            let pattern = *known[old.index()].get_or_insert_with(|| {
                rows.slots.extend(self.slots_of(old));
                rows.sizes.push(self.sizes[old.index()]);
                PatternId::new(rows.sizes.len() - 1)
            });
            rows.pattern.push(pattern);
            rows.targets.push(self.targets.row(state).iter().map(|to| number[to.index()]));
        }
        rows
    }

    /// The transitions, row-major `[state][class]`.
    pub(crate) fn expanded(&self) -> Vec<LexState> {
        let mut transitions = vec![LexState::DEAD; self.pattern.len() * self.classes];
        for (state, row) in transitions.chunks_mut(self.classes).enumerate() {
            let targets = self.targets.row(state);
            for (to, &slot) in row.iter_mut().zip(self.slots_of(self.pattern[state])) {
                if let Some(target) = slot.checked_sub(1) {
                    *to = targets[target as usize];
                }
            }
        }
        transitions
    }

    /// Memory that the rows take, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let Self { pattern, targets, sizes, classes: _, slots } = self;
        let words =
            pattern.len() + targets.offsets().len() + targets.items().len() + sizes.len() + slots.len();
        words as u64 * 4
    }

    /// The pattern of each state.
    #[must_use]
    pub fn patterns(&self) -> &[PatternId] {
        &self.pattern
    }

    /// The pattern of a state.
    #[must_use]
    pub fn pattern(&self, state: LexState) -> PatternId {
        self.pattern[state.index()]
    }

    /// Per pattern: the number of targets of its states.
    #[must_use]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Row-major `[pattern][class]`: the number of the target, from 1; 0 is the dead state.
    #[must_use]
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }

    /// Per class: the number of the target of a state with this pattern, from 1; 0 is the dead state.
    #[must_use]
    pub fn slots_of(&self, pattern: PatternId) -> &[u32] {
        &self.slots[pattern.index() * self.classes..][..self.classes]
    }

    /// Per state: its distinct targets, in the order of the symbols, without the dead state.
    #[must_use]
    pub fn all_targets(&self) -> &Csr<LexState> {
        &self.targets
    }

    /// The distinct targets of a state, in the order of the symbols, without the dead state.
    #[must_use]
    pub fn targets(&self, state: LexState) -> &[LexState] {
        self.targets.row(state.index())
    }
}
