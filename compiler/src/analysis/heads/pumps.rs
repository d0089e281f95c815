//! Texts in which one recursion of the grammar repeats: `before left^n middle right^n`, where `A` derives `left A right`.
//!
//! There is one for every occurrence of a nonterminal in a production through which its left-hand side derives itself. All words are
//! the shortest.

use super::words::{MAX_COST, Words};
use crate::normalize::Cfg;
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Terminals in all pumps.
const MAX_TERMINALS: usize = 2_000_000;
/// Words tried between the repetitions.
const MIDDLES: usize = 2;
/// Edges looked at, all together.
const MAX_STEPS: usize = 2_000_000;

/// A text with something to repeat.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Pump {
    /// What derives itself.
    pub(super) rule: NonterminalId,
    pub(super) before: Vec<TerminalId>,
    pub(super) left: Vec<TerminalId>,
    pub(super) middle: Vec<TerminalId>,
    pub(super) right: Vec<TerminalId>,
}

impl Pump {
    /// Whether only what stands between the repetitions is another.
    pub(super) fn has_same_sides(&self, other: &Self) -> bool {
        (self.rule, &self.before, &self.left, &self.right)
            == (other.rule, &other.before, &other.left, &other.right)
    }

    /// The text with `times` repetitions.
    pub(super) fn text(&self, times: usize) -> Vec<TerminalId> {
        [self.before.clone(), self.left.repeat(times), self.middle.clone(), self.right.repeat(times)].concat()
    }
}

/// A nonterminal on the right-hand side of a production.
#[derive(Clone, Copy)]
struct Edge {
    production: usize,
    position: usize,
    from: NonterminalId,
    to: NonterminalId,
    /// What the other symbols of the right-hand side cost.
    cost: u32,
}

/// All pumps, in the order of productions; some of them if there are very many. And whether these are all.
pub(super) fn pumps(cfg: &Cfg, words: &Words<'_>) -> (Vec<Pump>, bool) {
    let graph = Graph::new(cfg, words);
    let before = graph.ways(cfg.start);
    let mut edges = graph.recursive();
    edges.sort_by_key(|&edge| (graph.edges[edge].to, edge));
    let (mut seen, mut found, mut terminals) = (FxHashSet::default(), Vec::new(), 0);
    let is_too_much = |terminals| graph.steps.get() > MAX_STEPS || terminals > MAX_TERMINALS;
    for group in edges.chunk_by(|&a, &b| graph.edges[a].to == graph.edges[b].to) {
        let back = graph.ways(graph.edges[group[0]].to);
        for &edge in group {
            for pump in graph.pumps(edge, &before, &back, words).unwrap_or_default() {
                terminals += pump.text(1).len();
                if seen.insert(pump.clone()) {
                    found.push((edge, pump));
                }
            }
            if is_too_much(terminals) {
                break;
            }
        }
    }
    found.sort_by_key(|&(edge, _)| edge);
    let are_all = !is_too_much(terminals) && !words.gave_up();
    (found.into_iter().map(|(_, pump)| pump).collect(), are_all)
}

/// Per nonterminal: the last edge of the cheapest way to it.
type Ways = Vec<Option<usize>>;

struct Graph<'a> {
    cfg: &'a Cfg,
    edges: Vec<Edge>,
    /// Per nonterminal: its edges.
    from: Vec<Vec<usize>>,
    /// Edges looked at.
    steps: Cell<usize>,
}

impl<'a> Graph<'a> {
    fn new(cfg: &'a Cfg, words: &Words<'_>) -> Self {
        let mut graph =
            Self { cfg, edges: Vec::new(), from: vec![Vec::new(); cfg.names.len()], steps: Cell::new(0) };
        for (production, p) in cfg.productions.iter().enumerate() {
            for (position, &symbol) in p.rhs.iter().enumerate() {
                let Symbol::Nonterminal(to) = symbol else { continue };
                let cost = words.cost(&p.rhs[..position]) + words.cost(&p.rhs[position + 1..]);
                if cost <= MAX_COST {
                    graph.from[p.lhs.index()].push(graph.edges.len());
                    graph.edges.push(Edge { production, position, from: p.lhs, to, cost });
                }
            }
        }
        graph
    }

