//! What the members cost that an object must still have whose keys are remembered.
//!
//! In: the productions, the records, what each terminal costs. Out: [`Members`]: per record and key a number of tokens that suffices
//! for a comma, the key and its value, and per record what suffices for an object that has opened.
//!
//! The costs of completions are those of the grammar, in which an object ends as soon as it can, with any keys. So a terminal that opens an object costs more by
//! the keys that must come in any case, or by one that can, and the runtime adds the costs of the keys that the objects at hand still need. Each such key pays for
//! itself when it is written, so that some token always leads to a configuration that costs less.
//!
//! The right part of an object is left-linear: behind a key, its production goes on, and then the productions that begin with its left-hand side, up
//! to the comma or the end. Costs are lowered until nothing changes; values may have objects in them, of the same record as well.

use super::classes::NEVER;
use super::tokens::Cost;
use crate::normalize::Cfg;
use gcc_grammar_artifact::grammar::{DistinctTables, NONE};
use gcc_grammar_ir::{KeyRecord, NonterminalId, Symbol, TerminalId};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::{FxHashMap, FxHashSet};

/// The costs of members.
pub(super) struct Members {
    /// Per record and declared key, behind them of a key that is not declared, and last the least of all: what the grammar itself takes a member to cost.
    pub(super) keys: Vec<Vec<Cost>>,
    /// Per record: what an object that has opened needs.
    pub(super) first: Vec<Cost>,
}

/// A key in a production: the number of the key, the production, and the position behind the key.
struct Member {
    key: usize,
    terminal: TerminalId,
    production: usize,
    behind: usize,
}

/// The costs; `None` if some key has no finite one.
pub(super) fn members(
    cfg: &Cfg,
    (tables, records): (&DistinctTables, &[&KeyRecord]),
    terminals: &[Cost],
    budget: &Budget,
) -> Result<Option<Members>, OverBudget> {
    let mut search = Search::new(cfg, (tables, records), terminals);
    let of_record = (0..records.len()).map(|record| search.members_of(record)).collect::<Vec<_>>();
    let ways = records.iter().map(|record| ways(record, budget)).collect::<Result<Vec<_>, _>>()?;
    budget.charge_bytes(of_record.iter().map(|members| members.len() as u64 * 32).sum())?;
    let symbols: usize = cfg.productions.iter().map(|production| production.rhs.len()).sum();
    let members: usize = of_record.iter().map(Vec::len).sum();
    while std::mem::take(&mut search.has_changed) {
        budget.charge_work(2 * (symbols + members) as u64)?;
        search.lower();
        // No text opens an object of which no member is found.
        for (record, members) in of_record.iter().enumerate().filter(|(_, members)| !members.is_empty()) {
            search.keys[record] = search.key_costs(records[record].keys, members);
            let first = search.first_cost(record, &ways[record]);
            search.has_changed |= first < search.first[record];
            search.first[record] = first;
        }
    }
    let Search { keys, mut first, .. } = search;
    let unused = of_record.iter().zip(&mut first).filter(|(members, _)| members.is_empty());
    unused.for_each(|(_, first)| *first = 0);
    let is_finite = keys.iter().flatten().chain(&first).all(|&cost| cost != NEVER);
    Ok(is_finite.then_some(Members { keys, first }))
}

/// Keys that suffice for an object that has opened, as many ways as there are: those that must come, or any first one with those that follow from it.
fn ways(record: &KeyRecord, budget: &Budget) -> Result<Vec<Vec<usize>>, OverBudget> {
    let atoms = || vec![false; record.keys as usize + record.facts.len()];
    let mut all = vec![needed(record, atoms(), budget)?];
    if !all[0].is_empty() {
        return Ok(all);
    }
    all.clear();
    for variant in record.variants() {
        let mut first = atoms();
        record.set(&mut first, variant);
        if record.can_be_completed(&first) {
            all.push(needed(record, first, budget)?);
        }
    }
    all.extend(record.is_open.then(|| vec![record.keys as usize]));
    Ok(all)
}

