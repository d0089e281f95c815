//! Right parts of arrays and objects, state by state.

use super::super::graph::Vertex;
use gcc_grammar_ir::{Symbol, SymbolDfa, SymbolDfaState};
use rustc_hash::FxHashMap;

/// Where in an array or object a state of the right part is.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Place {
    Start,
    /// After the opening bracket or a comma, in this state of the array or object.
    Before(u32),
    /// In a key, before these parts of it.
    Inside(Vec<(Symbol, u32)>),
    /// After a key, before one of these values and the states after them.
    Value(Vec<(Vertex, u32)>),
    /// After an item or member, in this state.
    After(u32),
    End,
}

/// A right part in the making.
#[derive(Default)]
pub(super) struct Layout {
    places: FxHashMap<Place, u32>,
    states: Vec<SymbolDfaState>,
}

impl Layout {
    pub(super) fn state(&mut self, place: Place) -> u32 {
        *self.places.entry(place).or_insert_with(|| {
            self.states.push(SymbolDfaState::default());
            (self.states.len() - 1) as u32
        })
    }

    pub(super) fn existing(&self, place: Place) -> Option<u32> {
        self.places.get(&place).copied()
    }

    /// The state before these values, and whether it is new.
    pub(super) fn values(&mut self, values: Vec<(Vertex, u32)>) -> (u32, bool) {
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

    pub(super) fn accept(&mut self, state: u32) {
        self.states[state as usize].accepting = true;
    }

    pub(super) fn leads_elsewhere(&self, from: u32, symbol: Symbol, to: u32) -> bool {
        self.states[from as usize].transitions.iter().any(|&(known, target)| known == symbol && target != to)
    }

    pub(super) fn arc(&mut self, from: u32, symbol: Symbol, to: u32) {
        self.states[from as usize].transitions.push((symbol, to));
    }

    pub(super) fn finish(mut self) -> SymbolDfa {
        for state in &mut self.states {
            state.transitions.sort_unstable();
            state.transitions.dedup();
        }
        SymbolDfa { states: self.states }
    }
}
