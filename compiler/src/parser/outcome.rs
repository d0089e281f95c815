//! What is known about a set of tokens after reading some of the stack.

use crate::ids::{ArcId, SetId};
use crate::limits::{Budget, OverBudget};
use crate::sets;
use gcc_grammar_ir::{NonterminalId, index_newtype};
use hashbrown::HashTable;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

index_newtype! {
    /// An interned outcome; 0 is the one of no tokens.
    OutcomeId;
    /// An interned list of items; 0 is empty.
    ItemsId;
}

/// A suspended run of an arc's terminal: discard `discard` more states, then go on with goto(state read, nonterminal).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item {
    pub(super) discard: u32,
    pub(super) nonterminal: NonterminalId,
    pub(super) arc: ArcId,
}

/// Lists of items are looked up often: one step of the hash per item, not three.
impl Hash for Item {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { discard, nonterminal, arc } = *self;
        state.write_u64(u64::from(discard.rotate_right(8) ^ nonterminal.0) << 32 | u64::from(arc.0));
    }
}

/// Tokens that are allowed whatever lies below, and what is still open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Outcome {
    pub(super) fired: SetId,
    pub(super) items: ItemsId,
}

/// What the next symbol does to a list of items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reading {
    /// There are none.
    Nothing,
    /// All items go on by its goto on this nonterminal.
    Decides(NonterminalId),
    /// All items discard it, whatever it is.
    Discards,
    /// Some do this, some that.
    Divides,
}

fn reading(items: &[Item]) -> Reading {
    match items {
        [] => Reading::Nothing,
        [first, ..] if first.discard > 0 => Reading::Discards,
        [first, .., last] if last.discard > 0 || last.nonterminal != first.nonterminal => Reading::Divides,
        [first, ..] => Reading::Decides(first.nonterminal),
    }
}

/// The interner. Equal outcomes have equal ids.
pub(super) struct Outcomes {
    lists: Vec<(Rc<[Item]>, Reading)>,
    list_ids: HashTable<ItemsId>,
    outcomes: Vec<Outcome>,
    ids: FxHashMap<Outcome, OutcomeId>,
    budget: Budget,
}

impl Outcomes {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            lists: vec![([].into(), Reading::Nothing)],
            list_ids: HashTable::new(),
            outcomes: vec![Outcome::default()],
            ids: FxHashMap::from_iter([(Outcome::default(), OutcomeId(0))]),
            budget,
        }
    }

    /// The items of a list, sorted.
    pub(super) fn items(&self, list: ItemsId) -> &Rc<[Item]> {
        &self.lists[list.index()].0
    }

    /// What the next symbol does to the items of a list.
    pub(super) fn reading(&self, list: ItemsId) -> Reading {
        self.lists[list.index()].1
    }

    /// The list of these items, which are sorted and without duplicates.
    pub(super) fn list(&mut self, items: &[Item]) -> Result<ItemsId, OverBudget> {
        if items.is_empty() {
            return Ok(ItemsId(0));
        }
        let hash = sets::hash(items);
        if let Some(&id) = self.list_ids.find(hash, |id| *self.lists[id.index()].0 == *items) {
            return Ok(id);
        }
        self.budget.charge_bytes(items.len() as u64 * 12 + 96)?;
        let id = ItemsId::new(self.lists.len());
        self.lists.push((items.into(), reading(items)));
        self.list_ids.insert_unique(hash, id, |id| sets::hash(&*self.lists[id.index()].0));
        Ok(id)
    }

    pub(super) fn get(&self, id: OutcomeId) -> Outcome {
        self.outcomes[id.index()]
    }

    pub(super) fn intern(&mut self, outcome: Outcome) -> Result<OutcomeId, OverBudget> {
        if let Some(&id) = self.ids.get(&outcome) {
            return Ok(id);
        }
        self.budget.charge_bytes(32)?;
        let id = OutcomeId::new(self.outcomes.len());
        self.outcomes.push(outcome);
        self.ids.insert(outcome, id);
        Ok(id)
    }
}
