//! Recovers the productions from the LR tables, and computes the least cost of each nonterminal.
//!
//! All transitions into an LR state have the same symbol, and every stack on which a production can be reduced ends with its
//! right-hand side. So the states on the paths backwards from a reduction are those in which a prefix of the production has been read, and the
//! symbols on the path are the rest of it. A production of the tables stands for all productions of the grammar with its left-hand side and
//! length; each path backwards is one of them. The costs of nonterminals are lowered until a fixed point (Knuth 1977 generalizes
//! Dijkstra's algorithm to this problem).

use super::lexemes::Lexemes;
use super::{Cost, NEVER};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, ProductionId, Terminal};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The symbol of the transitions into an LR state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symbol {
    Terminal(Terminal),
    Nonterminal(Nonterminal),
}

/// An item: a production of which a prefix has been read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Item {
    /// The left-hand side.
    pub(super) lhs: Nonterminal,
    /// The number of symbols that have been read, at least 1.
    pub(super) read: u32,
    /// The least cost of the symbols that are missing.
    pub(super) rest: Cost,
}

/// The items of each LR state, and the least cost of each nonterminal.
pub(super) struct Productions {
    items: Vec<Vec<Item>>,
    /// The least cost of each nonterminal.
    costs: Vec<Cost>,
    /// By LR state: whether the whole text may end there.
    ends: Vec<bool>,
}

impl Productions {
    pub(super) fn new(grammar: &GrammarView<'_>, lexemes: &Lexemes) -> Self {
        let backward = Backward::new(grammar);
        let costs = nonterminal_costs(grammar, &backward, lexemes);
        let mut items = vec![BTreeSet::new(); grammar.counts().lr_states];
        for production in productions(grammar) {
            let lhs = grammar.production(production).0;
            for (read, rests) in (1..).zip(backward.rests(grammar, production, &costs, lexemes)) {
                for (state, rest) in rests {
                    items[state.index()].insert(Item { lhs, read, rest });
                }
            }
        }
        let items = items.into_iter().map(Vec::from_iter).collect();
        Self {
            items,
            costs,
            ends: (0..).map(LrState).take(backward.before.len()).map(|state| ends(grammar, state)).collect(),
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

/// The transitions of the LR automaton, backwards.
struct Backward {
    symbol: Vec<Option<Symbol>>,
    before: Vec<BTreeSet<LrState>>,
    /// By production: the states in which it is reduced.
    reducing: Vec<BTreeSet<LrState>>,
}

impl Backward {
    fn new(grammar: &GrammarView<'_>) -> Self {
        let states = grammar.counts().lr_states;
        let mut backward = Self {
            symbol: vec![None; states],
            before: vec![BTreeSet::new(); states],
            reducing: vec![BTreeSet::new(); grammar.counts().productions],
        };
        for state in (0..states as u32).map(LrState) {
            for (nonterminal, target) in grammar.gotos(state) {
                backward.add(state, Symbol::Nonterminal(nonterminal), target);
            }
            let mut terminals: Vec<_> = grammar.action_terminals(state).iter().map(|t| t.get()).collect();
            terminals.dedup();
            for terminal in terminals.into_iter().map(Terminal) {
                for &code in grammar.actions(state, terminal) {
                    match Action::decode(code) {
                        Action::Shift(target) => backward.add(state, Symbol::Terminal(terminal), target),
                        Action::Reduce(production) => {
                            backward.reducing[production.index()].insert(state);
                        }
                    }
                }
            }
        }
        backward
    }

    fn add(&mut self, from: LrState, symbol: Symbol, target: LrState) {
        self.symbol[target.index()] = Some(symbol);
        self.before[target.index()].insert(from);
    }

    /// By the number of symbols read, from 1: the states in which such a prefix of a production has been read, with the cost of the rest.
    fn rests(
        &self,
        grammar: &GrammarView<'_>,
        production: ProductionId,
        costs: &[Cost],
        lexemes: &Lexemes,
    ) -> Vec<BTreeMap<LrState, Cost>> {
        let mut rests: BTreeMap<_, _> =
            self.reducing[production.index()].iter().map(|&state| (state, 0)).collect();
        let mut all = Vec::new();
        for _ in 0..grammar.production(production).1 {
            let mut before = BTreeMap::new();
            for (state, &rest) in &rests {
                let rest = self.cost(*state, costs, lexemes).saturating_add(rest);
                for &from in &self.before[state.index()] {
                    let least = before.entry(from).or_insert(NEVER);
                    *least = rest.min(*least);
                }
            }
            all.push(std::mem::replace(&mut rests, before));
        }
        all.reverse();
        all
    }

    /// The cost of the symbol of the transitions into a state.
    fn cost(&self, state: LrState, costs: &[Cost], lexemes: &Lexemes) -> Cost {
        match self.symbol[state.index()] {
            Some(Symbol::Terminal(terminal)) => lexemes.whole(terminal),
            Some(Symbol::Nonterminal(nonterminal)) => costs[nonterminal.index()],
            None => NEVER,
        }
    }
}

fn productions(grammar: &GrammarView<'_>) -> impl Iterator<Item = ProductionId> + use<> {
    (0..grammar.counts().productions as u32).map(ProductionId)
}

/// The least cost of every nonterminal. A production is evaluated again when one of its nonterminals becomes cheaper.
fn nonterminal_costs(grammar: &GrammarView<'_>, backward: &Backward, lexemes: &Lexemes) -> Vec<Cost> {
    let mut costs = vec![NEVER; grammar.meta().nonterminal_count as usize];
    let mut users: Vec<Vec<ProductionId>> = vec![Vec::new(); costs.len()];
    for production in productions(grammar) {
        for rests in backward.rests(grammar, production, &costs, lexemes) {
            for state in rests.keys() {
                if let Some(Symbol::Nonterminal(nonterminal)) = backward.symbol[state.index()] {
                    users[nonterminal.index()].push(production);
                }
            }
        }
    }
    let mut open: VecDeque<ProductionId> = productions(grammar).collect();
    let mut is_open = vec![true; open.len()];
    while let Some(production) = open.pop_front() {
        is_open[production.index()] = false;
        let rests = backward.rests(grammar, production, &costs, lexemes);
        let sum =
            |(&state, &rest): (&LrState, &Cost)| backward.cost(state, &costs, lexemes).saturating_add(rest);
        let whole = rests.first().into_iter().flatten().map(sum).min().unwrap_or(NEVER);
        let lhs = grammar.production(production).0;
        if whole < costs[lhs.index()] {
            costs[lhs.index()] = whole;
            for &user in &users[lhs.index()] {
                if !std::mem::replace(&mut is_open[user.index()], true) {
                    open.push_back(user);
                }
            }
        }
    }
    costs
}
