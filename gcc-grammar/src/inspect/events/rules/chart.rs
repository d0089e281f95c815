//! The chart of Earley's parser: for each place where a lexeme ended, the productions that are under way there.
//!
//! In: lexemes, each with the place where it began. Out: sets of items. An item has [facts](super::facts): the rules that have ended in it so far,
//! in whichever way it was derived. No production is empty, so an item that is complete began at an earlier place; those that began last are looked at
//! first, and of those that began at the same place the ones that others derive alone. Then the facts of each are complete when they are used.
//!
//! Source: Earley, *An efficient context-free parsing algorithm*, 1970.

use super::facts::{Ended, Facts, FactsId, NONE};
use super::productions::Productions;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// The bytes of an item, estimated.
const ITEM_BYTES: u64 = 96;

/// The number of a set of items.
pub(super) type SetId = u32;

/// The start of what has not begun.
pub(super) const NOT_BEGUN: usize = usize::MAX;

/// A production that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Item {
    pub(super) production: u32,
    pub(super) dot: u32,
    /// The set in which it was expected.
    pub(super) origin: SetId,
    /// Where its first lexeme begins in the text.
    pub(super) start: usize,
}

/// A lexeme from a set to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Lexeme {
    pub(super) from: SetId,
    pub(super) terminal: TerminalId,
    pub(super) start: usize,
}

/// The items at a place.
#[derive(Default)]
pub(super) struct Set {
    /// The items that are not complete.
    pub(super) items: Vec<(Item, FactsId)>,
    numbers: FxHashMap<Item, usize>,
    /// The items in front of each nonterminal.
    waiting: FxHashMap<NonterminalId, Vec<usize>>,
    /// The items in front of each terminal.
    reading: FxHashMap<TerminalId, Vec<usize>>,
    /// Where the last lexeme ended.
    pub(super) end: usize,
}

impl Set {
    /// The items in front of a nonterminal.
    pub(super) fn waiting(&self, nonterminal: NonterminalId) -> impl Iterator<Item = (Item, FactsId)> + '_ {
        self.waiting.get(&nonterminal).into_iter().flatten().map(|&number| self.items[number])
    }

    /// The items in front of a terminal.
    pub(super) fn reading(&self, terminal: TerminalId) -> impl Iterator<Item = (Item, FactsId)> + '_ {
        self.reading.get(&terminal).into_iter().flatten().map(|&number| self.items[number])
    }

    /// The items in front of any terminal.
    pub(super) fn reading_any(&self) -> impl Iterator<Item = (Item, FactsId)> + '_ {
        self.reading.values().flatten().map(|&number| self.items[number])
    }
}

/// Productions that are complete: those that began last first, then by rank.
type Complete = BTreeMap<(Reverse<SetId>, u32, usize, NonterminalId), FactsId>;

/// All sets.
pub(super) struct Chart<'a> {
    pub(super) productions: Productions<'a>,
    pub(super) sets: Vec<Set>,
    pub(super) facts: Facts,
    budget: Budget,
}

impl<'a> Chart<'a> {
    /// The chart before the first lexeme.
    pub(super) fn new(productions: Productions<'a>, budget: Budget) -> Result<Self, OverBudget> {
        let facts = Facts::new(budget.clone());
        let mut chart = Self { productions, sets: Vec::new(), facts, budget };
        let mut first = Set::default();
        chart.expect(&mut first, chart.productions.cfg.start)?;
        chart.close(&mut first)?;
        chart.sets.push(first);
        Ok(chart)
    }