/// The keys of an object with these atoms, and those that may have to follow: by clauses, and by all alternatives of choices. The runtime
/// finds the same, or fewer.
fn needed(record: &KeyRecord, mut atoms: Vec<bool>, budget: &Budget) -> Result<Vec<usize>, OverBudget> {
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        budget.charge_work((record.clauses.len() + record.choices.len() + atoms.len()) as u64)?;
        let holds = |all: &[u32], atoms: &[bool]| all.iter().all(|&atom| atoms[atom as usize]);
        let clauses = record.clauses.iter().map(|clause| (&clause.atoms, clause.then.as_slice()));
        let choices = record.choices.iter();
        let choices =
            choices.flat_map(|choice| choice.alternatives.iter().map(|other| (&choice.atoms, &other[..])));
        for (all, then) in clauses.chain(choices) {
            if holds(all, &atoms) {
                has_changed |= !holds(then, &atoms);
                then.iter().for_each(|&atom| atoms[atom as usize] = true);
            }
        }
    }
    let key_of = |atom: usize| match atom.checked_sub(record.keys as usize) {
        Some(fact) => record.facts[fact] as usize,
        None => atom,
    };
    let mut keys: Vec<usize> = (0..atoms.len()).filter(|&atom| atoms[atom]).map(key_of).collect();
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}

struct Search<'a> {
    cfg: &'a Cfg,
    records: &'a [&'a KeyRecord],
    /// What terminals cost by themselves.
    terminals: &'a [Cost],
    /// Per terminal that opens an object: its record.
    opens: FxHashMap<TerminalId, usize>,
    /// Per terminal of a key: the number of the variant, or [`NONE`].
    variants: FxHashMap<TerminalId, u32>,
    commas: FxHashSet<TerminalId>,
    closes: FxHashSet<TerminalId>,
    /// Per nonterminal: the productions that begin with it.
    begun_by: Vec<Vec<usize>>,
    /// Per nonterminal: its cheapest text.
    texts: Vec<Cost>,
    /// Per nonterminal at the beginning of an object: what comes behind it, up to a comma or the end.
    behind: Vec<Cost>,
    keys: Vec<Vec<Cost>>,
    first: Vec<Cost>,
    has_changed: bool,
}

