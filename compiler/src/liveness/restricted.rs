//! Builds an LR(0) automaton without dead ends.
//!
//! In: the LR(0) automaton with its [`Summaries`]. Out: [`Restricted`]. Its states are those of the LR(0) automaton,
//! where every item B -> γ • δ also has the set of *dead* situations: those in which B must not end, because the rest
//! of the text could not be spelled behind it. They take the place that a lookahead has in an LR(1) item. An item from
//! which every reading ends dead is left out. Where nothing is dead, a state is the state that it was.
//!
//! Invariant: let a stack have the state (p, kernel) on top, in situation ι. The sentence begun on the stack can be
//! completed, each lexeme spelled, if and only if some kernel item B -> γ • δ can read δ from ι so that it ends in a
//! situation that is not dead for the item ([`State::live`], for states that are entered by a shift).

use super::situations::Set;
use super::summaries::{Base, Summaries};
use crate::csr::Csr;
use crate::ids::{LrState, ProductionId};
use crate::lr::{Automaton, Items};
use gcc_grammar_ir::{NonterminalId, Symbol};
use gcc_grammar_limits::{Budget, OverBudget};
use rustc_hash::FxHashMap;

/// The most states, as a multiple of the states of the LR(0) automaton; [`MORE_STATES`] are added.
const TIMES_STATES: usize = 4;
/// Further states that there may be.
const MORE_STATES: usize = 1_000;

/// The most symbols after the dot of an item for which nothing is remembered: to find it again costs less.
const SHORT: usize = 32;
/// Estimated bytes of what is remembered of an item in a state, while the table grows.
const BYTES_PER_ITEM: u64 = 120;

/// An item, and the situations in which its production must not end.
type KernelItem = (u32, Set);
type Kernel = Box<[KernelItem]>;

/// A state of the new automaton.
pub(super) struct State {
    /// The state of the LR(0) automaton that it is a copy of.
    pub(super) base: LrState,
    /// The situations in which a stack with this state on top is live.
    pub(super) live: Set,
}

/// The automaton without dead ends.
pub(super) struct Restricted {
    pub(super) automaton: Automaton,
    pub(super) states: Vec<State>,
}

/// Builds the automaton; `None` if it grows too large.
pub(super) fn restrict(
    base: Base<'_>,
    summaries: &Summaries<'_>,
    budget: &Budget,
) -> Result<Option<Restricted>, OverBudget> {
    let items = Items::new(base.cfg);
    let mut builder = Builder {
        expansion: Expansion { base, summaries, items: &items, known: FxHashMap::default(), budget },
        states: Vec::new(),
        kernels: Vec::new(),
        ids: FxHashMap::default(),
    };
    let limit = base.automaton.transitions.rows() * TIMES_STATES + MORE_STATES;
    let first = |p: &ProductionId| (items.first[p.index()], 0);
    let start = base.automaton.by_lhs.row(base.cfg.start.index()).iter().map(first).collect();
    builder.state(LrState(0), start)?;
    let (mut transitions, mut complete) = (Csr::default(), Csr::default());
    while let Some(kernel) = builder.kernels.get(transitions.rows()).cloned() {
        if builder.kernels.len() > limit {
            return Ok(None);
        }
        let state = builder.states[transitions.rows()].base;
        let mut row = Vec::new();
        for (symbol, to, kernel) in builder.expansion.successors(state, &kernel)? {
            row.push((symbol, builder.state(to, kernel)?));
        }
        budget.charge_bytes(row.len() as u64 * 12)?;
        complete.push(kernel.iter().filter_map(|&(item, _)| items.next(base.cfg, item).err()));
        transitions.push(row);
    }
    let automaton = Automaton { transitions, complete, by_lhs: base.automaton.by_lhs.clone() };
    Ok(Some(Restricted { automaton, states: builder.states }))
}

/// The states so far. Some have not been expanded.
struct Builder<'a> {
    expansion: Expansion<'a>,
    states: Vec<State>,
    kernels: Vec<Kernel>,
    ids: FxHashMap<(LrState, Kernel), LrState>,
}

impl Builder<'_> {
    /// The state with this kernel.
    fn state(&mut self, base: LrState, kernel: Kernel) -> Result<LrState, OverBudget> {
        if let Some(&known) = self.ids.get(&(base, kernel.clone())) {
            return Ok(known);
        }
        self.expansion.budget.charge_bytes(kernel.len() as u64 * 64 + 128)?;
        let id = LrState::new(self.states.len());
        let mut live = 0;
        for &item in &kernel {
            live |= self.expansion.live(base, item)?;
        }
        self.states.push(State { base, live });
        self.kernels.push(kernel.clone());
        self.ids.insert((base, kernel), id);
        Ok(id)
    }
}

/// Finds the successors of a state.
struct Expansion<'a> {
    base: Base<'a>,
    summaries: &'a Summaries<'a>,
    items: &'a Items,
    /// The situations that were found for items with many symbols after the dot, by the state and the item.
    known: FxHashMap<(LrState, KernelItem), Set>,
    budget: &'a Budget,
}

