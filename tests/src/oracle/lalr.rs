//! LALR(1) tables, the plainest way: LR(1) items, states merged by core, look-aheads joined until nothing changes.
//!
//! Joining look-aheads to a fixed point over the LR(0) states gives exactly the canonical LR(1) collection with
//! states of equal core merged (DeRemer and Pennello, Efficient computation of LALR(1) look-ahead sets, 1982, section 3),
//! which is what LALR(1) means. All conflicts are kept.

use super::Cfg;
use gcc_grammar_frontends::{NonterminalId, Symbol, TerminalId};
use std::collections::{BTreeMap, BTreeSet};

/// A terminal, or `None` for the end of the text.
pub type Lookahead = Option<TerminalId>;

/// Production and how much of its right part has been read.
type Item = (usize, usize);

/// A set of items with their look-aheads.
type Items = BTreeMap<Item, BTreeSet<Lookahead>>;

/// What an LR state does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// Next state per terminal read.
    pub shifts: BTreeMap<TerminalId, usize>,
    /// Next state per nonterminal recognized.
    pub gotos: BTreeMap<NonterminalId, usize>,
    /// Productions to reduce by, per look-ahead.
    pub reductions: BTreeMap<Lookahead, Vec<usize>>,
    /// The text may end here.
    pub accepts: bool,
}

/// The tables; state 0 is the start.
#[derive(Clone, Debug)]
pub struct Tables {
    productions: Vec<(NonterminalId, Vec<Symbol>)>,
    states: Vec<State>,
}

impl Tables {
    /// The tables of a grammar that is not cyclic.
    #[must_use]
    pub fn new(cfg: &Cfg) -> Self {
        let mut productions = cfg.productions.clone();
        // The augmented start production comes last; its left part does not matter.
        let goal = productions.len();
        productions.push((cfg.start, vec![Symbol::Nonterminal(cfg.start)]));
        let states = collect(&productions, goal);
        let mut tables = Self { productions, states };
        tables.states[0].accepts |= cfg.accepts_empty;
        tables
    }

    /// The terminals that have an action in the state: its lexical context, but for ignored terminals.
    pub fn context(&self, state: usize) -> impl Iterator<Item = TerminalId> {
        let State { shifts, reductions, .. } = &self.states[state];
        let terminals: BTreeSet<_> =
            shifts.keys().copied().chain(reductions.keys().copied().flatten()).collect();
        terminals.into_iter()
    }

    /// Every stack that results from reading `terminal`: reductions by it, then its shift.
    #[must_use]
    pub fn shift(&self, stack: &[usize], terminal: TerminalId) -> Vec<Vec<usize>> {
        let reduced = self.reduce(stack, Some(terminal));
        let shifted = reduced.into_iter().filter_map(|mut stack| {
            let &next = self.states[top(&stack)].shifts.get(&terminal)?;
            stack.push(next);
            Some(stack)
        });
        shifted.collect()
    }

    /// Whether the text may end with this stack.
    #[must_use]
    pub fn accepts(&self, stack: &[usize]) -> bool {
        self.reduce(stack, None).iter().any(|stack| self.states[top(stack)].accepts)
    }

    /// The stack itself and every stack that reductions by `lookahead` make of it.
    fn reduce(&self, stack: &[usize], lookahead: Lookahead) -> BTreeSet<Vec<usize>> {
        let mut seen = BTreeSet::from([stack.to_vec()]);
        let mut pending = vec![stack.to_vec()];
        while let Some(stack) = pending.pop() {
            for &production in self.states[top(&stack)].reductions.get(&lookahead).into_iter().flatten() {
                let (left, right) = &self.productions[production];
                let mut reduced = stack[..stack.len() - right.len()].to_vec();
                reduced.push(self.states[top(&reduced)].gotos[left]);
                if seen.insert(reduced.clone()) {
                    pending.push(reduced);
                }
            }
        }
        seen
    }
}

fn top(stack: &[usize]) -> usize {
    stack[stack.len() - 1]
}

