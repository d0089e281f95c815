//! Finds the recursions of a grammar: texts `before left^n middle right^n`, where `A` derives `left A right`.
//!
//! In: the productions and their shortest words. Out: a [`Recursion`] for every occurrence of a nonterminal in
//! a production through which its left-hand side derives itself, and for a few words in the middle. All words
//! are the shortest. These are the texts of the pumping lemma for context-free languages.
//!
//! A counted repetition is taken for a recursion, too: its helper for one count uses that for the count before. With more
//! repetitions than it has, the text is not in the language.

use super::derivation_graph::{DerivationGraph, Edge, LastEdges};
use super::words::Words;
use crate::normalize::{Cfg, Helper, Origin};
use gcc_grammar_ir::{NonterminalId, Symbol, TerminalId};
use rustc_hash::FxHashSet;

/// The largest number of terminals in all recursions.
const MAX_TERMINALS: usize = 2_000_000;
/// The number of words that are tried in the middle.
const MIDDLES: usize = 2;

/// A nonterminal that derives itself, or counts, as a text with parts to repeat: `before left^n middle right^n`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Recursion {
    /// The nonterminal `A` that derives itself, or counts.
    pub rule: NonterminalId,
    /// A word before the first `A`.
    pub before: Vec<TerminalId>,
    /// A word `left` such that `A` derives `left A right`.
    pub left: Vec<TerminalId>,
    /// A word that `A` derives.
    pub middle: Vec<TerminalId>,
    /// The word `right` that belongs to `left`.
    pub right: Vec<TerminalId>,
}

impl Recursion {
    /// Whether the recursions differ at most in the middle.
    pub(super) fn has_same_sides(&self, other: &Self) -> bool {
        (self.rule, &self.before, &self.left, &self.right)
            == (other.rule, &other.before, &other.left, &other.right)
    }

    /// The number of terminals around the middle.
    fn sides(&self) -> usize {
        self.before.len() + self.left.len() + self.right.len()
    }

    /// The text with `times` repetitions.
    pub(super) fn text(&self, times: usize) -> Vec<TerminalId> {
        [self.before.clone(), self.left.repeat(times), self.middle.clone(), self.right.repeat(times)].concat()
    }
}

/// The recursions, short words around the middle first, and whether these are all: the work of `words` is limited.
pub(super) fn recursions(cfg: &Cfg, words: &Words<'_>) -> (Vec<Recursion>, bool) {
    let search = Search { cfg, words, graph: DerivationGraph::new(cfg, words) };
    let from_start = search.graph.cheapest_paths(cfg.start);
    let target = |edge: usize| search.graph.edges[edge].to;
    let mut edges = search.graph.cyclic_edges();
    edges.sort_by_key(|&edge| (target(edge), edge));
    let (mut seen, mut found, mut terminals) = (FxHashSet::default(), Vec::new(), 0);
    let is_too_much = |terminals| search.graph.gave_up() || terminals > MAX_TERMINALS;
    for edge in (0..search.graph.edges.len()).filter(|&edge| search.is_count(edge)) {
        if is_too_much(terminals) {
            break;
        }
        let recursion = search.count(edge, &from_start);
        terminals += recursion.iter().map(|recursion| recursion.text(1).len()).sum::<usize>();
        found.extend(recursion.filter(|recursion| seen.insert(recursion.clone())).map(|r| (edge, r)));
    }
    for group in edges.chunk_by(|&a, &b| target(a) == target(b)) {
        if is_too_much(terminals) {
            break;
        }
        let from_target = search.graph.cheapest_paths(target(group[0]));
        for &edge in group {
            for recursion in search.through(edge, &from_start, &from_target).unwrap_or_default() {
                terminals += recursion.text(1).len();
                if seen.insert(recursion.clone()) {
                    found.push((edge, recursion));
                }
            }
            if is_too_much(terminals) {
                break;
            }
        }
    }
    found.sort_by_key(|(edge, recursion)| (recursion.sides(), *edge));
    let are_all = !is_too_much(terminals);
    (found.into_iter().map(|(_, recursion)| recursion).collect(), are_all)
}

struct Search<'a> {
    cfg: &'a Cfg,
    words: &'a Words<'a>,
    graph: DerivationGraph,
}

impl Search<'_> {
    /// The recursions that repeat the cheapest cycle through an edge, if it lies on a cycle.
    fn through(
        &self,
        edge: usize,
        from_start: &LastEdges,
        from_target: &LastEdges,
    ) -> Option<Vec<Recursion>> {
        let Edge { from: rule, to, .. } = self.graph.edges[edge];
        let path = self.graph.path(from_start, self.cfg.start, rule)?;
        let mut cycle = vec![edge];
        cycle.extend(self.graph.path(from_target, to, rule)?);
        self.graph.count(path.len() + cycle.len());
        let before = self.sides(&path)?.0;
        let (left, right) = self.sides(&cycle)?;
        let recursion = |middle| Recursion {
            rule,
            before: before.clone(),
            left: left.clone(),
            middle,
            right: right.clone(),
        };
        Some(self.middles(rule).into_iter().map(recursion).collect())
    }

    /// Whether an edge leads from a helper that counts to the first of its chain.
    fn is_count(&self, edge: usize) -> bool {
        let Edge { from, to, .. } = self.graph.edges[edge];
        let counts =
            |n: NonterminalId| matches!(self.cfg.origins[n.index()], Origin::Helper(Helper::Count, _));
        let is_first = |n: NonterminalId| {
            let mut symbols = self.cfg.productions[self.cfg.span(n)].iter().flat_map(|p| &p.rhs);
            symbols.all(|&symbol| !matches!(symbol, Symbol::Nonterminal(n) if counts(n)))
        };
        counts(from) && counts(to) && is_first(to)
    }

    /// The repetition that is counted along an edge.
    fn count(&self, edge: usize, from_start: &LastEdges) -> Option<Recursion> {
        let Edge { from: rule, to, .. } = self.graph.edges[edge];
        let path = self.graph.path(from_start, self.cfg.start, rule)?;
        self.graph.count(path.len() + 1);
        let (left, right) = self.sides(&[edge])?;
        let middle = self.words.shortest(&[Symbol::Nonterminal(to)])?;
        let repeats = !left.is_empty() || !right.is_empty();
        repeats.then_some(Recursion { rule, before: self.sides(&path)?.0, left, middle, right })
    }

    /// The shortest words of the cheapest right-hand sides of a nonterminal.
    fn middles(&self, rule: NonterminalId) -> Vec<Vec<TerminalId>> {
        let mut productions: Vec<_> = self.cfg.productions[self.cfg.span(rule)].iter().collect();
        productions.sort_by_key(|p| self.words.cost(&p.rhs));
        productions.truncate(MIDDLES);
        productions.iter().filter_map(|p| self.words.shortest(&p.rhs)).collect()
    }

    /// The shortest words to the left and to the right of the derivation along a path.
    fn sides(&self, path: &[usize]) -> Option<(Vec<TerminalId>, Vec<TerminalId>)> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for &edge in path {
            let Edge { production, position, .. } = self.graph.edges[edge];
            left.extend_from_slice(&self.cfg.productions[production].rhs[..position]);
        }
        for &edge in path.iter().rev() {
            let Edge { production, position, .. } = self.graph.edges[edge];
            right.extend_from_slice(&self.cfg.productions[production].rhs[position + 1..]);
        }
        Some((self.words.shortest(&left)?, self.words.shortest(&right)?))
    }
}