    /// The edges that may be on a cycle: nonterminals with no way in, or no way out, are taken away until there are none.
    fn recursive(&self) -> Vec<usize> {
        let count = self.from.len();
        let mut ways = [vec![0; count], vec![0; count]];
        let mut into = vec![Vec::new(); count];
        for (i, edge) in self.edges.iter().enumerate() {
            ways[0][edge.to.index()] += 1;
            ways[1][edge.from.index()] += 1;
            into[edge.to.index()].push(i);
        }
        let mut kept = vec![true; self.edges.len()];
        let mut open: Vec<usize> = (0..count).filter(|&n| ways[0][n] == 0 || ways[1][n] == 0).collect();
        while let Some(n) = open.pop() {
            for &i in self.from[n].iter().chain(&into[n]) {
                if std::mem::replace(&mut kept[i], false) {
                    let Edge { from, to, .. } = self.edges[i];
                    for (end, ways) in [to.index(), from.index()].into_iter().zip(&mut ways) {
                        ways[end] -= 1;
                        if ways[end] == 0 {
                            open.push(end);
                        }
                    }
                }
            }
        }
        (0..self.edges.len()).filter(|&edge| kept[edge]).collect()
    }

    /// The cheapest ways from one nonterminal to all others (Dijkstra's algorithm).
    fn ways(&self, start: NonterminalId) -> Ways {
        let mut last: Ways = vec![None; self.from.len()];
        if self.steps.get() > MAX_STEPS {
            return last;
        }
        let mut done = vec![false; self.from.len()];
        let mut open = BinaryHeap::from([Reverse((0, start, None))]);
        while let Some(Reverse((cost, at, edge))) = open.pop() {
            if std::mem::replace(&mut done[at.index()], true) {
                continue;
            }
            last[at.index()] = edge;
            for &edge in &self.from[at.index()] {
                let Edge { to, cost: more, .. } = self.edges[edge];
                if !done[to.index()] && cost + more <= MAX_COST {
                    open.push(Reverse((cost + more, to, Some(edge))));
                }
            }
            self.count(self.from[at.index()].len() + 1);
        }
        last
    }

    fn count(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps);
    }

    /// The texts that repeat what lies around this edge, if there is a way back to where it begins.
    fn pumps(&self, edge: usize, before: &Ways, back: &Ways, words: &Words<'_>) -> Option<Vec<Pump>> {
        let Edge { from: rule, to, .. } = self.edges[edge];
        let way = self.way(before, self.cfg.start, rule)?;
        let mut cycle = vec![edge];
        cycle.extend(self.way(back, to, rule)?);
        self.count(way.len() + cycle.len());
        let before = self.sides(&way, words)?.0;
        let (left, right) = self.sides(&cycle, words)?;
        let pump =
            |middle| Pump { rule, before: before.clone(), left: left.clone(), middle, right: right.clone() };
        Some(self.middles(rule, words).into_iter().map(pump).collect())
    }

    /// The shortest words of the cheapest right-hand sides of a nonterminal.
    fn middles(&self, rule: NonterminalId, words: &Words<'_>) -> Vec<Vec<TerminalId>> {
        let mut productions: Vec<_> = self.cfg.productions[self.cfg.span(rule)].iter().collect();
        productions.sort_by_key(|p| words.cost(&p.rhs));
        productions.truncate(MIDDLES);
        productions.iter().filter_map(|p| words.shortest(&p.rhs)).collect()
    }

    /// The edges of a way, the first one first.
    fn way(&self, ways: &Ways, start: NonterminalId, end: NonterminalId) -> Option<Vec<usize>> {
        let (mut at, mut way) = (end, Vec::new());
        while at != start {
            let edge = ways[at.index()]?;
            way.push(edge);
            at = self.edges[edge].from;
        }
        way.reverse();
        Some(way)
    }

    /// The shortest words to the left and right of a way.
    fn sides(&self, way: &[usize], words: &Words<'_>) -> Option<(Vec<TerminalId>, Vec<TerminalId>)> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for &edge in way {
            let Edge { production, position, .. } = self.edges[edge];
            left.extend_from_slice(&self.cfg.productions[production].rhs[..position]);
        }
        for &edge in way.iter().rev() {
            let Edge { production, position, .. } = self.edges[edge];
            right.extend_from_slice(&self.cfg.productions[production].rhs[position + 1..]);
        }
        Some((words.shortest(&left)?, words.shortest(&right)?))
    }
}
