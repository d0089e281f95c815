//! Sets of branches, and the debts of branches, each with a number.
//!
//! A set of branches says that one of them succeeds. Debts say that none of some branches succeeds, and that of some other sets one does.

use crate::limits::{Meter, RegularLimits};
use gcc_grammar_limits::OverBudget;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::rc::Rc;

/// The number of a set of branches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct SetId(u32);

impl SetId {
    /// The set without branches.
    pub(super) const NOTHING: Self = Self(0);
}

/// The number of the debts of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct DebtsId(u32);

impl DebtsId {
    /// No debts.
    pub(super) const NONE: Self = Self(0);
}

/// The state of a branch that has nothing left to read.
pub(super) const DONE: u32 = u32::MAX;

/// A run: a state, and what must hold of the rest of the text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Branch {
    pub(super) state: u32,
    pub(super) debts: DebtsId,
}

impl Branch {
    /// A branch without debts.
    pub(super) fn at(state: u32) -> Self {
        Self { state, debts: DebtsId::NONE }
    }
}

/// What must hold of the rest of the text.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Debts {
    /// None of these branches may succeed.
    pub(super) never: SetId,
    /// Of each of these sets, a branch must succeed. Sorted.
    pub(super) each: Vec<SetId>,
}

impl Default for SetId {
    fn default() -> Self {
        Self::NOTHING
    }
}

/// Estimated bytes of an interned value besides its parts.
const BYTES_PER_VALUE: usize = 80;

/// All sets and debts.
pub(super) struct Formulas {
    sets: Interner<[Branch]>,
    debts: Interner<Debts>,
    pub(super) meter: Meter,
}

impl Formulas {
    pub(super) fn new(limits: &RegularLimits) -> Self {
        let mut formulas =
            Self { sets: Interner::default(), debts: Interner::default(), meter: Meter::new(limits) };
        formulas.sets.number(Rc::from([]));
        formulas.debts.number(Rc::default());
        formulas
    }

    /// The set of these branches.
    pub(super) fn set(&mut self, mut branches: Vec<Branch>) -> Result<SetId, OverBudget> {
        branches.sort_unstable();
        branches.dedup();
        self.list(branches)
    }

    /// These branches in their order.
    pub(super) fn list(&mut self, branches: Vec<Branch>) -> Result<SetId, OverBudget> {
        self.meter.work(1 + branches.len())?;
        self.meter.bytes(BYTES_PER_VALUE + branches.len() * size_of::<Branch>())?;
        Ok(SetId(self.sets.number(branches.into())))
    }

    /// The number of debts.
    fn owing(&mut self, mut debts: Debts) -> Result<DebtsId, OverBudget> {
        debts.each.sort_unstable();
        debts.each.dedup();
        self.meter.work(1 + debts.each.len())?;
        self.meter.bytes(BYTES_PER_VALUE + debts.each.len() * size_of::<SetId>())?;
        Ok(DebtsId(self.debts.number(debts.into())))
    }

    /// The debts `never` and `each` of these sets.
    pub(super) fn debts_of(&mut self, never: SetId, each: Vec<SetId>) -> Result<DebtsId, OverBudget> {
        self.owing(Debts { never, each })
    }

    /// The branches of a set.
    pub(super) fn branches(&self, set: SetId) -> Rc<[Branch]> {
        Rc::clone(&self.sets.values[set.0 as usize])
    }

    pub(super) fn debts(&self, id: DebtsId) -> Rc<Debts> {
        Rc::clone(&self.debts.values[id.0 as usize])
    }

    /// These debts, and that a branch of `set` succeeds.
    pub(super) fn with_one_of(&mut self, debts: DebtsId, set: SetId) -> Result<DebtsId, OverBudget> {
        let mut debts = (*self.debts(debts)).clone();
        debts.each.push(set);
        self.owing(debts)
    }

    /// These debts, and that no branch of `set` succeeds.
    pub(super) fn with_none_of(&mut self, debts: DebtsId, set: SetId) -> Result<DebtsId, OverBudget> {
        let mut debts = (*self.debts(debts)).clone();
        let mut never = self.branches(debts.never).to_vec();
        never.extend_from_slice(&self.branches(set));
        debts.never = self.pruned_set(never)?;
        self.owing(debts)
    }

    /// The set of these branches without the branches that succeed only if another one does.
    pub(super) fn pruned_set(&mut self, mut branches: Vec<Branch>) -> Result<SetId, OverBudget> {
        branches.sort_unstable();
        branches.dedup();
        let mut kept: Vec<Branch> = Vec::with_capacity(branches.len());
        for group in branches.chunk_by(|a, b| a.state == b.state) {
            for &branch in group {
                let others = group.iter().map(|other| other.debts).filter(|&debts| debts != branch.debts);
                if !self.implies_any(branch.debts, others)? {
                    kept.push(branch);
                }
            }
        }
        self.set(kept)
    }

    /// The list of these branches without those before which there is one that succeeds whenever they do.
    pub(super) fn pruned_list(&mut self, branches: &[Branch]) -> Result<SetId, OverBudget> {
        let mut kept: FxHashMap<u32, Vec<DebtsId>> = FxHashMap::default();
        let mut list = Vec::with_capacity(branches.len());
        for &branch in branches {
            let earlier = kept.entry(branch.state).or_default();
            if !self.implies_any(branch.debts, earlier.iter().copied())? {
                earlier.push(branch.debts);
                list.push(branch);
            }
        }
        self.list(list)
    }

    /// Whether debts are seen to have all that is in one of `others`. Each comparison is charged for before it is made.
    fn implies_any(
        &mut self,
        debts: DebtsId,
        others: impl Iterator<Item = DebtsId>,
    ) -> Result<bool, OverBudget> {
        self.meter.work(1)?;
        for less in others {
            if self.implies(debts, less)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether debts are seen to have all that is in `less`. Different debts do not have each other.
    fn implies(&mut self, debts: DebtsId, less: DebtsId) -> Result<bool, OverBudget> {
        self.meter.work(1)?;
        if debts == less || less == DebtsId::NONE {
            return Ok(true);
        }
        let (debts, less) = (self.debts(debts), self.debts(less));
        let (never, less_never) = (self.branches(debts.never), self.branches(less.never));
        if less.each.len() > debts.each.len() || less_never.len() > never.len() {
            return Ok(false);
        }
        self.meter.work(less.each.len() + less_never.len())?;
        Ok(less.each.iter().all(|set| debts.each.binary_search(set).is_ok())
            && less_never.iter().all(|branch| never.binary_search(branch).is_ok()))
    }
}

/// Values with a number for each.
struct Interner<T: ?Sized> {
    numbers: FxHashMap<Rc<T>, u32>,
    values: Vec<Rc<T>>,
}

impl<T: ?Sized> Default for Interner<T> {
    fn default() -> Self {
        Self { numbers: FxHashMap::default(), values: Vec::new() }
    }
}

impl<T: ?Sized + Eq + Hash> Interner<T> {
    fn number(&mut self, value: Rc<T>) -> u32 {
        let next = self.values.len() as u32;
        let number = *self.numbers.entry(Rc::clone(&value)).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        number
    }
}
