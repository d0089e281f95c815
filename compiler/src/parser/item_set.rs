//! Items, sets of items, and outcomes: the result of reading some of the stack.
//!
//! An [`Item`] is a suspended run. An [`Outcome`] is a weight and a residual: the tokens that are allowed
//! whatever lies below, and the items that are still open. The states of the Parser DWA are sets of items.
//! Both are interned: equal outcomes have equal ids.

use crate::ids::{ArcId, SetId};
use crate::sets::hash;
use gcc_grammar_ir::{NonterminalId, index_newtype};
use gcc_grammar_limits::{Budget, OverBudget};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

index_newtype! { vis pub(super),
    /// An interned outcome; 0 is the outcome that allows no tokens and has no items.
    OutcomeId;
    /// An interned set of items; 0 is the empty set.
    ItemSetId;
}

impl OutcomeId {
    /// No tokens, no items.
    pub(super) const NOTHING: Self = Self(0);
}

impl ItemSetId {
    /// The set without items.
    pub(super) const EMPTY: Self = Self(0);
}

/// A suspended run of the terminal of an arc: it discards `discard` more states, then continues with
/// goto(next state, nonterminal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item {
    pub(super) discard: u32,
    pub(super) nonterminal: NonterminalId,
    pub(super) arc: ArcId,
}

/// Sets of items are looked up often: the hash takes a single step per item.
impl Hash for Item {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { discard, nonterminal, arc } = *self;
        state.write_u64(u64::from(discard.rotate_right(8) ^ nonterminal.0) << 32 | u64::from(arc.0));
    }
}

/// The tokens that are allowed whatever lies below, and the items that are still open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Outcome {
    pub(super) allowed: SetId,
    pub(super) items: ItemSetId,
}

/// How a set of items reads the next symbol of the stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// There are no items.
    Nothing,
    /// All items continue with the goto of the symbol on this nonterminal.
    Goto(NonterminalId),
    /// All items discard the symbol, whatever it is.
    Discard,
    /// Some items continue and some discard, or their nonterminals differ.
    Mixed,
}

/// How these items, which are sorted, read the next symbol.
fn reading(items: &[Item]) -> Reading {
    match items {
        [] => Reading::Nothing,
        [first, ..] if first.discard > 0 => Reading::Discard,
        [first, .., last] if last.discard > 0 || last.nonterminal != first.nonterminal => Reading::Mixed,
        [first, ..] => Reading::Goto(first.nonterminal),
    }
}

/// The interner.
pub(super) struct Outcomes {
    sets: Vec<(Arc<[Item]>, Reading)>,
    set_ids: HashTable<ItemSetId>,
    outcomes: Vec<Outcome>,
    ids: FxHashMap<Outcome, OutcomeId>,
    budget: Budget,
}

impl Outcomes {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            sets: vec![([].into(), Reading::Nothing)],
            set_ids: HashTable::new(),
            outcomes: vec![Outcome::default()],
            ids: FxHashMap::from_iter([(Outcome::default(), OutcomeId::NOTHING)]),
            budget,
        }
    }

    /// The items of a set, sorted.
    pub(super) fn items(&self, set: ItemSetId) -> &Arc<[Item]> {
        &self.sets[set.index()].0
    }

    /// How a set reads the next symbol.
    pub(super) fn reading(&self, set: ItemSetId) -> Reading {
        self.sets[set.index()].1
    }

    /// The set of these items, which are sorted and have no duplicates.
    pub(super) fn set(&mut self, items: &[Item]) -> Result<ItemSetId, OverBudget> {
        if items.is_empty() {
            return Ok(ItemSetId::EMPTY);
        }
        let hash_of_items = hash(items);
        if let Some(&id) = self.set_ids.find(hash_of_items, |id| *self.sets[id.index()].0 == *items) {
            return Ok(id);
        }
        self.budget.charge_entry(items.len() as u64 * 12 + 96)?;
        let id = ItemSetId::new(self.sets.len());
        self.sets.push((items.into(), reading(items)));
        self.set_ids.insert_unique(hash_of_items, id, |id| hash(&*self.sets[id.index()].0));
        Ok(id)
    }

    /// The outcome with this id.
    pub(super) fn get(&self, id: OutcomeId) -> Outcome {
        self.outcomes[id.index()]
    }

    /// The id of an outcome.
    pub(super) fn intern(&mut self, outcome: Outcome) -> Result<OutcomeId, OverBudget> {
        if let Some(&id) = self.ids.get(&outcome) {
            return Ok(id);
        }
        self.budget.charge_entry(32)?;
        let id = OutcomeId::new(self.outcomes.len());
        self.outcomes.push(outcome);
        self.ids.insert(outcome, id);
        Ok(id)
    }
}
