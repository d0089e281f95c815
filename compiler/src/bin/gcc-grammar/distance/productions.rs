//! The grammar, read back from the LR tables.
//!
//! Every way into an LR state ends with the same symbol, and every stack on which a production can be reduced ends with its right
//! side. So the right side is what is met on the way back from any state where it is reduced; and the states on all
//! the ways back are those where a part of it was read. The least cost of a nonterminal is that of Knuth, *A generalization of
//! Dijkstra's algorithm* (1977).

use super::lexemes::Lexemes;
use super::{Cost, NEVER};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, Production, Terminal};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// What leads to an LR state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symbol {
    Terminal(Terminal),
    Nonterminal(Nonterminal),
}

/// A production of which a part was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item {
    /// What it will be reduced to.
    pub(super) lhs: Nonterminal,
    /// Symbols that were read, at least 1: states to pop.
    pub(super) read: u32,
    /// What the symbols that are still missing cost at least.
    pub(super) rest: Cost,
}

/// What the parser is in the middle of, by LR state.
pub(super) struct Productions {
    items: Vec<Vec<Item>>,
    /// The least cost of each nonterminal.
    costs: Vec<Cost>,
    /// Whether the whole text may end in a state.
    ends: Vec<bool>,
}

impl Productions {
    pub(super) fn new(grammar: &GrammarView<'_>, lexemes: &Lexemes) -> Self {
        let ways = Ways::new(grammar);
        let right_sides: Vec<Vec<Symbol>> = (0..grammar.counts().productions)
            .map(|production| ways.right_side(grammar, Production(production as u32)))
            .collect();
        let costs = nonterminal_costs(grammar, &right_sides, lexemes);
        let cost = |symbol: &Symbol| match symbol {
            Symbol::Terminal(terminal) => lexemes.whole(*terminal),
            Symbol::Nonterminal(nonterminal) => costs[nonterminal.index()],
        };
        let mut items = vec![BTreeSet::new(); grammar.counts().lr_states];
        for (production, right_side) in (0..).map(Production).zip(&right_sides) {
            let mut states = ways.reducing[production.index()].clone();
            let mut rest = 0;
            for (read, symbol) in right_side.iter().enumerate().rev() {
                let (lhs, read) = (grammar.production(production).0, read as u32 + 1);
                for state in &states {
                    items[state.index()].insert(Item { lhs, read, rest });
                }
                rest = cost(symbol).saturating_add(rest);
                states = states.iter().flat_map(|state| &ways.before[state.index()]).copied().collect();
            }
        }
        let items = items.into_iter().map(Vec::from_iter).collect();
        Self {
            items,
            costs,
            ends: (0..).map(LrState).take(ways.before.len()).map(|state| ends(grammar, state)).collect(),
        }
    }

    pub(super) fn items(&self, state: LrState) -> &[Item] {
        &self.items[state.index()]
    }

    pub(super) fn cost(&self, nonterminal: Nonterminal) -> Cost {
        self.costs[nonterminal.index()]
    }

    pub(super) fn ends(&self, state: LrState) -> bool {
        self.ends[state.index()]
    }
}

fn ends(grammar: &GrammarView<'_>, state: LrState) -> bool {
    let mut actions = grammar.actions(state, grammar.end_terminal()).iter();
    actions.any(|&code| matches!(Action::decode(code), Action::Shift(_)))
}

/// The ways between LR states, backwards.
struct Ways {
    symbol: Vec<Option<Symbol>>,
    before: Vec<BTreeSet<LrState>>,
    /// The states where each production is reduced.
    reducing: Vec<BTreeSet<LrState>>,
}

impl Ways {
    fn new(grammar: &GrammarView<'_>) -> Self {
        let states = grammar.counts().lr_states;
        let mut ways = Self {
            symbol: vec![None; states],
            before: vec![BTreeSet::new(); states],
            reducing: vec![BTreeSet::new(); grammar.counts().productions],
        };
        for state in (0..states as u32).map(LrState) {
            for (nonterminal, target) in grammar.gotos(state) {
                ways.add(state, Symbol::Nonterminal(nonterminal), target);
            }
            let mut terminals: Vec<_> = grammar.action_terminals(state).iter().map(|t| t.get()).collect();
            terminals.dedup();
            for terminal in terminals.into_iter().map(Terminal) {
                for &code in grammar.actions(state, terminal) {
                    match Action::decode(code) {
                        Action::Shift(target) => ways.add(state, Symbol::Terminal(terminal), target),
                        Action::Reduce(production) => {
                            ways.reducing[production.index()].insert(state);
                        }
                    }
                }
            }
        }
        ways
    }

    fn add(&mut self, from: LrState, symbol: Symbol, target: LrState) {
        self.symbol[target.index()] = Some(symbol);
        self.before[target.index()].insert(from);
    }

    fn right_side(&self, grammar: &GrammarView<'_>, production: Production) -> Vec<Symbol> {
        let mut state = self.reducing[production.index()].first().copied();
        let mut symbols: Vec<Symbol> = (0..grammar.production(production).1)
            .map_while(|_| {
                let here = state?;
                state = self.before[here.index()].first().copied();
                self.symbol[here.index()]
            })
            .collect();
        symbols.reverse();
        symbols
    }
}

/// The least cost of every nonterminal.
fn nonterminal_costs(grammar: &GrammarView<'_>, right_sides: &[Vec<Symbol>], lexemes: &Lexemes) -> Vec<Cost> {
    let mut costs = vec![NEVER; grammar.meta().nonterminal_count as usize];
    // By production: the nonterminals that are still to be settled, and what the others cost.
    let mut open = Vec::new();
    let mut users: BTreeMap<Nonterminal, Vec<usize>> = BTreeMap::new();
    let mut heap = BinaryHeap::new();
    for (index, right_side) in right_sides.iter().enumerate() {
        let (mut missing, mut cost): (usize, Cost) = (0, 0);
        for symbol in right_side {
            match symbol {
                Symbol::Terminal(terminal) => cost = cost.saturating_add(lexemes.whole(*terminal)),
                Symbol::Nonterminal(nonterminal) => {
                    missing += 1;
                    users.entry(*nonterminal).or_default().push(index);
                }
            }
        }
        if missing == 0 {
            heap.push(Reverse((cost, grammar.production(Production(index as u32)).0)));
        }
        open.push((missing, cost));
    }
    while let Some(Reverse((cost, nonterminal))) = heap.pop() {
        if costs[nonterminal.index()] != NEVER || cost == NEVER {
            continue;
        }
        costs[nonterminal.index()] = cost;
        for &user in users.get(&nonterminal).into_iter().flatten() {
            let (missing, sum) = &mut open[user];
            *missing -= 1;
            *sum = sum.saturating_add(cost);
            if *missing == 0 {
                heap.push(Reverse((*sum, grammar.production(Production(user as u32)).0)));
            }
        }
    }
    costs
}
