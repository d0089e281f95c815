//! Builds the LR(0) automaton: states are sets of items, hash-consed by their kernels.
//!
//! In: the productions. Out: the transitions of every state, and the productions that are complete in it.
//! State 0 has the kernel of the start symbol; the other states are numbered in breadth-first order.
//!
//! An item is a number, the first item of its production plus the position of the dot, so that advancing the
//! dot adds 1.
//!
//! A union, the common beginning of several productions ([`Cfg::unions`]), is passed by the dot as soon as one
//! of its words has been read: an item `U -> w •` stands for `A -> U • t`, for all productions that begin with
//! `U` or with a union that includes the words of `U`. So there is no transition on a union, and no reduction
//! to a union.

use crate::csr::Csr;
use crate::ids::{LrState, ProductionId};
use crate::normalize::Cfg;
use gcc_grammar_ir::{NonterminalId, Symbol};
use gcc_grammar_limits::{Budget, OverBudget, Resource};
use rustc_hash::FxHashMap;

/// The transitions of the states, and the productions that each state completes.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// Per state, sorted by symbol.
    pub(crate) transitions: Csr<(Symbol, LrState)>,
    /// Per state: the productions whose right-hand side ends here.
    pub(crate) complete: Csr<ProductionId>,
    /// Per nonterminal: its productions.
    pub(crate) by_lhs: Csr<ProductionId>,
}

impl Automaton {
    /// The successor of `state` over `symbol`.
    pub(crate) fn step(&self, state: LrState, symbol: Symbol) -> Option<LrState> {
        self.transition(state, symbol).map(|transition| self.transitions.items()[transition].1)
    }

    /// The transition of `state` over `symbol`, among those of all states.
    pub(crate) fn transition(&self, state: LrState, symbol: Symbol) -> Option<usize> {
        let span = self.transitions.span(state.index());
        let row = &self.transitions.items()[span.clone()];
        row.binary_search_by_key(&symbol, |&(s, _)| s).ok().map(|place| span.start + place)
    }
}

/// The numbers of all items.
pub(crate) struct Items {
    /// Per production: its item with the dot at the beginning.
    pub(crate) first: Vec<u32>,
    /// Per item: its production.
    pub(crate) production: Vec<ProductionId>,
}

impl Items {
    pub(crate) fn new(cfg: &Cfg) -> Self {
        let mut items = Self { first: Vec::new(), production: Vec::new() };
        for (i, p) in cfg.productions.iter().enumerate() {
            items.first.push(items.production.len() as u32);
            items.production.extend(std::iter::repeat_n(ProductionId::new(i), p.rhs.len() + 1));
        }
        items
    }

    /// The symbol after the dot, or the production if the item is complete.
    pub(crate) fn next(&self, cfg: &Cfg, item: u32) -> Result<Symbol, ProductionId> {
        let production = self.production[item as usize];
        let dot = item - self.first[production.index()];
        cfg.productions[production.index()].rhs.get(dot as usize).copied().ok_or(production)
    }
}

/// Builds the states in breadth-first order from the kernel of the start productions.
pub(crate) fn build(cfg: &Cfg, budget: &Budget) -> Result<Automaton, OverBudget> {
    let items = Items::new(cfg);
    let lhs = cfg.productions.iter().map(|production| production.lhs.index());
    let by_lhs = Csr::inverse(cfg.names.len(), lhs.enumerate().map(|(p, lhs)| (ProductionId::new(p), lhs)));
    let start_kernel: Box<[u32]> =
        by_lhs.row(cfg.start.index()).iter().map(|p| items.first[p.index()]).collect();
    let mut kernels = vec![start_kernel.clone()];
    let mut ids: FxHashMap<Box<[u32]>, LrState> = FxHashMap::from_iter([(start_kernel, LrState(0))]);
    let mut transitions = Csr::default();
    let mut complete = Csr::default();
    let mut closure = Closure::new(cfg, &items);
    let (mut row, mut target) = (Vec::new(), Vec::new());
    let mut next = 0;
    while let Some(kernel) = kernels.get(next) {
        next += 1;
        let moves = closure.moves(&by_lhs, kernel);
        // In states with tens of thousands of moves, a move takes as long as 24 other work units.
        budget.charge_work(moves.len() as u64 * 24 + 1)?;
        let completed = kernel.iter().filter_map(|&item| items.next(cfg, item).err());
        complete.push(completed.filter(|p| cfg.unions[cfg.productions[p.index()].lhs.index()] == 0));
        row.clear();
        for group in moves.chunk_by(|a, b| a.0 == b.0) {
            target.clear();
            target.extend(group.iter().map(|&(_, item)| item));
            let state = match ids.get(&*target) {
                Some(&state) => state,
                None => {
                    let state = LrState::new(kernels.len());
                    budget.charge_bytes(target.len() as u64 * 8 + 80)?;
                    budget.check(Resource::LrStates, kernels.len() + 1, budget.limits().lr_states)?;
                    kernels.push(target.as_slice().into());
                    ids.insert(target.as_slice().into(), state);
                    state
                }
            };
            row.push((group[0].0, state));
        }
        budget.charge_bytes(row.len() as u64 * 12)?;
        transitions.push(row.iter().copied());
    }
    Ok(Automaton { transitions, complete, by_lhs })
}

