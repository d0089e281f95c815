//! The construction of a right part, state by state: each place within an array or object has one state.
//!
//! The result is a deterministic automaton over symbols, if no two transitions of a state get the same symbol
//! ([`Layout::leads_elsewhere`] tells before).

use crate::graph::Vertex;
use gcc_grammar_ir::{Symbol, SymbolDfa, SymbolDfaState};
use rustc_hash::FxHashMap;

/// The values that a key may have, each with the state of the object after it.
pub(super) type Values = Vec<(Vertex, u32)>;

/// The place of a state of the right part within an array or object.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Start,
    /// After the opening bracket or a comma, in this state of the array or object.
    Before(u32),
    /// In a key, before these parts of it.
    Inside(Vec<(Symbol, u32)>),
    /// After a key, before one of these values and the states after them.
    Value(Values),
    /// After an item or member, in this state.
    After(u32),
    End,
}

/// A right part under construction.
#[derive(Default)]
pub(super) struct Layout {
    places: FxHashMap<Place, u32>,
    states: Vec<SymbolDfaState>,
}

impl Layout {
    /// The state of a place, which is made if it is new.
    pub(super) fn state(&mut self, place: Place) -> u32 {
        *self.places.entry(place).or_insert_with(|| {
            self.states.push(SymbolDfaState::default());
            (self.states.len() - 1) as u32
        })
    }

    /// The state of a place, if there is one.
    pub(super) fn existing(&self, place: Place) -> Option<u32> {
        self.places.get(&place).copied()
    }

    /// The state before these values, and whether it is new.
    pub(super) fn values(&mut self, values: Values) -> (u32, bool) {
        let before = self.states.len();
        let state = self.state(Place::Value(values));
        (state, self.states.len() > before)
    }

    /// The state inside a key, before these parts of it.
    pub(super) fn inside(&mut self, arcs: Vec<(Symbol, u32)>) -> u32 {
        let before = self.states.len();
        let state = self.state(Place::Inside(arcs.clone()));
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
