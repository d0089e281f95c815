//! The grammar, read back from the LR tables.
//!
//! Every way into an LR state ends with the same symbol, and every stack on which a production can be reduced ends with its right
//! side. So the states on the ways back from where it is reduced are those where a part of it was read, and the symbols on the
//! way are what is missing. A production of the tables stands for all of the grammar with its left side and length: each way back is
//! one of them. Costs of nonterminals are lowered until nothing changes.

use super::lexemes::Lexemes;
use super::{Cost, NEVER};
use gcc_grammar_artifact::GrammarView;
use gcc_grammar_artifact::grammar::Action;
use gcc_grammar_artifact::ids::{LrState, Nonterminal, Production, Terminal};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
        let costs = nonterminal_costs(grammar, &ways, lexemes);
        let mut items = vec![BTreeSet::new(); grammar.counts().lr_states];
        for production in productions(grammar) {
            let lhs = grammar.production(production).0;
            for (read, rests) in (1..).zip(ways.rests(grammar, production, &costs, lexemes)) {
                for (state, rest) in rests {
                    items[state.index()].insert(Item { lhs, read, rest });
                }
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

    /// By the number of symbols read, from 1: the states where so much of a production was read, and what its rest costs there.
    fn rests(
        &self,
        grammar: &GrammarView<'_>,
        production: Production,
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

    /// What the symbol that leads to a state costs.
    fn cost(&self, state: LrState, costs: &[Cost], lexemes: &Lexemes) -> Cost {
        match self.symbol[state.index()] {
            Some(Symbol::Terminal(terminal)) => lexemes.whole(terminal),
            Some(Symbol::Nonterminal(nonterminal)) => costs[nonterminal.index()],
            None => NEVER,
        }
    }
}

fn productions(grammar: &GrammarView<'_>) -> impl Iterator<Item = Production> + use<> {
    (0..grammar.counts().productions as u32).map(Production)
}

/// The least cost of every nonterminal. A production is looked at again when one of its nonterminals became cheaper.
fn nonterminal_costs(grammar: &GrammarView<'_>, ways: &Ways, lexemes: &Lexemes) -> Vec<Cost> {
    let mut costs = vec![NEVER; grammar.meta().nonterminal_count as usize];
    let mut users: Vec<Vec<Production>> = vec![Vec::new(); costs.len()];
    for production in productions(grammar) {
        for rests in ways.rests(grammar, production, &costs, lexemes) {
            for state in rests.keys() {
                if let Some(Symbol::Nonterminal(nonterminal)) = ways.symbol[state.index()] {
                    users[nonterminal.index()].push(production);
                }
            }
        }
    }
    let mut open: VecDeque<Production> = productions(grammar).collect();
    let mut is_open = vec![true; open.len()];
    while let Some(production) = open.pop_front() {
        is_open[production.index()] = false;
        let rests = ways.rests(grammar, production, &costs, lexemes);
        let sum = |(&state, &rest): (&LrState, &Cost)| ways.cost(state, &costs, lexemes).saturating_add(rest);
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
