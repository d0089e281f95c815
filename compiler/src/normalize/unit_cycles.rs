//! Removes cycles of unit productions, `A -> B` and `B -> A`.
//!
//! A cycle makes every text of its nonterminals infinitely ambiguous, and LR reductions would not end. All
//! nonterminals of a strongly connected component of the graph of unit productions derive the same texts, so one of
//! them stands for all.

use super::cfg::{Cfg, productions_of};
use super::trim::dedup_within_lhs;
use gcc_grammar_ir::{NonterminalId, Symbol, components};
use gcc_grammar_limits::{Budget, OverBudget};

/// Replaces the nonterminals of each component by the first of them that a depth-first search meets.
pub(super) fn remove(cfg: &mut Cfg, budget: &Budget) -> Result<(), OverBudget> {
    remove_self_loops(cfg);
    let units: Vec<Vec<u32>> = (0..cfg.names.len()).map(|n| units(cfg, NonterminalId::new(n))).collect();
    let components = components(units.len(), 0..units.len() as u32, |n| &units[n as usize]);
    if components.iter().all(|component| component.len() == 1) {
        return Ok(());
    }
    budget.charge_work(cfg.productions.len() as u64)?;
    let mut first: Vec<u32> = (0..units.len() as u32).collect();
    for component in &components {
        component.iter().for_each(|&n| first[n as usize] = component[0]);
    }
    let map = |n: &mut NonterminalId| *n = NonterminalId(first[n.index()]);
    for p in &mut cfg.productions {
        map(&mut p.lhs);
        for s in &mut p.rhs {
            if let Symbol::Nonterminal(n) = s {
                map(n);
            }
        }
    }
    remove_self_loops(cfg);
    cfg.productions.sort_by_key(|p| p.lhs);
    dedup_within_lhs(&mut cfg.productions);
    Ok(())
}

/// The nonterminals that a nonterminal derives with a unit production.
fn units(cfg: &Cfg, n: NonterminalId) -> Vec<u32> {
    let productions = productions_of(&cfg.productions, n).iter();
    let unit = |rhs: &[Symbol]| match rhs {
        [Symbol::Nonterminal(m)] => Some(m.0),
        _ => None,
    };
    productions.filter_map(|p| unit(&p.rhs)).collect()
}

/// Removes productions `A -> A`.
fn remove_self_loops(cfg: &mut Cfg) {
    cfg.productions.retain(|p| p.rhs != [Symbol::Nonterminal(p.lhs)]);
}
