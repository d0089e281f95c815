//! Explains conflicts: the shortest path to a conflict, and the items behind each of its actions.
//!
//! In: the automata of a grammar. Out: the [`Conflict`]s of the tables to decode with. A conflict does not make the
//! tables inexact, since all actions are followed, but it may cost further stacks at run time (see
//! [`ambiguity`](crate::analysis::ambiguity)). An explanation is a sequence of symbols that leads from the
//! start state to the conflict, the terminal, and the items of each action, in the manner of "after `e - e`
//! and before `-`: reduce `e -> e - e`, or shift in `e -> e • - e`".
//!
//! Tables without dead ends have symbols of their own; explanations name those of the productions that they stand for.

use crate::automata::Automata;
use crate::ids::{LrState, ProductionId};
use crate::lr::{Action, LrTables};
use crate::normalize::Cfg;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use std::borrow::Cow;
use std::collections::VecDeque;

/// A cell of the action table with several actions.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The state of the cell, in the tables to decode with.
    pub state: LrState,
    /// Symbols that lead from the start state to the state.
    pub prefix: Vec<Symbol>,
    /// The terminal that comes next, in the tables to decode with; see [`Automata::origin`].
    pub terminal: TerminalId,
    /// The actions, two or more.
    pub actions: Vec<ConflictAction>,
}

/// An action of a conflict, with the items that it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConflictAction {
    /// The end of the prefix is the right-hand side of this production.
    Reduce(ProductionId),
    /// The terminal is the next symbol of these items.
    Shift(Vec<Item>),
}

/// A production of which some symbols have been read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The production.
    pub production: ProductionId,
    /// The number of its symbols that have been read.
    pub dot: usize,
}

impl Item {
    fn first(production: ProductionId) -> Self {
        Self { production, dot: 0 }
    }

    /// The item with the dot behind the next symbol.
    fn advanced(self) -> Self {
        Self { dot: self.dot + 1, ..self }
    }

    /// The symbol after the dot; `None` if the item is complete.
    fn next(self, cfg: &Cfg) -> Option<Symbol> {
        cfg.productions[self.production.index()].rhs.get(self.dot).copied()
    }
}

/// All conflicts of the tables to decode with, in the order of states and terminals.
pub fn conflicts<'a>(automata: &'a Automata) -> impl Iterator<Item = Conflict> + 'a {
    let explanation = Explanation::new(automata);
    let states = (0..explanation.tables.states()).map(LrState::new);
    states.flat_map(move |state| explanation.of_state(state))
}

/// What explanations are made of.
struct Explanation<'a> {
    automata: &'a Automata,
    tables: &'a LrTables,
    /// The productions that the tables were made of.
    cfg: Cow<'a, Cfg>,
    /// Per nonterminal of the productions: the left-hand side that the tables have for its productions.
    lhs: Vec<NonterminalId>,
    came_from: Vec<Option<(LrState, Symbol)>>,
}

impl<'a> Explanation<'a> {
    fn new(automata: &'a Automata) -> Self {
        let tables = automata.decoding().lr;
        let cfg = match automata.live.pruned {
            Some(_) => Cow::Owned(automata.cfg.without_unions()),
            None => Cow::Borrowed(automata.cfg.as_ref()),
        };
        let lhs = left_hand_sides(&cfg, automata, tables);
        Self { automata, tables, cfg, lhs, came_from: shortest_paths(tables) }
    }

    /// The conflicts of a state.
    fn of_state(&self, state: LrState) -> Vec<Conflict> {
        let mut cells = self.tables.conflicts_of(state).peekable();
        if cells.peek().is_none() {
            return Vec::new();
        }
        let prefix = self.path_to(state);
        let items = items_after(&self.cfg, &prefix);
        cells.map(|cell| self.of_cell((state, &prefix), &items, cell)).collect()
    }

    /// Explains the conflict of a cell, given the items after `prefix`.
    fn of_cell(
        &self,
        (state, prefix): (LrState, &[Symbol]),
        items: &[Item],
        cell: &[(TerminalId, Action)],
    ) -> Conflict {
        let terminal = cell[0].0;
        let shifted = Symbol::Terminal(self.automata.origin(terminal));
        let mut actions = Vec::new();
        for &(_, action) in cell {
            match action {
                Action::Reduce(kind) => {
                    let (lhs, length) = self.tables.productions[kind.index()];
                    let kind = (self.automata.nonterminal_origin(lhs), length);
                    actions.extend(complete(&self.cfg, &self.lhs, items, kind).map(ConflictAction::Reduce));
                }
                Action::Shift(_) => actions.push(ConflictAction::Shift(before(&self.cfg, items, shifted))),
            }
        }
        Conflict { state, prefix: prefix.to_vec(), terminal, actions }
    }

    /// The symbols of the productions on the path from the start to `state`.
    fn path_to(&self, mut state: LrState) -> Vec<Symbol> {
        let mut path = Vec::new();
        while let Some((before, symbol)) = self.came_from[state.index()] {
            path.push(match symbol {
                Symbol::Terminal(terminal) => Symbol::Terminal(self.automata.origin(terminal)),
                Symbol::Nonterminal(n) => Symbol::Nonterminal(self.automata.nonterminal_origin(n)),
            });
            state = before;
        }
        path.reverse();
        path
    }
}