    /// Adds the set behind lexemes that end at an offset.
    pub(super) fn read(&mut self, lexemes: &FxHashSet<Lexeme>, end: usize) -> Result<SetId, OverBudget> {
        let (mut set, mut complete) = (Set { end, ..Set::default() }, Complete::new());
        for &Lexeme { from, terminal, start } in lexemes {
            let read: Vec<(Item, FactsId)> = self.sets[from as usize].reading(terminal).collect();
            for (item, facts) in read {
                self.advance(item, facts, start, &mut set, &mut complete)?;
            }
        }
        while let Some(((Reverse(origin), _, start, nonterminal), mut facts)) = complete.pop_first() {
            if self.productions.name(nonterminal).is_some() {
                let one = self.facts.one(Ended { nonterminal, start, end })?;
                facts = self.facts.both(facts, one)?;
            }
            let waiting: Vec<(Item, FactsId)> = self.sets[origin as usize].waiting(nonterminal).collect();
            for (item, before) in waiting {
                let facts = self.facts.both(before, facts)?;
                self.advance(item, facts, start, &mut set, &mut complete)?;
            }
        }
        self.close(&mut set)?;
        self.sets.push(set);
        Ok(self.sets.len() as SetId - 1)
    }

    /// Spends work.
    pub(super) fn charge(&self, units: usize) -> Result<(), OverBudget> {
        self.budget.charge_work(units as u64)
    }

    /// Drops the sets from a number on.
    pub(super) fn truncate(&mut self, sets: usize) {
        let items: usize = self.sets.drain(sets..).map(|set| set.items.len()).sum();
        self.budget.release_bytes(items as u64 * ITEM_BYTES);
    }

    /// Moves the dot of an item over a symbol that began at an offset.
    fn advance(
        &mut self,
        item: Item,
        facts: FactsId,
        start: usize,
        set: &mut Set,
        complete: &mut Complete,
    ) -> Result<(), OverBudget> {
        let start = if item.dot == 0 { start } else { item.start };
        let item = Item { dot: item.dot + 1, start, ..item };
        if self.productions.next(item.production, item.dot).is_some() {
            return self.add(set, item, facts);
        }
        self.budget.charge_work(1)?;
        let left = self.productions.left(item.production);
        let key = (Reverse(item.origin), self.productions.rank(left), start, left);
        match complete.entry(key) {
            Entry::Vacant(entry) => drop(entry.insert(facts)),
            Entry::Occupied(mut entry) => {
                let common = self.facts.common(*entry.get(), facts)?;
                entry.insert(common);
            }
        }
        Ok(())
    }

    /// Adds an item, or another way to derive it.
    fn add(&mut self, set: &mut Set, item: Item, facts: FactsId) -> Result<(), OverBudget> {
        self.budget.charge_work(1)?;
        if let Some(&number) = set.numbers.get(&item) {
            let known = &mut set.items[number].1;
            *known = self.facts.common(*known, facts)?;
            return Ok(());
        }
        self.budget.charge_bytes(ITEM_BYTES)?;
        let number = set.items.len();
        set.numbers.insert(item, number);
        set.items.push((item, facts));
        match self.productions.next(item.production, item.dot) {
            Some(Symbol::Nonterminal(next)) => set.waiting.entry(next).or_default().push(number),
            Some(Symbol::Terminal(next)) => set.reading.entry(next).or_default().push(number),
            None => {}
        }
        Ok(())
    }

    /// Adds the productions of a nonterminal to a set that becomes the next one.
    fn expect(&mut self, set: &mut Set, nonterminal: NonterminalId) -> Result<(), OverBudget> {
        let origin = self.sets.len() as SetId;
        for production in self.productions.of(nonterminal) {
            self.add(set, Item { production, dot: 0, origin, start: NOT_BEGUN }, NONE)?;
        }
        Ok(())
    }

    /// Adds all that can begin at a set that becomes the next one.
    fn close(&mut self, set: &mut Set) -> Result<(), OverBudget> {
        let mut expected = FxHashSet::default();
        let mut number = 0;
        while let Some(&(item, _)) = set.items.get(number) {
            number += 1;
            if let Some(Symbol::Nonterminal(next)) = self.productions.next(item.production, item.dot)
                && expected.insert(next)
            {
                self.expect(set, next)?;
            }
        }
        Ok(())
    }
}
