//! Counts that tell whether one automaton should read all alternatives of a union.

use super::order::Declared;
use crate::schema::KeyId;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// How many transitions one automaton may have, as a multiple of those of its alternatives.
const MULTIPLE: usize = 2;
/// The same if all alternatives are closed: a key tells most of them apart, so one automaton seldom grows.
const MULTIPLE_OF_CLOSED: usize = 16;
/// How many transitions it may have besides.
const LEAST: usize = 64;

/// The unions in the objects of a node.
#[derive(Default)]
pub(super) struct Unions {
    /// Whether alternatives are apart.
    pub(super) apart: bool,
    alternatives: Vec<Rc<Declared>>,
    /// Whether some alternative is open.
    has_open: bool,
}

impl Unions {
    /// The unions of a node whose alternatives are apart.
    pub(super) fn apart() -> Self {
        Self { apart: true, ..Self::default() }
    }

    /// Notes alternatives that are not apart.
    pub(super) fn add(&mut self, declared: &[Rc<Declared>], has_open: bool) {
        self.alternatives.extend_from_slice(declared);
        self.has_open |= has_open;
    }

    /// The transitions that one automaton may have with an order of `length` keys. If all keys are optional, an alternative has a
    /// transition for each pair of its keys.
    pub(super) fn most_transitions(&self, length: usize) -> usize {
        if self.alternatives.is_empty() {
            return usize::MAX;
        }
        let keys: FxHashSet<KeyId> =
            self.alternatives.iter().flat_map(|alternative| &alternative.keys).copied().collect();
        let around = length.saturating_sub(keys.len());
        let pairs = |alternative: &Rc<Declared>| {
            let keys = alternative.keys.len() + around + 1;
            keys * (keys + 1) / 2
        };
        let multiple = if self.has_open { MULTIPLE } else { MULTIPLE_OF_CLOSED };
        LEAST + multiple * self.alternatives.iter().map(pairs).sum::<usize>()
    }
}