impl Expansion<'_> {
    /// The symbols after the dot.
    fn rest(&self, item: u32) -> &[Symbol] {
        let production = self.items.production[item as usize];
        let dot = item - self.items.first[production.index()];
        &self.base.cfg.productions[production.index()].rhs[dot as usize..]
    }

    /// The situations in which the rest of the item can be read, on top of `state`, so that it ends in a situation that is not dead.
    fn live(&mut self, mut state: LrState, (mut item, dead): KernelItem) -> Result<Set, OverBudget> {
        let automaton = self.base.automaton;
        let mut passed = Vec::new();
        let mut live = loop {
            let rest = self.rest(item);
            let Some(&symbol) = rest.first() else { break self.summaries.reach(state) & !dead };
            let is_long = rest.len() > SHORT;
            if is_long && let Some(&known) = self.known.get(&(state, (item, dead))) {
                break known;
            }
            let Some(transition) = automaton.transition(state, symbol) else { break 0 };
            passed.push((state, (item, dead), transition, is_long));
            (state, item) = (automaton.transitions.items()[transition].1, item + 1);
        };
        self.budget.charge_work(passed.len() as u64 * 8 + 1)?;
        for (state, item, transition, is_long) in passed.into_iter().rev() {
            live = self.summaries.leading_to(state, transition, live);
            if is_long {
                self.budget.charge_bytes(BYTES_PER_ITEM)?;
                self.known.insert((state, item), live);
            }
        }
        Ok(live)
    }

    /// The successors: the symbol, the state of the LR(0) automaton, and the kernel, in the order of symbols.
    fn successors(
        &mut self,
        state: LrState,
        kernel: &[KernelItem],
    ) -> Result<Vec<(Symbol, LrState, Kernel)>, OverBudget> {
        let closure = self.closure(state, kernel)?;
        let mut out = Vec::new();
        for group in closure.chunk_by(|a, b| a.0 == b.0) {
            let symbol = group[0].0;
            let Some(to) = self.base.automaton.step(state, symbol) else { continue };
            self.budget.charge_work(group.len() as u64 * 8)?;
            let mut kernel = Vec::new();
            for &(_, (item, dead)) in group {
                if self.live(to, (item + 1, dead))? != 0 {
                    kernel.push((item + 1, dead));
                }
            }
            if !kernel.is_empty() {
                out.push((symbol, to, kernel.into()));
            }
        }
        Ok(out)
    }

    /// The items of the closure that have a symbol after the dot, each with this symbol, sorted.
    fn closure(
        &mut self,
        state: LrState,
        kernel: &[KernelItem],
    ) -> Result<Vec<(Symbol, KernelItem)>, OverBudget> {
        let mut ends: FxHashMap<NonterminalId, Set> = FxHashMap::default();
        let mut open: Vec<NonterminalId> = Vec::new();
        for &item in kernel {
            self.predict(state, item, &mut ends, &mut open)?;
        }
        while let Some(lhs) = open.pop() {
            let dead = self.dead(state, lhs, ends[&lhs]);
            for production in self.base.automaton.by_lhs.row(lhs.index()) {
                self.predict(state, (self.items.first[production.index()], dead), &mut ends, &mut open)?;
            }
        }
        let mut closure: Vec<KernelItem> = kernel.to_vec();
        for (&lhs, &live) in &ends {
            let dead = self.dead(state, lhs, live);
            let productions = self.base.automaton.by_lhs.row(lhs.index()).iter();
            closure.extend(productions.map(|production| (self.items.first[production.index()], dead)));
        }
        let symbol = |item: KernelItem| Some((*self.rest(item.0).first()?, item));
        let mut out: Vec<(Symbol, KernelItem)> = closure.into_iter().filter_map(symbol).collect();
        out.sort_unstable();
        Ok(out)
    }

    /// If a nonterminal comes next in the item, adds the situations in which it may end so that the item can continue.
    fn predict(
        &mut self,
        state: LrState,
        (item, dead): KernelItem,
        ends: &mut FxHashMap<NonterminalId, Set>,
        open: &mut Vec<NonterminalId>,
    ) -> Result<(), OverBudget> {
        self.budget.charge_work(1)?;
        let Some(&symbol @ Symbol::Nonterminal(lhs)) = self.rest(item).first() else { return Ok(()) };
        let Some(to) = self.base.automaton.step(state, symbol) else { return Ok(()) };
        let live = self.live(to, (item + 1, dead))?;
        let known = ends.entry(lhs).or_default();
        if live & !*known != 0 {
            *known |= live;
            open.push(lhs);
        }
        Ok(())
    }

    /// The situations in which the nonterminal can end where it begins on top of `state`, but for `live`.
    fn dead(&self, state: LrState, lhs: NonterminalId, live: Set) -> Set {
        self.summaries.after(state, lhs) & !live
    }
}
