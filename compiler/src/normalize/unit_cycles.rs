//! Finds and removes cycles of unit productions, `A -> B` and `B -> A`.
//!
//! A cycle makes every text of its nonterminals infinitely ambiguous, and LR reductions would not end. All
//! nonterminals of a cycle derive the same texts, so one of them can stand for all.

use super::cfg::{Cfg, productions_of};
use super::trim::dedup_within_lhs;
use gcc_grammar_ir::{NonterminalId, Symbol};

/// The nonterminals along a cycle of unit productions, the first of them again at the end, if there is a
/// cycle. An iterative depth-first search.
pub(super) fn find(cfg: &Cfg) -> Option<Vec<usize>> {
    let units: Vec<Vec<usize>> = (0..cfg.names.len())
        .map(|n| {
            productions_of(&cfg.productions, NonterminalId::new(n))
                .iter()
                .filter_map(|p| match p.rhs.as_slice() {
                    [Symbol::Nonterminal(m)] => Some(m.index()),
                    _ => None,
                })
                .collect()
        })
        .collect();
    let (mut done, mut on_path) = (vec![false; units.len()], vec![false; units.len()]);
    for root in 0..units.len() {
        let mut path = vec![(root, 0)];
        on_path[root] = !done[root];
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if done[node] || *next == units[node].len() {
                done[node] = true;
                on_path[node] = false;
                path.pop();
                continue;
            }
            let to = units[node][*next];
            *next += 1;
            if on_path[to] {
                let from = path.iter().position(|&(n, _)| n == to).unwrap_or(0);
                let cycle = path[from..].iter().map(|&(n, _)| n).chain([to]);
                return Some(cycle.collect());
            }
            if !done[to] {
                on_path[to] = true;
                path.push((to, 0));
            }
        }
    }
    None
}

/// Removes productions `A -> A`.
pub(super) fn remove_self_loops(cfg: &mut Cfg) {
    cfg.productions.retain(|p| p.rhs != [Symbol::Nonterminal(p.lhs)]);
}

/// Replaces the nonterminals of a unit cycle, which derive the same texts, by the first of them.
pub(super) fn merge(cfg: &mut Cfg, cycle: &[usize]) {
    let into = NonterminalId::new(cycle[0]);
    let mut is_on_cycle = vec![false; cfg.names.len()];
    cycle.iter().for_each(|&n| is_on_cycle[n] = true);
    let map = |n: NonterminalId| if is_on_cycle[n.index()] { into } else { n };
    for p in &mut cfg.productions {
        p.lhs = map(p.lhs);
        for s in &mut p.rhs {
            if let Symbol::Nonterminal(n) = s {
                *n = map(*n);
            }
        }
    }
    remove_self_loops(cfg);
    cfg.productions.sort_by_key(|p| p.lhs);
    dedup_within_lhs(&mut cfg.productions);
}
