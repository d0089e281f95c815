//! Conflicts explained: the shortest way into a conflict, and what each action makes of it.
//!
//! A conflict is exact, since GLR follows all actions, but it may cost heads at run time (see [`heads`](crate::analysis::heads)). The example is a sequence of symbols that
//! leads from the start to the state, then the terminal; each reading marks what it takes together, in the manner of
//! "`a - b` • `-`: reduce `e -> e - e`, or shift".

use super::table::{Action, LrTables};
use crate::ids::{LrState, ProductionId};
use crate::normalize::Cfg;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use std::collections::VecDeque;

/// One cell of the action table with several actions.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The state of the cell.
    pub state: LrState,
    /// Symbols that lead from the start of the text into the state.
    pub prefix: Vec<Symbol>,
    /// The terminal that comes next.
    pub terminal: TerminalId,
    /// What may be done with it, two or more.
    pub readings: Vec<Reading>,
}

/// One of the actions of a conflict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// The end of the prefix is the right-hand side of this production.
    Reduce(ProductionId),
    /// The terminal goes on with these productions; the number says how many of their symbols are read already.
    Shift(Vec<(ProductionId, usize)>),
}

/// All conflicts, in the order of states and terminals.
pub fn conflicts<'a>(cfg: &'a Cfg, tables: &'a LrTables) -> impl Iterator<Item = Conflict> + 'a {
    let came_from = shortest_paths(tables);
    (0..tables.states()).map(LrState::new).flat_map(move |state| {
        let cells: Vec<_> = tables.conflicts_of(state).collect();
        let prefix = path_to(&came_from, state);
        let items = if cells.is_empty() { Vec::new() } else { items_after(cfg, &prefix) };
        cells.into_iter().map(move |cell| explain(cfg, tables, (state, prefix.clone()), &items, cell))
    })
}

fn explain(
    cfg: &Cfg,
    tables: &LrTables,
    (state, prefix): (LrState, Vec<Symbol>),
    items: &[(ProductionId, usize)],
    cell: &[(TerminalId, Action)],
) -> Conflict {
    let terminal = cell[0].0;
    let mut readings = Vec::new();
    for &(_, action) in cell {
        match action {
            Action::Reduce(kind) => {
                let kind = tables.productions[kind.index()];
                readings.extend(complete(cfg, items, kind).map(Reading::Reduce));
            }
            Action::Shift(_) => {
                readings.push(Reading::Shift(advance(cfg, items, Symbol::Terminal(terminal))));
            }
        }
    }
    Conflict { state, prefix, terminal, readings }
}

/// The productions that are complete in `items` and have this left-hand side and length. Minimized tables know no more of a production.
fn complete<'a>(
    cfg: &'a Cfg,
    items: &'a [(ProductionId, usize)],
    kind: (NonterminalId, u32),
) -> impl Iterator<Item = ProductionId> + 'a {
    let complete = items.iter().filter(move |&&(p, dot)| dot == rhs(cfg, p).len());
    let productions = complete.map(|&(p, _)| p);
    productions.filter(move |p| {
        let production = &cfg.productions[p.index()];
        (production.lhs, cfg.length(production)) == kind
    })
}

/// Per state: the state and symbol it is first reached by, breadth first.
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

fn path_to(came_from: &[Option<(LrState, Symbol)>], mut state: LrState) -> Vec<Symbol> {
    let mut path = Vec::new();
    while let Some((before, symbol)) = came_from[state.index()] {
        path.push(symbol);
        state = before;
    }
    path.reverse();
    path
}

/// The items after reading `prefix`: item sets followed along it.
fn items_after(cfg: &Cfg, prefix: &[Symbol]) -> Vec<(ProductionId, usize)> {
    let start = Symbol::Nonterminal(cfg.start);
    let mut items = closure(cfg, vec![], &[start]);
    for &symbol in prefix {
        let kernel: Vec<_> = advance(cfg, &items, symbol).into_iter().map(|(p, dot)| (p, dot + 1)).collect();
        let kernel = past_unions(cfg, kernel);
        let next: Vec<Symbol> = kernel.iter().filter_map(|&(p, dot)| rhs(cfg, p).get(dot).copied()).collect();
        items = closure(cfg, kernel, &next);
    }
    items
}

fn rhs(cfg: &Cfg, production: ProductionId) -> &[Symbol] {
    &cfg.productions[production.index()].rhs
}

fn advance(cfg: &Cfg, items: &[(ProductionId, usize)], symbol: Symbol) -> Vec<(ProductionId, usize)> {
    items.iter().copied().filter(|&(p, dot)| rhs(cfg, p).get(dot) == Some(&symbol)).collect()
}

/// `kernel` and the items behind the unions of which a word ends in it.
fn past_unions(cfg: &Cfg, mut kernel: Vec<(ProductionId, usize)>) -> Vec<(ProductionId, usize)> {
    let mut next = 0;
    while let Some(&(p, dot)) = kernel.get(next) {
        next += 1;
        let union = Symbol::Nonterminal(cfg.productions[p.index()].lhs);
        if dot == rhs(cfg, p).len() && cfg.is_union(union) {
            let begun = (0..cfg.productions.len()).map(|i| (ProductionId::new(i), 1));
            let begun = begun.filter(|&(p, _)| rhs(cfg, p)[0] == union);
            let new: Vec<_> = begun.filter(|item| !kernel.contains(item)).collect();
            kernel.extend(new);
        }
    }
    kernel
}

/// `kernel` and the first items of every nonterminal that `open` can begin with.
fn closure(cfg: &Cfg, kernel: Vec<(ProductionId, usize)>, open: &[Symbol]) -> Vec<(ProductionId, usize)> {
    let mut items = kernel;
    let mut seen = vec![false; cfg.names.len()];
    let mut open: Vec<Symbol> = open.to_vec();
    while let Some(symbol) = open.pop() {
        let Symbol::Nonterminal(n) = symbol else { continue };
        if std::mem::replace(&mut seen[n.index()], true) {
            continue;
        }
        for i in cfg.span(n) {
            items.push((ProductionId::new(i), 0));
            open.push(cfg.productions[i].rhs[0]);
        }
    }
    items
}
