//! Texts that are sequences of tokens.
//!
//! A text of tokens is read unit by unit. A *place* says which part of a token has been read: a node of the prefix tree of the
//! tokens. Where a token may end, and a longer one may go on, both are followed.

use super::unit::Unit;
use std::collections::{BTreeMap, BTreeSet};

/// A node of the prefix tree.
pub type Place = usize;

/// The place between two tokens.
pub const BETWEEN: Place = 0;

/// The texts of some tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TokenTexts {
    /// Per place: what may be read, and where it leads.
    steps: Vec<BTreeSet<(Unit, Place)>>,
}

impl TokenTexts {
    /// All sequences of these units.
    #[must_use]
    pub fn of_units(units: impl IntoIterator<Item = Unit>) -> Self {
        Self { steps: vec![units.into_iter().map(|unit| (unit, BETWEEN)).collect()] }
    }

    /// All sequences of these texts, none of which is empty, and of special tokens.
    #[must_use]
    pub fn of_tokens<'t>(texts: impl IntoIterator<Item = &'t [u8]>, specials: &[u32]) -> Self {
        let mut tokens = Self::of_units(specials.iter().copied().map(Unit::Token));
        let mut inner: BTreeMap<Vec<u8>, Place> = BTreeMap::new();
        for text in texts {
            let mut place = BETWEEN;
            for (index, &byte) in text.iter().enumerate() {
                let next = if index + 1 == text.len() {
                    BETWEEN
                } else {
                    let fresh = tokens.steps.len();
                    let next = *inner.entry(text[..=index].to_vec()).or_insert(fresh);
                    tokens.steps.resize_with(tokens.steps.len().max(next + 1), BTreeSet::new);
                    next
                };
                tokens.steps[place].insert((Unit::Byte(byte), next));
                place = next;
            }
        }
        tokens
    }

    /// What may be read in a place, and the places afterwards.
    pub fn steps(&self, place: Place) -> impl Iterator<Item = (Unit, Place)> + '_ {
        self.steps[place].iter().copied()
    }

    /// The places after a unit that is read in one of some places.
    #[must_use]
    pub fn after(&self, places: &BTreeSet<Place>, unit: Unit) -> BTreeSet<Place> {
        let steps = places.iter().flat_map(|&place| self.steps(place));
        steps.filter(|step| step.0 == unit).map(|step| step.1).collect()
    }

    /// Whether every text of the bytes that tokens have is a text of tokens: each of these bytes is a token.
    #[must_use]
    pub fn are_all_texts(&self) -> bool {
        let alone = |&(unit, _): &(Unit, Place)| self.steps[BETWEEN].contains(&(unit, BETWEEN));
        self.steps.iter().flatten().all(alone)
    }
}