/// All states, from the kernel of the start state on.
fn collect(productions: &[(NonterminalId, Vec<Symbol>)], goal: usize) -> Vec<State> {
    let first = first_sets(productions);
    let mut kernels = vec![Items::from([((goal, 0), BTreeSet::from([None]))])];
    let mut ids = BTreeMap::from([(core(&kernels[0]), 0)]);
    let mut pending = vec![0];
    let mut states = vec![State::default()];
    while let Some(id) = pending.pop() {
        let items = close(productions, &first, &kernels[id]);
        let mut state = State::default();
        for (symbol, kernel) in successors(productions, &items) {
            let target = *ids.entry(core(&kernel)).or_insert_with(|| {
                kernels.push(Items::new());
                states.push(State::default());
                kernels.len() - 1
            });
            if join(&mut kernels[target], kernel) {
                pending.push(target);
            }
            match symbol {
                Symbol::Terminal(terminal) => drop(state.shifts.insert(terminal, target)),
                Symbol::Nonterminal(nonterminal) => drop(state.gotos.insert(nonterminal, target)),
            }
        }
        for (&(production, dot), lookaheads) in &items {
            if dot < productions[production].1.len() {
                continue;
            }
            if production == goal {
                state.accepts = true;
                continue;
            }
            for &lookahead in lookaheads {
                state.reductions.entry(lookahead).or_default().push(production);
            }
        }
        states[id] = state;
    }
    states
}

fn core(items: &Items) -> Vec<Item> {
    items.keys().copied().collect()
}

/// Adds the look-aheads of `more`; true if any is new.
fn join(items: &mut Items, more: Items) -> bool {
    let mut grown = false;
    for (item, lookaheads) in more {
        let known = items.entry(item).or_default();
        for lookahead in lookaheads {
            grown |= known.insert(lookahead);
        }
    }
    grown
}

/// The items after each symbol.
fn successors(productions: &[(NonterminalId, Vec<Symbol>)], items: &Items) -> BTreeMap<Symbol, Items> {
    let mut successors: BTreeMap<Symbol, Items> = BTreeMap::new();
    for (&(production, dot), lookaheads) in items {
        if let Some(&symbol) = productions[production].1.get(dot) {
            successors.entry(symbol).or_default().insert((production, dot + 1), lookaheads.clone());
        }
    }
    successors
}

/// The closure: `[A → α·Bβ, a]` brings `[B → ·γ, b]` for every `b` that can begin `βa`.
fn close(
    productions: &[(NonterminalId, Vec<Symbol>)],
    first: &BTreeMap<NonterminalId, BTreeSet<TerminalId>>,
    kernel: &Items,
) -> Items {
    let mut items = kernel.clone();
    let mut pending: Vec<Item> = core(kernel);
    while let Some((production, dot)) = pending.pop() {
        let right = &productions[production].1;
        let Some(&Symbol::Nonterminal(next)) = right.get(dot) else { continue };
        // No right part is empty, so what follows hides the look-ahead.
        let lookaheads: BTreeSet<Lookahead> = match right.get(dot + 1) {
            None => items[&(production, dot)].clone(),
            Some(&Symbol::Terminal(terminal)) => BTreeSet::from([Some(terminal)]),
            Some(Symbol::Nonterminal(nonterminal)) => first[nonterminal].iter().copied().map(Some).collect(),
        };
        for (index, _) in productions.iter().enumerate().filter(|(_, production)| production.0 == next) {
            // The augmented production is the start state's alone.
            if index + 1 < productions.len()
                && join(&mut items, Items::from([((index, 0), lookaheads.clone())]))
            {
                pending.push((index, 0));
            }
        }
    }
    items
}

/// Per nonterminal, the terminals that can begin it.
fn first_sets(productions: &[(NonterminalId, Vec<Symbol>)]) -> BTreeMap<NonterminalId, BTreeSet<TerminalId>> {
    let mut first: BTreeMap<NonterminalId, BTreeSet<TerminalId>> = BTreeMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for (left, right) in productions {
            let begins = match right[0] {
                Symbol::Terminal(terminal) => BTreeSet::from([terminal]),
                Symbol::Nonterminal(nonterminal) => first.get(&nonterminal).cloned().unwrap_or_default(),
            };
            let known = first.entry(*left).or_default();
            let before = known.len();
            known.extend(begins);
            changed |= known.len() > before;
        }
    }
    first
}