/// Per nonterminal: itself, or for a union that only begins one longer union, the next union that begins more. Unions of
/// the words before n optional keys are a chain of n, and few of them begin anything else.
fn next_begun(cfg: &Cfg, begun_by: &Csr<ProductionId>) -> Vec<NonterminalId> {
    let longer = |n: usize| match begun_by.row(n) {
        [only] => {
            let production = &cfg.productions[only.index()];
            let is_link = production.rhs.len() == 1 && cfg.unions[production.lhs.index()] > 0;
            is_link.then_some(production.lhs)
        }
        _ => None,
    };
    let mut next: Vec<Option<NonterminalId>> = vec![None; cfg.names.len()];
    for n in 0..next.len() {
        let (mut path, mut at) = (Vec::new(), NonterminalId::new(n));
        let end = loop {
            if let Some(known) = next[at.index()] {
                break known;
            }
            path.push(at);
            match longer(at.index()) {
                Some(longer) => at = longer,
                None => break at,
            }
        };
        path.into_iter().for_each(|passed| next[passed.index()] = Some(end));
    }
    next.into_iter().enumerate().map(|(n, end)| end.unwrap_or(NonterminalId::new(n))).collect()
}

/// Scratch space for closures. A nonterminal is marked with the number of the round in which it was last met.
struct Closure<'a> {
    cfg: &'a Cfg,
    items: &'a Items,
    /// Per union: the productions that begin with it.
    begun_by: Csr<ProductionId>,
    /// Per union: the next union that begins more than another union, which may be itself.
    next_begun: Vec<NonterminalId>,
    /// Nonterminals whose productions are still to be added.
    open: Vec<NonterminalId>,
    opened: Vec<u32>,
    /// Unions of which a word has been read, still to be passed.
    read: Vec<NonterminalId>,
    passed: Vec<u32>,
    /// Unions whose productions have been added.
    begun: Vec<u32>,
    round: u32,
    moves: Vec<(Symbol, u32)>,
}

impl<'a> Closure<'a> {
    fn new(cfg: &'a Cfg, items: &'a Items) -> Self {
        let nonterminals = cfg.names.len();
        let begins =
            cfg.productions.iter().enumerate().filter_map(|(p, production)| match production.rhs[0] {
                Symbol::Nonterminal(n) if cfg.is_union(production.rhs[0]) => {
                    Some((ProductionId::new(p), n.index()))
                }
                _ => None,
            });
        let begun_by = Csr::inverse(nonterminals, begins);
        Self {
            cfg,
            items,
            next_begun: next_begun(cfg, &begun_by),
            begun_by,
            open: Vec::new(),
            opened: vec![0; nonterminals],
            read: Vec::new(),
            passed: vec![0; nonterminals],
            begun: vec![0; nonterminals],
            round: 0,
            moves: Vec::new(),
        }
    }

    /// For every item of the closure of `kernel` with a symbol after the dot: this symbol and the item with the
    /// dot behind it, sorted.
    fn moves(&mut self, by_lhs: &Csr<ProductionId>, kernel: &[u32]) -> &[(Symbol, u32)] {
        self.round += 1;
        self.moves.clear();
        for &item in kernel {
            self.add(item);
        }
        while let Some(union) = self.read.pop() {
            let union = self.next_begun[union.index()];
            if std::mem::replace(&mut self.begun[union.index()], self.round) == self.round {
                continue;
            }
            for i in self.begun_by.span(union.index()) {
                self.add(self.items.first[self.begun_by.items()[i].index()] + 1);
            }
        }
        while let Some(n) = self.open.pop() {
            for p in by_lhs.row(n.index()) {
                self.add(self.items.first[p.index()]);
            }
        }
        self.moves.sort_unstable();
        self.moves.dedup();
        &self.moves
    }

    /// Adds an item to the closure.
    fn add(&mut self, item: u32) {
        match self.items.next(self.cfg, item) {
            Ok(symbol) => {
                if !self.cfg.is_union(symbol) {
                    self.moves.push((symbol, item + 1));
                }
                if let Symbol::Nonterminal(n) = symbol
                    && std::mem::replace(&mut self.opened[n.index()], self.round) != self.round
                {
                    self.open.push(n);
                }
            }
            Err(production) => {
                let lhs = self.cfg.productions[production.index()].lhs;
                if self.cfg.unions[lhs.index()] > 0
                    && std::mem::replace(&mut self.passed[lhs.index()], self.round) != self.round
                {
                    self.read.push(lhs);
                }
            }
        }
    }
}