impl<'a> Search<'a> {
    fn new(
        cfg: &'a Cfg,
        (tables, records): (&DistinctTables, &'a [&'a KeyRecord]),
        terminals: &'a [Cost],
    ) -> Self {
        let mut begun_by = vec![Vec::new(); cfg.names.len()];
        for (index, production) in cfg.productions.iter().enumerate() {
            if let Some(Symbol::Nonterminal(first)) = production.rhs.first() {
                begun_by[first.index()].push(index);
            }
        }
        let set = |list: &[u32]| list.iter().map(|&terminal| TerminalId(terminal)).collect();
        let opens = tables.opens.iter().map(|&[terminal, record]| (TerminalId(terminal), record as usize));
        let variants = tables.keys.iter().map(|&[terminal, number, _]| (TerminalId(terminal), number));
        Self {
            cfg,
            records,
            terminals,
            opens: opens.collect(),
            variants: variants.collect(),
            commas: set(&tables.commas),
            closes: set(&tables.closes),
            texts: vec![NEVER; begun_by.len()],
            behind: vec![NEVER; begun_by.len()],
            begun_by,
            keys: vec![Vec::new(); records.len()],
            first: vec![NEVER; records.len()],
            has_changed: true,
        }
    }

    /// What an object of a record needs that has opened, besides what the grammar takes a member to cost.
    fn first_cost(&self, record: usize, ways: &[Vec<usize>]) -> Cost {
        let keys = &self.keys[record];
        let sum = |way: &Vec<usize>| way.iter().fold(0, |sum: Cost, &key| sum.saturating_add(keys[key]));
        match (ways.iter().map(sum).min(), keys.last()) {
            (Some(first), Some(&least)) if first != NEVER => first.saturating_sub(least),
            _ => NEVER,
        }
    }

    /// The keys of the objects of a record.
    fn members_of(&self, record: usize) -> Vec<Member> {
        let mut members = Vec::new();
        let mut seen: FxHashSet<NonterminalId> = FxHashSet::default();
        let mut open = Vec::new();
        for (index, production) in self.cfg.productions.iter().enumerate() {
            let opens =
                |symbol: &Symbol| matches!(symbol, Symbol::Terminal(t) if self.opens.get(t) == Some(&record));
            open.extend(production.rhs.iter().position(opens).map(|at| (index, at + 1)));
        }
        while let Some((index, from)) = open.pop() {
            let production = &self.cfg.productions[index];
            let mut closes = false;
            for (at, symbol) in production.rhs.iter().enumerate().skip(from) {
                let Symbol::Terminal(terminal) = *symbol else { continue };
                closes = self.closes.contains(&terminal);
                if closes {
                    break;
                }
                let variant = self.variants.get(&terminal);
                let member = |&variant: &u32| Member {
                    key: self.key_of(record, variant),
                    terminal,
                    production: index,
                    behind: at + 1,
                };
                members.extend(variant.map(member));
            }
            if !closes && seen.insert(production.lhs) {
                open.extend(self.begun_by[production.lhs.index()].iter().map(|&index| (index, 1)));
            }
        }
        members
    }

    /// The number of the key of a variant.
    fn key_of(&self, record: usize, variant: u32) -> usize {
        let record = &self.records[record];
        let key = match variant {
            NONE => record.keys,
            _ if record.facts.is_empty() => variant,
            _ => record.variants[variant as usize].key,
        };
        key as usize
    }

    fn cost(&self, symbol: Symbol) -> Cost {
        match symbol {
            Symbol::Nonterminal(nonterminal) => self.texts[nonterminal.index()],
            Symbol::Terminal(terminal) => {
                let owed = self.opens.get(&terminal).map_or(0, |&record| self.first[record]);
                self.terminals[terminal.index()].saturating_add(owed)
            }
        }
    }

    /// Lowers the costs of nonterminals.
    fn lower(&mut self) {
        for index in 0..self.cfg.productions.len() {
            let production = &self.cfg.productions[index];
            let cost =
                production.rhs.iter().fold(0, |sum: Cost, &symbol| sum.saturating_add(self.cost(symbol)));
            let known = &mut self.texts[production.lhs.index()];
            self.has_changed |= cost < *known;
            *known = cost.min(*known);
        }
        for nonterminal in 0..self.behind.len() {
            let behind = self.begun_by[nonterminal].iter().map(|&index| self.rest(index, 1)).min();
            let cost = behind.unwrap_or(NEVER);
            self.has_changed |= cost < self.behind[nonterminal];
            self.behind[nonterminal] = cost.min(self.behind[nonterminal]);
        }
    }

    /// The cost from a position in a production to the next comma or the end of the object.
    fn rest(&self, index: usize, from: usize) -> Cost {
        let production = &self.cfg.productions[index];
        let mut sum: Cost = 0;
        for &symbol in &production.rhs[from..] {
            match symbol {
                Symbol::Terminal(t) if self.commas.contains(&t) || self.closes.contains(&t) => return sum,
                _ => sum = sum.saturating_add(self.cost(symbol)),
            }
        }
        sum.saturating_add(self.behind[production.lhs.index()])
    }

    /// The costs of keys, of which some terminals may be dearer than others, and the least cost.
    fn key_costs(&self, keys: u32, members: &[Member]) -> Vec<Cost> {
        let comma = self.commas.iter().map(|comma| self.terminals[comma.index()]).max().unwrap_or(0);
        let mut costs = vec![0; keys as usize + 1];
        let mut least = NEVER;
        for member in members {
            let key = self.cost(Symbol::Terminal(member.terminal));
            let cost = comma.saturating_add(key).saturating_add(self.rest(member.production, member.behind));
            costs[member.key] = cost.max(costs[member.key]);
            least = cost.min(least);
        }
        costs.push(least);
        costs
    }
}
