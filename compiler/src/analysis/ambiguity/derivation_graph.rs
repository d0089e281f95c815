//! The derivation graph of a grammar: an edge for every occurrence of a nonterminal in a right-hand side.
//!
//! In: the productions, and the cost of the shortest word of every symbol. Out: the edges that may lie on a
//! cycle, and cheapest paths between nonterminals. A path from `A` to `B` is a derivation of `B` from `A` with
//! words on both sides; the cost of an edge is the cost of the symbols around the nonterminal.

use super::words::{MAX_COST, Words};
use super::work::Work;
use crate::normalize::Cfg;
use gcc_grammar_ir::{NonterminalId, Symbol};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The work to visit an edge.
const EDGE_WORK: usize = 2;

/// An occurrence of a nonterminal in a right-hand side.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// The production, as an index into [`Cfg::productions`].
    pub(super) production: usize,
    /// The position in its right-hand side.
    pub(super) position: usize,
    /// The left-hand side.
    pub(super) from: NonterminalId,
    /// The nonterminal that occurs.
    pub(super) to: NonterminalId,
    /// The cost of the other symbols of the right-hand side.
    cost: u32,
}

/// Per nonterminal: the last edge of the cheapest path to it from the start of the search; `None` for the start
/// and for nonterminals that are not reached.
pub(super) type LastEdges = Vec<Option<usize>>;

/// The derivation graph.
pub(super) struct DerivationGraph {
    /// The edges, in the order of productions. Edges that cost too much are left out.
    pub(super) edges: Vec<Edge>,
    /// Per nonterminal: the edges that leave it.
    outgoing: Vec<Vec<usize>>,
    /// That of the words. It is spent for each edge that is visited.
    work: Work,
}

impl DerivationGraph {
    pub(super) fn new(cfg: &Cfg, words: &Words<'_>) -> Self {
        let outgoing = vec![Vec::new(); cfg.names.len()];
        let mut graph = Self { edges: Vec::new(), outgoing, work: words.work() };
        for (production, p) in cfg.productions.iter().enumerate() {
            for (position, &symbol) in p.rhs.iter().enumerate() {
                let Symbol::Nonterminal(to) = symbol else { continue };
                let cost = words.cost(&p.rhs[..position]) + words.cost(&p.rhs[position + 1..]);
                if cost <= MAX_COST {
                    graph.outgoing[p.lhs.index()].push(graph.edges.len());
                    graph.edges.push(Edge { production, position, from: p.lhs, to, cost });
                }
            }
        }
        graph
    }

    /// Counts visited edges.
    pub(super) fn count(&self, steps: usize) {
        self.work.spend(EDGE_WORK * steps);
    }

    /// Whether no work is left.
    pub(super) fn gave_up(&self) -> bool {
        !self.work.is_left()
    }

    /// The edges that may lie on a cycle: nonterminals without incoming or without outgoing edges are removed,
    /// with their edges, until there are none.
    pub(super) fn cyclic_edges(&self) -> Vec<usize> {
        let count = self.outgoing.len();
        let mut degrees = [vec![0; count], vec![0; count]];
        let mut incoming = vec![Vec::new(); count];
        for (i, edge) in self.edges.iter().enumerate() {
            degrees[0][edge.to.index()] += 1;
            degrees[1][edge.from.index()] += 1;
            incoming[edge.to.index()].push(i);
        }
        let mut kept = vec![true; self.edges.len()];
        let mut open: Vec<usize> = (0..count).filter(|&n| degrees[0][n] == 0 || degrees[1][n] == 0).collect();
        while let Some(n) = open.pop() {
            for &i in self.outgoing[n].iter().chain(&incoming[n]) {
                if std::mem::replace(&mut kept[i], false) {
                    let Edge { from, to, .. } = self.edges[i];
                    for (end, degrees) in [to.index(), from.index()].into_iter().zip(&mut degrees) {
                        degrees[end] -= 1;
                        if degrees[end] == 0 {
                            open.push(end);
                        }
                    }
                }
            }
        }
        (0..self.edges.len()).filter(|&edge| kept[edge]).collect()
    }

    /// The cheapest paths from a nonterminal to all others (Dijkstra's algorithm).
    pub(super) fn cheapest_paths(&self, start: NonterminalId) -> LastEdges {
        let mut last: LastEdges = vec![None; self.outgoing.len()];
        if self.gave_up() {
            return last;
        }
        let mut done = vec![false; self.outgoing.len()];
        let mut open = BinaryHeap::from([Reverse((0, start, None))]);
        while let Some(Reverse((cost, at, edge))) = open.pop() {
            if std::mem::replace(&mut done[at.index()], true) {
                continue;
            }
            last[at.index()] = edge;
            for &edge in &self.outgoing[at.index()] {
                let Edge { to, cost: more, .. } = self.edges[edge];
                if !done[to.index()] && cost + more <= MAX_COST {
                    open.push(Reverse((cost + more, to, Some(edge))));
                }
            }
            self.count(self.outgoing[at.index()].len() + 1);
        }
        last
    }

    /// The edges of the cheapest path from `start`, where the search began, to `end`; `None` if there is none.
    pub(super) fn path(
        &self,
        last: &LastEdges,
        start: NonterminalId,
        end: NonterminalId,
    ) -> Option<Vec<usize>> {
        let (mut at, mut path) = (end, Vec::new());
        while at != start {
            let edge = last[at.index()]?;
            path.push(edge);
            at = self.edges[edge].from;
        }
        path.reverse();
        Some(path)
    }
}
