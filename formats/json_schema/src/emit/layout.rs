//! The construction of a right part, state by state: each place within an array or object has one state.
//!
//! The result is a deterministic automaton over symbols, if no two transitions of a state get the same symbol
//! ([`Layout::leads_elsewhere`] tells before).

use crate::content::Vertex;
use crate::style::Kind;
use gcc_grammar_ir::{Symbol, SymbolDfa, SymbolDfaState};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// The values that a key may have, each with the state of the object after it.
pub(super) type Values = Vec<(Vertex, u32)>;

/// An array that has not failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Reading {
    pub(super) value: Vertex,
    pub(super) state: u32,
    /// The items of the run of that state that were read, as far as they are counted.
    pub(super) read: u32,
    /// The state of the object after the array.
    pub(super) target: u32,
}

/// The arrays that have not failed. Sorted.
pub(super) type Joint = Vec<Reading>;

/// The values between the beginning of a tag and its end, by kind, each with the state after it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Tagged {
    pub(super) end: String,
    pub(super) values: Vec<(Vertex, Kind, u32)>,
}

/// The place of a state of the right part within an array or object.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum LayoutPlace {
    Start,
    /// After the opening bracket or a comma, in this state of the array or object.
    Before(u32),
    /// In a key, before these parts of it.
    Inside(Vec<(Symbol, u32)>),
    /// After a key, before one of these values and the states after them.
    Value(Values),
    /// After an item or member, in this state.
    After(u32),
    /// Before an item of one of these arrays.
    BeforeJoint(Joint),
    /// After an item of one of these arrays.
    AfterJoint(Joint),
    /// After the beginning of a tag.
    Tagged(Tagged),
    /// After white space behind this state.
    Spaced(u32),
    /// Before this end of a tag, and then in this state.
    Closing(String, u32),
    End,
}

/// Estimated bytes of a state, with its place.
const BYTES_PER_STATE: u64 = 200;
/// Estimated bytes of a transition, as the vectors grow.
const BYTES_PER_ARC: u64 = 32;
/// The work to add a state or a transition, here and in the normalization of grammars.
const WORK_PER_PART: u64 = 20;

/// A right part under construction. The budget remembers that it is spent, and [`check`](Self::check) tells.
pub(super) struct Layout<'a> {
    places: FxHashMap<LayoutPlace, u32>,
    states: Vec<SymbolDfaState>,
    budget: &'a Budget,
}

impl<'a> Layout<'a> {
    pub(super) fn new(budget: &'a Budget) -> Self {
        Self { places: FxHashMap::default(), states: Vec::new(), budget }
    }

    /// Fails if the budget is spent.
    pub(super) fn check(&self) -> std::result::Result<(), OverBudget> {
        self.budget.exceeded().map_or(Ok(()), |over| Err(over.clone()))
    }

    fn charge(&self, bytes: u64) {
        // The budget remembers the error.
        let _ = self.budget.charge_work(WORK_PER_PART).and_then(|()| self.budget.charge_bytes(bytes));
    }

    /// The state of a place, which is made if it is new.
    pub(super) fn state(&mut self, place: LayoutPlace) -> u32 {
        if let Some(&known) = self.places.get(&place) {
            return known;
        }
        self.charge(BYTES_PER_STATE);
        let state = self.states.len() as u32;
        self.states.push(SymbolDfaState::default());
        self.places.insert(place, state);
        state
    }

    /// The state of a place, if there is one.
    pub(super) fn existing(&self, place: LayoutPlace) -> Option<u32> {
        self.places.get(&place).copied()
    }

    /// The state before these values, and whether it is new.
    pub(super) fn values(&mut self, values: Values) -> (u32, bool) {
        let before = self.states.len();
        let state = self.state(LayoutPlace::Value(values));
        (state, self.states.len() > before)
    }

    /// The state after the beginning of a tag, and whether it is new.
    pub(super) fn tagged(&mut self, tagged: Tagged) -> (u32, bool) {
        let before = self.states.len();
        let state = self.state(LayoutPlace::Tagged(tagged));
        (state, self.states.len() > before)
    }

    /// The state inside a key, before these parts of it.
    pub(super) fn inside(&mut self, arcs: Vec<(Symbol, u32)>) -> u32 {
        let before = self.states.len();
        self.charge(2 * BYTES_PER_ARC * arcs.len() as u64);
        let state = self.state(LayoutPlace::Inside(arcs.clone()));
        if self.states.len() > before {
            self.states[state as usize].transitions = arcs;
        }
        state
    }

    /// Makes a state accepting.
    pub(super) fn accept(&mut self, state: u32) {
        self.states[state as usize].accepting = true;
    }

    /// Whether the symbol already leads from a state to another target.
    pub(super) fn leads_elsewhere(&self, from: u32, symbol: Symbol, to: u32) -> bool {
        self.states[from as usize].transitions.iter().any(|&(known, target)| known == symbol && target != to)
    }

    /// Adds a transition.
    pub(super) fn arc(&mut self, from: u32, symbol: Symbol, to: u32) {
        self.charge(BYTES_PER_ARC);
        self.states[from as usize].transitions.push((symbol, to));
    }

    /// The right part, with sorted transitions.
    pub(super) fn finish(mut self) -> SymbolDfa {
        for state in &mut self.states {
            state.transitions.sort_unstable();
            state.transitions.dedup();
        }
        SymbolDfa { states: self.states }
    }
}