/// Per nonterminal: the left-hand side that the tables have for its productions. If they have no goto on it, that is the nonterminal
/// of which it is the right-hand side (see [`lr`](crate::lr)).
fn left_hand_sides(cfg: &Cfg, automata: &Automata, tables: &LrTables) -> Vec<NonterminalId> {
    let mut has_goto = vec![false; cfg.names.len()];
    has_goto[cfg.start.index()] = true;
    let gotos = tables.gotos.items().iter().map(|&(nonterminal, _)| automata.nonterminal_origin(nonterminal));
    gotos.for_each(|nonterminal| has_goto[nonterminal.index()] = true);
    let mut above: Vec<Option<NonterminalId>> = vec![None; cfg.names.len()];
    for production in &cfg.productions {
        if let [Symbol::Nonterminal(only)] = production.rhs[..]
            && !has_goto[only.index()]
        {
            above[only.index()] = Some(production.lhs);
        }
    }
    let nonterminals = (0..cfg.names.len()).map(NonterminalId::new);
    let last = |n| std::iter::successors(Some(n), |&n: &NonterminalId| above[n.index()]).last().unwrap_or(n);
    nonterminals.map(last).collect()
}

/// The productions that are complete in `items` and have this left-hand side and length. Minimized tables only
/// know these two of a production.
fn complete<'a>(
    cfg: &'a Cfg,
    lhs: &'a [NonterminalId],
    items: &'a [Item],
    kind: (NonterminalId, u32),
) -> impl Iterator<Item = ProductionId> + 'a {
    let complete = items.iter().filter(move |item| item.next(cfg).is_none());
    let productions = complete.map(|item| item.production);
    productions.filter(move |p| {
        let production = &cfg.productions[p.index()];
        (lhs[production.lhs.index()], cfg.length(production)) == kind
    })
}

/// Per state: the state and the symbol by which a breadth-first search from the start first reaches it.
fn shortest_paths(tables: &LrTables) -> Vec<Option<(LrState, Symbol)>> {
    let mut came_from = vec![None; tables.states()];
    let mut open = VecDeque::from([LrState(0)]);
    while let Some(state) = open.pop_front() {
        let shifts = tables.actions.row(state.index()).iter().filter_map(|&(t, action)| match action {
            Action::Shift(to) => Some((Symbol::Terminal(t), to)),
            Action::Reduce(_) => None,
        });
        let gotos = tables.gotos.row(state.index()).iter().map(|&(n, to)| (Symbol::Nonterminal(n), to));
        for (symbol, to) in shifts.chain(gotos) {
            if to != LrState(0) && came_from[to.index()].is_none() {
                came_from[to.index()] = Some((state, symbol));
                open.push_back(to);
            }
        }
    }
    came_from
}

/// The items of the state that `prefix` leads to, computed from the productions.
fn items_after(cfg: &Cfg, prefix: &[Symbol]) -> Vec<Item> {
    let start = Symbol::Nonterminal(cfg.start);
    let mut items = closure(cfg, vec![], vec![start]);
    for &symbol in prefix {
        let kernel = before(cfg, &items, symbol).into_iter().map(Item::advanced).collect();
        let kernel = past_unions(cfg, kernel);
        let next = kernel.iter().filter_map(|item| item.next(cfg)).collect();
        items = closure(cfg, kernel, next);
    }
    items
}

/// The items with the dot before `symbol`.
fn before(cfg: &Cfg, items: &[Item], symbol: Symbol) -> Vec<Item> {
    items.iter().copied().filter(|item| item.next(cfg) == Some(symbol)).collect()
}

/// `kernel`, and the items behind the unions of which a word ends in it.
fn past_unions(cfg: &Cfg, mut kernel: Vec<Item>) -> Vec<Item> {
    let mut next = 0;
    while let Some(&item) = kernel.get(next) {
        next += 1;
        let union = Symbol::Nonterminal(cfg.productions[item.production.index()].lhs);
        if item.next(cfg).is_none() && cfg.is_union(union) {
            let firsts = (0..cfg.productions.len()).map(|i| Item::first(ProductionId::new(i)));
            let passed = firsts.filter(|item| item.next(cfg) == Some(union)).map(Item::advanced);
            let new: Vec<_> = passed.filter(|item| !kernel.contains(item)).collect();
            kernel.extend(new);
        }
    }
    kernel
}

/// `kernel`, and the first items of every nonterminal that a symbol of `open` can begin with.
fn closure(cfg: &Cfg, kernel: Vec<Item>, mut open: Vec<Symbol>) -> Vec<Item> {
    let mut items = kernel;
    let mut seen = vec![false; cfg.names.len()];
    while let Some(symbol) = open.pop() {
        let Symbol::Nonterminal(n) = symbol else { continue };
        if std::mem::replace(&mut seen[n.index()], true) {
            continue;
        }
        for i in cfg.span(n) {
            items.push(Item::first(ProductionId::new(i)));
            open.push(cfg.productions[i].rhs[0]);
        }
    }
    items
}
